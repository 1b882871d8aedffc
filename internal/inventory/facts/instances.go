package facts

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// lag is how long a controller may take to see a change of spec.
const lag = 10 * time.Minute

func (k *kind) observeInstances() {
	f := &k.facts.Instances
	v := k.ofInstances()
	f.Complete = !unseen(k.facts.Unseen, "instances", v)
	f.Declared = k.declared
	f.Count = len(k.instances)
	t := &tally{k: k, f: f, types: map[string]bool{}}
	proxies := k.proxies()
	for i := range k.instances {
		in := &k.instances[i]
		if len(proxies) > 0 && (in.reading.Health == NotExpressed || in.reading.Health == Unknown) {
			in.reading = k.byProxy(in, proxies)
		}
		k.see("instances", &k.facts.Seen.Instances, k.ref(i))
		t.readiness(i)
		t.conditions(i)
		t.spec(in.obj)
		t.signs(i)
		t.finalizers(i)
		if created := stamp(in.obj.CreationTimestamp.Time); created != "" && (f.Oldest == "" || created < f.Oldest) {
			f.Oldest = created
		}
	}
	t.finish()
}

// tally gathers the lists of Instances while it walks them.
type tally struct {
	k     *kind
	f     *Instances
	types map[string]bool

	never, unanswered, malformed, behind, change, upgrade, unsupported, failover []string
	versions, finalizerNames, unqualified, stuck, notFollowed                    []string
	renewed, tune, heal, writtenBack                                             []string
}

func (t *tally) finish() {
	f := t.f
	for kind := range t.types {
		f.ConditionTypes = append(f.ConditionTypes, kind)
		if summaries[kind] {
			f.SummaryTypes = append(f.SummaryTypes, kind)
		}
	}
	f.ConditionTypes, f.SummaryTypes = sorted(f.ConditionTypes), sorted(f.SummaryTypes)
	f.NeverReconciled, f.Unanswered = prose(t.never), prose(t.unanswered)
	f.Malformed, f.BehindGeneration = prose(t.malformed), prose(t.behind)
	f.ChangeTypes, f.UpgradeSigns, f.UnsupportedSigns = sorted(t.change), prose(t.upgrade), prose(t.unsupported)
	f.FailoverSigns, f.ReportedVersions = prose(t.failover), sorted(t.versions)
	f.Finalizers, f.UnqualifiedFinalizers, f.Stuck = sorted(t.finalizerNames), sorted(t.unqualified), prose(t.stuck)
	f.ReadyButChildrenNot = prose(t.notFollowed)
	f.RenewedSigns, f.TuneSigns, f.HealSigns, f.SpecWrittenBack = prose(t.renewed), prose(t.tune), prose(t.heal), sorted(t.writtenBack)
}

func (t *tally) readiness(i int) {
	k, f, r := t.k, t.f, &t.k.instances[i].reading
	obj := k.instances[i].obj
	switch r.Health {
	case Ready:
		f.Ready++
		k.see("ready", &k.facts.Seen.Ready, k.ref(i))
		if what := k.unready(i); what != "" {
			t.notFollowed = append(t.notFollowed, k.ref(i)+" is ready but "+what+" is not")
		}
	case NotReady:
		f.NotReady++
		if len(f.NotReadyWhy) < maxList {
			f.NotReadyWhy = append(f.NotReadyWhy, k.ref(i)+": "+r.Why)
		}
	case Pending:
		f.Pending++
	default:
		f.Unknown++
		switch {
		case r.Health == NeverReconciled:
			t.never = append(t.never, k.ref(i)+": "+r.Why)
		case k.unanswered(i):
			t.unanswered = append(t.unanswered, k.ref(i)+": "+r.Why)
		}
	}
	if k.instances[i].hasStatus() {
		f.WithStatus++
	}
	switch {
	case r.Observed > 0 && !r.Behind && r.Observed == obj.Generation:
		f.TracksGeneration++
	case r.Behind && k.op.o.age(lastSpecWrite(obj)) > lag:
		t.behind = append(t.behind, k.ref(i))
	}
}

