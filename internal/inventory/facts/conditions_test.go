package facts

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
)

// TestRead holds a case for every shape of field-cases.md F. Unless said
// otherwise the object has generation 3 and is an hour and a minute old.
func TestRead(t *testing.T) {
	old := time.Hour + time.Minute
	cases := []struct {
		name   string
		status string // JSON; "" for no status key
		in     Input
		want   Health
		why    string // a part of Why
		note   string // a part of Malformed; "-" for none
		behind bool
	}{
		{name: "F1 observed generation alone", status: `{"observedGeneration":3}`, want: NotExpressed, why: "reconciled", note: "-"},
		{name: "F1 behind", status: `{"observedGeneration":2}`, want: NotExpressed, behind: true},
		{name: "F2 phase", status: `{"phase":"Running"}`, want: Ready, why: "status.phase is Running"},
		{name: "F2 state in capitals", status: `{"state":"ACTIVE"}`, want: Ready},
		{name: "F2 unknown word", status: `{"phase":"Frobnicating"}`, want: Unknown},
		{name: "F2 words", status: `{"phase":"Cluster in healthy state"}`, want: Ready},
		{name: "F2 failed by its ending", status: `{"PostgresClusterStatus":"SyncFailed"}`, want: NotReady, why: "PostgresClusterStatus"},
		{name: "F2 Argo CD's health", status: `{"health":{"status":"Degraded"},"sync":{"status":"Synced"}}`, want: NotReady, why: "status.health.status"},
		{name: "F2 old phase", status: `{"phase":"Running","observedGeneration":2}`, want: Unknown, why: "generation 2 of 3", behind: true},
		{name: "F3 boolean", status: `{"ready":true}`, want: Ready},
		{name: "F3 boolean false", status: `{"ready":false}`, want: NotReady},
		{name: "F3 scalar", status: `true`, want: Ready, note: "not an object"},
		{name: "F3 scalar word", status: `"Failed"`, want: NotReady, note: "not an object"},
		{name: "F3 number", status: `7`, want: Unknown, note: "not an object"},
		{name: "F3 the condition wins", status: `{"ready":true,"conditions":[{"type":"Ready","status":"False"}]}`, want: NotReady, note: "status.ready is true but Ready=False"},
		{name: "F4 worst of parents", want: NotReady, why: "parents[gw-b]: Accepted=False (NotAllowed)", status: `{"parents":[
			{"parentRef":{"name":"gw-a"},"conditions":[{"type":"Accepted","status":"True"}]},
			{"parentRef":{"name":"gw-b"},"conditions":[{"type":"Accepted","status":"False","reason":"NotAllowed"}]}]}`},
		{name: "F4 listeners beside the object's own", want: NotReady, why: "listeners[web]: Conflicted=True", status: `{
			"conditions":[{"type":"Programmed","status":"True"}],
			"listeners":[{"name":"web","conditions":[{"type":"Conflicted","status":"True"},{"type":"Accepted","status":"True"}]}]}`},
		{name: "F4 null", status: `{"parents":null}`, want: NeverReconciled},
		{name: "F5 in the condition", status: `{"conditions":[{"type":"Ready","status":"True","observedGeneration":3}]}`, want: Ready},
		{name: "F5 the condition's wins", status: `{"observedGeneration":3,"conditions":[{"type":"Ready","status":"True","observedGeneration":2}]}`, want: Unknown, why: "generation 2 of 3", behind: true},
		{name: "F5 0 is unknown", status: `{"observedGeneration":0,"conditions":[{"type":"Ready","status":"True"}]}`, want: Ready},
		{name: "F5 no subresource", status: `{"observedGeneration":2,"conditions":[{"type":"Ready","status":"True"}]}`, in: Input{NoSubresource: true}, want: Ready},
		{name: "F6 contradiction", status: `{"conditions":[{"type":"Ready","status":"True"},{"type":"Degraded","status":"True"}]}`, want: NotReady, why: "Degraded=True"},
		{name: "F6 failed", status: `{"conditions":[{"type":"Ready","status":"False","reason":"AuthFailed"}]}`, want: NotReady, why: "(AuthFailed)"},
		{name: "F6 unknown type is neutral", status: `{"conditions":[{"type":"Zorp","status":"False"}]}`, want: NotExpressed, why: "Zorp"},
		{name: "F6 negative", status: `{"conditions":[{"type":"MemoryPressure","status":"True"},{"type":"DiskAvailable","status":"True"}]}`, want: NotReady, why: "MemoryPressure"},
		{name: "F6 NotReady=True", status: `{"conditions":[{"type":"NotReady","status":"True"}]}`, want: NotReady},
		{name: "F7 empty", status: `{}`, want: NeverReconciled},
		{name: "F7 zero values", status: `{"replicas":0,"message":""}`, want: NeverReconciled},
		{name: "F8 boolean status", status: `{"conditions":[{"type":"Ready","status":true}]}`, want: Ready, note: "Ready: status is a boolean"},
		{name: "F8 no reason, extra key", status: `{"conditions":[{"type":"Ready","status":"True","severity":"Info"}]}`, want: Ready, note: "Ready: no reason"},
		{name: "F8 lower case", status: `{"conditions":[{"type":"Ready","status":"true"}]}`, want: Ready, note: "not True, False or Unknown"},
		{name: "F8 home-made value", status: `{"conditions":[{"type":"Available","status":"Degraded"}]}`, want: NotReady, note: `"Degraded"`},
		{name: "F8 no status", status: `{"conditions":[{"type":"SyncError","message":"x"}]}`, want: NotExpressed, note: "SyncError: no status"},
		{name: "F8 map of conditions", status: `{"conditions":{"Ready":{"status":"True"}}}`, want: Ready, note: "is a map"},
		{name: "F8 twice", status: `{"conditions":[{"type":"Ready","status":"True"},{"type":"Ready","status":"False"}]}`, want: NotReady, note: "stands twice"},
		{name: "F8 odd entries", status: `{"conditions":["Ready",null,{"type":"Ready","status":"True"}]}`, want: Ready, note: "not an object"},
		{name: "F10 just made", in: Input{Age: 5 * time.Second}, want: Pending},
		{name: "F10 later", in: Input{Age: 10 * time.Minute}, want: Unknown},
		{name: "F10 an hour later", in: Input{Age: time.Hour}, want: NeverReconciled},
		{name: "F10 of unknown age", in: Input{Age: -1}, want: Unknown},
		{name: "F13 long message", status: `{"conditions":[{"type":"Ready","status":"False","reason":"A\u001b[31mB\u0000","message":"` + strings.Repeat("x", 20000) + `\n"}]}`, want: NotReady, why: "(AB)"},
		{name: "F14 no status key", want: NeverReconciled, why: "no status after"},
		{name: "F14 the CRD has none", in: Input{NoStatus: true}, want: NotExpressed, why: "the CRD has no status"},

		{name: "all positives: one False", want: NotReady, why: "ReconcileSuccess=False (FailedCLICommand)", status: `{"conditions":[
			{"type":"AllReplicasReady","status":"True"},{"type":"ClusterAvailable","status":"True"},
			{"type":"NoWarnings","status":"False"},{"type":"ReconcileSuccess","status":"False","reason":"FailedCLICommand"}]}`},
		{name: "all positives: True", want: Ready, status: `{"conditions":[{"type":"AllReplicasReady","status":"True"},{"type":"ClusterAvailable","status":"True"},
			{"type":"NoWarnings","status":"False"},{"type":"ReconcileSuccess","status":"True"}]}`},
		{name: "a summary sums up", want: Ready, status: `{"conditions":[{"type":"Ready","status":"True"},{"type":"Synced","status":"False"},{"type":"BackupFailed","status":"True"}]}`},
		{name: "done, no longer running", want: Ready, status: `{"conditions":[{"type":"Running","status":"False"},{"type":"Succeeded","status":"True"}]}`},
		{name: "running alone", want: Ready, status: `{"conditions":[{"type":"Running","status":"True"}]}`},
		{name: "unknown", want: Unknown, status: `{"conditions":[{"type":"Ready","status":"Unknown"}]}`},
		{name: "neutral conditions, telling phase", want: Ready, status: `{"phase":"Bound","conditions":[{"type":"Progressing","status":"False"}]}`},
		{name: "nothing of readiness", want: NotExpressed, status: `{"mtu":1440}`},
		{name: "one of several is old", want: Unknown, status: `{"conditions":[{"type":"Available","status":"True","observedGeneration":3},{"type":"Synced","status":"True","observedGeneration":2}]}`, behind: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := c.in
			if in.Age == 0 {
				in.Age = old
			}
			in.Generation = 3
			if c.status != "" {
				if err := json.Unmarshal([]byte(c.status), &in.Status); err != nil {
					t.Fatal(err)
				}
			}
			r := Read(in)
			sameWhenPacked(t, in, r)
			if r.Health != c.want {
				t.Errorf("%s (%s), want %s", r.Health, r.Why, c.want)
			}
			if !strings.Contains(r.Why, c.why) {
				t.Errorf("why %q, want %q in it", r.Why, c.why)
			}
			if r.Behind != c.behind {
				t.Errorf("behind %t, observed %d", r.Behind, r.Observed)
			}
			notes := strings.Join(r.Malformed, "; ")
			if c.note == "-" && notes != "" || c.note != "-" && !strings.Contains(notes, c.note) {
				t.Errorf("malformed %q, want %q", notes, c.note)
			}
			for _, cond := range r.Conditions {
				if len(cond.Message) > 400 || strings.ContainsAny(cond.Message+cond.Reason, "\x00\x1b\n") {
					t.Errorf("condition %q is not fit to be shown", cond.Type)
				}
			}
		})
	}
}

