package facts

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// observer holds a snapshot with the indexes that every facet looks things up
// in. They are built once.
type observer struct {
	s      *inventory.Snapshot
	now    time.Time
	owners *inventory.Owners
	rights *inventory.Rights

	operators []*operator // those of the attribution, then shared APIs, then a nameless one for each CRD of nobody
	crds      map[string]*inventory.CRD
	kinds     map[schema.GroupKind]*kind
	managers  map[string][]*operator // whose controllers write under a managedFields manager
	served    map[string]bool        // groups of which an APIService hands a version to another server

	works       []inventory.Workload
	byProgram   map[string][]*inventory.Workload
	budgets     []labels.Selector  // of the PodDisruptionBudgets, in their order; nil for a missing or wrong one
	budgetsBy   map[podLabel][]int // their places, by one label that they select
	budgetAt    map[types.UID]int
	budgetsIn   map[string][]int                  // those that select by no label, by namespace
	workloads   map[types.UID]*inventory.Workload // those that were on a server
	podsOf      map[types.UID][]*inventory.Pod    // by uid of the workload on top
	replicaSet  map[types.UID][]*inventory.ReplicaSet
	services    map[string][]*corev1.Service   // by namespace
	selecting   map[podLabel][]*corev1.Service // by one label of their selector
	byLabel     map[string][]*corev1.Service   // by "key=value" of its labels
	endpoints   map[string]bool                // namespace/name of Services that have ready endpoints
	namespaces  map[string]map[string]string   // their labels
	events      map[schema.GroupKind][]*corev1.Event
	unowned     map[string][]*loose           // without owners, by each manager that wrote them
	dangling    map[schema.GroupKind][]*loose // with an owner that is not there, by the owner's kind
	ownedCRDs   map[types.UID][]string
	monitors    []*monitor
	monitorsOf  map[*corev1.Service][]*monitor
	podMonitors map[string][]*monitor // by namespace, "" for those that look everywhere
	scrapeNotes map[string]bool       // refs of workloads whose pods are annotated
	rules       []*ruleObject
	scalers     []autoscaler

	// objects of kinds that every operator looks through
	olm, accounts, locks, dashboards []*inventory.Object

	paths cache[string, pathMarks]
	keys  cache[string, keyMarks]
	words cache[string, wordMarks]
	seen  cache[resource, inventory.Sight]
	rows  map[resource]bool // that there is a row of
}

// operator is one operator at work on.
type operator struct {
	o     *observer
	at    attribution.Operator
	names []string // under which its processes may write
	own   map[string]bool
	other map[string]bool // managers seen on its resources that are another operator's
	kinds []*kind
	// rollout is the newest ReplicaSet of its controllers.
	rollout  time.Time
	siblings *sight
	// What keys of statuses and words of conditions mean, and what specs with
	// the same paths set (by the first of these, which they share).
	keys  lookup[string, keyMarks]
	words lookup[string, wordMarks]
	specs lookup[*string, pathMarks]
	// Which fields of specs name a version, which finalizers say whose they are.
	fields, qualified lookup[string, bool]
	loose             []*loose
	facts             *Operator
}

// kind is one CRD at work on.
type kind struct {
	op  *operator
	crd *inventory.CRD
	at  attribution.CRD
	// objects are its custom resources that were on a server, by namespace and
	// name.
	objects []*inventory.Object
	// instances are what objects say. They are there while their operator is
	// observed: those of all kinds at once would take as much memory as the
	// snapshot.
	instances []instance
	declared  int
	writers   map[string]writing
	// backup and restore: by its name, the kind is about the one or the other.
	backup, restore bool
	family          *family
	facts           *CRD
}

// instance is one custom resource that was on a server.
type instance struct {
	obj     *inventory.Object
	ref     string
	status  any // if an object, with its conditions packed: only Read looks at them
	reading Reading
}

