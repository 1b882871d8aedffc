package facts

import (
	"regexp"
	"strconv"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// wordMarks are what a condition type, a reason or a phase speaks of.
type wordMarks struct{ change, upgrade, unsupported, failover, tune, heal bool }

var (
	changeType   = regexp.MustCompile(`^(Progressing|Reconciling|Updating|RollingUpdate|Upgrading|Issuing|Deploying|Scaling|Migrating|Provisioning|Rollout.*|.*InProgress|.*RollingUpdate)$`)
	upgradeWord  = regexp.MustCompile(`(?i)upgrad|rolling ?update|migrat`)
	unsupported  = regexp.MustCompile(`(?i)unsupported|incompatible|not ?supported`)
	failoverWord = regexp.MustCompile(`(?i)fail(ing|ed)?[- ]?over|switch(ing|ed)?[- ]?over|promot(ed|ing|ion)`)
	tuneWord     = regexp.MustCompile(`(?i)rebalanc|auto ?tun|optimi[sz]`)
	healWord     = regexp.MustCompile(`(?i)self-?heal|healed|healing|remediat|repaired|repairing|auto-?restart|auto-?recover|recreated`)
)

// maxCached bounds the caches of what words, keys and paths mean: the same few
// come back in every custom resource, but some statuses are keyed by data.
const maxCached = 20000

func (o *observer) word(s string) wordMarks {
	m, ok := o.words[s]
	if !ok {
		m = wordMarks{
			changeType.MatchString(s) || changeWords[squash(s)], upgradeWord.MatchString(s), unsupported.MatchString(s),
			failoverWord.MatchString(s), tuneWord.MatchString(s), healWord.MatchString(s),
		}
		if len(o.words) < maxCached {
			o.words[s] = m
		}
	}
	return m
}

// conditionSigns notes what a condition tells beside readiness. Types say what
// the operator watches for, so that they count only when True.
func (t *tally) conditionSigns(i int, c *Condition) {
	m := t.k.op.o.word(c.Reason)
	if c.Status == "True" {
		of := t.k.op.o.word(c.Type)
		m = wordMarks{false, m.upgrade || of.upgrade, m.unsupported || of.unsupported, m.failover || of.failover, m.tune || of.tune, m.heal || of.heal}
	}
	t.note(m, func() string { return strings.TrimSpace(t.k.ref(i) + ": " + c.Type + "=" + c.Status + " " + c.Reason) })
}

func (t *tally) note(m wordMarks, what func() string) {
	for _, sign := range []struct {
		found bool
		list  *[]string
	}{{m.upgrade, &t.upgrade}, {m.unsupported, &t.unsupported}, {m.failover, &t.failover}, {m.tune, &t.tune}, {m.heal, &t.heal}} {
		if sign.found {
			*sign.list = append(*sign.list, what())
		}
	}
}

func (t *tally) phaseSigns(i int, phase string) {
	m := t.k.op.o.word(phase)
	if m.change {
		t.change = append(t.change, phase)
	}
	m.tune, m.heal = false, false
	t.note(m, func() string { return t.k.ref(i) + ": phase " + phase })
}

var (
	versionKey  = regexp.MustCompile(`(?i)^version$|[a-z]Version$|^image$|^imageName$`)
	notAVersion = regexp.MustCompile(`(?i)(api|tls|ssl|schema|resource|config|protocol|kubernetes|observed.*|chart|http|ip|policy|crd|storage)Version$`)
	hasDigit    = regexp.MustCompile(`[0-9]`)

	externalKey = regexp.MustCompile(`^(arn|[a-zA-Z]+ARN|[a-zA-Z]+Arn|providerID|providerId|externalID|externalId|externalName|url|uri|endpoint|hostname|dnsName|selfLink|[a-zA-Z]*[rR]esource(ID|Id)|instanceID|instanceId|volumeID|volumeId|zoneID|zoneId|id)$`)
	inCluster   = regexp.MustCompile(`\.svc(\.|:|/|$)|^(10|127|192\.168)\.|localhost|\.cluster\.local`)

	counterKey = regexp.MustCompile(`^(autoRestart|failovers?|failoverCount|restarts?|restartCount|healCount|recoveries)$`)
	renewalKey = regexp.MustCompile(`^(revision|renewalCount|rotationCount)$`)
	refreshKey = regexp.MustCompile(`^(refreshTime|lastRefreshTime|lastRenewal(Time)?|lastRotat(ed|ion|ionTime)|lastRenewed(At)?)$`)
)

// keyMarks are what a field of a status is about.
type keyMarks struct{ version, external, counter, renewal, refresh, backup bool }

func (o *observer) key(s string) keyMarks {
	m, ok := o.keys[s]
	if !ok {
		m = keyMarks{
			versionKey.MatchString(s) && !notAVersion.MatchString(s), externalKey.MatchString(s),
			counterKey.MatchString(s), renewalKey.MatchString(s), refreshKey.MatchString(s),
			finishedField.MatchString(s) && !failedField.MatchString(s),
		}
		if len(o.keys) < maxCached {
			o.keys[s] = m
		}
	}
	return m
}

// statusWalk looks through the status of one instance for a running version,
// ids of external resources, counters of restarts and renewals.
type statusWalk struct {
	t        *tally
	i        int
	reports  bool
	external string
}

func (t *tally) signs(i int) {
	w := &statusWalk{t: t, i: i}
	w.walk(t.k.instances[i].obj.StatusMap(), 0)
	if w.reports {
		t.f.ReportsVersion++
	}
	if w.external != "" {
		t.f.WithExternalID++
		t.k.see("externalIDs", &t.k.facts.Seen.ExternalIDs, t.k.ref(i)+" status."+w.external)
	}
}

func (w *statusWalk) walk(m map[string]any, depth int) {
	const deepest = 3
	for key, value := range m {
		if key == "conditions" || depth > deepest {
			continue
		}
		mark := w.t.k.op.o.key(key)
		switch v := value.(type) {
		case string:
			w.text(mark, key, v)
		case map[string]any:
			if n, ok := integer(v["count"]); ok && n > 0 && mark.counter {
				w.sign(&w.t.heal, key+" "+strconv.FormatInt(n, 10))
			} else if key == "autoRebalance" && len(v) > 0 {
				w.sign(&w.t.tune, "autoRebalance "+text(v["state"]))
			}
			w.walk(v, depth+1)
		case []any:
			for _, item := range v {
				if below, ok := item.(map[string]any); ok {
					w.walk(below, depth+1)
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

func (w *statusWalk) text(mark keyMarks, key, v string) {
	switch {
	case v == "":
	case mark.version && versionLike(key, v):
		w.reports = true
		w.t.versions = append(w.t.versions, clean(v))
	case (mark.external || strings.HasPrefix(v, "arn:")) && isExternal(key, v):
		if found := key + ": " + clean(v); w.external == "" || found < w.external {
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

// isExternal tells whether the value of a field for external things is really
// outside the cluster.
func isExternal(key, value string) bool {
	if strings.HasPrefix(value, "arn:") {
		return true
	}
	if inCluster.MatchString(value) {
		return false
	}
	switch key {
	case "url", "uri", "endpoint", "hostname", "dnsName", "selfLink", "externalName":
		return strings.Contains(value, ".")
	case "id":
		return len(value) > 5 && hasDigit.MatchString(value)
	}
	return len(value) > 3
}

// laterThan tells whether a time lies well after an object's creation: what it
// stamps was done again.
func laterThan(value string, obj *inventory.Object) bool {
	at, ok := parseTime(value)
	return ok && at.Sub(obj.CreationTimestamp.Time) > lag && !obj.CreationTimestamp.IsZero()
}
