package inventory

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// notAVersion are fields that end in "version" and are none of the operand.
var notAVersion = regexp.MustCompile(`(?i)(api|tls|ssl|schema|resource|config|protocol|kubernetes|observed.*|chart|http|ip|policy|crd|storage)Version$`)

// note records a field under the topics that it speaks of. Of many fields the
// shallowest are kept: they are the API's own, deep ones often overrides.
func (r *schemaReader) note(topics *topicList, path, name string, field *opened) {
	fit := r.shared.fitting(topics, name)
	for i := 0; fit != 0; i, fit = i+1, fit>>1 {
		if fit&1 != 0 && speaksOf(topics.patterns[i].topic, path, name, field) {
			r.keep(topics.patterns[i].topic, path)
		}
	}
}

// fitting tells which topics a name fits, a bit for each pattern. Schemas use
// the same names again and again.
func (s *Shared) fitting(topics *topicList, name string) (fit uint32) {
	made := func(name string) (fit uint32) {
		lower := strings.ToLower(name)
		for i := range topics.patterns {
			if topics.patterns[i].fits(name, lower) {
				fit |= 1 << i
			}
		}
		return fit
	}
	if s == nil {
		return made(name)
	}
	return remember(&s.topics[topics.at], name, made)
}

// keep adds a path to a topic, as long as it is among the shallowest.
func (r *schemaReader) keep(topic Topic, path string) {
	if r.facts.Fields == nil {
		r.facts.Fields = map[Topic][]string{}
	}
	paths := r.facts.Fields[topic]
	at, known := slices.BinarySearchFunc(paths, path, shallowFirst)
	if known || at == maxTopicPaths {
		return
	}
	if len(paths) == maxTopicPaths {
		paths = paths[:maxTopicPaths-1]
	}
	r.facts.Fields[topic] = slices.Insert(paths, at, path)
}

func shallowFirst(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")), cmp.Compare(a, b))
}

// speaksOf looks closer at a field whose name fits a topic.
func speaksOf(topic Topic, path, name string, field *opened) bool {
	switch topic {
	case TopicVersion:
		return !notAVersion.MatchString(name)
	case TopicStatusVersion:
		return !notAVersion.MatchString(name) && !ofAddOn.MatchString(path)
	case TopicStrategy:
		return !ofDisruption.MatchString(path)
	case TopicReplicas:
		return field.kind == "integer" && countsMembers(path)
	case TopicRestore:
		// A clone as of a point in time is made from backups (Zalando).
		return RestoresFrom(path) || path == "spec.clone" && field.has("timestamp")
	}
	return true
}

var (
	// ofAddOn is the status of something that the operand loads: its version
	// is not the operand's (Strimzi: status.connectorPlugins.version).
	ofAddOn = regexp.MustCompile(`(?i)(plugins?|extensions?|add-?ons?|modules?)\.`)
	// ofDisruption is a template of a PodDisruptionBudget, whose
	// maxUnavailable is about evictions.
	ofDisruption = regexp.MustCompile(`(?i)disruptionBudget|pdb`)
)

// countsMembers tells whether a number at a path may be one of members: below
// storage it is bytes, and so is the size of a key or a buffer.
func countsMembers(path string) bool {
	parent, name := parentOf(path)
	return !ofStorage.MatchString(parent) && (name != "size" || !ofBytes.MatchString(parent))
}

var (
	ofStorage = regexp.MustCompile(`(?i)storage|volume|persisten|pvc`)
	ofBytes   = regexp.MustCompile(`(?i)key|cert|disk|buffer|cache|queue|wal|heap|memory|file|log|batch|connection`)
)

// RestoresFrom tells whether the field at a path of spec asks for an operand
// that is made from a backup. A volume's own data source, options of a restore
// command and the recovery of a crashed member do not.
func RestoresFrom(path string) bool {
	parent, name := parentOf(strings.TrimPrefix(path, "spec."))
	switch {
	case strings.Contains(parent, "olumeClaim"):
		return false
	case restoreName.MatchString(name):
		return true
	case name == "recovery":
		return parent == "" || recoveryParent.MatchString(parent)
	}
	return name == "dataSource" && parent == ""
}

var (
	restoreName = regexp.MustCompile(`^(restores?|restored?From|recoverFrom|restoreSource|restorePoint|restoreToTime|restoreJob|pointInTimeRecoveryRef|` +
		`(init|restore|recover|bootstrap)?[fF]romBackup|backupSource|bootstrapFrom)$`)
	recoveryParent = regexp.MustCompile(`(?i)(^|\.)(bootstrap|init|clone|backups?)$`)
)

func parentOf(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}
