package inventory

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Topic is a theme that field names of a schema can speak of.
type Topic string

// The topics, and the field names that show them. The lists follow
// reference/levels.md §3: what operators of the public catalogues call things.
const (
	TopicVersion    Topic = "version"
	TopicImage      Topic = "image"
	TopicBackup     Topic = "backup"
	TopicRestore    Topic = "restore"
	TopicReplicas   Topic = "replicas"
	TopicAutoscale  Topic = "autoscale"
	TopicMonitoring Topic = "monitoring"
	TopicAlerts     Topic = "alerts"
	TopicDisruption Topic = "disruption"
	TopicStrategy   Topic = "strategy"
	TopicStorage    Topic = "storage"
	TopicHeal       Topic = "heal"
	TopicTune       Topic = "tune"
	TopicPause      Topic = "pause"
	TopicResources  Topic = "resources"
	TopicLiveness   Topic = "liveness"
	TopicReadiness  Topic = "readiness"
	TopicSpread     Topic = "spread"
	TopicReference  Topic = "reference"
	// Topics of status.
	TopicStatusVersion  Topic = "statusVersion"
	TopicStatusRole     Topic = "statusRole"
	TopicStatusBackup   Topic = "statusBackup"
	TopicStatusReplicas Topic = "statusReplicas"
	TopicStatusHeal     Topic = "statusHeal"
)

const maxTopicPaths = 5

// topicPattern tells by the name of a field whether it speaks of a topic. It
// gets the name as it is and in lower case. Plain comparisons, no regular
// expressions: large schemas have tens of thousands of fields.
type topicPattern struct {
	topic Topic
	fits  func(name, lower string) bool
}

var specTopics = []topicPattern{
	{TopicVersion, func(n, _ string) bool {
		return n == "version" || n == "imageTag" || wordBefore(n, "Version", isLower)
	}},
	{TopicImage, func(n, _ string) bool {
		return isAny(n, "image", "imageName", "imageTag", "repository") || wordBefore(n, "Image", isLetter)
	}},
	{TopicBackup, func(_, l string) bool { return strings.Contains(l, "backup") }},
	{TopicRestore, func(_, l string) bool { // and RestoresFrom
		return containsAny(l, "restore", "recover", "frombackup", "backupsource") || isAny(l, "datasource", "bootstrapfrom", "clone")
	}},
	{TopicReplicas, func(n, _ string) bool {
		return isAny(n, "replicas", "instances", "size", "nodes", "members", "replicaCount", "numberOfInstances", "clusterSize")
	}},
	{TopicAutoscale, func(_, l string) bool {
		return strings.Contains(l, "autoscal") || isAny(l, "minreplicas", "maxreplicas", "hpa")
	}},
	{TopicMonitoring, func(_, l string) bool {
		return containsAny(l, "monitoring", "exporter", "servicemonitor", "podmonitor", "prometheus") || strings.HasPrefix(l, "metrics")
	}},
	{TopicAlerts, func(_, l string) bool {
		return isAny(l, "alert", "alerts") || containsAny(l, "alerting", "prometheusrule")
	}},
	{TopicDisruption, func(_, l string) bool { return containsAny(l, "pdb", "disruptionbudget") }},
	{TopicStrategy, func(_, l string) bool {
		return containsAny(l, "updatestrategy", "rollout", "maxunavailable", "updatemethod")
	}},
	{TopicStorage, func(_, l string) bool {
		return isAny(l, "storage", "persistence") || strings.Contains(l, "volumeclaim") ||
			hasAnyPrefix(l, []string{"storageclass", "storagespec", "storagesize", "datavolume"})
	}},
	{TopicHeal, func(_, l string) bool {
		return containsAny(l, "failover", "autorestart", "autorecover") || strings.HasPrefix(l, "repair") || hasAnySuffix(l, []string{"heal", "healing"})
	}},
	{TopicTune, func(_, l string) bool {
		return containsAny(l, "tuning", "autorebalance") || hasAnyPrefix(l, []string{"optimis", "optimiz"})
	}},
	{TopicPause, func(_, l string) bool {
		return isAny(l, "pause", "paused", "suspend", "suspended") || strings.Contains(l, "maintenance")
	}},
	{TopicResources, func(n, _ string) bool { return n == "resources" || wordBefore(n, "Resources", isLower) }},
	{TopicLiveness, func(n, _ string) bool { return n == "livenessProbe" }},
	{TopicReadiness, func(n, _ string) bool { return n == "readinessProbe" }},
	{TopicSpread, func(n, _ string) bool { return isAny(n, "affinity", "topologySpreadConstraints") }},
	{TopicReference, func(n, _ string) bool {
		return isAny(n, "clusterName", "cluster") || wordBefore(n, "Ref", isLetter) || wordBefore(n, "ClusterName", isLetter) || wordBefore(n, "ClusterReference", isLetter)
	}},
}

var statusTopics = []topicPattern{
	{TopicStatusVersion, func(_, l string) bool {
		before, ok := strings.CutSuffix(l, "version")
		return l == "image" || ok && (before == "" || isLower(before[len(before)-1]))
	}},
	{TopicStatusRole, func(_, l string) bool {
		return strings.Contains(l, "currentprimary") || hasAnyPrefix(l, []string{"leader", "master"}) || isAny(l, "role", "members")
	}},
	{TopicStatusBackup, func(_, l string) bool {
		return strings.Contains(l, "firstrecoverability") || inOrder(l, "last", "backup") || inOrder(l, "backup", "time")
	}},
	{TopicStatusReplicas, func(_, l string) bool {
		for _, prefix := range []string{"", "ready", "available", "current"} {
			if rest, ok := strings.CutPrefix(l, prefix); ok && isAny(rest, "replicas", "instances", "members", "nodes") {
				return true
			}
		}
		return false
	}},
	{TopicStatusHeal, func(_, l string) bool {
		return containsAny(l, "autorestart", "lastfailover", "lastfailedover", "autorecover", "selfheal") ||
			hasAnySuffix(l, []string{"failover", "failovers", "failovercount", "failoverscount"})
	}},
}

func isAny(s string, words ...string) bool { return slices.Contains(words, s) }

func containsAny(s string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// inOrder tells whether a text has one word and another behind it.
func inOrder(s, first, second string) bool {
	_, after, ok := strings.Cut(s, first)
	return ok && strings.Contains(after, second)
}

// wordBefore tells whether a name is a suffix with letters before it.
func wordBefore(name, suffix string, letter func(byte) bool) bool {
	before, ok := strings.CutSuffix(name, suffix)
	for i := range len(before) {
		ok = ok && letter(before[i])
	}
	return ok && before != ""
}

func isLower(b byte) bool { return b >= 'a' && b <= 'z' }

// notAVersion are fields that end in "version" and are none of the operand.
var notAVersion = regexp.MustCompile(`(?i)(api|tls|ssl|schema|resource|config|protocol|kubernetes|observed.*|chart|http|ip|policy|crd|storage)Version$`)

// note records a field under the topics that it speaks of. Of many fields the
// shallowest are kept: they are the API's own, deep ones often overrides.
func (r *schemaReader) note(topics []topicPattern, path, name string, field *opened) {
	lower := strings.ToLower(name)
	for i := range topics {
		t := &topics[i]
		if !t.fits(name, lower) || !speaksOf(t.topic, path, name, field) {
			continue
		}
		r.keep(t.topic, path)
	}
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
