package inventory

import (
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

// topicList are the patterns for one place; at is where Shared remembers what
// fits them.
type topicList struct {
	at       int
	patterns []topicPattern
}

var specTopics = topicList{0, []topicPattern{
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
}}

var statusTopics = topicList{1, []topicPattern{
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
}}

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
