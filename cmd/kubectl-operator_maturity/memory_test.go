package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestMemoryLimitFollowsWhatIsInUse(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int64
	}{{0, modest}, {100 << 20, modest}, {200 << 20, 260 << 20}, {4000 << 20, 5200 << 20}} {
		if got := limitFor(c.live); got != c.want {
			t.Errorf("%d MiB in use: a limit of %d MiB, want %d", c.live>>20, got>>20, c.want>>20)
		}
	}
}

// The limit grows with what is in use: one that stays would make the collector
// run all the time on a cluster that is larger than it.
func TestMemoryLimitIsSetAgainAfterEachCollection(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	boundMemory()
	if got := debug.SetMemoryLimit(-1); got < modest || got == math.MaxInt64 {
		t.Fatalf("the limit is %d", got)
	}
	for range 2 { // set aside, and set again by the next collection
		debug.SetMemoryLimit(math.MaxInt64)
		for deadline := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) == math.MaxInt64; {
			if time.Now().After(deadline) {
				t.Fatal("no collection set the limit")
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
}

func TestGOMEMLIMITStandsAboveOurs(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "1GiB")
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	debug.SetMemoryLimit(1 << 30)
	boundMemory()
	if got := debug.SetMemoryLimit(-1); got != 1<<30 {
		t.Errorf("the limit is %d", got)
	}
}
