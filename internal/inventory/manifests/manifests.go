// Package manifests reads files into a Snapshot: dumps of a cluster (kubectl
// get -o yaml|json, must-gather trees), install manifests, rendered charts, OLM
// bundles, archives of these, and snapshots that this program has written.
//
// Machines write most of these files, so reading is lenient: what is no object
// of Kubernetes is passed over, and a document that cannot be read becomes an
// Access row that names its file and line, while the rest is still read. Only
// what leaves nothing to judge is an error.
//
//	open.go     paths, folders, links
//	stream.go   one file: compression, archives, encodings
//	json.go     its JSON values, lists item by item
//	yaml.go     its YAML documents, lists item by item
//	            (as machines write them: yamlblock.go)
//	object.go   one object: which kind, what is passed over
//	scan.go     one look over an object: is it JSON, and which (head.go)
//	store.go    the objects read, each once
//	sample.go   of a kind with many, the first
//	finish.go   what needs all of them: CSVs, kinds from paths, Access rows
package manifests

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// Options say what to read.
type Options struct {
	// Paths are files, folders, archives, or "-" for Stdin.
	Paths []string
	Stdin io.Reader
	// Complete: the files hold every object of the cluster, so that a kind
	// that is not in them has no objects.
	Complete bool
	// AsOf is the time to judge the files at; zero means the newest time in
	// them.
	AsOf time.Time
	// MaxPerKind caps the objects kept of each custom resource kind, as in a
	// scan of a cluster; 0 means 5000, less means all.
	MaxPerKind int
	// MaxBytes bounds one document, 0 means 64 MiB.
	MaxBytes int64
	// MaxTotal bounds what compressed files may unpack to, 0 means 4 GiB.
	MaxTotal int64
}

const (
	defaultMaxBytes = 64 << 20
	defaultMaxTotal = 4 << 30

	defaultMaxPerKind = 5000
	// maxEvents caps Events as a scan of a cluster does.
	maxEvents = 20_000
)

// Read reads files into a snapshot. When ctx ends first it returns what was
// read so far together with the error.
func Read(ctx context.Context, o Options) (*inventory.Snapshot, error) {
	if len(o.Paths) == 0 {
		return nil, errors.New("nothing to read: give files, folders, archives, or - for standard input")
	}
	r := newReader(ctx, o)
	for _, p := range o.Paths {
		err := r.path(p)
		if ctx.Err() != nil {
			r.fail(position{file: p}, errors.New("reading was cut short here"))
			s, _ := r.finish()
			return s, fmt.Errorf("reading %s: %w", p, ctx.Err())
		}
		if err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// Empty tells whether a snapshot holds no object at all: there is nothing to
// scan.
func Empty(s *inventory.Snapshot) bool {
	if len(s.CRDs)+len(s.CustomResources) > 0 {
		return false
	}
	empty := true
	kinds := inventory.Kinds()
	for i := range kinds {
		kinds[i].Each(s, func(inventory.TypedObject) { empty = false })
	}
	return empty
}

// reader is one run of Read.
type reader struct {
	ctx     context.Context
	options Options
	// unpacked is how many bytes compressed files may still unpack to.
	unpacked int64

	scalars scalars
	// spare and converted are memory to use again.
	spare     [][]byte
	converted []byte
	store     store
	failures  failures
	newest    time.Time
	// unnamed are objects without apiVersion and kind whose path may tell them.
	unnamed held
	// bundles are the ClusterServiceVersions to expand, by namespace/name.
	bundles map[string]*bundle
	// snapshot is set when one of the files is a snapshot.
	snapshot     *inventory.Snapshot
	snapshotFile string
}

func newReader(ctx context.Context, o Options) *reader {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.MaxTotal <= 0 {
		o.MaxTotal = defaultMaxTotal
	}
	o.MaxPerKind = max(cmp.Or(o.MaxPerKind, defaultMaxPerKind), 0)
	return &reader{
		ctx: ctx, options: o, unpacked: o.MaxTotal,
		store: newStore(o.MaxPerKind), bundles: map[string]*bundle{},
		unnamed: held{max: o.MaxBytes},
	}
}

// position is a place in a file. Line 0 means the file as a whole.
type position struct {
	file string
	line int
}

func (p position) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, p.line)
}

// document is one object as JSON, with the place where it begins.
type document struct {
	raw []byte
	at  position
}

// held are documents that wait for something read later. They stand in memory
// whole, so there is a bound.
type held struct {
	documents []document
	bytes     int64
	max       int64
}

// add holds a document, unless that is too much.
func (h *held) add(d document) bool {
	if h.bytes += int64(len(d.raw)); h.bytes > h.max {
		return false
	}
	d.raw = bytes.Clone(d.raw) // it stands in the text of a file
	h.documents = append(h.documents, d)
	return true
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}
