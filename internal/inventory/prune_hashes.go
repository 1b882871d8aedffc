package inventory

import (
	appsv1 "k8s.io/api/apps/v1"
)

// hashLabels tell one revision of a workload from another.
var hashLabels = []string{appsv1.DefaultDeploymentUniqueLabelKey, appsv1.ControllerRevisionHashLabelKey}

// pruneHashes removes from labels which revision of a workload a pod is of: all
// that is asked is which workload, and the pods of each revision would have a
// set of labels of their own.
func pruneHashes(labels map[string]string) {
	for _, key := range hashLabels {
		delete(labels, key)
	}
}

// pruneSelector removes the same from what selects pods, as kubectl expose
// makes it. Where nothing would be left it stays, and selects no pod: without
// it, it would select all.
func pruneSelector(labels map[string]string) {
	others := len(labels)
	for _, key := range hashLabels {
		if _, ok := labels[key]; ok {
			others--
		}
	}
	if others > 0 {
		pruneHashes(labels)
	}
}
