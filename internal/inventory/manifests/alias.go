package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"gopkg.in/yaml.v3"
)

var (
	anchorMark = regexp.MustCompile(`(^|[\s\[{,])&[A-Za-z0-9_-]`)
	aliasMark  = regexp.MustCompile(`(^|[\s\[{,])\*[A-Za-z0-9_-]`)
)

// usesAliases tells whether a text may use anchors and aliases. It may be
// wrong in the one direction: prose has such marks too.
func usesAliases(text []byte) bool {
	return bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0 &&
		anchorMark.Match(text) && aliasMark.Match(text)
}

var errAliases = errors.New("its aliases expand to more than any object needs: an attack, or a document that must be split")

// checkAliases refuses a document whose aliases make it larger than limit: a
// few lines of YAML can stand for gigabytes. The tree of nodes does not expand
// them, so counting is cheap.
func checkAliases(text []byte, limit int64) error {
	if !usesAliases(text) {
		return nil
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return err
	}
	sizes := map[*yaml.Node]int64{}
	if n := expanded(&root, sizes, limit); n > limit {
		return fmt.Errorf("%w (over %s)", errAliases, size(limit))
	}
	return nil
}

// expanded is the size of a node with all aliases in it expanded, or any
// number above limit.
func expanded(n *yaml.Node, sizes map[*yaml.Node]int64, limit int64) int64 {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if known, ok := sizes[n]; ok {
		return known
	}
	sizes[n] = limit + 1 // an anchor that contains itself has no end
	total := int64(len(n.Value) + 8)
	for _, child := range n.Content {
		if total += expanded(child, sizes, limit); total > limit {
			return limit + 1
		}
	}
	sizes[n] = total
	return total
}
