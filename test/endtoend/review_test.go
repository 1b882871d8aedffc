package endtoend

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/review"
)

func TestReviewFindsWhatIsNearTheTopic(t *testing.T) {
	shop, demo := newReviewer(t, shopSnapshot(t)), newReviewer(t, demoSnapshot(t))
	for _, c := range []struct {
		on      *reviewer
		topic   string
		options []string
		known   []string // some of them
	}{
		{shop, "PostgresCluster", []string{"crunchy-pgo", "zalando-postgres-operator", "cloudnative-pg"}, []string{"percona-postgresql-operator", "stackgres"}},
		{shop, "postgresql backup failover", []string{"crunchy-pgo", "cloudnative-pg", "zalando-postgres-operator"}, []string{"percona-postgresql-operator"}},
		{shop, "postgresql.cnpg.io", []string{"cloudnative-pg"}, nil},
		{shop, "kafka", []string{"strimzi"}, []string{"koperator", "confluent-for-kubernetes"}},
		{shop, "certificates", []string{"cert-manager"}, []string{"step-issuer"}},
		{shop, "redis cache", []string{"redis-operator-ot"}, []string{"redis-operator-spotahome", "dragonfly-operator"}},
		{shop, "widget", nil, nil},
		{shop, "argo-cd", []string{"argo-cd"}, []string{"argocd-operator"}},
		{shop, "cert-manager.io", []string{"cert-manager"}, nil},
		{shop, "message queue", []string{"rabbitmq-cluster-operator"}, []string{"ibm-mq-operator"}},
		{shop, "secrets", []string{"external-secrets"}, []string{"vault-secrets-operator"}},
		{shop, "HTTPRoute", nil, nil},
		{shop, "operator", nil, nil},
		{shop, "gpu", nil, []string{"gpu-operator"}},
		{demo, "PostgresCluster", []string{"cloudnative-pg"}, []string{"crunchy-pgo", "zalando-postgres-operator"}},
		{demo, "kafka", nil, []string{"strimzi"}},
		{demo, "certificates", []string{"cert-manager"}, nil},
		{demo, "redis cache", []string{"redis-operator-ot"}, []string{"redis-enterprise-operator"}},
		{demo, "widget", nil, nil},
	} {
		rec := c.on.review(c.topic, "")
		if diff := cmp.Diff(c.options, optionNames(rec)); diff != "" {
			t.Errorf("%s: operators (-want +got):\n%s", c.topic, diff)
		}
		for _, name := range c.known {
			if !slices.ContainsFunc(rec.Matches.Known, func(m review.Match) bool { return m.Name == name }) {
				t.Errorf("%s: %s is not among the known", c.topic, name)
			}
		}
		if rec.Verdict != review.Hold {
			t.Errorf("%s: without an answer the verdict is %q", c.topic, rec.Verdict)
		}
	}
}

// TestACoincidenceOfWordsIsNoMatch: each has a word of the topic, in an API
// group, in the name of a kind or among its keywords, and is about another
// thing.
func TestACoincidenceOfWordsIsNoMatch(t *testing.T) {
	shop := newReviewer(t, shopSnapshot(t))
	for topic, not := range map[string][]string{
		"certificates":               {"hypershift"},                                                             // certificates.hypershift.openshift.io
		"secrets":                    {"crossplane"},                                                             // secrets.crossplane.io
		"redis cache":                {"nfs-provisioner-operator", "kube-image-keeper", "gatekeeper"},            // cache.jhouse.com
		"postgresql backup failover": {"bitpoke-mysql-operator", "moco", "velero"},                               // back up something else
		"policy":                     {"kasten", "trilio"},                                                       // have a kind Policy, of backups
		"cert-manager.io":            {"strimzi", "velero", "cloudnative-pg", "minio-operator", "argo-rollouts"}, // end in io
		"cert":                       {"redis-enterprise-operator"},                                              // has a package called …-cert
		"argo-cd":                    {"argo-rollouts", "tekton-pipelines"},
		"message queue":              {"keda"},
	} {
		rec := shop.review(topic, "")
		for _, m := range slices.Concat(rec.Matches.Here, rec.Matches.Known) {
			if slices.Contains(not, m.Name) {
				t.Errorf("%s matches %q by %v", m.Name, topic, m.Reasons)
			}
		}
	}
}

