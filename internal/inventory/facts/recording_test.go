package facts_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/rules"
)

// observed are the facts of a part of the corpus, CRDs by name.
type observed struct {
	crds      map[string]facts.CRD
	operators map[string]facts.Operator
}

func observe(t *testing.T, complete bool, path ...string) observed {
	t.Helper()
	s, err := manifests.Read(context.Background(), manifests.Options{
		Paths: []string{filepath.Join(append([]string{corpustest.Dir(t)}, path...)...)}, Complete: complete})
	if err != nil {
		t.Fatal(err)
	}
	cat, err := loadCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	all := facts.ObserveAll(s, attribution.Attribute(s, cat))
	o := observed{map[string]facts.CRD{}, map[string]facts.Operator{}}
	for _, list := range [][]facts.Operator{all.Operators, all.SharedAPIs, all.Unattributed} {
		for _, op := range list {
			o.operators[op.Name] = op
			for _, c := range op.CRDs {
				o.crds[c.Name] = c
			}
		}
	}
	return o
}

var loadCatalogue = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(catalogue.Layer{FS: rules.FS}) })

func TestRecording(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large input; runs without -short")
	}
	o := observe(t, true, "recordings", "shop-cluster.json.gz")
	check := func(what string, ok bool, got any) {
		t.Helper()
		if !ok {
			raw, _ := json.Marshal(got)
			t.Errorf("%s: %s", what, raw)
		}
	}
	var expected struct {
		Instances   map[string]int    `json:"instances"`
		CRDOperator map[string]string `json:"crdOperator"`
	}
	raw, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "recordings", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	for name := range expected.CRDOperator {
		c, ok := o.crds[name]
		check(name+" instances", ok && c.Instances.Count == expected.Instances[name] && c.Instances.Complete, c.Instances)
		check(name+" is an example for nobody's autoscalers", len(c.Autoscalers.ByOperator)+len(c.Backups.Completed) == 0, c.Autoscalers)
	}

	c := o.crds["certificates.cert-manager.io"]
	check("4 of 5 ready", c.Instances.Ready == 4 && c.Instances.NotReady == 1 && strings.Contains(c.Instances.NotReadyWhy[0], "shop/broken"), c.Instances)
	check("children", c.Children.Total == 5 && c.Children.Valid == 5, c.Children)
	check("events", c.Events.Count > 10 && !slices.Contains(c.Events.Reasons, "LeaderElection"), c.Events)
	check("no alerts, no PDB", c.Alerts.Count == 0 && len(c.Disruption.ByOperator) == 0, c.Alerts)
	op := o.operators["cert-manager"]
	check("scraped", op.Metrics.Scraped && op.Metrics.Endpoints[0].Monitor == "ServiceMonitor/cert-manager/cert-manager", op.Metrics)
	check("a fresh Lease of no pod", op.Leader.Fresh && !op.Leader.HeldByPod, op.Leader)

	c = o.crds["rabbitmqclusters.rabbitmq.com"]
	check("not ready for its reconcile", c.Instances.NotReady == 2 && strings.Contains(c.Instances.NotReadyWhy[0], "ReconcileSuccess=False"), c.Instances)
	check("finalizer", slices.Equal(c.Instances.Finalizers, []string{"deletion.finalizers.rabbitmqclusters.rabbitmq.com"}) && len(c.Instances.UnqualifiedFinalizers) == 0, c.Instances.Finalizers)
	check("operand", c.Operand.WithReadiness == 2 && c.Operand.WithLiveness == 0 && c.Operand.WithRequests == 2 && len(c.Operand.Rolling) == 2, c.Operand)
	check("no generation", c.Instances.TracksGeneration == 0, c.Instances)
	check("alerts of the operator only", c.Alerts.OperandCount == 0 && len(c.Alerts.ByOperator) == 0, c.Alerts)
	check("nobody's PDB", len(c.Disruption.ByOperator)+len(c.Instances.FailoverSigns) == 0, c.Disruption)

	c = o.crds["clusters.postgresql.cnpg.io"]
	check("not ready", c.Instances.NotReady == 1, c.Instances)
	check("PDB", len(c.Disruption.ByOperator) > 0, c.Disruption)
	check("PodMonitor", slices.Equal(c.Monitors.ByOperator, []string{"PodMonitor/data/orders"}) && len(c.Monitors.Broken) == 0, c.Monitors)
	check("probes, no requests", c.Operand.WithLiveness == 1 && c.Operand.WithReadiness == 1 && c.Operand.WithRequests == 0, c.Operand)
	check("backup kinds", slices.Equal(c.Backups.Kinds, []string{"Backup", "ScheduledBackup"}), c.Backups)

	c = o.crds["prometheuses.monitoring.coreos.com"]
	check("ready", c.Instances.Ready == 1 && c.Instances.WellFormed == 1 && c.Instances.TracksGeneration == 1, c.Instances)
	check("the package's own monitors, rules and PDBs", len(c.Monitors.ByOperator)+c.Alerts.Count+len(c.Disruption.ByOperator) == 0, c)

	c = o.crds["widgets.myteam.example.com"]
	check("stuck", len(c.Instances.Stuck) == 1 && strings.Contains(c.Instances.Stuck[0], "Widget/default/leaving waits for finalizer"), c.Instances)
	check("products", o.crds["backups.velero.io"].Product && o.crds["scaledobjects.keda.sh"].Product && o.crds["nodepools.karpenter.sh"].Product, nil)
	check("own PDB", len(o.operators["karpenter"].OwnPDB.Names) == 1 && len(o.crds["nodepools.karpenter.sh"].Disruption.ByOthers) == 0, o.operators["karpenter"].OwnPDB)
	check("rights by stars only", o.operators["velero"].RBAC.All && len(o.operators["velero"].RBAC.Writes) == 0, o.operators["velero"].RBAC)
	check("a shared API", o.operators["gateway-api"].Archetype == "shared-api", o.operators["gateway-api"].Archetype)
}

