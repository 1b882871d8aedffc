package manifests

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// stamps are the fields that say when something was done to an object. Other
// dates, such as when a certificate expires, lie in the future.
type stamps struct {
	Metadata struct {
		CreationTimestamp          string  `json:"creationTimestamp"`
		DeletionTimestamp          string  `json:"deletionTimestamp"`
		DeletionGracePeriodSeconds float64 `json:"deletionGracePeriodSeconds"`
		ManagedFields              []struct {
			Time string `json:"time"`
		} `json:"managedFields"`
	} `json:"metadata"`
	Spec struct {
		RenewTime string `json:"renewTime"`
	} `json:"spec"`
	Status struct {
		conditionTimes
		Parents []conditionTimes `json:"parents"`
	} `json:"status"`
	FirstTimestamp          string `json:"firstTimestamp"`
	LastTimestamp           string `json:"lastTimestamp"`
	DeprecatedLastTimestamp string `json:"deprecatedLastTimestamp"`
	EventTime               string `json:"eventTime"`
	Series                  struct {
		LastObservedTime string `json:"lastObservedTime"`
	} `json:"series"`
}

type conditionTimes struct {
	Conditions []struct {
		LastTransitionTime string `json:"lastTransitionTime"`
		LastUpdateTime     string `json:"lastUpdateTime"`
		LastProbeTime      string `json:"lastProbeTime"`
		LastHeartbeatTime  string `json:"lastHeartbeatTime"`
	} `json:"conditions"`
}

// observe moves the newest time seen forward.
func (r *reader) observe(raw []byte, gk schema.GroupKind) {
	var s stamps
	_ = utiljson.Unmarshal(raw, &s) // fields of another type are no times
	r.later(s.Metadata.CreationTimestamp, 0)
	// A deletion is stamped with the end of the grace period.
	r.later(s.Metadata.DeletionTimestamp, time.Duration(s.Metadata.DeletionGracePeriodSeconds)*time.Second)
	for _, f := range s.Metadata.ManagedFields {
		r.later(f.Time, 0)
	}
	for _, conditions := range append(s.Status.Parents, s.Status.conditionTimes) {
		for _, c := range conditions.Conditions {
			for _, t := range []string{c.LastTransitionTime, c.LastUpdateTime, c.LastProbeTime, c.LastHeartbeatTime} {
				r.later(t, 0)
			}
		}
	}
	switch gk.Kind {
	case "Lease":
		r.later(s.Spec.RenewTime, 0)
	case "Event":
		for _, t := range []string{s.FirstTimestamp, s.LastTimestamp, s.DeprecatedLastTimestamp, s.EventTime, s.Series.LastObservedTime} {
			r.later(t, 0)
		}
	}
}

func (r *reader) later(stamp string, minus time.Duration) {
	if stamp == "" {
		return
	}
	t, err := time.Parse(time.RFC3339, stamp) // takes fractions of a second too
	if err != nil {
		return
	}
	if t = t.Add(-minus).UTC(); t.After(r.newest) {
		r.newest = t
	}
}
