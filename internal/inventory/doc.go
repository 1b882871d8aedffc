// Package inventory holds what one look at a cluster has seen: the Snapshot.
//
// A Snapshot is plain data. It is filled by package cluster (from an API
// server) or package manifests (from files), can be written to disk and read
// back (codec.go), and everything that judges it is a pure function of it.
// Nothing here opens a connection, reads a file or looks at a clock.
//
// Three rules hold for every object in it:
//
//   - It is pruned when it is collected (prune.go): no Secret data, no ConfigMap
//     data, no environment values, no custom resource spec values.
//   - Kinds whose list could not be read whole have an Access row that says
//     so. An empty slice alone never means "there are none": ask Seen.
//   - Slices are sorted by namespace and name, so that equal clusters give
//     equal bytes.
package inventory
