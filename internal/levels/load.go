package levels

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/google/cel-go/cel"
)

// Load reads the rules of all layers, a later one adding to and changing the
// earlier. Each YAML file of a layer is read, but for those below tests,
// operators and review. The error is of type Problems and holds every mistake.
func Load(layers ...Layer) (*Rules, error) {
	lang, err := newLanguage()
	if err != nil {
		return nil, err
	}
	l := &loader{lang: lang, byID: map[string]*loaded{}}
	for i := range layers {
		l.layer(&layers[i], i)
	}
	if err := l.problems.err(); err != nil {
		return nil, err
	}
	return l.rules(), nil
}

// loader gathers rules and mistakes.
type loader struct {
	lang     *language
	problems Problems
	order    []*loaded
	byID     map[string]*loaded
}

// loaded is a rule with the layer it comes from.
type loaded struct {
	*rule
	layer    int
	disabled bool
}

// disabling is an id to be disabled, once its layer has been read.
type disabling struct {
	id  text
	doc *document
}

func (l *loader) layer(layer *Layer, number int) {
	files, err := yamlFiles(layer.FS, func(dir string) bool { return dir == "tests" || dir == "operators" || dir == "review" })
	if err != nil {
		l.problems = append(l.problems, Problem{File: layer.Name, Message: err.Error()})
		return
	}
	var disable []disabling
	for _, file := range files {
		shown := path.Join(layer.Name, file)
		source := shown
		if layer.Name == Builtin {
			source = Builtin
		}
		disable = append(disable, l.file(layer, file, shown, source, number)...)
	}
	for _, d := range disable {
		if known := l.byID[d.id.value]; known != nil {
			known.disabled = true
		} else {
			d.doc.report(d.id.node, "disable: no criterion has the id %q", d.id.value)
		}
	}
}

func (l *loader) file(layer *Layer, name, shown, source string, number int) []disabling {
	doc, root := readDocument(layer.FS, name, shown, &l.problems)
	if root == nil || holdsTests(root) {
		return nil
	}
	var f ruleFile
	doc.decodeRoot(root, &f)
	l.checkFile(doc, &f)
	for i := range f.Criteria {
		if f.Criteria[i].Place.node == nil {
			continue // no mapping: reported
		}
		l.criterion(doc, &f.Criteria[i], f.Level.value, source, number)
	}
	var disable []disabling
	for _, id := range f.Disable {
		disable = append(disable, disabling{id, doc})
	}
	return disable
}

func (l *loader) checkFile(doc *document, f *ruleFile) {
	level := f.Level.value
	switch {
	case f.Level.node == nil && len(f.Criteria) > 0:
		doc.report(f.Place.node, "the file needs a level: 1 to 5, or 0 for hygiene")
	case level < 0 || level > 5:
		doc.report(f.Level.node, "level %d: use 1 to 5, or 0 for hygiene", level)
	case level > 0 && f.Name.value != "" && f.Name.value != LevelNames[level]:
		doc.report(f.Name.node, "the name of level %d is %q", level, LevelNames[level])
	}
}

func (l *loader) criterion(doc *document, w *writtenRule, level int, source string, layer int) {
	w.check(doc, level)
	r := &rule{Criterion: w.criterion(level)}
	r.Source = source
	r.Position = fmt.Sprintf("%s:%d", doc.file, w.Place.node.Line)
	l.compile(r, w)
	l.add(doc, w, &loaded{rule: r, layer: layer})
}

func (l *loader) compile(r *rule, w *writtenRule) {
	env := l.lang.of(r.Scope)
	list := cel.ListType(cel.StringType)
	r.applies = compile(env, &w.Applies, cel.BoolType)
	r.proven = compile(env, &w.Proven, cel.BoolType)
	r.refuted = compile(env, &w.Refuted, cel.BoolType)
	r.indicated = compile(env, &w.Indicated, cel.BoolType)
	r.because = compile(env, &w.Because, cel.StringType)
	r.evidence = compile(env, &w.Evidence, list)
	r.when = compile(env, &w.Finding.When, cel.BoolType)
	r.detail = compile(env, &w.Finding.Detail, cel.StringType)
	r.objects = compile(env, &w.Finding.Objects, list)
}

// add puts a rule into its place, or says why its id does not fit.
func (l *loader) add(doc *document, w *writtenRule, r *loaded) {
	known := l.byID[r.ID]
	switch {
	case r.ID == "":
	case known == nil && w.Override.value:
		doc.report(w.Override.node, "override: no criterion has the id %q", r.ID)
	case known == nil:
		l.byID[r.ID] = r
		l.order = append(l.order, r)
	case known.layer == r.layer:
		doc.report(w.ID.node, "the id %q is taken by %s", r.ID, known.Position)
	case !w.Override.value:
		doc.report(w.ID.node, "the id %q is taken by %s: say override: true to replace it", r.ID, known.Position)
	default:
		*known = *r
	}
}

func (l *loader) rules() *Rules {
	rules := &Rules{}
	for _, r := range l.order {
		if !r.disabled {
			rules.rules = append(rules.rules, r.rule)
		}
	}
	slices.SortStableFunc(rules.rules, func(a, b *rule) int { return cmp.Compare(rank(a.Level), rank(b.Level)) })
	return rules
}

// rank puts hygiene behind the levels.
func rank(level int) int {
	if level == 0 {
		return len(LevelNames)
	}
	return level
}
