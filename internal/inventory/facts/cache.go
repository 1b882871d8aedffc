package facts

import "sync"

// cache remembers what was worked out for a key. Operators are observed at the
// same time: it is safe for that.
type cache[K comparable, V any] struct {
	mu    sync.RWMutex
	known map[K]V
}

// lookup is a cache of one goroutine in front of a shared one, which all of
// them would wait for.
type lookup[K comparable, V any] map[K]V

func (l *lookup[K, V]) get(key K, shared func(K) V) V {
	if v, ok := (*l)[key]; ok {
		return v
	}
	v := shared(key)
	if *l == nil || len(*l) >= maxCached {
		*l = lookup[K, V]{}
	}
	(*l)[key] = v
	return v
}

// maxCached bounds the caches of what words, keys and paths mean: the same few
// come back in every custom resource, but some statuses are keyed by data.
const maxCached = 20000

func (c *cache[K, V]) get(key K, workOut func(K) V) V {
	c.mu.RLock()
	v, ok := c.known[key]
	c.mu.RUnlock()
	if ok {
		return v
	}
	v = workOut(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[K]V{}
	}
	if len(c.known) < maxCached {
		c.known[key] = v
	}
	return v
}
