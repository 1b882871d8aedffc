package manifests

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// jsonFile reads the JSON values of a file, one after the other. A list is
// read item by item: a dump of a cluster is one list, and does not fit in
// memory.
type jsonFile struct {
	r    *reader
	name string
	in   *jsonInput
}

func (r *reader) json(name string, b *bufio.Reader) error {
	f := &jsonFile{r: r, name: name, in: newJSONInput(b, r.options.MaxBytes)}
	for {
		next, err := f.in.peek()
		if err == io.EOF {
			return nil
		}
		if err == nil && next != '{' && next != '[' {
			// A separator, a comment, a byte order mark: the file is YAML that
			// began with JSON.
			return r.yaml(name, bufio.NewReaderSize(f.in.rest(), 64<<10), f.in.lineAt())
		}
		if err == nil {
			err = f.value(next)
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if stop := (fatal{}); errors.As(err, &stop) {
			return stop.error
		}
		if err != nil {
			r.fail(f.at(), fmt.Errorf("broken JSON (%w); the rest of the file was not read", cutShort(err)))
			return nil
		}
	}
}

// fatal is an error that ends the whole run.
type fatal struct{ error }

func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends early: is the file cut short?")
	}
	return err
}

// at is where the next value begins.
func (f *jsonFile) at() position { return position{file: f.name, line: f.in.lineAt()} }

func (f *jsonFile) value(first byte) error {
	if first == '{' {
		if done, err := f.small(); done {
			return err
		}
		return f.object()
	}
	// An array of objects, as jq makes them.
	items := f.r.newList()
	if err := f.items(items); err != nil {
		return err
	}
	return f.r.closeList(document{raw: []byte("{}"), at: f.at()}, items)
}

// small takes an object that is no list and stands in the text as a whole.
func (f *jsonFile) small() (done bool, err error) {
	for {
		var h head
		s := headScanner{scanner: scanner{text: f.in.text[f.in.at:]}, head: &h}
		err := s.object()
		if err == errShort && f.in.at > 0 {
			if err = f.in.more(); err == nil {
				continue
			}
		}
		if err != nil || h.items != nil || ofThisProgram(h) || int64(s.at) > f.in.max {
			return false, nil
		}
		d := document{f.in.text[f.in.at : f.in.at+s.at], f.at()}
		f.in.at += s.at
		return true, f.r.object(d, h, 0)
	}
}

// object reads an object field by field.
func (f *jsonFile) object() error {
	at := f.at()
	raw := []byte("{")
	items := f.r.newList()
	var kind string
	err := f.elements('}', func() error {
		key, err := f.in.key()
		if err != nil {
			return err
		}
		quoted := string(key)
		if quoted == `"items"` && (kind == "" || strings.HasSuffix(kind, "List")) {
			return f.itemsValue(items)
		}
		value, err := f.in.value()
		if err != nil {
			return err
		}
		if quoted == `"kind"` {
			_ = json.Unmarshal(value, &kind) // no string: the object's kind is looked at later
		}
		if int64(len(raw)+len(value)) > f.in.max {
			return errTooLarge(f.in.max)
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, quoted...), ':'), value...)
		return nil
	})
	if err != nil {
		return err
	}
	return f.r.closeList(document{append(raw, '}'), at}, items)
}

// itemsValue reads the value of an object's "items".
func (f *jsonFile) itemsValue(items *list) error {
	first, err := f.in.peek()
	if err != nil {
		return err
	}
	switch first {
	case '[':
		return f.items(items)
	case '{':
		return f.elements('}', func() error {
			if _, err := f.in.key(); err != nil {
				return err
			}
			_, err := f.in.value()
			return err
		})
	}
	_, err = f.in.value()
	return err
}

// items reads the elements of the array that begins here.
func (f *jsonFile) items(items *list) error {
	items.seen = true
	return f.elements(']', func() error {
		var h head
		if _, err := f.in.peek(); err != nil {
			return err
		}
		at := f.at()
		raw, err := f.in.take(func(s *scanner) error {
			h = head{}
			in := headScanner{scanner: *s, head: &h}
			err := in.object()
			*s = in.scanner
			return err
		})
		if err != nil {
			return err
		}
		return f.r.item(document{raw, at}, h, items)
	})
}

// elements calls element before each element of the array or object that
// begins here and ends so; element takes it.
func (f *jsonFile) elements(end byte, element func() error) error {
	f.in.at++ // the bracket
	next, err := f.in.peek()
	for err == nil && next != end {
		if err = element(); err != nil {
			break
		}
		if next, err = f.in.peek(); err != nil || next == end {
			break
		}
		if next != ',' {
			return fmt.Errorf("expected comma after %s element", map[byte]string{']': "array", '}': "object"}[end])
		}
		f.in.at++
		if next, err = f.in.peek(); err == nil && next == end {
			err = fmt.Errorf("invalid character %q after a comma", next)
		}
	}
	if err == nil {
		f.in.at++
	}
	return err
}

func errTooLarge(limit int64) error {
	return fmt.Errorf("one object is larger than %s", size(limit))
}
