package levels

import (
	"time"

	"gopkg.in/yaml.v3"
)

// Config is what a repository keeps in .operator-maturity.yaml, so that every
// job asks for the same.
type Config struct {
	Gate        Gate
	Strict      bool
	FailIfEmpty bool
	// Baseline, Rules and Catalogs are paths as written: relative to the file.
	Baseline  string
	Rules     []string
	Catalogs  []string
	NoCatalog bool
}

type writtenConfig struct {
	Place       place
	MinLevel    number             `yaml:"minLevel"`
	MinLevels   []writtenMinimum   `yaml:"minLevels"`
	FailOn      []text             `yaml:"failOn"`
	Strict      boolean            `yaml:"strict"`
	FailIfEmpty boolean            `yaml:"failIfEmpty"`
	Baseline    text               `yaml:"baseline"`
	Rules       []text             `yaml:"rules"`
	Catalogs    []text             `yaml:"catalogs"`
	NoCatalog   boolean            `yaml:"noCatalog"`
	Exceptions  []writtenException `yaml:"exceptions"`
}

type writtenMinimum struct {
	Place    place
	Operator text   `yaml:"operator"`
	Level    number `yaml:"level"`
}

type writtenException struct {
	Place    place
	Operator text `yaml:"operator"`
	Cluster  text `yaml:"cluster"`
	ID       text `yaml:"id"`
	Reason   text `yaml:"reason"`
	Expires  day  `yaml:"expires"`
}

// day is a date, quoted or not.
type day struct {
	at   time.Time
	node *yaml.Node
}

func (f *day) decode(d *document, n *yaml.Node) {
	f.node = n
	at, err := time.Parse(time.DateOnly, n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		d.report(n, "expected a date such as 2026-12-31, found %q", n.Value)
	}
	f.at = at
}

// ParseConfig reads a config file, strictly: every mistake at once, with its
// place. shown is how the file is called in messages.
func ParseConfig(shown string, content []byte) (*Config, error) {
	var problems Problems
	d, root := parseDocument(&document{file: shown, problems: &problems}, content)
	if root == nil {
		return nil, problems.err()
	}
	var w writtenConfig
	d.decodeRoot(root, &w)
	c := &Config{
		Gate:   Gate{min: d.levelIn(w.MinLevel), asked: w.MinLevel.node != nil, minOf: map[string]int{}, failOn: values(w.FailOn)},
		Strict: w.Strict.value, FailIfEmpty: w.FailIfEmpty.value,
		Baseline: w.Baseline.value, Rules: values(w.Rules), Catalogs: values(w.Catalogs), NoCatalog: w.NoCatalog.value,
	}
	for i := range w.MinLevels {
		m := &w.MinLevels[i]
		if m.Operator.value == "" || m.Level.node == nil {
			d.report(m.Place.node, "a minimum needs operator and level")
		}
		c.Gate.minOf[m.Operator.value] = d.levelIn(m.Level)
	}
	for i := range w.Exceptions {
		c.Gate.exceptions = append(c.Gate.exceptions, d.exception(&w.Exceptions[i]))
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	return c, nil
}

func (d *document) levelIn(n number) int {
	if n.value < 0 || n.value > 5 {
		d.report(n.node, "expected a level from 0 to 5, found %d", n.value)
	}
	return n.value
}

// exception wants all that makes an exception more than a mute button.
func (d *document) exception(w *writtenException) Exception {
	e := Exception{Operator: w.Operator.value, Cluster: w.Cluster.value, ID: w.ID.value, Reason: w.Reason.value, Expires: w.Expires.at, file: d.file}
	if w.Place.node != nil {
		e.line = w.Place.node.Line
	}
	for _, missing := range []struct {
		key  string
		none bool
	}{{"id", e.ID == ""}, {"reason", e.Reason == ""}, {"expires", w.Expires.node == nil}} {
		if missing.none {
			d.report(w.Place.node, "an exception needs %s", missing.key)
		}
	}
	return e
}
