package manifests

import (
	"bufio"
	"bytes"
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
	in   *counted
	dec  *json.Decoder
}

func (r *reader) json(name string, b *bufio.Reader) error {
	in := &counted{in: b, max: r.options.MaxBytes, line: 1}
	f := &jsonFile{r: r, name: name, in: in, dec: json.NewDecoder(in)}
	for {
		next, err := f.peek()
		if err == io.EOF {
			return nil
		}
		if err == nil && next != '{' && next != '[' {
			// A separator, a comment, a byte order mark: the file is YAML that
			// began with JSON.
			rest := bufio.NewReaderSize(io.MultiReader(f.dec.Buffered(), b), 64<<10)
			return r.yaml(name, rest, f.at().line)
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

// peek finds the first byte of the next value.
func (f *jsonFile) peek() (byte, error) {
	f.in.mark = f.dec.InputOffset()
	f.dec.More() // reads up to the next byte that is not white space
	rest, err := io.ReadAll(io.LimitReader(f.dec.Buffered(), peeked))
	if err != nil {
		return 0, err
	}
	if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) > 0 {
		return rest[0], nil
	}
	_, err = f.dec.Token()
	return 0, err
}

// at is where the decoder stands.
func (f *jsonFile) at() position {
	return position{file: f.name, line: f.in.lineAt(f.dec.InputOffset())}
}

func (f *jsonFile) value(first byte) error {
	if _, err := f.dec.Token(); err != nil {
		return err
	}
	if first == '{' {
		return f.object()
	}
	// An array of objects, as jq makes them.
	items := f.r.newList()
	if err := f.items(items); err != nil {
		return err
	}
	return f.r.closeList(document{raw: []byte("{}"), at: f.at()}, items)
}

// object reads the object whose brace was just read.
func (f *jsonFile) object() error {
	at := f.at()
	raw := []byte("{")
	items := f.r.newList()
	var kind string
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if key == "items" && (kind == "" || strings.HasSuffix(kind, "List")) {
			if err := f.itemsValue(items); err != nil {
				return err
			}
			continue
		}
		value, err := f.raw()
		if err != nil {
			return err
		}
		if key == "kind" {
			json.Unmarshal(value, &kind) // no string: the object's kind is looked at later
		}
		if int64(len(raw)+len(value)) > f.in.max {
			return errTooLarge(f.in.max)
		}
		quoted, _ := json.Marshal(key) // a string always has a JSON form
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, quoted...), ':'), value...)
	}
	if _, err := f.dec.Token(); err != nil {
		return err
	}
	return f.r.closeList(document{append(raw, '}'), at}, items)
}

func (f *jsonFile) raw() (json.RawMessage, error) {
	f.in.mark = f.dec.InputOffset()
	var value json.RawMessage
	err := f.dec.Decode(&value)
	f.in.mark = f.dec.InputOffset()
	return value, err
}

// itemsValue reads the value of an object's "items".
func (f *jsonFile) itemsValue(items *list) error {
	token, err := f.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return f.items(items)
	case json.Delim('{'):
		return f.skip()
	}
	return nil
}

// items reads the elements of the array whose bracket was just read.
func (f *jsonFile) items(items *list) error {
	items.seen = true
	for f.dec.More() {
		value, err := f.raw()
		if err != nil {
			return err
		}
		at := f.at()
		at.line -= bytes.Count(value, []byte("\n"))
		if err := f.r.item(document{value, at}, items); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return err
}

// skip reads to the end of the object whose brace was just read.
func (f *jsonFile) skip() error {
	for f.dec.More() {
		if _, err := f.dec.Token(); err != nil {
			return err
		}
		if _, err := f.raw(); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return err
}

// counted feeds a json.Decoder: it knows in which line a byte stands, and
// refuses values that are too large. The decoder asks for more only when the
// value that begins at mark is not whole yet.
type counted struct {
	in        io.Reader
	max       int64
	mark, got int64
	// line is that of the last offset asked for, newlines are those after it.
	line     int
	newlines []int64
}

func (c *counted) Read(p []byte) (int, error) {
	if c.got-c.mark > c.max {
		return 0, errTooLarge(c.max)
	}
	n, err := c.in.Read(p)
	for i := 0; i < n; i++ {
		next := bytes.IndexByte(p[i:n], '\n')
		if next < 0 {
			break
		}
		i += next
		c.newlines = append(c.newlines, c.got+int64(i))
	}
	c.got += int64(n)
	return n, err
}

// lineAt is the line of an offset. Offsets asked for must not fall.
func (c *counted) lineAt(offset int64) int {
	n := 0
	for n < len(c.newlines) && c.newlines[n] < offset {
		n++
	}
	c.line += n
	c.newlines = c.newlines[n:]
	return c.line
}

func errTooLarge(limit int64) error {
	return fmt.Errorf("one object is larger than %s", size(limit))
}
