package endtoend

import (
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/review"
	"kubectl-operator-maturity/test/testcluster"
)

// TestLiveReview reviews on a real API server: as one who sees everything, as
// one who may read CRDs and Deployments but no RBAC, and as one who may read
// nothing.
func TestLiveReview(t *testing.T) {
	c := testcluster.Start(t, testcluster.WithUser("stranger"))
	installOperators(t, c, []string{"cert-manager"}, "widgets.yaml", "limited.yaml")
	admin, limited, stranger := newReviewer(t, collect(t, c.Admin())), newReviewer(t, collect(t, c.User("limited"))), newReviewer(t, collect(t, c.User("stranger")))

	t.Run("what is there is found, and the size of its CRDs is not made up", func(t *testing.T) {
		rec := admin.review("certificates", "")
		o := onlyOption(t, rec, "cert-manager")
		if k := checkIn(t, &o, "gitops-size"); k.State != "unknown" || !strings.Contains(k.Because, "a live cluster does not tell it") {
			t.Errorf("gitops-size is %s: %s", k.State, k.Because)
		}
		if k := checkIn(t, &o, "rights-are-narrow"); k.State != "failed" {
			t.Errorf("rights-are-narrow is %s: %s", k.State, k.Because)
		}
		if here := admin.review("Widget", "").Matches.Here; len(here) != 1 || here[0].Where != "nobody" || !strings.HasPrefix(here[0].Note, "1 Widget object") {
			t.Errorf("widgets: %+v", here)
		}
	})

	t.Run("who sees less is told unknown, never anything better", func(t *testing.T) {
		full, less := onlyOption(t, admin.review("certificates", ""), "cert-manager"), onlyOption(t, limited.review("certificates", ""), "cert-manager")
		for i := range less.Checks {
			if k, all := &less.Checks[i], checkIn(t, &full, less.Checks[i].ID); k.State == "met" && all.State != "met" || k.State == "not-applicable" && all.State == "failed" {
				t.Errorf("%s is %s (%s) for a limited user, and %s (%s) for one who sees all", k.ID, k.State, k.Because, all.State, all.Because)
			}
		}
		for _, id := range []string{"no-right-to-everything", "rights-are-narrow", "cluster-survives-its-webhooks"} {
			if k := checkIn(t, &less, id); k.State != "unknown" || k.Because == "" {
				t.Errorf("%s is %s (%s), and RBAC and webhooks could not be read", id, k.State, k.Because)
			}
		}
		if less.Outcome != review.Trial {
			t.Errorf("outcome %q", less.Outcome)
		}
	})

	t.Run("who sees nothing is not told that nothing is there", func(t *testing.T) {
		for _, topic := range []string{"certificates", "Gizmo"} {
			rec := stranger.review(topic, "")
			if rec.Matches.Unseen == "" || len(rec.Unread) == 0 {
				t.Errorf("%s: unseen %q, unread %v", topic, rec.Matches.Unseen, rec.Unread)
			}
		}
		argued := need("unknown", "idempotent: yes", "stateful: yes")
		if rec := admin.review("Gizmo", argued); rec.Verdict != review.Write {
			t.Errorf("with everything seen and nothing there the verdict is %q by %s", rec.Verdict, rec.Rule)
		}
		if rec := stranger.review("Gizmo", argued); rec.Verdict != review.Hold || !strings.Contains(rec.Reasons[0], "cannot be decided") {
			t.Errorf("with nothing seen the verdict is %q: %v", rec.Verdict, rec.Reasons)
		}
	})
}

func onlyOption(t *testing.T, rec *review.Record, name string) review.Option {
	t.Helper()
	if len(rec.Options) != 1 || rec.Options[0].Name != name {
		t.Fatalf("operators %v, want %s", optionNames(rec), name)
	}
	return rec.Options[0]
}

func checkIn(t *testing.T, o *review.Option, id string) *review.Check {
	t.Helper()
	for i := range o.Checks {
		if o.Checks[i].ID == id {
			return &o.Checks[i]
		}
	}
	t.Fatalf("%s has no criterion %s", o.Name, id)
	return nil
}
