package facts

import (
	"regexp"
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

// changing tells whether a condition type or a phase speaks of a change under way.
func changing(s string) bool { return changeType.MatchString(s) || changeWords[inventory.Squash(s)] }

func (op *operator) word(s string) wordMarks { return op.words.get(s, op.o.word) }

func (o *observer) word(s string) wordMarks {
	return o.words.get(s, func(s string) wordMarks {
		return wordMarks{
			changing(s), upgradeWord.MatchString(s), unsupported.MatchString(s),
			failoverWord.MatchString(s), tuneWord.MatchString(s), healWord.MatchString(s),
		}
	})
}

// conditionSigns notes what a condition tells beside readiness. Types say what
// the operator watches for, so that they count only when True.
func (t *tally) conditionSigns(i int, c *Condition) {
	m := t.k.op.word(c.Reason)
	if c.Status == "True" {
		of := t.k.op.word(c.Type)
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
	m := t.k.op.word(phase)
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

	counterKey = regexp.MustCompile(`^(autoRestart|failovers?|failoverCount|restarts?|restartCount|healCount|recoveries)$`)
	renewalKey = regexp.MustCompile(`^(revision|renewalCount|rotationCount)$`)
	refreshKey = regexp.MustCompile(`^(refreshTime|lastRefreshTime|lastRenewal(Time)?|lastRotat(ed|ion|ionTime)|lastRenewed(At)?)$`)
)

// keyMarks are what a field of a status is about.
type keyMarks struct{ version, external, counter, renewal, refresh, backup bool }

func (op *operator) key(s string) keyMarks { return op.keys.get(s, op.o.key) }

func (o *observer) key(s string) keyMarks {
	return o.keys.get(s, func(s string) keyMarks {
		return keyMarks{
			versionKey.MatchString(s) && !notAVersion.MatchString(s), externalKey.MatchString(s),
			counterKey.MatchString(s), renewalKey.MatchString(s), refreshKey.MatchString(s),
			finishedField.MatchString(s) && !failedField.MatchString(s),
		}
	})
}

// laterThan tells whether a time lies well after an object's creation: what it
// stamps was done again.
func laterThan(value string, obj *inventory.Object) bool {
	at, ok := parseTime(value)
	return ok && at.Sub(obj.CreationTimestamp.Time) > lag && !obj.CreationTimestamp.IsZero()
}
