package facts

import (
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// phaseFields are fields of status that hold one word for the whole state, in
// the order of trust.
var phaseFields = []string{"phase", "state", "health", "status", "ready", "applied", "currentPhase", "currentState", "clusterState",
	"lifecycleState", "applicationState"}

// phase finds the phase-like field of a status.
func (r *Reading) phase(status map[string]any) {
	for _, field := range phaseFields {
		switch v := status[field].(type) {
		case string:
			if v != "" {
				r.Phase, r.PhasePath = clean(v), "status."+field
				return
			}
		case map[string]any: // Argo CD: status.health.status
			for _, below := range []string{"status", "state", "phase"} {
				if word, ok := v[below].(string); ok && word != "" {
					r.Phase, r.PhasePath = clean(word), "status."+field+"."+below
					return
				}
			}
		}
	}
	best := ""
	for key, v := range status { // PostgresClusterStatus
		if word, ok := v.(string); ok && word != "" && strings.HasSuffix(key, "ClusterStatus") && (best == "" || key < best) {
			best = key
		}
	}
	if best != "" {
		r.Phase, r.PhasePath = text(status[best]), "status."+best
	}
}

type namedBool struct {
	key   string
	value bool
}

// boolReady is a boolean that tells readiness; nil if there is none.
func boolReady(status map[string]any) *namedBool {
	for _, key := range []string{"ready", "readyToUse", "available", "healthy", "applied"} {
		if v, ok := status[key].(bool); ok {
			return &namedBool{key, v}
		}
	}
	return nil
}

// ofPhase maps a known word to a health. An unknown word is Unknown, never
// healthy by default.
func ofPhase(word string) Health {
	w := inventory.Squash(word)
	switch {
	case readyWords[w]:
		return Ready
	case notReadyWords[w]:
		return NotReady
	}
	for _, end := range []string{"failed", "failure", "error"} {
		if strings.HasSuffix(w, end) {
			return NotReady
		}
	}
	return Unknown
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

var (
	readyWords = words(`ready running active healthy available succeeded success successful complete completed bound online up deployed
		established synced insync ok reconciled enabled valid installed created provisioned finished done operational green normal stable
		accepted true serving issued applied attached connected clusterinhealthystate configured started joined approved`)
	notReadyWords = words(`pending creating provisioning updating upgrading initializing initialising progressing reconciling waiting scaling
		restoring starting stopping deleting terminating inprogress processing queued new deploying installing configuring
		notready failed failure error errored degraded unhealthy invalid expired stopped inactive red false offline down missing
		unavailable crashloopbackoff settingupprimary creatingreplica failingover switchoverinprogress suspended outofsync
		waitingfortheinstancestobecomeactive waitingforuseraction unrecoverable rejected denied blocked lost uninstalling`)
	// finishedWords and failedWords are of things that run once: backups, restores.
	finishedWords = words(`succeeded success successful complete completed finished done`)
	failedWords   = words(`failed failure error errored partiallyfailed failedvalidation walarchivingfailing`)
	// changeWords are phases of a change under way.
	changeWords = words(`updating upgrading progressing reconciling scaling provisioning creating deploying installing configuring
		restoring inprogress initializing settingupprimary creatingreplica migrating rolling`)
)
