package review

import (
	"fmt"
	"path"
	"slices"

	"github.com/google/cel-go/cel"

	"kubectl-operator-maturity/internal/levels"
)

// Load reads the review rules of all layers. A later layer adds criteria and
// warnings, replaces those it overrides, and its outcomes and verdicts are
// tried before the earlier ones. The error is of type levels.Problems and
// holds every mistake.
func Load(layers ...levels.Layer) (*Rules, error) {
	lang, err := newLanguage()
	if err != nil {
		return nil, err
	}
	l := &loader{lang: lang, rules: &Rules{}, layerOf: map[string]int{}, at: map[string]string{}}
	for i := range layers {
		l.layer(&layers[i], i)
	}
	l.checkReferences()
	if err := l.problems.Err(); err != nil {
		return nil, err
	}
	return l.rules, nil
}

// loader gathers rules and mistakes.
type loader struct {
	lang     *language
	problems levels.Problems
	rules    *Rules
	layerOf  map[string]int    // by kind/id
	at       map[string]string // file:line by kind/id
	pending  []reference
}

// reference is an id that must exist once everything has been read.
type reference struct {
	doc  *levels.Document
	text levels.Text
}

func (l *loader) layer(layer *levels.Layer, number int) {
	files, err := levels.YAMLFiles(layer.FS, "levels", "operators", "tests") // beside review in an export
	if err != nil {
		l.problems = append(l.problems, levels.Problem{File: layer.Name, Message: err.Error()})
		return
	}
	type disabled struct {
		doc *levels.Document
		id  levels.Text
	}
	var disable []disabled
	var outcomes, verdicts []*decision
	for _, file := range files {
		shown := path.Join(layer.Name, file)
		source := shown
		if layer.Name == levels.Builtin {
			source = levels.Builtin
		}
		doc, root := levels.ReadDocument(layer.FS, file, shown, &l.problems)
		if root == nil {
			continue
		}
		var f ruleFile
		doc.Decode(root, &f)
		in := &reading{l, doc, source, shown, number}
		in.criteria(f.Criteria)
		in.warnings(f.Warnings)
		for i := range f.Hygiene {
			l.rules.hygiene = append(l.rules.hygiene, f.Hygiene[i].Value())
		}
		outcomes = append(outcomes, in.decisions("outcome", l.rules.outcomes, f.Outcomes, outcomeWords, l.lang.outcome)...)
		verdicts = append(verdicts, in.decisions("verdict", l.rules.verdicts, f.Verdicts, verdictWords, l.lang.verdict)...)
		for _, id := range f.Disable {
			disable = append(disable, disabled{doc, id})
		}
	}
	l.rules.outcomes = append(outcomes, l.rules.outcomes...)
	l.rules.verdicts = append(verdicts, l.rules.verdicts...)
	for _, d := range disable {
		for _, kind := range []string{"criterion", "outcome", "verdict", "warning"} {
			delete(l.layerOf, kind+"/"+d.id.Value()) // the id is free again
		}
		if !l.rules.drop(d.id.Value()) {
			d.doc.Report(d.id.Node(), "disable: nothing has the id %q", d.id.Value())
		}
	}
}

// reading is one file as it is read.
type reading struct {
	*loader
	doc    *levels.Document
	source string
	shown  string
	layer  int
}

// claim takes an id for a kind of rule. replace is true when it overrides an
// earlier layer's.
func (r *reading) claim(kind string, id levels.Text, override levels.Boolean) (replace, ok bool) {
	key := kind + "/" + id.Value()
	known, taken := r.layerOf[key]
	switch {
	case id.Value() == "":
		return false, false
	case !taken && override.Value():
		r.doc.Report(override.Node(), "override: no %s has the id %q", kind, id.Value())
		return false, false
	case taken && known == r.layer:
		r.doc.Report(id.Node(), "the id %q is taken by %s", id.Value(), r.at[key])
		return false, false
	case taken && !override.Value():
		r.doc.Report(id.Node(), "the id %q is taken by %s: say override: true to replace it", id.Value(), r.at[key])
		return false, false
	}
	r.layerOf[key], r.at[key] = r.layer, fmt.Sprintf("%s:%d", r.shown, id.Node().Line)
	return taken, true
}

