package endtoend

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/levels"
)

// The facts that expected.json lists in words under "later": the same cluster
// after somebody mended, upgraded, backed up and scaled.
func TestRecordingLaterShowsItsFacts(t *testing.T) {
	sc := recording(t, "shop-cluster-later.json.gz")
	crds, _ := rows(sc)

	t.Run("certificates are ready", func(t *testing.T) {
		if c := crds["certificates.cert-manager.io"]; c.Ready != 5 || c.NotReady != 0 {
			t.Errorf("%d ready, %d not, want 5 and 0", c.Ready, c.NotReady)
		}
	})

	// The image changed (latest to 2.99.0), and the operand's pods are older
	// than that and run on; but their objects were not ready before either, so
	// that this is no proof, and no blame.
	t.Run("rabbitmq was upgraded over its operands", func(t *testing.T) {
		o := operator(t, sc, "rabbitmq-cluster-operator")
		c := check(t, o, "operand-survived-operator-upgrade")
		if c.Verdict != levels.NotObserved || !strings.Contains(c.Because, "older operand pods run on") || !strings.Contains(c.Because, "Pod/data/events-server-0") {
			t.Errorf("%s: %s", c.Verdict, c.Because)
		}
		noFinding(t, o.Findings, c.ID)
	})

	t.Run("a failed backup is a finding", func(t *testing.T) {
		o := operator(t, sc, "cloudnative-pg")
		c := check(t, o, "backup-completed")
		if c.Verdict != levels.NotObserved || !strings.Contains(c.Because, "no backup has finished; failed: Backup/") {
			t.Errorf("%s: %s", c.Verdict, c.Because)
		}
		if f := finding(t, o.Findings, c.ID); f.Severity != "warning" || !strings.Contains(f.Detail, "none has finished") {
			t.Errorf("%+v", f)
		}
		if l := o.Levels[2]; l.Status == levels.LevelRefuted || l.Status == levels.LevelProven {
			t.Errorf("level 3 is %s", l.Status)
		}
		if cluster := crds["clusters.postgresql.cnpg.io"]; !slices.Contains(cluster.ConditionTypes, "LastBackupSucceeded") || cluster.NotReady != 1 {
			t.Errorf("the Cluster: %d not ready, conditions %v", cluster.NotReady, cluster.ConditionTypes)
		}
	})

	t.Run("external-secrets was scaled to nothing", func(t *testing.T) {
		o := operator(t, sc, "external-secrets")
		if o.State != "down" || o.Level != 0 {
			t.Errorf("it is %s at level %d", o.State, o.Level)
		}
		for _, c := range o.Checks {
			if c.Level > 0 && c.Verdict == levels.Proven && !slices.Contains([]string{"api-documents-valid-values", "operator-upgrade-channel"}, c.ID) {
				t.Errorf("%s is proven by nobody: %s", c.ID, c.Because)
			}
		}
		if c := check(t, o, "crd-has-running-controller"); c.Verdict != levels.NotObserved {
			t.Errorf("scaled to 0 is somebody's decision, but running is %s: %s", c.Verdict, c.Because)
		}
		f := finding(t, o.Findings, "cr-without-controller")
		if f.Severity != "warning" || !slices.Contains(f.Objects, "Deployment/external-secrets/external-secrets") {
			t.Errorf("%+v", f)
		}
		for _, name := range []string{"externalsecrets.external-secrets.io", "secretstores.external-secrets.io"} {
			if c := crds[name]; c.ControllerState != "down" || c.Ready != 0 {
				t.Errorf("%s: controller %s, %d ready", name, c.ControllerState, c.Ready)
			}
		}
	})

	t.Run("a NodePool that nobody answers is a finding", func(t *testing.T) {
		o := operator(t, sc, "karpenter")
		if f := finding(t, o.Findings, "cr-gets-status"); f.Severity != "info" || !strings.Contains(f.Detail, "NodePool/general: no status after 13 minutes") {
			t.Errorf("%+v", f)
		}
		if v := verdictFor(o, "nodepools.karpenter.sh", "crd-has-running-controller"); v != levels.NotObserved {
			t.Errorf("its controller is %s", v)
		}
	})

	t.Run("an autoscaler of a user is nobody's capability", func(t *testing.T) {
		for _, o := range sc.Operators {
			for _, c := range o.Checks {
				if strings.Contains(c.ID, "autoscal") && c.Verdict != levels.NotObserved && c.Verdict != levels.NotApplicable {
					t.Errorf("%s %s is %s: %s", o.Name, c.ID, c.Verdict, c.Because)
				}
			}
		}
	})
}

// clockwork is a length of time as Go prints it.
var clockwork = regexp.MustCompile(`\d+m\d+(\.\d+)?s`)

// Kinds whose status nobody writes are not neglected, and what is said of ages
// is said in words.
func TestRecordingBlamesNobodyForEmptyStatuses(t *testing.T) {
	for _, name := range []string{"shop-cluster.json.gz", "shop-cluster-later.json.gz"} {
		sc := recording(t, name)
		o := operator(t, sc, "prometheus-operator")
		noFinding(t, o.Findings, "crd-has-running-controller")
		noFinding(t, o.Findings, "cr-gets-status")
		for _, o := range sc.Operators {
			for _, f := range o.Findings {
				if clockwork.MatchString(f.Detail) {
					t.Errorf("%s %s: %s", o.Name, f.ID, f.Detail)
				}
			}
		}
	}
}

func noFinding(t *testing.T, list []levels.Finding, id string) {
	t.Helper()
	for _, f := range list {
		if f.ID == id {
			t.Errorf("a finding %s: %s", id, f.Detail)
		}
	}
}
