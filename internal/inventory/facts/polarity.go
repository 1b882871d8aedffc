package facts

import "strings"

// polarity says what a condition type means when it is True.
type polarity int

const (
	neutral  polarity = iota // nothing for readiness: Progressing, or an unknown type
	positive                 // good
	negative                 // bad
)

// polarities are the types that no ending tells. Unknown types are neutral.
var polarities = map[string]polarity{
	"Ready": positive, "Available": positive, "Healthy": positive, "Running": positive, "Bound": positive,
	"ResolvedRefs": positive, "NamesAccepted": positive, "Operational": positive, "Online": positive, "Attached": positive,
	"Registered": positive, "Complete": positive, "Valid": positive,

	"Degraded": negative, "Stalled": negative, "Failed": negative, "Failure": negative, "Error": negative, "Errored": negative,
	"ReleaseFailed": negative, "Irreconcilable": negative, "NetworkUnavailable": negative, "Conflicted": negative,
	"Unhealthy": negative, "Unavailable": negative, "Invalid": negative, "InvalidRequest": negative, "Denied": negative,
	"Blocked": negative, "Expired": negative, "Down": negative,

	"NoWarnings": neutral, "Warning": neutral, "Progressing": neutral, "Reconciling": neutral, "Initialized": neutral,
	"ReadyForUpgrade": neutral, "LastBackupSucceeded": neutral, "ContinuousArchiving": neutral,
}

// negativeEndings are looked at before positiveEndings: NotReady, Unavailable.
var (
	negativeEndings = []string{"Failed", "Failure", "Error", "Errors", "Degraded", "Pressure", "Unavailable", "Unhealthy",
		"Invalid", "Conflict", "Conflicted", "Stalled", "Missing", "Denied", "Expired"}
	positiveEndings = []string{"Ready", "Available", "Success", "Succeeded", "Successful", "Healthy", "Synced", "Accepted", "Programmed",
		"Established", "Reconciled", "Deployed", "Provisioned", "Installed", "Completed", "Valid", "Connected", "Resolved"}
)

func polarityOf(kind string) polarity {
	if p, ok := polarities[kind]; ok {
		return p
	}
	for _, end := range negativeEndings {
		if strings.HasSuffix(kind, end) {
			return negative
		}
	}
	for _, end := range positiveEndings {
		if rest, ok := strings.CutSuffix(kind, end); ok {
			if rest == "Not" || strings.HasSuffix(rest, "Not") {
				return negative
			}
			return positive
		}
	}
	return neutral
}

// soft types are positive while work goes on, and False once it is done: they
// count only where nothing else tells.
var soft = map[string]bool{"Running": true}

// outright are types that contradict a condition Ready=True beside them.
var outright = map[string]bool{"Degraded": true, "Stalled": true, "Failed": true, "Error": true, "NotReady": true, "Unhealthy": true}

// summaries are the types that sum up the state of an object.
var summaries = map[string]bool{
	"Ready": true, "Available": true, "Succeeded": true, "Deployed": true, "Running": true, "Established": true,
	"Accepted": true, "Programmed": true, "Synced": true, "Healthy": true, "Complete": true, "Successful": true,
}
