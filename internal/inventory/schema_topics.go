package inventory

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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

type topicPattern struct {
	topic Topic
	name  *regexp.Regexp
}

var specTopics = []topicPattern{
	{TopicVersion, regexp.MustCompile(`^(version|imageTag|[a-z]+Version)$`)},
	{TopicImage, regexp.MustCompile(`^(image|[a-zA-Z]+Image|imageName|imageTag|repository)$`)},
	{TopicBackup, regexp.MustCompile(`(?i)backup`)},
	{TopicRestore, regexp.MustCompile(`(?i)restore|recover|fromBackup|backupSource|^dataSource$|^bootstrapFrom$|^clone$`)}, // and RestoresFrom
	{TopicReplicas, regexp.MustCompile(`^(replicas|instances|size|nodes|members|replicaCount|numberOfInstances|clusterSize)$`)},
	{TopicAutoscale, regexp.MustCompile(`(?i)autoscal|^minReplicas$|^maxReplicas$|^hpa$`)},
	{TopicMonitoring, regexp.MustCompile(`(?i)monitoring|^metrics|exporter|serviceMonitor|podMonitor|prometheus`)},
	{TopicAlerts, regexp.MustCompile(`(?i)^alerts?$|alerting|prometheusRule`)},
	{TopicDisruption, regexp.MustCompile(`(?i)pdb|disruptionBudget`)},
	{TopicStrategy, regexp.MustCompile(`(?i)updateStrategy|rollout|maxUnavailable|updateMethod`)},
	{TopicStorage, regexp.MustCompile(`(?i)^storage$|^storage(Class|Spec|Size)|volumeClaim|^persistence$|^dataVolume`)},
	{TopicHeal, regexp.MustCompile(`(?i)failover|heal(ing)?$|^repair|autoRestart|autoRecover`)},
	{TopicTune, regexp.MustCompile(`(?i)tuning|autoRebalance|^optimi[sz]`)},
	{TopicPause, regexp.MustCompile(`(?i)^paused?$|^suspend(ed)?$|maintenance`)},
	{TopicResources, regexp.MustCompile(`^resources$|^[a-z]+Resources$`)},
	{TopicLiveness, regexp.MustCompile(`^livenessProbe$`)},
	{TopicReadiness, regexp.MustCompile(`^readinessProbe$`)},
	{TopicSpread, regexp.MustCompile(`^(affinity|topologySpreadConstraints)$`)},
	{TopicReference, regexp.MustCompile(`^(clusterName|cluster|[a-zA-Z]+Ref|[a-zA-Z]+ClusterName|[a-zA-Z]+ClusterReference)$`)},
}

var statusTopics = []topicPattern{
	{TopicStatusVersion, regexp.MustCompile(`(?i)^version$|[a-z]Version$|^image$`)},
	{TopicStatusRole, regexp.MustCompile(`(?i)currentPrimary|^leader|^master|^role$|^members$`)},
	{TopicStatusBackup, regexp.MustCompile(`(?i)last.*backup|firstRecoverability|backup.*time`)},
	{TopicStatusReplicas, regexp.MustCompile(`(?i)^(ready|available|current)?(replicas|instances|members|nodes)$|^ready(Nodes|Members|Instances)$`)},
	{TopicStatusHeal, regexp.MustCompile(`(?i)autoRestart|failovers?(Count)?$|lastFail(ed)?over|autoRecover|selfHeal`)},
}

// notAVersion are fields that end in "version" and are none of the operand.
var notAVersion = regexp.MustCompile(`(?i)(api|tls|ssl|schema|resource|config|protocol|kubernetes|observed.*|chart|http|ip|policy|crd|storage)Version$`)

// note records a field under the topics that it speaks of. Of many fields the
// shallowest are kept: they are the API's own, deep ones often overrides.
func (r *schemaReader) note(topics []topicPattern, path, name string, field *apiextensionsv1.JSONSchemaProps) {
	for _, t := range topics {
		if !t.name.MatchString(name) || !speaksOf(t.topic, path, name, field) {
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
func speaksOf(topic Topic, path, name string, field *apiextensionsv1.JSONSchemaProps) bool {
	switch topic {
	case TopicVersion:
		return !notAVersion.MatchString(name)
	case TopicStatusVersion:
		return !notAVersion.MatchString(name) && !ofAddOn.MatchString(path)
	case TopicStrategy:
		return !ofDisruption.MatchString(path)
	case TopicReplicas:
		return field.Type == "integer" && countsMembers(path)
	case TopicRestore:
		// A clone as of a point in time is made from backups (Zalando).
		_, timed := field.Properties["timestamp"]
		return RestoresFrom(path) || path == "spec.clone" && timed
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