// lastSpecWrite is when somebody last wrote anything but status.
func lastSpecWrite(obj *inventory.Object) time.Time {
	latest := obj.CreationTimestamp.Time
	for i := range obj.ManagedFields {
		if e := &obj.ManagedFields[i]; e.Subresource == "" && e.Time != nil && e.Time.After(latest) {
			latest = e.Time.Time
		}
	}
	return latest
}

func (t *tally) conditions(i int) {
	k, f, r := t.k, t.f, &t.k.instances[i].reading
	formed := false
	for j := range r.Conditions {
		c := &r.Conditions[j]
		if c.Type == "" || !c.wellKnown() {
			continue
		}
		formed = true
		t.types[c.Type] = true
		if k.op.word(c.Type).change {
			t.change = append(t.change, c.Type)
		}
		t.conditionSigns(i, c)
	}
	if formed {
		f.WithConditions++
		k.see("conditions", &k.facts.Seen.Conditions, k.ref(i))
		if len(r.Malformed) == 0 {
			f.WellFormed++
		}
	}
	for _, note := range r.Malformed {
		t.malformed = append(t.malformed, k.ref(i)+": "+note)
	}
	if r.Phase != "" {
		f.WithPhase++
		k.see("phases", &k.facts.Seen.Phases, k.ref(i)+" "+r.PhasePath+": "+r.Phase)
		t.phaseSigns(i, r.Phase)
	} else if m := k.instances[i].fields(); m != nil && boolReady(m) != nil && !empty(m) {
		f.WithPhase++
		k.see("phases", &k.facts.Seen.Phases, k.ref(i)+" status."+boolReady(m).key)
	}
}

// unready names a workload of an instance that has been unavailable for a
// while; "" if there is none or that cannot be told.
func (k *kind) unready(i int) string {
	o := k.op.o
	for _, at := range k.family.of[i] {
		c := &k.family.children[at]
		w := o.workloads[c.Object.GetUID()]
		if w == nil || w.Desired == 0 || w.Ready > 0 {
			continue
		}
		for _, p := range o.podsOf[w.Meta.UID] {
			if p.Ready == corev1.ConditionFalse && o.age(p.Changed.Time) > lag {
				return w.Ref()
			}
		}
		if len(o.podsOf[w.Meta.UID]) == 0 && o.age(w.Meta.CreationTimestamp.Time) > lag && o.s.Seen("", "pods").Whole {
			return w.Ref()
		}
	}
	return ""
}

// proxies are the kinds that tell the readiness of this one, by the catalogue
// (field-cases F11).
func (k *kind) proxies() []*kind {
	if k.op.at.Entry == nil {
		return nil
	}
	var list []*kind
	for _, p := range k.op.at.Entry.StatusProxies {
		if !strings.EqualFold(p.Kind, k.of()) {
			continue
		}
		for _, other := range k.op.kinds {
			if strings.EqualFold(p.Proxy, other.of()) {
				list = append(list, other)
			}
		}
	}
	return list
}

// byProxy reads the readiness of an instance from the object of its proxy kind
// with the same name, else from the worst of all of them.
func (k *kind) byProxy(in *instance, proxies []*kind) Reading {
	worst := in.reading
	for _, p := range proxies {
		same := slices.IndexFunc(p.instances, func(o instance) bool {
			return o.obj.Namespace == in.obj.Namespace && o.obj.Name == in.obj.Name
		})
		for i := range p.instances {
			r := &p.instances[i].reading
			if same >= 0 && i != same || badness[r.Health] == 0 {
				continue
			}
			if badness[worst.Health] == 0 || worst.Health == in.reading.Health || badness[r.Health] > badness[worst.Health] {
				worst.Health, worst.Why = r.Health, p.ref(i)+" tells: "+r.Why
			}
		}
	}
	return worst
}