func newObserver(s *inventory.Snapshot, a *attribution.Result) *observer {
	o := &observer{
		s: s, now: s.Taken,
		crds: map[string]*inventory.CRD{}, kinds: map[schema.GroupKind]*kind{}, managers: map[string][]*operator{},
		served: map[string]bool{}, rows: map[resource]bool{},
	}
	if o.owners, o.rights = a.Owners, a.Rights; o.owners == nil || o.rights == nil {
		o.owners, o.rights = inventory.NewOwners(s), inventory.NewRights(s)
	}
	for i := range s.CRDs {
		o.crds[s.CRDs[i].Name] = &s.CRDs[i]
	}
	for i := range s.APIServices {
		if spec := s.APIServices[i].Spec; spec.At("service") != nil {
			o.served[str(spec.At("group"))] = true
		}
	}
	for i := range s.Access {
		o.rows[resource{s.Access[i].Group, s.Access[i].Resource}] = true
	}
	for i := range a.Operators {
		o.addOperator(a.Operators[i])
	}
	for i := range a.SharedAPIs {
		shared := &a.SharedAPIs[i]
		o.addOperator(attribution.Operator{Name: shared.Name, CRDs: shared.CRDs})
	}
	for i := range a.Unattributed {
		o.addOperator(attribution.Operator{CRDs: a.Unattributed[i : i+1]})
	}
	o.index(
		func() { o.indexWorkloads(); o.indexPrograms() },
		func() { o.readBudgets(); o.indexServices(); o.monitors = o.readMonitors() },
		o.indexObjects,
		func() { o.indexInstances(); o.indexManagers() },
		func() { o.noteAnnotations(); o.rules, o.scalers = o.readRules(), o.readAutoscalers() },
	)
	return o
}

// index makes indexes that do not need each other.
func (o *observer) index(parts ...func()) {
	var work sync.WaitGroup
	for _, part := range parts {
		work.Go(part)
	}
	work.Wait()
}

func (o *observer) addOperator(at attribution.Operator) {
	op := &operator{o: o, at: at, own: map[string]bool{}, other: map[string]bool{}}
	for _, c := range at.CRDs {
		crd := o.crds[c.Name]
		if crd == nil {
			continue
		}
		k := &kind{op: op, crd: crd, at: c, writers: map[string]writing{},
			backup: backupKind.MatchString(crd.Names.Kind), restore: restoreKind.MatchString(crd.Names.Kind)}
		op.kinds = append(op.kinds, k)
		o.kinds[schema.GroupKind{Group: crd.Group, Kind: crd.Names.Kind}] = k
	}
	o.operators = append(o.operators, op)
}

// indexWorkloads finds for each workload the pods that it runs, through
// ReplicaSets.
func (o *observer) indexWorkloads() {
	list := o.s.Workloads()
	o.works = list
	o.workloads = make(map[types.UID]*inventory.Workload, len(list))
	for i := range list {
		if list[i].Live {
			o.workloads[list[i].Meta.UID] = &list[i]
		}
	}
	o.replicaSet = map[types.UID][]*inventory.ReplicaSet{}
	above := make(map[types.UID]types.UID, len(o.s.ReplicaSets))
	for i := range o.s.ReplicaSets {
		rs := &o.s.ReplicaSets[i]
		if owner := metav1.GetControllerOfNoCopy(rs); owner != nil {
			above[rs.UID] = owner.UID
			o.replicaSet[owner.UID] = append(o.replicaSet[owner.UID], rs)
		}
	}
	o.podsOf = map[types.UID][]*inventory.Pod{}
	for i := range o.s.Pods {
		p := &o.s.Pods[i]
		top := p.UID
		if owner := metav1.GetControllerOfNoCopy(p); owner != nil && o.workloads[p.UID] == nil {
			top = owner.UID
			if up, ok := above[top]; ok {
				top = up
			}
		}
		if top != "" {
			o.podsOf[top] = append(o.podsOf[top], p)
		}
	}
}
