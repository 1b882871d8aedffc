package facts

// monitors finds what scrapes the operand: below an instance, written by the
// operator, or another's that selects its Services or pods through an unbroken
// chain.
func (k *kind) monitors() {
	f, o := &k.facts.Monitors, k.op.o
	f.KindsInstalled = o.monitoringInstalled()
	selecting, resolved := map[*monitor]bool{}, map[*monitor]bool{}
	broken := map[*monitor][]string{}
	for i := range k.family.workloads {
		for _, l := range o.links(k.family.workloads[i].Workload) {
			selecting[l.monitor] = true
			if l.broken == "" {
				resolved[l.monitor] = true
			} else {
				broken[l.monitor] = append(broken[l.monitor], l.monitor.ref+": "+l.broken)
			}
		}
	}
	for _, m := range o.monitors {
		_, child := k.family.uids[m.obj.UID]
		child = child && m.obj.UID != ""
		switch mine := child || selecting[m] && k.op.wrote(m.obj); {
		case mine:
			f.ByOperator = append(f.ByOperator, m.ref)
			k.see("ownedMonitors", &k.facts.Seen.OwnedMonitors, m.ref)
			f.Broken = append(f.Broken, broken[m]...)
			if !selecting[m] && len(k.family.workloads) > 0 && k.ofOperand().whole() {
				f.Broken = append(f.Broken, m.ref+" selects no pods of the operand")
			}
		case resolved[m]:
			f.ByOthers = append(f.ByOthers, m.ref)
		}
	}
	for i := range k.family.pods {
		if p := &k.family.pods[i]; p.Annotations["prometheus.io/scrape"] == "true" {
			f.Annotated = append(f.Annotated, ref("Pod", p))
		}
	}
	f.ByOperator, f.ByOthers, f.Broken, f.Annotated = sorted(f.ByOperator), sorted(f.ByOthers), prose(f.Broken), prose(f.Annotated)
	v := k.ofOperand()
	if k.noInstances() {
		v.onCustom(monitorResources()...)
	} else {
		v.on(services).onCustom(monitorResources()...)
	}
	unseen(k.facts.Unseen, "monitors", v)
}