// TestReviewSaysNoMoreThanWasSeen: what nobody uses here proves and refutes
// nothing, and who sees no release knows of no safe way out.
func TestReviewSaysNoMoreThanWasSeen(t *testing.T) {
	shop, demo := newReviewer(t, shopSnapshot(t)), newReviewer(t, demoSnapshot(t))
	for _, c := range []struct {
		on                                  *reviewer
		topic, operator, id, state, because string
	}{
		{shop, "redis", "redis-operator-ot", "level-2-shown", "unknown", "no resource ready here"},
		{shop, "redis", "redis-operator-ot", "deletes-cleanly", "unknown", "it has no resource here"},
		{shop, "PostgresCluster", "zalando-postgres-operator", "deletes-cleanly", "unknown", "no resource was seen ready"},
		{shop, "PostgresCluster", "crunchy-pgo", "uninstall-keeps-data", "unknown", "nothing keeps 3 CRDs"},
		{shop, "certificates", "cert-manager", "uninstall-keeps-data", "met", "6 CRDs kept by policy"},
		{shop, "kafka", "strimzi", "rights-are-narrow", "met", "1 of them in the whole cluster"},
		{demo, "certificates", "cert-manager", "deletes-cleanly", "unknown", "was not seen"},
		{demo, "PostgresCluster", "cloudnative-pg", "deletes-cleanly", "met", "none of 4 resources has a finalizer"},
	} {
		rec := c.on.review(c.topic, "")
		at := slices.Index(optionNames(rec), c.operator)
		if at < 0 {
			t.Errorf("%s: no %s", c.topic, c.operator)
			continue
		}
		if k := checkIn(t, &rec.Options[at], c.id); k.State != c.state || !strings.Contains(k.Because, c.because) {
			t.Errorf("%s: %s is %s (%s), want %s (%s)", c.operator, c.id, k.State, k.Because, c.state, c.because)
		}
	}
}

// TestReviewOfACandidateThatIsAdministrator: Velero's manifests bind
// cluster-admin, a role that no manifest brings; Spotahome's Redis operator has
// a CRD without a status.
func TestReviewOfACandidateThatIsAdministrator(t *testing.T) {
	rec := newReviewer(t, &inventory.Snapshot{Source: inventory.Source{Type: "files"}}, "velero", "redis-operator-spotahome").review("backup", "")
	velero, redis := rec.Options[0], rec.Options[1]
	if k := checkIn(t, &velero, "no-right-to-everything"); k.State != "failed" || k.RedFlag != "is administrator of the cluster: ClusterRole/cluster-admin" || velero.Outcome != review.Hold {
		t.Errorf("velero is on %s: %s, %q", velero.Outcome, k.State, k.RedFlag)
	}
	if k := checkIn(t, &redis, "api-tells-status"); k.State != "unknown" || !strings.Contains(k.Because, "no kind has a status") {
		t.Errorf("redis-operator-spotahome: %s (%s)", k.State, k.Because)
	}
	for _, o := range rec.Options {
		if k := checkIn(t, &o, "metrics-scraped"); k.State == "met" {
			t.Errorf("%s: files show no scrape: %s", o.Name, k.Because)
		}
	}
}

// TestReviewOfWidgetDependsOnTheAnswers: nobody reconciles widgets, and the
// catalogue knows no operator for them.
func TestReviewOfWidgetDependsOnTheAnswers(t *testing.T) {
	for _, on := range []*reviewer{newReviewer(t, demoSnapshot(t)), newReviewer(t, shopSnapshot(t))} {
		for _, c := range []struct{ answers, verdict, rule string }{
			{need("no", "idempotent: yes", "several-objects: yes"), review.Write, "write-one"},
			{need("unknown", "idempotent: yes", "stateful: yes"), review.Write, "nothing-exists"},
			{need("no", "idempotent: no", "several-objects: yes"), review.UseHelm, "steps-cannot-be-repeated"},
			{need("no", "several-objects: yes"), review.Hold, "an-own-one-is-not-argued"},
			{need("no", "stateless: yes"), review.UseHelm, "stateless-is-built-in"},
			{strings.ReplaceAll(need("no", "several-objects: yes"), `people, answer: "yes"`, `people, answer: "no"`), review.UseHelm, "nobody-owns-it"},
			{strings.ReplaceAll(need("unknown"), `more-than-install, answer: "yes"`, `more-than-install, answer: "no"`), review.UseHelm, "helm-is-enough"},
			{strings.ReplaceAll(need("no", "idempotent: yes", "stateful: yes"), `day-2-defined, answer: "yes"`, `day-2-defined, answer: "unknown"`), review.Hold, "need-is-open"},
		} {
			rec := on.review("widget", c.answers)
			if rec.Verdict != c.verdict || rec.Rule != c.rule {
				t.Errorf("%q by %s, want %q by %s\n%s", rec.Verdict, rec.Rule, c.verdict, c.rule, c.answers)
			}
			if (rec.Verdict == review.Write) != (len(rec.Checklist) == 6 && len(rec.Warnings) == 6) {
				t.Errorf("%s: %d parts of a checklist, %d warnings", rec.Verdict, len(rec.Checklist), len(rec.Warnings))
			}
		}
	}
}

