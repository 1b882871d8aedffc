package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/levels"
)

// Input is what a review is made of.
type Input struct {
	Topic string
	// Here is the cluster, or what stands for it; its snapshot may be empty.
	Here       *Scene
	Candidates []*Scene
	Catalogue  *catalogue.Catalogue
	Rules      *Rules
	// Criteria are those of the levels, for the list of a "write" verdict.
	Criteria []levels.Criterion
	// Answers may be nil. AnswersFile is its name as given.
	Answers     *Answers
	AnswersFile string
	// Now is the day of the review.
	Now time.Time
}

// Review makes the decision record. A mistake in the answers is an error of
// type levels.Problems, which holds them all.
func Review(in Input) (*Record, error) {
	topic := NewTopic(in.Topic)
	if len(topic.Words) == 0 {
		return nil, fmt.Errorf("the topic %q has no word: name a kind, an API group, or what the operator is for", topic.Text)
	}
	answers := in.Answers
	if answers == nil {
		answers = &Answers{need: map[string]*writtenAnswer{}, options: map[string]map[string]*writtenAnswer{}}
	}
	rec := &Record{
		APIVersion: "operator-maturity/v1", Kind: "ReviewRecord", Topic: topic,
		Date: in.Now.UTC().Format(time.DateOnly), Taken: in.Here.Snapshot.Taken, Source: in.Here.Snapshot.Source,
		Answers: in.AnswersFile, Candidates: []string{}, Chosen: []string{}, Next: []string{},
	}
	for _, c := range in.Candidates {
		rec.Candidates = append(rec.Candidates, c.Path)
	}
	rec.Unread = unread(in.Here)
	for _, c := range in.Candidates {
		rec.Unread = append(rec.Unread, unread(c)...)
	}
	rec.Matches = FindMatches(topic, in.Here, in.Catalogue, candidateNames(in.Candidates))
	for _, c := range in.Candidates {
		if len(c.operators()) == 0 {
			return nil, noOperator(c)
		}
	}
	rec.Options = options(in, &rec.Matches, topic)
	answers.check(in.Rules, topic, namesOf(rec.Options), in.Now)
	seen, unseen := topicSeen(rec)
	if err := in.judge(rec, answers, seen, unseen); err != nil {
		return nil, err
	}
	if err := answers.problems.Err(); err != nil {
		return nil, err
	}
	for i := range rec.Options {
		if err := in.Rules.decideOption(&rec.Options[i], seen); err != nil {
			return nil, err
		}
	}
	d, err := in.Rules.decide(rec, seen, unseen)
	if err != nil {
		return nil, err
	}
	rec.finish(in, d, answers)
	return rec, nil
}

// judge works out every criterion.
func (in *Input) judge(rec *Record, a *Answers, seen *TopicSeen, unseen map[string]string) error {
	e, err := newEvidence(map[string]any{"topic": seen}, unseen)
	if err != nil {
		return err
	}
	rec.Need = []Check{}
	for _, c := range in.Rules.about(aboutNeed) {
		rec.Need = append(rec.Need, judge(c, e, a.need[c.ID], a))
	}
	for i := range rec.Options {
		o := &rec.Options[i]
		e, err := newEvidence(map[string]any{"it": &o.Facts, "topic": seen}, subjectUnseen(&o.Facts, unseen))
		if err != nil {
			return err
		}
		o.Checks = []Check{}
		for _, c := range in.Rules.about(aboutOption) {
			o.Checks = append(o.Checks, judge(c, e, a.options[o.Name][c.ID], a))
		}
	}
	return nil
}

// unread are the lists that were asked for and not read whole, and the places
// of files that could not be read.
func unread(of *Scene) []string {
	names := []string{}
	for i := range of.Card.Coverage.Resources {
		r := &of.Card.Coverage.Resources[i]
		switch {
		case r.Access == inventory.Listed || r.Access == inventory.Absent:
		case r.Resource == "documents" && r.Detail != "":
			names = append(names, r.Detail)
		default:
			names = append(names, strings.TrimSuffix(r.Resource+"."+r.Group, ".")+" "+string(r.Access))
		}
	}
	return names
}

// noOperator says what to give instead, and what of the candidate could not be
// read: that may be where the operator is.
func noOperator(c *Scene) error {
	why := ""
	if files := unread(c); len(files) > 0 {
		why = "; could not be read: " + strings.Join(files, "; ")
	}
	return fmt.Errorf("candidate %s: no operator was found in it: give its whole install (CRDs, workloads and RBAC together), rendered%s", c.Path, why)
}

func candidateNames(scenes []*Scene) []string {
	var names []string
	for _, s := range scenes {
		for _, op := range s.operators() {
			names = append(names, op.at.Name)
		}
	}
	return names
}

// options are the operators on the cluster that the topic is near to, the
// nearest first, and then every operator of the candidates.
func options(in Input, matches *Matches, topic Topic) []Option {
	found := []Option{}
	here := in.Here.operators()
	for i := range matches.Here {
		m := &matches.Here[i]
		at := slices.IndexFunc(here, func(op operator) bool { return m.Where == "cluster" && op.at.Name == m.Name })
		if at >= 0 {
			found = append(found, Option{Name: m.Name, Match: m, Facts: newSubject(here[at], in.Here, in.Criteria)})
		}
	}
	for _, scene := range in.Candidates {
		for _, op := range scene.operators() {
			o := Option{Name: op.at.Name, Facts: newSubject(op, in.Here, in.Criteria)}
			if m := matchOperator(topic, op.at, "candidate", scene.crds); len(m.m.Words) > 0 {
				match := m.done()
				o.Match = &match
			}
			o.Name = unique(found, o.Name)
			found = append(found, o)
		}
	}
	return found
}

// unique is the name of an option: a candidate that is on the cluster too is
// told apart from it.
func unique(found []Option, name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(found, func(o Option) bool { return o.Name == name })
	}
	if !taken(name) {
		return name
	}
	candidate := name + " (candidate)"
	for i := 2; taken(candidate); i++ {
		candidate = fmt.Sprintf("%s (candidate %d)", name, i)
	}
	return candidate
}

// topicSeen is the variable topic, with what of it is unknown.
func topicSeen(rec *Record) (*TopicSeen, map[string]string) {
	t := &TopicSeen{Here: []string{}, Nobodys: []string{}, Known: []string{}, Candidates: []string{}}
	for i := range rec.Matches.Here {
		m := &rec.Matches.Here[i]
		if m.Where == "nobody" {
			t.Nobodys = append(t.Nobodys, m.Name)
		} else {
			t.Here = append(t.Here, m.Name)
		}
	}
	for i := range rec.Matches.Known {
		t.Known = append(t.Known, rec.Matches.Known[i].Name)
	}
	for i := range rec.Options {
		if !rec.Options[i].Facts.Installed {
			t.Candidates = append(t.Candidates, rec.Options[i].Name)
		}
	}
	unseen := map[string]string{}
	if rec.Matches.Unseen != "" {
		unseen["topic.here"], unseen["topic.nobodys"] = rec.Matches.Unseen, rec.Matches.Unseen
	}
	return t, unseen
}

// byPriority puts musts first, then keeps the order of the rules.
func byPriority(a, b string) int {
	order := func(p string) int {
		if i := slices.Index(priorities, p); i >= 0 {
			return i
		}
		return len(priorities)
	}
	return cmp.Compare(order(a), order(b))
}
