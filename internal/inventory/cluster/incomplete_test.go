package cluster

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

func TestIncomplete(t *testing.T) {
	for _, c := range []struct {
		name   string
		detail string
		run    func(o Options, hung <-chan struct{}) (*inventory.Snapshot, error)
	}{
		{"the time limit", "not finished: the time limit of 700ms was reached", func(o Options, _ <-chan struct{}) (*inventory.Snapshot, error) {
			o.Timeout = 700 * time.Millisecond
			return Collect(context.Background(), o)
		}},
		{"interrupted", "not finished: interrupted", func(o Options, hung <-chan struct{}) (*inventory.Snapshot, error) {
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-hung; cancel() }()
			return Collect(ctx, o)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.crds(widgets(), newCRD("Slow", "slows", version("v1", true, true)), newCRD("Two", "twos", version("v1", true, true)))
			hung := make(chan struct{}, 10)
			f.on("/apis/example.io/v1/slows", func(_ http.ResponseWriter, r *http.Request) {
				hung <- struct{}{}
				<-r.Context().Done()
			})
			f.on("/apis/example.io/v1/twos", func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("continue") != "" {
					<-r.Context().Done()
				}
				send(w, 200, names("example.io/v1", "TwoList", "a").page("next", 1))
			})
			o := f.options()
			o.Workers = 1 // lists behind the hanging one are not begun
			s, err := c.run(o, hung)
			if !errors.Is(err, ErrIncomplete) || s == nil {
				t.Fatalf("Collect gave %v, %v; want a snapshot and ErrIncomplete", s, err)
			}
			t.Log(err)
			wantRow(t, row(t, s, "", "pods"), inventory.Listed, 0, "")
			wantRow(t, row(t, s, "example.io", "slows"), inventory.Failed, 0, c.detail)
			wantRow(t, row(t, s, "example.io", "twos"), inventory.Failed, 0, c.detail)
			if want := len(inventory.Kinds()) + 1 + 3; len(s.Access) != want {
				t.Errorf("%d access rows, want %d", len(s.Access), want)
			}
		})
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := Collect(ctx, newFake(t).options())
	if !errors.Is(err, ErrIncomplete) || s == nil {
		t.Fatalf("Collect gave %v, %v", s, err)
	}
	for _, a := range s.Access {
		wantRow(t, a, inventory.Failed, 0, "not finished: interrupted")
	}
}

func TestRateLimitBeyondTheTimeLimit(t *testing.T) {
	f := newFake(t)
	o := f.options()
	o.QPS, o.Burst, o.Timeout = 1, 10, 900*time.Millisecond
	s, err := Collect(context.Background(), o)
	if !errors.Is(err, ErrIncomplete) {
		t.Fatalf("Collect gave %v", err)
	}
	if n := len(f.sent("")); n > 12 {
		t.Errorf("%d requests at 1 per second and a burst of 10", n)
	}
	wantRow(t, row(t, s, "apps", "controllerrevisions"), inventory.Failed, 0, "not finished: ")
}
