package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// addItem puts one item of a list, valid JSON, into a snapshot. The bytes are
// good only until it returns.
type addItem func(into *inventory.Snapshot, item []byte) error

// json reads a collection as JSON, one item after the other off the wire: a
// page of large custom resources is never in memory as a whole.
func (c *clients) json(r schema.GroupVersionResource, add addItem) reader {
	return func(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		body, err := c.request(r, a).SetHeader("Accept", runtime.ContentTypeJSON).Stream(ctx)
		if err != nil {
			return page{}, err
		}
		defer body.Close()
		// The page's own snapshot: of a broken page nothing is kept.
		var read inventory.Snapshot
		p, err := decodeList(body, func(item []byte) error { return add(&read, item) })
		if err != nil {
			return page{}, err
		}
		into.Merge(&read)
		return p, nil
	}
}

// decodeList reads the JSON of a list and calls item with each of its items,
// which are checked to be valid JSON.
func decodeList(body io.Reader, item func([]byte) error) (page, error) {
	// Names that stand twice, and bytes that are no UTF-8, are no reason to
	// refuse what a server sends: other clients do not either.
	in := jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if in.PeekKind() != '{' {
		return page{}, notAnObject(in)
	}
	if _, err := in.ReadToken(); err != nil {
		return page{}, broken(err)
	}
	var listMeta metav1.ListMeta
	n, found := 0, false
	for in.PeekKind() == '"' {
		key, err := in.ReadToken()
		if err != nil {
			return page{}, broken(err)
		}
		switch key.String() {
		case "kind":
			err = decodeListKind(in)
		case "metadata":
			err = decodeInto(in, &listMeta)
		case "items":
			found = true
			n, err = decodeItems(in, item)
		default:
			err = in.SkipValue()
		}
		if err != nil {
			return page{}, broken(err)
		}
	}
	if _, err := in.ReadToken(); err != nil { // the closing brace, or why it is none
		return page{}, broken(err)
	}
	if !found {
		return page{}, errors.New("the answer has no items: it is no list")
	}
	// What follows is white space; read, it lets the connection be used again.
	_, _ = io.CopyN(io.Discard, body, 512)
	return pageOf(n, &listMeta), nil
}

// notAnObject says what stands where an object should begin.
func notAnObject(in *jsontext.Decoder) error {
	token, err := in.ReadToken()
	if err != nil {
		return broken(err)
	}
	return fmt.Errorf("the answer is no JSON object: it has %s where { should be", token)
}

func decodeInto(in *jsontext.Decoder, to any) error {
	raw, err := in.ReadValue()
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

func decodeListKind(in *jsontext.Decoder) error {
	var kind string
	if err := decodeInto(in, &kind); err != nil {
		return err
	}
	if !strings.HasSuffix(kind, "List") {
		return fmt.Errorf("the answer is a %s, no list", kind)
	}
	return nil
}

// decodeItems reads the array of items; null is an empty one.
func decodeItems(in *jsontext.Decoder, item func([]byte) error) (int, error) {
	token, err := in.ReadToken()
	if err != nil || token.Kind() == 'n' {
		return 0, err
	}
	if token.Kind() != '[' {
		return 0, errors.New("items are no array")
	}
	n := 0
	for ; in.PeekKind() != ']'; n++ {
		raw, err := in.ReadValue()
		if err == nil {
			err = item(raw)
		}
		if err != nil {
			return n, fmt.Errorf("item %d: %w", n+1, err)
		}
	}
	_, err = in.ReadToken()
	return n, err
}

// builtinItem decodes an object of a built-in kind whose type we do not link.
func builtinItem(k *inventory.Kind) addItem {
	return func(into *inventory.Snapshot, item []byte) error {
		o := inventory.Object{}
		if err := json.Unmarshal(item, &o); err != nil {
			return err
		}
		if o.Kind == "" || o.APIVersion == "" { // items of built-in lists leave out what the list says
			o.APIVersion, o.Kind = resourceOf(k).GroupVersion().String(), k.Kind
		}
		k.Add(into, &o)
		return nil
	}
}

// broken says in words that an answer ended before its end.
func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the answer broke off: %w", io.ErrUnexpectedEOF)
	}
	return err
}
