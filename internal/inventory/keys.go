package inventory

import "strings"

// keySet tells keys of a spec or status apart by their names, without regular
// expressions: they are asked of every field of every object.
type keySet struct {
	names    map[string]bool
	prefixes []string
	suffixes []string
}

func newKeySet(names string, prefixes, suffixes []string) keySet {
	set := keySet{names: map[string]bool{}, prefixes: prefixes, suffixes: suffixes}
	for name := range strings.FieldsSeq(names) {
		set.names[name] = true
	}
	return set
}

func (s keySet) has(key string) bool {
	return s.names[key] || hasAnyPrefix(key, s.prefixes) || hasAnySuffix(key, s.suffixes)
}

// hasFolded is has whatever the case of the key; the set is in lower case. The
// long s is an s too: no credential hides behind one.
func (s keySet) hasFolded(key string) bool {
	return s.has(strings.ReplaceAll(strings.ToLower(key), "\u017f", "s"))
}

func hasAnySuffix(s string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// isFieldName tells whether a key is the name of a field: a letter, then
// letters and digits, 63 at most. Keys that are data look otherwise.
func isFieldName(key string) bool {
	if key == "" || len(key) > 63 || !isLetter(key[0]) {
		return false
	}
	for i := range len(key) {
		if !isLetter(key[i]) && !isDigit(key[i]) {
			return false
		}
	}
	return true
}

// isPlainValue tells whether a text may be a name, a version, an image or a
// cron schedule. A password has no business under the keys that are kept, but
// this keeps odd values out.
func isPlainValue(v string) bool {
	if v == "" || len(v) > 201 || !isLetter(v[0]) && !isDigit(v[0]) {
		return false
	}
	for i := range len(v) {
		if !isLetter(v[i]) && !isDigit(v[i]) && strings.IndexByte(" .,_:/@*+-", v[i]) < 0 {
			return false
		}
	}
	return true
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
