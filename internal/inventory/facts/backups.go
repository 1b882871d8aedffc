package facts

import (
	"regexp"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
)

var (
	backupKind  = regexp.MustCompile(`(?i)backup|snapshot`)
	restoreKind = regexp.MustCompile(`(?i)restore|recovery`)
	// notARun are kinds about backups of which none is a backup.
	notARun = regexp.MustCompile(`(Class|Location|Repository|Request|Policy|Storage|Config|Template|Content|Store|Plan|Report)$`)
	// finishedField are status fields that tell of a backup that worked.
	finishedField = regexp.MustCompile(`(?i)^(last.*success.*backup|last.*backup.*(success|complet|finish).*|lastBackup(Time|Timestamp|At)|firstRecoverabilityPoint.*)$`)
	failedField   = regexp.MustCompile(`(?i)fail|error|schedul|attempt|next`)
	restorePath   = regexp.MustCompile(`^(restore|restore(d)?From|recovery|fromBackup|dataSource|initFromBackup|backupSource)$`)
)

// backups finds backups of the kind: by sibling kinds that refer to it, by
// Jobs below its instances, and by what its status tells. A kind that is the
// operator's product, or a backup itself, has none.
func (k *kind) backups() {
	f := &k.facts.Backups
	v := k.ofInstances()
	if !k.facts.Product && !k.aboutBackups() {
		for _, sibling := range k.op.kinds {
			if sibling != k && k.backedUpBy(sibling) {
				v.and(k.backupRuns(sibling))
			}
		}
		k.backupJobs()
		k.backupStatus()
	}
	for _, list := range []*[]string{&f.Kinds, &f.RestoreKinds, &f.Jobs, &f.JobsSucceeded} {
		*list = sorted(*list)
	}
	for _, list := range []*[]string{&f.Completed, &f.Failed, &f.StatusReports, &f.Restored} {
		*list = prose(*list)
	}
	if !k.noInstances() {
		v.on(jobs, cronjobs).and(k.ofSiblings())
	}
	unseen(k.facts.Unseen, "backups", v)
}

func (k *kind) aboutBackups() bool {
	return backupKind.MatchString(k.crd.Names.Kind) || restoreKind.MatchString(k.crd.Names.Kind)
}

// backupRuns reads the instances of a backup or restore kind.
func (k *kind) backupRuns(s *kind) *sight {
	f := &k.facts.Backups
	restore := restoreKind.MatchString(s.crd.Names.Kind)
	if restore {
		f.RestoreKinds = append(f.RestoreKinds, s.crd.Names.Kind)
	} else {
		f.Kinds = append(f.Kinds, s.crd.Names.Kind)
	}
	for i := range s.instances {
		if s.names(i, k) == elsewhere {
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
		p := squash(c.Type)
		switch {
		case c.Status != "True":
		case finishedWords[p] || strings.HasSuffix(p, "completed") || strings.HasSuffix(p, "complete") || strings.HasSuffix(p, "succeeded"):
			return true, false, c.Type + "=True"
		case failedWords[p] || strings.HasSuffix(p, "failed"):
			return false, true, c.Type + "=True"
		}
	}
	word := squash(r.Phase)
	return finishedWords[word] || word == "ready" && len(r.Conditions) == 0, failedWords[word], r.PhasePath + ": " + r.Phase
}

// backupJobs finds Jobs below the instances that are named for backups.
func (k *kind) backupJobs() {
	f := &k.facts.Backups
	for i := range k.family.children {
		c := &k.family.children[i]
		if !strings.Contains(strings.ToLower(c.Object.GetName()), "backup") {
			continue
		}
		ran := false
		switch j := c.Object.(type) {
		case *batchv1.Job:
			ran = j.Status.Succeeded > 0
		case *batchv1.CronJob:
			ran = j.Status.LastSuccessfulTime != nil
		default:
			continue
		}
		f.Jobs = append(f.Jobs, c.ref())
		if ran {
			f.JobsSucceeded = append(f.JobsSucceeded, c.ref())
			k.see("completedBackups", &k.facts.Seen.CompletedBackups, c.ref()+" succeeded")
		}
	}
}

// backupStatus looks into the instances' own status and spec.
func (k *kind) backupStatus() {
	f := &k.facts.Backups
	for i := range k.instances {
		in := &k.instances[i]
		for _, key := range k.op.o.finishedFields(in.obj.StatusMap()) {
			report := k.ref(i) + " status." + key
			f.StatusReports = append(f.StatusReports, report)
			k.see("completedBackups", &k.facts.Seen.CompletedBackups, report)
		}
		for j := range in.reading.Conditions {
			if c := &in.reading.Conditions[j]; c.Type == "LastBackupSucceeded" && c.Status == "True" {
				f.StatusReports = append(f.StatusReports, k.ref(i)+" LastBackupSucceeded=True")
				k.see("completedBackups", &k.facts.Seen.CompletedBackups, k.ref(i)+" LastBackupSucceeded=True")
			}
		}
		if in.reading.Health == Ready && slices.ContainsFunc(in.obj.SpecPaths, func(p string) bool { return k.op.o.marks(p).restored }) {
			f.Restored = append(f.Restored, k.ref(i)+" was made from a backup and is ready")
		}
	}
}

// finishedFields are the fields of a status that tell of a finished backup.
func (o *observer) finishedFields(status map[string]any) []string {
	var list []string
	for key, v := range status {
		if o.key(key).backup && !zero(v, 0) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// restored tells whether a spec path says that its object is made from a backup.
func restored(path string) bool {
	if strings.Contains(path, "olumeClaim") {
		return false // a volume's own data source
	}
	return slices.ContainsFunc(strings.Split(path, "."), restorePath.MatchString)
}
