package facts

import (
	"strconv"
	"strings"
)

// statusWalk looks through the status of one instance for a running version,
// ids of external resources, counters of restarts and renewals.
type statusWalk struct {
	t        *tally
	i        int
	path     []step
	reports  bool
	external string
}

// step is a field on the way down: list tells that it holds several things.
type step struct {
	key  string
	list bool
}

func (t *tally) signs(i int) {
	w := &statusWalk{t: t, i: i}
	w.walk(t.k.instances[i].fields())
	if w.reports {
		t.f.ReportsVersion++
	}
	if w.external != "" {
		t.f.WithExternalID++
		t.k.see("externalIDs", &t.k.facts.Seen.ExternalIDs, t.k.ref(i)+" status."+w.external)
	}
}

func (w *statusWalk) walk(m map[string]any) {
	const deepest = 3
	depth := len(w.path)
	if depth > deepest {
		return
	}
	for key, value := range m {
		if key == "conditions" {
			continue
		}
		mark := w.t.k.op.key(key)
		switch v := value.(type) {
		case string:
			w.text(mark, key, v)
		case map[string]any:
			if n, ok := integer(v["count"]); ok && n > 0 && mark.counter {
				w.sign(&w.t.heal, key+" "+strconv.FormatInt(n, 10))
			} else if key == "autoRebalance" && len(v) > 0 {
				w.sign(&w.t.tune, "autoRebalance "+text(v["state"]))
			}
			w.down(key, false, v)
		case []any:
			for _, item := range v {
				if below, ok := item.(map[string]any); ok {
					w.down(key, true, below)
				}
			}
		default:
			n, ok := integer(v)
			switch {
			case !ok || n <= 0:
			case depth == 0 && mark.renewal && n > 1:
				w.sign(&w.t.renewed, key+" "+strconv.FormatInt(n, 10))
			case mark.counter:
				w.sign(&w.t.heal, key+" "+strconv.FormatInt(n, 10))
			}
		}
	}
}

func (w *statusWalk) down(key string, list bool, m map[string]any) {
	w.path = append(w.path, step{key, list})
	w.walk(m)
	w.path = w.path[:len(w.path)-1]
}

func (w *statusWalk) text(mark keyMarks, key, v string) {
	switch {
	case v == "":
	case mark.version && versionLike(key, v):
		w.reports = true
		w.t.versions = append(w.t.versions, clean(v))
	case (mark.external || strings.HasPrefix(v, "arn:")) && w.ownID(key) && isExternal(key, v):
		if found := w.pathOf(key) + ": " + clean(v); w.external == "" || found < w.external {
			w.external = found
		}
	case mark.refresh && laterThan(v, w.t.k.instances[w.i].obj):
		w.sign(&w.t.renewed, key+" "+clean(v))
	}
}

// versionLike keeps resource versions and other counters out: only a field that
// is called just version may hold a bare number.
func versionLike(key, v string) bool {
	return hasDigit.MatchString(v) && (strings.EqualFold(key, "version") || strings.ContainsAny(v, ".:"))
}

func (w *statusWalk) sign(list *[]string, what string) {
	*list = append(*list, w.t.k.ref(w.i)+": "+what)
}
