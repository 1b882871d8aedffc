package inventory

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// jsonReader makes values of JSON that is known to be valid: whoever read it
// off the wire has checked that. Its memory is used again for the next text.
type jsonReader struct {
	in    string
	at    int
	stack []value // fields and items of what is being read
	slab  []value // those of what is read
	// skip is the name of fields that are not looked into; their text is kept.
	skip string
}

// read makes a value of a text of JSON. Values read before are no longer good.
func (r *jsonReader) read(in, skip string) value {
	r.in, r.at, r.skip = in, 0, skip
	r.stack, r.slab = r.stack[:0], r.slab[:0]
	return r.value()
}

func (r *jsonReader) value() value {
	r.space()
	begin := r.at
	switch r.in[r.at] {
	case '{':
		v := value{kind: objectValue, of: r.fields()}
		v.text = r.in[begin:r.at]
		v.sort()
		return v
	case '[':
		return value{kind: arrayValue, of: r.items(), text: r.in[begin:r.at]}
	case '"':
		return value{kind: stringValue, text: r.string()}
	}
	r.at = r.scalarEnd()
	v := value{kind: scalarValue, text: r.in[begin:r.at]}
	switch v.text {
	case "null":
		v.kind = nullValue
	case "true", "false":
		v.scalar = v.text == "true"
	default:
		v.scalar = json.Number(v.text)
	}
	return v
}

// fields reads the fields of an object, from its brace to behind the other.
func (r *jsonReader) fields() []value {
	mark := len(r.stack)
	for r.at++; !r.end('}'); {
		key := r.string()
		r.space()
		r.at++ // the colon
		var field value
		if r.skip != "" && key == r.skip {
			r.space()
			begin := r.at
			r.pass()
			field = value{kind: scalarValue, text: r.in[begin:r.at]}
		} else {
			field = r.value()
		}
		field.key = key
		r.stack = append(r.stack, field)
	}
	return r.take(mark)
}

func (r *jsonReader) items() []value {
	mark := len(r.stack)
	for r.at++; !r.end(']'); {
		item := r.value()
		r.stack = append(r.stack, item)
	}
	return r.take(mark)
}

// take moves what is on the stack since mark to where it stays.
func (r *jsonReader) take(mark int) []value {
	n := len(r.slab)
	r.slab = append(r.slab, r.stack[mark:]...)
	clear(r.stack[mark:])
	r.stack = r.stack[:mark]
	return r.slab[n:len(r.slab):len(r.slab)]
}

// end steps over white space and a comma, and over the end if it comes.
func (r *jsonReader) end(mark byte) bool {
	r.space()
	if r.in[r.at] == ',' {
		r.at++
		r.space()
	}
	if r.in[r.at] == mark {
		r.at++
		return true
	}
	return false
}

func (r *jsonReader) space() {
	for r.at < len(r.in) && (r.in[r.at] == ' ' || r.in[r.at] == '\n' || r.in[r.at] == '\t' || r.in[r.at] == '\r') {
		r.at++
	}
}

// string reads a string. What is written as it is stays a part of the text.
func (r *jsonReader) string() string {
	begin := r.at + 1
	end := strings.IndexByte(r.in[begin:], '"')
	raw := r.in[begin : begin+end]
	if strings.IndexByte(raw, '\\') < 0 {
		r.at = begin + end + 1
		if !utf8.ValidString(raw) {
			return string([]rune(raw)) // each byte that is no UTF-8 becomes U+FFFD
		}
		return raw
	}
	r.pass()
	var s string
	if err := json.Unmarshal([]byte(r.in[begin-1:r.at]), &s); err != nil {
		return "" // no valid JSON, against what was said
	}
	return s
}

// pass steps over a value without looking into it.
func (r *jsonReader) pass() {
	for depth := 0; r.at < len(r.in); {
		switch r.in[r.at] {
		case '"':
			r.at++
			r.at += endOfString(r.in[r.at:]) + 1
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case ',', ':', ' ', '\n', '\t', '\r':
			r.at++
		default:
			r.at = r.scalarEnd()
		}
		if depth == 0 {
			return
		}
	}
}

// scalarEnd is where a number or a word ends.
func (r *jsonReader) scalarEnd() int {
	end := strings.IndexAny(r.in[r.at:], ",]}: \t\r\n")
	if end < 0 {
		return len(r.in)
	}
	return r.at + end
}
