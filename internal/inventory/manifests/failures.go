package manifests

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// maxFailures bounds the Access rows: a chart that was not rendered has a
// broken document in every file.
const maxFailures = 200

// failures are the documents that could not be read.
type failures struct {
	rows    []inventory.Access
	dropped int
	// unknown: one of them may have been of any kind.
	unknown bool
	// kinds are the first failure of each kind that is known to have one.
	kinds map[schema.GroupKind]string
}

// fail notes that a document could not be read and what it was is not known.
func (r *reader) fail(at position, err error) {
	r.failures.unknown = true
	r.failures.add(fmt.Sprintf("%s: %v", at, err))
}

// failKind notes that an object of a known kind could not be read.
func (r *reader) failKind(at position, gk schema.GroupKind, err error) {
	detail := fmt.Sprintf("%s: %v", at, err)
	f := &r.failures
	if f.kinds == nil {
		f.kinds = map[schema.GroupKind]string{}
	}
	if _, ok := f.kinds[gk]; !ok {
		f.kinds[gk] = inventory.Text(detail)
	}
	f.add(detail)
}

func (f *failures) add(detail string) {
	if len(f.rows) == maxFailures {
		f.dropped++
		return
	}
	f.rows = append(f.rows, inventory.Access{
		Resource: "documents", Access: inventory.Failed, Detail: inventory.Text(detail),
	})
}

// access lists the failures as Access rows.
func (f *failures) access() []inventory.Access {
	if f.dropped == 0 {
		return f.rows
	}
	return append(f.rows, inventory.Access{
		Resource: "documents", Access: inventory.Failed, Detail: fmt.Sprintf("and %d more documents that could not be read", f.dropped),
	})
}