// sameWhenPacked compares a reading with that of the status as snapshots hold it.
func sameWhenPacked(t *testing.T, in Input, want Reading) {
	t.Helper()
	in.Status = inventory.Pack(in.Status).ValueBut("conditions")
	if diff := cmp.Diff(want, Read(in)); diff != "" {
		t.Errorf("another reading when packed: -as it is, +packed:\n%s", diff)
	}
}

func TestPolarity(t *testing.T) {
	for kind, want := range map[string]polarity{
		"Ready": positive, "AllReplicasReady": positive, "ClusterAvailable": positive, "ReconcileSuccess": positive, "Synced": positive,
		"Programmed": positive, "Established": positive, "NotReady": negative, "ReplicaFailure": negative, "DiskPressure": negative,
		"Unavailable": negative, "PodsNotAvailable": negative, "NoWarnings": neutral, "Progressing": neutral, "Zorp": neutral, "Already": neutral,
	} {
		if got := polarityOf(kind); got != want {
			t.Errorf("%s: %d, want %d", kind, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{}`, `true`, `[]`, `{"conditions":[{"type":1,"status":{}}]}`, `{"conditions":[]}`, `{"conditions":{"Ready":{"status":true}}}`,
		`{"conditions":[1,{"type":"Ready","status":"true","reason":null,"observedGeneration":2.0,"lastTransitionTime":"2026-01-01T00:00:00Z"}]}`,
		`{"conditions":""}`, `{"conditions":{"a":0}}`, `{"parents":[{"conditions":{"a":{}}}]}`, `{"phase":{"state":[]}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var in Input
		if json.Unmarshal([]byte(s), &in.Status) != nil {
			return
		}
		r := Read(in)
		if r.Health == "" {
			t.Errorf("%s: no health", s)
		}
		sameWhenPacked(t, in, r)
	})
}
