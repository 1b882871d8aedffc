package facts

import (
	"regexp"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
)

var (
	backupKind  = regexp.MustCompile(`(?i)backup|snapshot`)
	restoreKind = regexp.MustCompile(`(?i)restore|recovery`)
	// notARun are kinds about backups of which none is a backup.
	notARun = regexp.MustCompile(`(Class|Location|Repository|Request|Policy|Storage|Config|Template|Content|Store|Plan|Report)$`)
	// finishedField are status fields that tell of a backup that worked.
	finishedField = regexp.MustCompile(`(?i)^(last.*success.*backup|last.*backup.*(success|complet|finish).*|lastBackup(Time|Timestamp|At)|firstRecoverabilityPoint.*)$`)
	failedField   = regexp.MustCompile(`(?i)fail|error|schedul|attempt|next`)
)

// backups finds backups of the kind: by sibling kinds that refer to it, by
// Jobs below its instances, and by what its status tells. A kind that is the
// operator's product, or a backup itself, has none.
func (k *kind) backups() {
	f := &k.facts.Backups
	v := k.ofInstances()
	counted := map[int]bool{}
	if !k.facts.Product && !k.aboutBackups() {
		for _, sibling := range k.op.kinds {
			if sibling != k && k.backedUpBy(sibling) {
				v.and(k.backupRuns(sibling, counted))
			}
		}
		k.backupJobs(counted)
		k.backupStatus(counted)
	}
	for _, list := range []*[]string{&f.Kinds, &f.RestoreKinds, &f.Jobs, &f.JobsSucceeded} {
		*list = sorted(*list)
	}
	for _, list := range []*[]string{&f.Completed, &f.Failed, &f.StatusReports, &f.Restored} {
		*list = prose(*list)
	}
	if !k.noInstances() {
		v.on(jobs, cronjobs).and(k.ofSiblings())
		if k.op.o.s.Source.Type != "files" { // a package is not expected to hold the CRDs of others
			v.on(definitions)
		}
	}
	unseen(k.facts.Unseen, "backups", v)
}

func (k *kind) aboutBackups() bool { return k.backup || k.restore }

// backupRuns reads the instances of a backup or restore kind, and notes the
// positions of those that a finished backup is of: all, where it does not tell.
func (k *kind) backupRuns(s *kind, counted map[int]bool) *sight {
	f := &k.facts.Backups
	restore := s.restore
	if restore {
		f.RestoreKinds = append(f.RestoreKinds, s.crd.Names.Kind)
	} else {
		f.Kinds = append(f.Kinds, s.crd.Names.Kind)
	}
	for i := range s.instances {
		naming := s.names(i, k)
		if naming == elsewhere {
			continue // of an instance that is gone, or of another kind
		}
		done, failed, how := finished(&s.instances[i].reading)
		what := s.ref(i) + " " + how
		switch {
		case restore && done:
			f.Restored = append(f.Restored, what)
		case restore:
		case done:
			f.Completed = append(f.Completed, what)
			k.see("completedBackups", &k.facts.Seen.CompletedBackups, what)
			for j := range k.instances {
				counted[j] = counted[j] || naming == unnamed || mentions(s.instances[i].obj, k.instances[j].obj)
			}
		case failed:
			f.Failed = append(f.Failed, what)
		}
		if !restore {
			f.Instances++
		}
	}
	return s.ofInstances()
}

// finished tells whether a thing that runs once has run well or failed.
func finished(r *Reading) (done, failed bool, how string) {
	for i := range r.Conditions {
		c := &r.Conditions[i]
		p := inventory.Squash(c.Type)
		switch {
		case c.Status != "True":
		case finishedWords[p] || strings.HasSuffix(p, "completed") || strings.HasSuffix(p, "complete") || strings.HasSuffix(p, "succeeded"):
			return true, false, c.Type + "=True"
		case failedWords[p] || strings.HasSuffix(p, "failed"):
			return false, true, c.Type + "=True"
		}
	}
	word := inventory.Squash(r.Phase)
	return finishedWords[word] || word == "ready" && len(r.Conditions) == 0, failedWords[word], r.PhasePath + ": " + r.Phase
}

// backupJobs finds Jobs below the instances that are named for backups. One
// backup counts once: not a CronJob beside its Jobs, nor a Job below the
// custom resource that asked for it.
func (k *kind) backupJobs(counted map[int]bool) {
	f := &k.facts.Backups
	schedule := map[types.UID]bool{}
	var schedules []*child
	for i := range k.family.children {
		c := &k.family.children[i]
		if !strings.Contains(strings.ToLower(c.Object.GetName()), "backup") {
			continue
		}
		ran := false
		switch j := c.Object.(type) {
		case *batchv1.Job:
			ran = j.Status.Succeeded > 0
			if ran && !madeForBackup(c) {
				counted[c.instance], schedule[c.parent.GetUID()] = true, true
				k.see("completedBackups", &k.facts.Seen.CompletedBackups, c.ref()+" succeeded")
			}
		case *batchv1.CronJob:
			if ran = j.Status.LastSuccessfulTime != nil; ran {
				schedules = append(schedules, c)
			}
		default:
			continue
		}
		f.Jobs = append(f.Jobs, c.ref())
		if ran {
			f.JobsSucceeded = append(f.JobsSucceeded, c.ref())
		}
	}
	for _, c := range schedules {
		if !schedule[c.Object.GetUID()] {
			counted[c.instance] = true
			k.see("completedBackups", &k.facts.Seen.CompletedBackups, c.ref()+" succeeded")
		}
	}
}

// madeForBackup tells whether a child hangs below a custom resource that stands
// for a backup itself.
func madeForBackup(c *child) bool {
	parent, ok := c.parent.(*inventory.Object)
	return ok && backupKind.MatchString(parent.Kind)
}

// backupStatus looks into the instances' own status and spec. The several
// fields of one status speak of one backup, which may be counted already.
func (k *kind) backupStatus(counted map[int]bool) {
	f := &k.facts.Backups
	for i := range k.instances {
		in := &k.instances[i]
		var reports []string
		for j := range in.reading.Conditions {
			if c := &in.reading.Conditions[j]; c.Type == "LastBackupSucceeded" && c.Status == "True" {
				reports = append(reports, k.ref(i)+" LastBackupSucceeded=True")
			}
		}
		for _, key := range k.op.finishedFields(in.fields()) {
			reports = append(reports, k.ref(i)+" status."+key)
		}
		f.StatusReports = append(f.StatusReports, reports...)
		if len(reports) > 0 && !counted[i] {
			k.see("completedBackups", &k.facts.Seen.CompletedBackups, reports[0])
		}
		if in.reading.Health == Ready && k.op.specMarks(in.obj).restored {
			f.Restored = append(f.Restored, k.ref(i)+" was made from a backup and is ready")
		}
	}
}

// finishedFields are the fields of a status that tell of a finished backup.
func (op *operator) finishedFields(status map[string]any) []string {
	var list []string
	for key, v := range status {
		if op.key(key).backup && !zero(v, 0) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// restored tells whether a spec path says that its object is made from a
// backup: some field on the way does.
func restored(path string) bool {
	for i, c := range path + "." {
		if c == '.' && inventory.RestoresFrom(path[:i]) {
			return true
		}
	}
	return false
}
