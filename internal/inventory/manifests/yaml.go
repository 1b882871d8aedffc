package manifests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"sigs.k8s.io/yaml"
)

// yaml reads the YAML documents of a file, which begins at the given line of
// what the user gave.
func (r *reader) yaml(name string, b *bufio.Reader, first int) error {
	in := &lines{in: b, max: r.options.MaxBytes, number: first - 1}
	doc := r.newYAMLDocument(name, first)
	for {
		line, err := in.next()
		if err == errLongLine {
			if err := doc.tooLarge(line, in.number); err != nil {
				return err
			}
			continue
		}
		if rest, ok := separator(line); ok {
			if err := doc.close(); err != nil {
				return err
			}
			doc, line = r.newYAMLDocument(name, in.number), rest
		}
		if err := doc.add(line, in.number); err != nil {
			return err
		}
		if err == nil {
			continue
		}
		if err := doc.close(); err != nil {
			return err
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err != io.EOF {
			r.fail(position{name, in.number}, fmt.Errorf("%w; the rest of the file was not read", cutShort(err)))
		}
		return nil
	}
}

// chunk is a piece of YAML that is parsed by itself: a document, or an item of
// a list.
type chunk struct {
	text  bytes.Buffer
	at    position
	max   int64
	large bool
	// some: it has a line that is neither blank nor a comment; skipped counts
	// those before it.
	some    bool
	skipped int
}

// newChunk makes a chunk with the memory of one that is done: a folder of
// thousands of files, or a list of as many items, makes no garbage of its own.
func (r *reader) newChunk(at position, max int64) *chunk {
	c := &chunk{at: at, max: max}
	if n := len(r.spare); n > 0 {
		c.text = *bytes.NewBuffer(r.spare[n-1][:0])
		r.spare = r.spare[:n-1]
	}
	return c
}

// done gives the memory of a chunk back, unless it is much.
func (r *reader) done(c *chunk) {
	if text := c.text.Bytes(); cap(text) > 0 && cap(text) <= wholeLimit && len(r.spare) < 4 {
		r.spare = append(r.spare, text)
	}
	c.text = bytes.Buffer{}
}

func (c *chunk) add(line []byte) {
	c.some = c.some || !blank(line)
	if !c.some {
		c.skipped++
	}
	if c.large || int64(c.text.Len()+len(line)) > c.max {
		c.large = true
		c.text = bytes.Buffer{}
		return
	}
	c.text.Write(line)
}

// begin is where the content of a chunk begins.
func (c *chunk) begin() position { return position{c.at.file, c.at.line + c.skipped} }

// parse turns a chunk into JSON; nil when there is nothing in it. Failures are
// noted and give nil as well.
func (r *reader) parse(c *chunk) []byte {
	if c.large {
		r.fail(c.at, fmt.Errorf("%w: give it in parts, or as JSON", errTooLarge(c.max)))
		return nil
	}
	if !c.some {
		return nil
	}
	text := c.text.Bytes()
	raw, err := r.toJSON(text)
	switch {
	case err != nil && bytes.Contains(text, []byte("{{")):
		r.fail(c.begin(), errTemplate)
	case err != nil:
		at, why := yamlError(c, err)
		r.fail(at, why)
	case string(raw) == "null":
	default:
		return raw
	}
	return nil
}

// toJSON turns YAML into JSON, which is good until the next is; JSON stays as
// it is.
func (r *reader) toJSON(text []byte) ([]byte, error) {
	if json.Valid(text) {
		return bytes.Clone(bytes.TrimSpace(text)), nil
	}
	raw, ok := blockToJSON(text, &r.scalars, r.converted)
	if cap(raw) <= wholeLimit {
		r.converted = raw[:0]
	}
	if ok {
		return raw, nil
	}
	if err := checkAliases(text, r.options.MaxBytes); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

var errTemplate = errors.New("an unrendered template, not a manifest: render the chart first (helm template --include-crds)")

var yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:unmarshal errors:\s+)?line (\d+): `)

// yamlError turns the line of the parser, which counts from the start of the
// chunk, into one of the file.
func yamlError(c *chunk, err error) (position, error) {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	if m == nil {
		return c.begin(), fmt.Errorf("broken YAML: %w", err)
	}
	n, _ := strconv.Atoi(m[1]) // digits by the pattern
	at := position{c.at.file, c.at.line + n - 1}
	return at, fmt.Errorf("broken YAML: %s", text[len(m[0]):])
}

// whole takes a chunk that is a document.
func (r *reader) whole(c *chunk, items *list) error {
	raw := r.parse(c)
	if raw == nil {
		return nil
	}
	switch raw[0] {
	case '{':
		return r.closeList(document{raw, c.begin()}, items)
	case '[':
		return r.array(document{raw, c.begin()})
	}
	r.fail(c.begin(), errors.New("neither YAML nor JSON objects: a plain text?"))
	return nil
}

// array takes a document that is an array of objects.
func (r *reader) array(d document) error {
	var elements []json.RawMessage
	if err := json.Unmarshal(d.raw, &elements); err != nil {
		r.fail(d.at, err)
		return nil
	}
	for _, e := range elements {
		if err := r.object(document{e, d.at}, headOf(e), 1); err != nil {
			return err
		}
	}
	return nil
}
