package inventory

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// Exposition is what one metrics endpoint of an operator answered, or why it
// gave no answer. It is reduced to one row a family: no label value is kept
// but outcomes of a closed list (HTTP codes, "error").
type Exposition struct {
	// Operator is the name that a file has; empty for what a cluster was asked.
	Operator string `json:"operator,omitempty"`
	// Workload is the Ref of the workload that was asked, Pod the name of the
	// one pod; without it the answer is about all its pods.
	Workload string `json:"workload,omitempty"`
	Pod      string `json:"pod,omitempty"`
	// Endpoint is where it was read, for people: a port and path, a job, a file.
	Endpoint string            `json:"endpoint,omitempty"`
	Via      ExpositionSource  `json:"via"`
	Outcome  ExpositionOutcome `json:"outcome"`
	// Detail says in words why nothing was read.
	Detail   string         `json:"detail,omitempty"`
	Families []MetricFamily `json:"families,omitempty"`
}

// MetricFamily is a family of metrics without its series.
type MetricFamily struct {
	Name string `json:"name"`
	// Type is counter, gauge, histogram, summary or untyped.
	Type string `json:"type"`
	// Series counts label sets. Sum and Max are over their values; of a
	// histogram or a summary these are its numbers of observations. Values that
	// are no finite numbers are left out.
	Series int     `json:"series"`
	Sum    float64 `json:"sum"`
	Max    float64 `json:"max"`
	// Labels are the names of labels that are not empty on some series.
	Labels []string `json:"labels,omitempty"`
	// Outcomes are sums by the value of a label that says how something went,
	// for the few values that evidence rests on: "429", "error".
	Outcomes map[string]float64 `json:"outcomes,omitempty"`
}

// Zero tells whether every value of the family is 0: such a family may have
// been made in advance, and proves nothing.
func (f *MetricFamily) Zero() bool { return f.Sum == 0 && f.Max == 0 }

// ExpositionSource says how an exposition was read.
type ExpositionSource string

const (
	// ViaPodProxy: the endpoint itself, through the API server.
	ViaPodProxy ExpositionSource = "pod-proxy"
	// ViaPrometheus: a Prometheus that scrapes it.
	ViaPrometheus ExpositionSource = "prometheus"
	// ViaFile: a file in which somebody saved it.
	ViaFile ExpositionSource = "file"
)

// ExpositionOutcome says what became of a request for metrics.
type ExpositionOutcome string

const (
	// Served: the families were read.
	Served ExpositionOutcome = "served"
	// Protected: the endpoint is there and asks for credentials.
	Protected ExpositionOutcome = "protected"
	// Refused: nothing listens there.
	Refused ExpositionOutcome = "refused"
	// Unread: it could not be read otherwise; nothing is known of it.
	Unread ExpositionOutcome = "failed"
)

// The resource names of the Access rows of metrics: there is one for each
// source that was asked.
const (
	PodProxyResource    = "pods/proxy"
	PrometheusResource  = "prometheus"
	ExpositionsResource = "expositions"
)

// MetricsAsked tells whether the operators' metrics were asked for at all.
func (s *Snapshot) MetricsAsked() bool {
	return len(s.Expositions) > 0 || slices.ContainsFunc(s.Access, func(a Access) bool {
		return a.Group == "" && (a.Resource == PodProxyResource || a.Resource == PrometheusResource || a.Resource == ExpositionsResource)
	})
}

// MetricsTarget is a workload of an operator whose metrics may be asked for.
type MetricsTarget struct {
	Workload  string // its Ref
	Namespace string
	Name      string
	// Pods are those that run, sorted; More is how many are left out.
	Pods []string
	More int
	// Ports are where metrics may be served; empty when none is known.
	Ports []MetricsPort
	// Path is where they are served if it is known; else "".
	Path string
	// Services are the names of those that select the pods.
	Services []string
}

// MetricsPort is a port of a pod.
type MetricsPort struct {
	Number int32
	// HTTPS: TLS is to be expected there.
	HTTPS bool
}

// expositionKind is the kind of an Exposition as an item of a snapshot.
const expositionKind = "Exposition"

type expositionItem struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Exposition
}

func (s *Snapshot) decodeExposition(raw json.RawMessage) error {
	var item expositionItem
	if err := json.Unmarshal(raw, &item); err != nil {
		return err
	}
	s.Expositions = append(s.Expositions, item.Exposition)
	return nil
}

func (s *Snapshot) eachExposition(write func(item any, what string) error) error {
	for i := range s.Expositions {
		e := &s.Expositions[i]
		if err := write(expositionItem{APIVersion, expositionKind, *e}, "metrics of "+e.Operator+e.Workload); err != nil {
			return err
		}
	}
	return nil
}

// sortExpositions brings them into canonical order, each with its families.
func sortExpositions(list []Exposition) {
	for i := range list {
		e := &list[i]
		e.Detail, e.Endpoint = Text(e.Detail), Text(e.Endpoint)
		for j := range e.Families {
			f := &e.Families[j]
			slices.Sort(f.Labels)
			f.Labels = slices.Compact(f.Labels)
		}
		slices.SortStableFunc(e.Families, func(a, b MetricFamily) int { return strings.Compare(a.Name, b.Name) })
	}
	slices.SortStableFunc(list, func(a, b Exposition) int {
		return cmp.Or(strings.Compare(a.Operator, b.Operator), strings.Compare(a.Workload, b.Workload), strings.Compare(a.Pod, b.Pod),
			strings.Compare(a.Endpoint, b.Endpoint), strings.Compare(string(a.Via), string(b.Via)))
	})
}

// Finite tells whether a value is a number that can be summed and written.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
