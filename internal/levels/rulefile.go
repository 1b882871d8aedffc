package levels

// ruleFile is a file of rules as written.
type ruleFile struct {
	Place    place
	Level    number        `yaml:"level"`
	Name     text          `yaml:"name"`
	Disable  []text        `yaml:"disable"`
	Criteria []writtenRule `yaml:"criteria"`
}

// writtenRule is a criterion as written.
type writtenRule struct {
	Place          place
	ID             text           `yaml:"id"`
	Override       boolean        `yaml:"override"`
	Title          text           `yaml:"title"`
	Scope          text           `yaml:"scope"`
	Archetypes     []text         `yaml:"archetypes"`
	Essential      boolean        `yaml:"essential"`
	EssentialFor   []text         `yaml:"essentialFor"`
	Group          text           `yaml:"group"`
	Witness        boolean        `yaml:"witness"`
	Episodic       boolean        `yaml:"episodic"`
	Live           boolean        `yaml:"live"`
	Applies        expression     `yaml:"applies"`
	NotApplicable  text           `yaml:"notApplicable"`
	Proven         expression     `yaml:"proven"`
	Refuted        expression     `yaml:"refuted"`
	Indicated      expression     `yaml:"indicated"`
	Grade          text           `yaml:"grade"`
	IndicatedGrade text           `yaml:"indicatedGrade"`
	Because        expression     `yaml:"because"`
	Evidence       expression     `yaml:"evidence"`
	Severity       text           `yaml:"severity"`
	Finding        writtenFinding `yaml:"finding"`
	Why            text           `yaml:"why"`
	Fix            text           `yaml:"fix"`
	Docs           text           `yaml:"docs"`
}

// writtenFinding is a finding as written.
type writtenFinding struct {
	Place    place
	Severity text       `yaml:"severity"`
	When     expression `yaml:"when"`
	Detail   expression `yaml:"detail"`
	Objects  expression `yaml:"objects"`
}

// criterion is the row as the engine and `rules list` see it.
func (w *writtenRule) criterion(level int) Criterion {
	c := Criterion{
		ID:             w.ID.value,
		Title:          w.Title.value,
		Level:          level,
		Scope:          Scope(w.Scope.value),
		Archetypes:     values(w.Archetypes),
		Essential:      w.Essential.value && level > 0,
		EssentialFor:   values(w.EssentialFor),
		Group:          w.Group.value,
		Witness:        w.Witness.value,
		Episodic:       w.Episodic.value,
		Live:           level > 0,
		Applies:        w.Applies.source,
		NotApplicable:  w.NotApplicable.value,
		Proven:         w.Proven.source,
		Refuted:        w.Refuted.source,
		Indicated:      w.Indicated.source,
		Because:        w.Because.source,
		Evidence:       w.Evidence.source,
		Grade:          Grade(or(w.Grade.value, string(Present))),
		IndicatedGrade: Grade(or(w.IndicatedGrade.value, string(API))),
		Severity:       w.Severity.value,
		Why:            w.Why.value,
		Fix:            w.Fix.value,
		Docs:           w.Docs.value,
	}
	if w.Live.node != nil {
		c.Live = w.Live.value
	}
	if level == 0 && c.Severity == "" {
		c.Severity = "info"
	}
	if f := &w.Finding; f.Place.node != nil {
		c.Finding = &FindingSource{f.Severity.value, f.When.source, f.Detail.source, f.Objects.source}
	}
	return c
}

func values(list []text) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.value)
	}
	return out
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
