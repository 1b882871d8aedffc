package inventory

import (
	"sync"
)

// Sharing hands out what is shared to the goroutines of one scan. Sets of labels
// are shared among all of them: a Deployment, its ReplicaSets, pods, Services
// and ConfigMaps come in different lists and mostly have the same. The zero
// value is good.
type Sharing struct {
	sets labelSets
	idle sync.Pool
}

// Get is a Shared for the calling goroutine, until it is Put back.
func (s *Sharing) Get() *Shared {
	if shared, ok := s.idle.Get().(*Shared); ok {
		return shared
	}
	return &Shared{sets: &s.sets}
}

// Put gives a Shared back.
func (s *Sharing) Put(shared *Shared) { s.idle.Put(shared) }

// maxSets is how many sets are known: beyond it the older ones are forgotten.
const maxSets = 20_000

// labelSets are sets of labels by what is in them. A map of one label takes 340
// bytes, so that it pays to know very many.
type labelSets struct {
	mu    sync.Mutex
	known map[string]map[string]string
	older map[string]map[string]string // of before the last time that there were too many
}

// get is the set of a key, made by made if it is not known yet.
func (l *labelSets) get(key []byte, made func() map[string]string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if set, ok := l.known[string(key)]; ok {
		return set
	}
	own := string(key) // made may write over key
	set, ok := l.older[own]
	if !ok {
		set = made()
	}
	if l.known == nil || len(l.known) >= maxSets/2 {
		l.older, l.known = l.known, map[string]map[string]string{}
	}
	l.known[own] = set
	return set
}
