package inventory

import (
	"slices"
	"testing"
)

// Field names of real APIs, where one word means several things.
func TestReplicasAreIntegersOutsideStorage(t *testing.T) {
	f := schemaFacts(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{
	  "instances":{"type":"integer"},
	  "numberOfInstances":{"type":"integer"},
	  "storage":{"type":"object","properties":{"size":{"type":"integer"},"replicas":{"type":"integer"}}},
	  "persistence":{"type":"object","properties":{"size":{"type":"integer"}}},
	  "walStorage":{"type":"object","properties":{"size":{"x-kubernetes-int-or-string":true}}},
	  "volume":{"type":"object","properties":{"size":{"type":"string"}}},
	  "privateKey":{"type":"object","properties":{"size":{"type":"integer"}}},
	  "members":{"type":"array","items":{"type":"string"}},
	  "nodes":{"type":"string"},
	  "zookeeper":{"type":"object","properties":{"replicas":{"type":"integer"}}},
	  "sets":{"type":"array","items":{"type":"object","properties":{"size":{"type":"integer"},"replicas":{"type":"array","items":{"type":"object"}}}}},
	  "override":{"type":"object","properties":{"statefulSet":{"type":"object","properties":{"spec":{"type":"object","properties":{"replicas":{"type":"integer"}}}}}}}}}}}`)
	want := []string{"spec.instances", "spec.numberOfInstances", "spec.sets.size", "spec.zookeeper.replicas", "spec.override.statefulSet.spec.replicas"}
	if got := f.Fields[TopicReplicas]; !slices.Equal(got, want) {
		t.Errorf("replica fields %q, want %q", got, want)
	}
}

func TestTheShallowestFieldsAreKept(t *testing.T) {
	f := schemaFacts(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{
	  "a":{"type":"object","properties":{"x":{"type":"object","properties":{"livenessProbe":{"type":"object"}}},"livenessProbe":{"type":"object"}}},
	  "b":{"type":"object","properties":{"livenessProbe":{"type":"object"}}}, "c":{"type":"object","properties":{"livenessProbe":{"type":"object"}}},
	  "d":{"type":"object","properties":{"livenessProbe":{"type":"object"}}}, "e":{"type":"object","properties":{"livenessProbe":{"type":"object"}}},
	  "livenessProbe":{"type":"object"}}}}}`)
	want := []string{"spec.livenessProbe", "spec.a.livenessProbe", "spec.b.livenessProbe", "spec.c.livenessProbe", "spec.d.livenessProbe"}
	if got := f.Fields[TopicLiveness]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRestoresFrom(t *testing.T) {
	for path, want := range map[string]bool{
		"spec.bootstrap.recovery":                           true, // CloudNativePG
		"bootstrap.recovery":                                true,
		"spec.dataSource":                                   true, // Crunchy, Percona
		"spec.backups.pgbackrest.restore":                   true, // Crunchy
		"spec.initDB.restore":                               true,
		"spec.initFromBackup":                               true,
		"spec.fromBackup":                                   true, // Longhorn
		"spec.bootstrapFrom":                                true, // MariaDB
		"spec.restorePoint":                                 true, // Vertica
		"spec.backupSource":                                 true, // Percona MongoDB
		"spec.restoreToTime":                                true, // ACK RDS
		"spec.bootstrap.initdb.import.pgRestoreDataOptions": false,
		"spec.backup.barmanObjectStore.wal.restoreAdditionalCommandArgs": false,
		"spec.galera.recovery":                                            false, // of a crashed member
		"spec.mysql.autoRecovery":                                         false,
		"spec.streams.enableRecovery":                                     false, // Zalando
		"spec.dataVolumeClaimSpec.dataSource":                             false, // a volume's own
		"spec.instances.tablespaceVolumes.dataVolumeClaimSpec.dataSource": false,
		"spec.persistence.dataLog.dataSource":                             false,
		"spec.advanced.restoreToOriginalReplicaCount":                     false, // KEDA
		"spec.ruleContext.cacheRestore":                                   false,
		"spec.provider.aws.secretsManager.recoveryWindowInDays":           false,
		"spec.restorePVs":                                                 false, // Velero
		"spec.backup.configuration.restoreOptions":                        false,
	} {
		if got := RestoresFrom(path); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}

// Each is the shape of a real API where a name alone misleads.
func TestFieldsThatSpeakOfSomethingElse(t *testing.T) {
	f := schemaFacts(t, `{"type":"object","properties":{
	  "spec":{"type":"object","properties":{
	    "instances":{"type":"array","items":{"type":"object","properties":{
	      "containers":{"type":"array","items":{"type":"object"}},"volumes":{"type":"object"},"replicas":{"type":"integer"}}}},
	    "clone":{"type":"object","properties":{"cluster":{"type":"string"},"timestamp":{"type":"string"}}},
	    "template":{"type":"object","properties":{
	      "podDisruptionBudget":{"type":"object","properties":{"maxUnavailable":{"type":"integer"}}},
	      "spec":{"type":"object","properties":{"restartPolicy":{"type":"string"},"volumes":{"type":"array"},
	        "containers":{"type":"array","items":{"type":"object","properties":{"image":{"type":"string"}}}}}}}},
	    "volumeClaimTemplate":{"type":"object","properties":{"spec":{"type":"object","properties":{"resources":{"type":"object"}}},
	      "status":{"type":"object","properties":{"allocatedResources":{"type":"object"}}}}}}},
	  "status":{"type":"object","properties":{
	    "connectorPlugins":{"type":"array","items":{"type":"object","properties":{"version":{"type":"string"}}}},
	    "kafkaVersion":{"type":"string"}}}}}`)
	for topic, want := range map[Topic][]string{
		TopicReplicas:      {"spec.instances.replicas"},                 // Crunchy: no pod spec, though it takes containers and volumes
		TopicRestore:       {"spec.clone"},                              // Zalando: as of a time
		TopicStrategy:      nil,                                         // Strimzi: of evictions
		TopicImage:         {"spec.template.spec.containers.image"},     // Argo Rollouts: a workload of its own
		TopicResources:     {"spec.volumeClaimTemplate.spec.resources"}, // Redis: not the claim's status
		TopicStatusVersion: {"status.kafkaVersion"},                     // Strimzi: not that of a plugin
	} {
		if got := f.Fields[topic]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", topic, got, want)
		}
	}
	if f := schemaFacts(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{"clone":{"type":"boolean"}}},
	  "status":{"type":"object","properties":{"readyToUse":{"type":"boolean"}}}}}`); len(f.Fields[TopicRestore]) > 0 || f.PhaseField != "status.readyToUse" {
		t.Errorf("restore %q, phase %q; want none, and VolumeSnapshot's status.readyToUse", f.Fields[TopicRestore], f.PhaseField)
	}
}
