package inventory

import "strings"

// scalarKeys are spec fields whose plain values are kept wherever they stand.
var scalarKeys = newKeySet(`version image imageName replicas instances size members nodes paused suspend suspended maintenance
	schedule controllerName minReplicas maxReplicas`, []string{"enable"}, []string{"Version"})

// referenceKeys are spec fields that name another object. Values below them
// are kept if they are names, kinds, groups or namespaces.
var referenceKeys = newKeySet("cluster clusterName backup backupName source secretName issuer ref scaleTargetRef", nil,
	[]string{"Ref", "Refs", "Reference", "ClusterName", "Selector"})

var nameKeys = newKeySet("name kind group apiVersion apiGroup namespace clusterName matchLabels", nil, nil)

// referencesAndVersions packs of a spec the scalars of scalarKeys and the names
// below referenceKeys, as fields of an object.
func (s *Shared) referencesAndVersions(to []byte, spec *value, depth int) []byte {
	if depth > 5 {
		return to
	}
	for i := range spec.of {
		field := &spec.of[i]
		before := len(to)
		to = appendName(to, field.key)
		named := len(to)
		if to = s.referenceOrVersion(to, field, depth); len(to) == named {
			to = to[:before] // nothing to keep
		}
	}
	return to
}

// referenceOrVersion packs what is kept of one field of a spec, if anything.
func (s *Shared) referenceOrVersion(to []byte, field *value, depth int) []byte {
	key := field.key
	switch field.kind {
	case objectValue:
		before := len(to)
		to = append(to, packedObject)
		if referenceKeys.has(key) {
			to = s.namesOf(to, field)
		} else {
			to = s.referencesAndVersions(to, field, depth+1)
		}
		if len(to) == before+1 {
			return to[:before]
		}
		return append(to, packedEnd)
	case stringValue:
		switch {
		case strings.HasPrefix(key, "enable"): // only switches are meant
		case !scalarKeys.has(key) && !referenceKeys.has(key):
		case isPlainValue(field.text) && s.clean(field.text) == field.text:
			return appendText(to, field.text)
		}
	case arrayValue:
		if referenceKeys.has(key) {
			return s.listNamesOf(to, field)
		}
	case scalarValue:
		if scalarKeys.has(key) {
			switch n := field.number().(type) {
			case bool, int64, float64:
				return appendScalar(to, n)
			}
		}
	}
	return to
}

// listNamesOf is namesOf for a list of references, such as parentRefs.
func (s *Shared) listNamesOf(to []byte, refs *value) []byte {
	before := len(to)
	to = append(to, packedArray)
	kept := 0
	for i := range refs.of {
		ref := len(to)
		if to = s.namesOf(append(to, packedObject), &refs.of[i]); len(to) == ref+1 || kept == maxStatusItems {
			to = to[:ref]
			continue
		}
		to = append(to, packedEnd)
		kept++
	}
	if kept == 0 {
		return to[:before]
	}
	return append(to, packedEnd)
}

// namesOf packs the names in a reference, as fields of an object.
func (s *Shared) namesOf(to []byte, ref *value) []byte {
	if ref.kind != objectValue {
		return to
	}
	for i := range ref.of {
		field := &ref.of[i]
		switch {
		case !nameKeys.has(field.key):
		case field.kind == stringValue:
			to = appendText(appendName(to, field.key), upTo(s.clean(field.text), 253))
		case field.kind == objectValue:
			to = append(appendName(to, field.key), packedObject)
			for j := range field.of {
				if l := &field.of[j]; l.kind == stringValue {
					to = appendText(appendName(to, l.key), cut(l.text, 63))
				}
			}
			to = append(to, packedEnd)
		}
	}
	return to
}