func TestLaterRecording(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large input; runs without -short")
	}
	o := observe(t, true, "recordings", "shop-cluster-later.json.gz")
	if c := o.crds["certificates.cert-manager.io"]; c.Instances.Ready != 5 {
		t.Errorf("certificates: %+v", c.Instances)
	}
	rabbit := o.operators["rabbitmq-cluster-operator"]
	if rabbit.Rollout.Revisions != 2 || !rabbit.Rollout.AfterInstall || rabbit.Rollout.Images != 2 {
		t.Errorf("rabbitmq's rollout: %+v", rabbit.Rollout)
	}
	if u := o.crds["rabbitmqclusters.rabbitmq.com"].Upgrade; !u.OperatorRolled || len(u.Survivors)+len(u.CRSurvivors) != 0 {
		t.Errorf("no instance is ready, so none survived: %+v", u)
	}
	if b := o.crds["clusters.postgresql.cnpg.io"].Backups; len(b.Failed) != 1 || len(b.Completed)+len(b.StatusReports) != 0 {
		t.Errorf("a failed backup: %+v", b)
	}
	for _, name := range []string{"externalsecrets.external-secrets.io", "secretstores.external-secrets.io"} {
		if c := o.crds[name]; !c.Reconciled.Gone || c.Instances.Count != 1 || c.Instances.WithStatus != 0 {
			t.Errorf("%s: %+v %+v", name, c.Reconciled, c.Instances)
		}
	}
	for name, c := range o.crds {
		if a := c.Autoscalers; len(a.ByOperator)+len(a.ByOthers) > 0 {
			t.Errorf("%s: an HPA of a Deployment that is not there: %+v", name, a)
		}
	}
}

// TestManifests: nothing is observed of what was never on a server, and what
// files do not hold is unseen.
func TestManifests(t *testing.T) {
	for _, folder := range []string{"cert-manager", "cloudnative-pg", "external-secrets", "gatekeeper", "karpenter-aws", "keda", "strimzi", "velero"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			for name, c := range observe(t, false, "manifests", folder).crds {
				s := c.Seen
				if s.Instances+s.Ready+s.Conditions+s.Children+s.Events+s.OwnedPDBs+s.OwnedMonitors+s.OwnedAutoscalers+s.OwnedAlerts+s.CompletedBackups+s.ExternalIDs > 0 {
					t.Errorf("%s: %+v", name, s)
				}
				for _, facet := range []string{"children", "events", "operand"} {
					if c.Unseen[facet] == "" && c.Instances.Declared == 0 {
						t.Errorf("%s: %s is seen", name, facet)
					}
				}
			}
		})
	}
}
