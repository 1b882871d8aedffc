package inventory

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unique"
)

// shallowPlain is shallowFields for trees as API servers write them: objects
// within objects, without white space. Every object of a cluster has two or
// three, so they are not decoded. It is not ok for a tree of any other form,
// or with names that JSON writes in another way than they are.
func shallowPlain(raw []byte) (kept string, ok bool) {
	tops := map[string][]string{}
	var top string
	depth, after := 0, byte(0) // after is what was read before
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; b {
		case '{':
			if after != ':' && depth > 0 || depth == 0 && i > 0 {
				return "", false
			}
			depth++
		case '}':
			if depth--; after != '{' && after != '}' || depth < 0 || depth == 0 && i != len(raw)-1 {
				return "", false
			}
		case ',':
			if after != '}' {
				return "", false
			}
		case ':':
			if after != '"' {
				return "", false
			}
		case '"':
			if after != '{' && after != ',' {
				return "", false
			}
			end := endOfString(raw[i+1:])
			if end < 0 {
				return "", false
			}
			name := raw[i+1 : i+1+end]
			i += 1 + end
			if depth > 2 || !bytes.HasPrefix(name, []byte("f:")) {
				if depth == 1 {
					top = ""
				}
				break
			}
			if !plainName(name) {
				return "", false
			}
			if depth == 2 {
				if top != "" {
					tops[top] = append(tops[top], string(name))
				}
				break
			}
			top = string(name)
			if _, twice := tops[top]; twice {
				return "", false
			}
			tops[top] = nil
			if top == "f:data" || top == "f:binaryData" || top == "f:stringData" {
				top = "" // their names are data
			}
		default:
			return "", false
		}
		after = raw[i]
	}
	return writeShallow(tops), depth == 0 && len(raw) > 0
}

// endOfString finds the quote that ends a string of JSON.
func endOfString[T string | []byte](s T) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// plainName tells whether JSON writes a name as it is.
func plainName(name []byte) bool {
	for _, b := range name {
		if b < ' ' || b > '~' || b == '\\' || b == '<' || b == '>' || b == '&' {
			return false
		}
	}
	return true
}

// writeShallow writes the two levels as JSON. The many objects whose trees are
// the same share one text.
func writeShallow(tops map[string][]string) string {
	var b strings.Builder
	comma := func(i int) {
		if i > 0 {
			b.WriteByte(',')
		}
	}
	b.WriteByte('{')
	for i, top := range slices.Sorted(maps.Keys(tops)) {
		comma(i)
		b.WriteString(`"` + top + `":{`)
		slices.Sort(tops[top])
		for j, child := range slices.Compact(tops[top]) {
			comma(j)
			b.WriteString(`"` + child + `":{}`)
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return unique.Make(b.String()).Value()
}
