package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// json reads a collection as JSON, one item after the other off the wire: a
// page of large custom resources is never in memory as a whole.
func (c *clients) json(r schema.GroupVersionResource, kind string, add func(*inventory.Snapshot, inventory.Object)) reader {
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
		p, err := decodeList(body, func(item *json.Decoder) error {
			o, err := decodeObject(item, r.GroupVersion().String(), kind)
			if err == nil {
				add(&read, o)
			}
			return err
		})
		if err != nil {
			return page{}, err
		}
		into.Merge(&read)
		return p, nil
	}
}

// decodeList reads the JSON of a list and calls item where the decoder stands
// before one.
func decodeList(body io.Reader, item func(*json.Decoder) error) (page, error) {
	in := json.NewDecoder(body)
	if err := expect(in, json.Delim('{')); err != nil {
		return page{}, err
	}
	var listMeta metav1.ListMeta
	n, found := 0, false
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return page{}, broken(err)
		}
		switch key {
		case "kind":
			err = decodeListKind(in)
		case "metadata":
			err = in.Decode(&listMeta)
		case "items":
			found = true
			n, err = decodeItems(in, item)
		default:
			var skipped json.RawMessage
			err = in.Decode(&skipped)
		}
		if err != nil {
			return page{}, broken(err)
		}
	}
	if err := expect(in, json.Delim('}')); err != nil {
		return page{}, err
	}
	if !found {
		return page{}, errors.New("the answer has no items: it is no list")
	}
	// What follows is white space; read, it lets the connection be used again.
	_, _ = io.CopyN(io.Discard, body, 512)
	return pageOf(n, &listMeta), nil
}

func decodeListKind(in *json.Decoder) error {
	var kind string
	if err := in.Decode(&kind); err != nil {
		return err
	}
	if !strings.HasSuffix(kind, "List") {
		return fmt.Errorf("the answer is a %s, no list", kind)
	}
	return nil
}

// decodeItems reads the array of items; null is an empty one.
func decodeItems(in *json.Decoder, item func(*json.Decoder) error) (int, error) {
	token, err := in.Token()
	if err != nil || token == nil {
		return 0, err
	}
	if token != json.Delim('[') {
		return 0, errors.New("items are no array")
	}
	n := 0
	for ; in.More(); n++ {
		if err := item(in); err != nil {
			return n, fmt.Errorf("item %d: %w", n+1, err)
		}
	}
	_, err = in.Token()
	return n, err
}

// decodeObject reads one object. Its spec may be anything, since schemas
// allow that; only a map has fields to keep.
func decodeObject(in *json.Decoder, apiVersion, kind string) (inventory.Object, error) {
	var raw struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Metadata   metav1.ObjectMeta `json:"metadata"`
		Spec       any               `json:"spec"`
		Status     any               `json:"status"`
	}
	if err := in.Decode(&raw); err != nil {
		return inventory.Object{}, err
	}
	// Items of built-in lists leave out what the list says.
	o := inventory.Object{APIVersion: apiVersion, Kind: kind, ObjectMeta: raw.Metadata, Status: raw.Status}
	if raw.Kind != "" && raw.APIVersion != "" {
		o.APIVersion, o.Kind = raw.APIVersion, raw.Kind
	}
	o.Spec, _ = raw.Spec.(map[string]any)
	return o, nil
}

func expect(in *json.Decoder, want json.Delim) error {
	token, err := in.Token()
	if err != nil {
		return broken(err)
	}
	if token != want {
		return fmt.Errorf("the answer is no JSON object: it has %v where %v should be", token, want)
	}
	return nil
}

// broken says in words that an answer ended before its end.
func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the answer broke off: %w", io.ErrUnexpectedEOF)
	}
	return err
}
