// Package demo makes the snapshot that the program shows with --demo: a small shop cluster, recorded from a
// real API server.
//
// The manifests say what is on the cluster, and in annotations what only time and running programs could bring
// about there. None of these annotations reaches the cluster.
//
//	demo.local/owner: Kind/name        the custom resource, or other object, that owns it
//	demo.local/manager                 who made it; default: who wrote the owner's status, else Defaults
//	demo.local/status-manager          who wrote its status and its finalizers
//	demo.local/age: 40d                how long ago it was made; default: as its owner, else Defaults
//	demo.local/changed                 when its maker wrote it last; default: when it was made
//	demo.local/status-age              when its status was written; default: the newest time in it
//	demo.local/deleted: 3h             it was deleted, and waits for its finalizers
//	demo.local/generation              its generation, after changes that nobody recorded
//	demo.local/stored-versions         versions that objects of a CRD are stored in
//	demo.local/rollouts: 1.0@90d, 1.1@2d   the revisions of a Deployment, by image tag
//	demo.local/pod-age                 the age of the pods, if it is not that of the last rollout
//	demo.local/ready, waiting, restarts    how many pods are ready, why others wait, how often they began again
//
// A text "ago 40d" or "in 50d" is that time, and "pod of namespace/name" is a pod of that Deployment. A document
// of kind Defaults holds manager, age and metadata for the documents after it, but not for objects that have
// another manager or an owner. What Kubernetes' own controllers would make (ReplicaSets, Pods, claims,
// EndpointSlices, and the status of those) is made from the workloads and Services.
package demo
