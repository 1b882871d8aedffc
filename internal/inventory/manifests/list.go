package manifests

import (
	"errors"
	"strings"
)

// list is a list whose items are read before its end. The kind of a list may
// stand after its items: those that rely on it have to wait.
type list struct {
	// seen: the document has an array of items.
	seen bool
	held held
	full bool
}

func (r *reader) newList() *list { return &list{held: held{max: r.options.MaxBytes}} }

// item takes an item of a list that is still being read.
func (r *reader) item(d document, h head, of *list) error {
	if h.APIVersion != "" && h.Kind != "" {
		return r.object(d, h, 0)
	}
	if !of.held.add(d) && !of.full {
		of.full = true
		r.fail(d.at, errors.New("too many items without apiVersion and kind stand before the kind of their list; the rest of them was not read: export them with kubectl get -o json"))
	}
	return nil
}

// closeList takes a document whose items, if it had any, were read before: now
// it shows what kind of list they are of.
func (r *reader) closeList(d document, items *list) error {
	h := headOf(d.raw)
	if ofThisProgram(h) {
		r.fail(d.at, errors.New("a file of this program whose fields are in another order than it writes them: read it as it was written"))
		return nil
	}
	if !items.seen {
		return r.object(d, h, 0)
	}
	if h.Kind != "" && !strings.HasSuffix(h.Kind, "List") {
		return r.object(d, h, 0) // an object with a field of that name
	}
	for _, held := range items.held.documents {
		if err := r.object(held, headOf(held.raw).inherit(h), 1); err != nil {
			return err
		}
	}
	return nil
}

// inherit gives an item without a type that of its list: items of a WidgetList
// are Widgets.
func (h head) inherit(of head) head {
	if h.APIVersion == "" {
		h.APIVersion = of.APIVersion
	}
	if h.Kind == "" {
		h.Kind = strings.TrimSuffix(of.Kind, "List")
	}
	if h.Kind == "" {
		// The items of a plain List say themselves what they are, or nothing
		// does: its apiVersion is not theirs.
		h.APIVersion = ""
	}
	return h
}

// ofThisProgram tells a file that this program has written.
func ofThisProgram(h head) bool { return strings.HasPrefix(h.APIVersion, "operator-maturity/") }
