// Package attribution finds out which operator each CRD belongs to and which
// workload reconciles it. The two are kept apart: identity is "which project is
// this CRD from", a controller is "which workload on this cluster reconciles
// it", and a CRD may have the one without the other.
//
// Attribute is a pure function of a Snapshot and a Catalogue. Every answer
// carries the signals it rests on, each with the object it was read from.
package attribution

import (
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// Result is the attribution of every CRD of a snapshot.
type Result struct {
	// Operators are sorted by name; each CRD is in exactly one of Operators,
	// Unattributed or SharedAPIs.
	Operators    []Operator
	Unattributed []CRD
	SharedAPIs   []SharedAPI
	Aggregated   []AggregatedAPI

	// Owners and Rights are indexes of the snapshot that attribution made, for
	// whoever looks at the same one next; nil if it did not.
	Owners *inventory.Owners
	Rights *inventory.Rights
}

// Confidence grades an identity.
type Confidence string

const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
	// Ambiguous: several candidates are about equally supported.
	Ambiguous Confidence = "ambiguous"
)

// Signal is one piece of evidence for an identity or a controller.
type Signal struct {
	// Signal is its class: csv, owner-reference, status-writer, rbac-status,
	// rbac, webhook, conversion-webhook, release, label, catalogue, name, lease.
	Signal string `json:"signal"`
	// CRD is the CRD it speaks of; "" for the operator as a whole.
	CRD string `json:"crd,omitempty"`
	// Object is what it was read from: Deployment/ns/name, ClusterRole/name.
	Object string `json:"object,omitempty"`
	Detail string `json:"detail"`
}

// Operator is an identity with the CRDs and workloads attributed to it.
type Operator struct {
	Name string
	// Entry is its catalogue entry; nil when the catalogue does not know it.
	Entry      *catalogue.Operator
	Confidence Confidence
	// Candidates are the names of the others when Confidence is Ambiguous.
	Candidates []string
	// Signals are those of the identity; the CRDs and controllers have their own.
	Signals []Signal
	CRDs    []CRD
	// Controllers reconcile at least one of its CRDs (or, for an operator
	// without CRDs, are its workloads). The state is worked out from the
	// snapshot's clock.
	Controllers []Controller
	// Companions are other workloads of the same release: webhooks,
	// cainjectors, user interfaces.
	Companions []Controller
	Release    *Release
	// Version is the version its package or image tag says; "" if unknown.
	Version string
	// External names the platform that runs the controller outside the
	// cluster; "" when it runs inside or is not known to run at all.
	External string
}

// CRD is the attribution of one CRD.
type CRD struct {
	Name       string
	Confidence Confidence
	Signals    []Signal
	// Controllers are the Refs of the workloads that reconcile it, strongest
	// evidence first.
	Controllers []string
	// State is that of its best controller.
	State State
	// Why explains State in words.
	Why string
	// Candidates are other operators that claim it.
	Candidates []string
	// Orphaned: it needs a controller and none is there.
	Orphaned bool
	// DataOnly: nobody writes its status by design.
	DataOnly bool
	// LastStatusWrite is the newest status write by a controller on any
	// instance; zero when none was seen. StatusManager is who wrote it.
	LastStatusWrite time.Time
	StatusManager   string
}

// Controller is a workload that belongs to an operator.
type Controller struct {
	Workload inventory.Workload
	State    State
	// Why explains State in words, with the objects it rests on.
	Why     string
	Signals []Signal
	// Lease is the leader Lease found for it; nil if none.
	Lease *LeaseInfo
}

// LeaseInfo is a leader election lock as seen.
type LeaseInfo struct {
	Object string
	Holder string
	Fresh  bool
	// HeldByPod: the holder's name begins with the name of a pod of the workload.
	HeldByPod bool
}

// State says whether a controller runs.
type State string

const (
	Running  State = "running"
	Degraded State = "degraded"
	Down     State = "down"
	Absent   State = "absent"
	External State = "external"
	Unknown  State = "unknown"
	// NotNeeded: data-only and shared APIs need no controller.
	NotNeeded State = "not-needed"
	// Declared: a manifest that was never on a server declares it; nothing
	// can be said about whether it runs.
	Declared State = "declared"
)

// Release is how an operator was installed.
type Release struct {
	// Tool is helm, olm, argocd, flux, kapp, kustomize or "".
	Tool      string
	Namespace string
	Name      string
	// Chart or package with version, as the labels say.
	Package string
}

// SharedAPI is an API with many implementers, such as the Gateway API.
type SharedAPI struct {
	Name string
	CRDs []CRD
	// Implementers are the operators seen to write its status or to have
	// rights on it.
	Implementers []Implementer
}

// Implementer is an operator that implements a shared API, with the evidence.
type Implementer struct {
	Operator string
	Signals  []Signal
}

// AggregatedAPI is an API group served by an extension API server.
type AggregatedAPI struct {
	Name      string // v1beta1.metrics.k8s.io
	Service   string // namespace/name
	Available bool
	// Unknown: the APIService says nothing about availability.
	AvailabilityUnknown bool
	Detail              string
	Operator            string
	// Kinds it serves; nil when they are not known.
	Kinds []string
}
