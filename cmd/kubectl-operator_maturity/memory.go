package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A scan runs on laptops and in small pods beside other work, so that its
// memory is bounded more tightly than Go does by itself, where garbage may take
// as much room as what is in use. modest is what it may take with garbage of
// any amount; beyond it, garbage may take three tenths of what is in use.
const modest = 230 << 20

// boundMemory sets the memory limit, and again after every garbage collection.
// GOGC and GOMEMLIMIT stand above it.
func boundMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		fitLimit(struct{}{})
	}
}

func fitLimit(struct{}) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(limitFor(live[0].Value.Uint64()))
	next := new([64]byte) // the next collection finds it unused
	runtime.AddCleanup(next, fitLimit, struct{}{})
}

// limitFor is the memory limit for so many bytes in use.
func limitFor(live uint64) int64 { return max(modest, int64(live/10*13)) }