// TestReviewedCandidatesHaveTheseRedFlags: each was looked up by hand in the
// manifests. The ClusterRoles postgres-operator (Zalando: install.yaml line
// 193, Crunchy: line 51) and redis-operator (OLM bundle) grant create on
// pods/exec in the whole cluster, and the bundle's four CRDs serve v1beta1 and
// v1beta2 with different fields and conversion strategy None.
func TestReviewedCandidatesHaveTheseRedFlags(t *testing.T) {
	rec := newReviewer(t, &inventory.Snapshot{Source: inventory.Source{Type: "files"}}, "zalando-postgres-operator", "crunchy-pgo", "redis-operator-olm").review("postgres redis", "")
	if diff := cmp.Diff([]string{"zalando-postgres-operator", "crunchy-pgo", "redis-operator-ot"}, optionNames(rec)); diff != "" {
		t.Fatal(diff)
	}
	var got []string
	for _, f := range rec.RedFlags {
		got = append(got, f.Option+" "+f.Criterion+": "+f.Text)
	}
	want := []string{
		"zalando-postgres-operator rights-are-narrow: reaches further than its own resources: ClusterRole/postgres-operator: runs commands in every pod",
		"crunchy-pgo rights-are-narrow: reaches further than its own resources: ClusterRole/postgres-operator: runs commands in every pod",
		"redis-operator-ot versions-convert: serves versions that differ and converts nothing, so a write in one drops fields of the other: redis.redis.redis.opstreelabs.in (v1beta1, v1beta2), redisclusters.redis.redis.opstreelabs.in (v1beta1, v1beta2), redisreplications.redis.redis.opstreelabs.in (v1beta1, v1beta2) and 1 more",
		"redis-operator-ot rights-are-narrow: reaches further than its own resources: ClusterRole/redis-operator.v0.15.1-redis-operator-0: runs commands in every pod",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("red flags (-want +got):\n%s", diff)
	}
	for _, o := range rec.Options {
		if o.Outcome != review.Trial || o.Facts.Levels.Proven != 0 {
			t.Errorf("%s: %s, level %d proven: files prove nothing", o.Name, o.Outcome, o.Facts.Levels.Proven)
		}
	}
	// Also looked up by hand: Crunchy's Deployment has no resources, and its
	// CRD of 1.4 MB is over the limit of client-side apply.
	crunchy := rec.Options[1].Facts
	if len(crunchy.Pod.WithoutLimits) != 1 || len(crunchy.Size.OverLimit) != 1 || len(rec.Options[0].Facts.Size.OverLimit) != 0 {
		t.Errorf("limits %v, sizes %v", crunchy.Pod.WithoutLimits, crunchy.Size.OverLimit)
	}
	if diff := cmp.Diff([]string{"snapshot.storage.k8s.io (volumesnapshots)"}, crunchy.Dependencies.Absent); diff != "" {
		t.Errorf("foreign APIs (-want +got):\n%s", diff)
	}
}

// TestReviewHoldsACandidateAgainstTheCluster: Redis runs here already, is down,
// and leaves a deletion hanging; its own candidate would be an upgrade.
func TestReviewHoldsACandidateAgainstTheCluster(t *testing.T) {
	rec := newReviewer(t, demoSnapshot(t), "redis-operator-ot").review("redis", need("yes"))
	if diff := cmp.Diff([]string{"redis-operator-ot", "redis-operator-ot (candidate)"}, optionNames(rec)); diff != "" {
		t.Fatal(diff)
	}
	here, candidate := rec.Options[0], rec.Options[1]
	if here.Outcome != review.Hold || candidate.Outcome != review.Trial || rec.Verdict != review.Trial {
		t.Errorf("here %s, candidate %s, verdict %s", here.Outcome, candidate.Outcome, rec.Verdict)
	}
	if candidate.Facts.Conflicts.Installed == "" || len(candidate.Facts.Conflicts.CRDs) != 0 {
		t.Errorf("the candidate is of the operator that is here: %+v", candidate.Facts.Conflicts)
	}
}

// TestReviewOfAnswersAgainstEvidence: what the cluster shows cannot be answered
// away.
func TestReviewOfAnswersAgainstEvidence(t *testing.T) {
	r := newReviewer(t, demoSnapshot(t))
	in := r.input
	in.Topic = "redis"
	in.Answers = review.ParseAnswers("answers.yaml", []byte(answersHead+`options:
  - name: redis-operator-ot
    answers:
      - {id: seen-to-work, answer: "yes", evidence: "https://x.example.com", by: dba, date: 2026-11-20}
`))
	_, err := review.Review(in)
	var problems levels.Problems
	if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Line != 6 || !strings.Contains(problems[0].Message, "against the evidence: its controller is down") {
		t.Errorf("got %v", err)
	}
}
