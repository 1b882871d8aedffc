package inventory

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Shared lets what many objects say alike be in memory once: reasons and
// messages, sets of labels, field trees of writers, paths of specs. It is for
// one goroutine at a time. The zero value and nil are good; nil shares nothing.
type Shared struct {
	strings map[string]string
	texts   map[string]string
	trees   map[string]*metav1.FieldsV1
	writers map[string][]metav1.ManagedFieldsEntry
	sets    *labelSets
	paths   map[string][]string
	specs   map[string]*corev1.PodSpec
	packs   map[string]Packed
	topics  [2]map[string]uint32 // which topics a field's name fits, for spec and status
	buf     []byte
	pack    []byte // scratch
	json    jsonReader
}

// Bounds of Shared: beyond them it forgets what it had, and shares less.
const (
	maxShared     = 2_000
	maxSharedText = 300 // longer texts are seldom the same
	maxSharedPack = 200
)

// remember looks up what a key stands for, and makes it the first time.
func remember[V any](known *map[string]V, key string, made func(key string) V) V {
	if v, ok := (*known)[key]; ok {
		return v
	}
	key = strings.Clone(key) // it may be a part of a page
	v := made(key)
	if *known == nil || len(*known) >= maxShared {
		*known = map[string]V{}
	}
	(*known)[key] = v
	return v
}

// str is a text that may be kept: not a part of a page, which it would hold in
// memory.
func (s *Shared) str(text string) string {
	switch {
	case s == nil:
		return text
	case len(text) > maxSharedText:
		return strings.Clone(text)
	}
	return remember(&s.strings, text, func(own string) string { return own })
}

// bytes is str for bytes.
func (s *Shared) bytes(text []byte) string {
	if s == nil {
		return string(text)
	}
	if known, ok := s.strings[string(text)]; ok {
		return known
	}
	return s.str(string(text))
}

// scratch is memory to pack a value in, until packed is called.
func (s *Shared) scratch() []byte {
	if s == nil {
		return nil
	}
	return s.pack[:0]
}

// packed is what was packed in scratch. Short ones are often alike: the few
// references of a spec, a status of one word.
func (s *Shared) packed(made []byte) Packed {
	if s == nil {
		return Packed{string(made)}
	}
	s.pack = made
	if len(made) > maxSharedPack {
		return Packed{string(made)}
	}
	if known, ok := s.packs[string(made)]; ok {
		return known
	}
	return remember(&s.packs, string(made), func(own string) Packed { return Packed{own} })
}

// clean is Text.
func (s *Shared) clean(text string) string {
	switch {
	case s == nil:
		return Text(text)
	case len(text) > maxSharedText:
		return strings.Clone(Text(text))
	}
	return remember(&s.texts, text, func(own string) string { return s.str(Text(own)) })
}

// tree is shallowFields of a field tree in JSON.
func (s *Shared) tree(raw string) *metav1.FieldsV1 {
	made := func(own string) *metav1.FieldsV1 { return shallowFields(metav1.NewFieldsV1(own)) }
	if s == nil || len(raw) > 8*maxSharedText {
		return made(raw)
	}
	return remember(&s.trees, raw, made)
}

// set is a set of labels, or of annotations after pruning. It must not be
// changed any more.
func (s *Shared) set(labels map[string]string) map[string]string {
	if s == nil || len(labels) == 0 {
		return labels
	}
	s.buf = s.buf[:0]
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		s.addPair(key, labels[key])
	}
	return s.setOf(s.buf, func() map[string]string { return labels })
}

// setOf is the set that addPair wrote, made by made if it is not known yet.
func (s *Shared) setOf(pairs []byte, made func() map[string]string) map[string]string {
	if s.sets == nil {
		s.sets = &labelSets{}
	}
	return s.sets.get(pairs, made)
}

func (s *Shared) addPair(key, value string) {
	s.buf = append(s.buf, key...)
	s.buf = append(s.buf, 0)
	s.buf = append(s.buf, value...)
	s.buf = append(s.buf, 0)
}
