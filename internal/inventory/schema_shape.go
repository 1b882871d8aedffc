package inventory

import (
	"fmt"
	"hash"
	"hash/fnv"
)

// shapeOf sums up which fields of which types a schema has. Descriptions,
// bounds and defaults do not matter, nor does what it says of metadata.
func (r *schemaReader) shapeOf(root node) string {
	if root.none() {
		return ""
	}
	r.room = r.room[:0]
	sum := fnv.New64a()
	s := r.open(root)
	for _, p := range s.properties {
		if p.name != "metadata" && p.name != "kind" && p.name != "apiVersion" {
			r.writeShape(sum, p.name, p.node)
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

func (r *schemaReader) writeShape(sum hash.Hash, path string, n node) {
	mark := len(r.room)
	s := r.open(n)
	fmt.Fprintf(sum, "%s %s %t %t\n", path, s.kind, s.intOrString, s.preserves)
	for _, p := range s.properties {
		r.writeShape(sum, path+"."+p.name, p.node)
	}
	if !s.items.none() {
		r.writeShape(sum, path+"[]", s.items)
	}
	if !s.additional.none() {
		r.writeShape(sum, path+"{}", s.additional)
	}
	r.room = r.room[:mark]
}