func (r *reading) criteria(written []writtenRule) {
	for i := range written {
		w := &written[i]
		if w.Place.Node() == nil {
			continue // no mapping: reported
		}
		w.check(r.doc)
		env := r.lang.of(w.About.Value())
		c := &criterion{
			Criterion: w.criterion(), notApplicable: w.NotApplicable.Value(),
			applies: w.Applies.Compile(env, cel.BoolType), met: w.Met.Compile(env, cel.BoolType),
			failed: w.Failed.Compile(env, cel.BoolType), because: w.Because.Compile(env, cel.StringType),
			flag: w.RedFlag.When.Compile(env, cel.BoolType), flagText: w.RedFlag.Text.Compile(env, cel.StringType),
		}
		c.Source, c.Position = r.source, fmt.Sprintf("%s:%d", r.shown, w.Place.Node().Line)
		for _, t := range w.Contradicts {
			r.pending = append(r.pending, reference{r.doc, t})
		}
		replace, ok := r.claim("criterion", w.ID, w.Override)
		switch {
		case replace:
			*r.rules.byID(c.ID) = *c
		case ok:
			r.rules.criteria = append(r.rules.criteria, c)
		}
	}
}

func (r *reading) warnings(written []writtenWarning) {
	for i := range written {
		w := &written[i]
		r.doc.CheckID(w.Place, w.ID, "a warning")
		if w.Title.Value() == "" || w.Text.Value() == "" {
			r.doc.Report(w.Place.Node(), "a warning needs a title and a text")
		}
		warning := Warning{w.ID.Value(), w.Title.Value(), oneLine(w.Text.Value())}
		replace, ok := r.claim("warning", w.ID, w.Override)
		switch {
		case replace:
			at := slices.IndexFunc(r.rules.warnings, func(known Warning) bool { return known.ID == warning.ID })
			r.rules.warnings[at] = warning
		case ok:
			r.rules.warnings = append(r.rules.warnings, warning)
		}
	}
}

// decisions reads outcomes or verdicts; it returns the new ones, and puts those
// that override into the place of what they replace.
func (r *reading) decisions(kind string, known []*decision, written []writtenDecision, words []string, env *cel.Env) []*decision {
	var added []*decision
	for i := range written {
		w := &written[i]
		r.doc.CheckID(w.Place, w.ID, "a rule of "+kind+"s")
		oneOf(r.doc, w.Place, w.Verdict, "verdict", words)
		if w.When.Source() == "" || w.Because.Source() == "" {
			r.doc.Report(w.Place.Node(), "%s needs when and because", w.ID.Value())
		}
		d := &decision{
			id: w.ID.Value(), verdict: w.Verdict.Value(), source: r.source, months: w.Again.Value(), decides: w.Decides.Value(), next: oneLine(w.Next.Value()),
			when: w.When.Compile(env, cel.BoolType), because: w.Because.Compile(env, cel.StringType),
		}
		replace, ok := r.claim(kind, w.ID, w.Override)
		switch {
		case replace:
			*known[slices.IndexFunc(known, func(k *decision) bool { return k.id == d.id })] = *d
		case ok:
			d.position = r.at[kind+"/"+d.id]
			added = append(added, d)
		}
	}
	return added
}

// checkReferences reports ids that nothing has.
func (l *loader) checkReferences() {
	for _, ref := range l.pending {
		if l.rules.byID(ref.text.Value()) == nil {
			ref.doc.Report(ref.text.Node(), "no criterion has the id %q", ref.text.Value())
		}
	}
}

// drop takes away whatever has an id.
func (r *Rules) drop(id string) bool {
	before := len(r.criteria) + len(r.outcomes) + len(r.verdicts) + len(r.warnings)
	r.criteria = slices.DeleteFunc(r.criteria, func(c *criterion) bool { return c.ID == id })
	r.outcomes = slices.DeleteFunc(r.outcomes, func(d *decision) bool { return d.id == id })
	r.verdicts = slices.DeleteFunc(r.verdicts, func(d *decision) bool { return d.id == id })
	r.warnings = slices.DeleteFunc(r.warnings, func(w Warning) bool { return w.ID == id })
	return len(r.criteria)+len(r.outcomes)+len(r.verdicts)+len(r.warnings) < before
}
