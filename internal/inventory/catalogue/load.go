package catalogue

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Catalogue is a set of operators, with look-ups. The zero value knows nobody.
type Catalogue struct {
	// Operators are sorted by name.
	Operators []*Operator

	byName   map[string]*Operator // names and aliases
	byImage  map[string]int       // the first of Operators that has an image
	byCRD    map[string]*Operator
	byGroup  map[string][]*Operator
	suffixes []suffix
}

type suffix struct {
	text      string
	operator  *Operator
	generated bool
}

// Layer is a set of entry files: the built-in ones, or a user's.
type Layer struct {
	// Name prefixes the file names in errors and sources; "" for built-in.
	Name string
	FS   fs.FS
}

// Load reads every *.yaml of the layers, at the root of each or below
// operators/. A later layer's entry replaces an earlier one of the same name.
// All mistakes are returned at once, each with file:line.
func Load(layers ...Layer) (*Catalogue, error) {
	entries := map[string]*Operator{}
	var errs []error
	for _, layer := range layers {
		own := map[string]string{}
		files, err := yamlFiles(layer.FS)
		if err != nil {
			return nil, fmt.Errorf("reading the catalogue %s: %w", layer.Name, err)
		}
		for _, file := range files {
			raw, err := fs.ReadFile(layer.FS, file)
			if err != nil {
				errs = append(errs, fmt.Errorf("reading the catalogue entry %s: %w", file, err))
				continue
			}
			name := path.Join(layer.Name, file)
			entry, err := parse(name, raw)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if other, ok := own[entry.Name]; ok {
				errs = append(errs, fmt.Errorf("%s:1: operator %q is already described in %s", name, entry.Name, other))
				continue
			}
			own[entry.Name] = name
			entries[entry.Name] = entry
		}
	}
	c := New(entries)
	errs = append(errs, c.conflicts()...)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return c, nil
}

func yamlFiles(fsys fs.FS) ([]string, error) {
	var files []string
	for _, pattern := range []string{"*.yaml", "*.yml", "operators/*.yaml", "operators/*.yml"} {
		matched, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, err
		}
		files = append(files, matched...)
	}
	slices.Sort(files)
	return files, nil
}

var archetypes = []string{"workload", "api-objects", "external", "policy", "data-only", "shared-api"}

func parse(name string, raw []byte) (*Operator, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	var entry Operator
	if err := dec.Decode(&entry); err != nil {
		return nil, fmt.Errorf("%s:%s", name, positioned(err))
	}
	entry.Source = name
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:1: "+format, append([]any{name}, args...)...))
	}
	if entry.Name == "" {
		bad("an operator needs a name")
	}
	if entry.Archetype != "" && !slices.Contains(archetypes, entry.Archetype) {
		bad("archetype %q is none of %s", entry.Archetype, strings.Join(archetypes, ", "))
	}
	if entry.Claimed != nil && (entry.Claimed.Level < 1 || entry.Claimed.Level > 5 || entry.Claimed.Source == "") {
		bad("claimed needs a level from 1 to 5 and its source")
	}
	if len(entry.Groups)+len(entry.GroupSuffixes)+len(entry.CRDs)+len(entry.Generates) == 0 && !entry.NoCRDs {
		bad("names no group and no CRD: give groups, crds, or noCRDs: true")
	}
	for _, kind := range entry.MainKinds {
		if group := groupOf(kind); group != "" && !entry.has(group) {
			bad("mainKinds: group %s of %s is none of its own", group, kind)
		}
	}
	kinds := map[string][]string{"mainKinds": entry.MainKinds, "products": entry.Products}
	for _, proxy := range entry.StatusProxies {
		kinds["statusProxies"] = append(kinds["statusProxies"], proxy.Kind, proxy.Proxy)
	}
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		for _, kind := range kinds[key] {
			if groupOf(kind) == "" {
				bad("%s: %q is not of the form Kind.group", key, kind)
			}
		}
	}
	return &entry, errors.Join(errs...)
}

// groupOf is the group of a kind written as Kind.group; "" if it is not.
func groupOf(kind string) string {
	name, group, _ := strings.Cut(kind, ".")
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return ""
	}
	return group
}

// has tells whether the operator has CRDs in a group.
func (o *Operator) has(group string) bool {
	within := func(suffix string) bool { return group == suffix || strings.HasSuffix(group, "."+suffix) }
	return slices.Contains(o.Groups, group) || slices.ContainsFunc(o.GroupSuffixes, within) || slices.ContainsFunc(o.Generates, within) ||
		slices.ContainsFunc(o.CRDs, func(crd string) bool { return strings.HasSuffix(crd, "."+group) })
}

// positioned turns yaml's "line 3: field x" into "3: field x".
func positioned(err error) string {
	var typed *yaml.TypeError
	if errors.As(err, &typed) {
		lines := make([]string, len(typed.Errors))
		for i, e := range typed.Errors {
			lines[i] = strings.TrimPrefix(e, "line ")
		}
		return strings.Join(lines, "; ")
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "line ")
}

// New builds a catalogue from entries by name.
func New(entries map[string]*Operator) *Catalogue {
	c := &Catalogue{byName: map[string]*Operator{}, byCRD: map[string]*Operator{}, byGroup: map[string][]*Operator{}, byImage: map[string]int{}}
	for _, entry := range entries {
		c.Operators = append(c.Operators, entry)
	}
	slices.SortFunc(c.Operators, func(a, b *Operator) int { return cmp.Compare(a.Name, b.Name) })
	for i, o := range c.Operators {
		for _, image := range o.Images {
			if _, taken := c.byImage[image]; !taken {
				c.byImage[image] = i
			}
		}
		for _, alias := range o.Aliases {
			if _, taken := c.byName[alias]; !taken {
				c.byName[alias] = o
			}
		}
		for _, crd := range o.CRDs {
			c.byCRD[crd] = o
		}
		for _, group := range o.Groups {
			c.byGroup[group] = append(c.byGroup[group], o)
		}
		for _, s := range o.GroupSuffixes {
			c.suffixes = append(c.suffixes, suffix{s, o, false})
		}
		for _, s := range o.Generates {
			c.suffixes = append(c.suffixes, suffix{s, o, true})
		}
	}
	for _, o := range c.Operators {
		c.byName[o.Name] = o
	}
	// The longest suffix is the most specific.
	slices.SortStableFunc(c.suffixes, func(a, b suffix) int { return cmp.Compare(len(b.text), len(a.text)) })
	return c
}

// conflicts are the groups that two entries claim without both saying so.
func (c *Catalogue) conflicts() []error {
	var errs []error
	for group, claimants := range c.byGroup {
		for i, a := range claimants {
			for _, b := range claimants[i+1:] {
				if !slices.Contains(a.SharesGroups, group) || !slices.Contains(b.SharesGroups, group) {
					errs = append(errs, fmt.Errorf("%s:1: group %s is claimed by %s too: both must list it in sharesGroups, and tell their CRDs apart by crds", b.Source, group, a.Source))
				}
			}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errs
}
