package review

import (
	"kubectl-operator-maturity/internal/levels"
)

// Answer is what a person answered, with evidence, role and date.
type Answer struct {
	ID       string `json:"id"`
	Answer   string `json:"answer"` // yes, no, unknown, not-applicable, accepted
	Evidence string `json:"evidence,omitempty"`
	By       string `json:"by,omitempty"` // a role, no name
	Date     string `json:"date,omitempty"`
	Note     string `json:"note,omitempty"`
}

const (
	yes           = "yes"
	no            = "no"
	unanswered    = "unknown"
	notApplicable = "not-applicable"
	// accepted is "no, and we take the risk": it turns what fails into a
	// condition, on the word of the person who says so.
	accepted = "accepted"
)

var answerWords = []string{yes, no, unanswered, notApplicable, accepted}

// toolAuthor marks answers that `review init` filled in from evidence. They
// are for people to read: when the file comes back, the evidence counts.
const toolAuthor = "operator-maturity"

// answersFile is an answers file as written.
type answersFile struct {
	Place       levels.Place
	APIVersion  levels.Text     `yaml:"apiVersion"`
	Kind        levels.Text     `yaml:"kind"`
	Topic       levels.Text     `yaml:"topic"`
	Decides     levels.Text     `yaml:"decides"`
	ReviewAgain levels.Raw      `yaml:"reviewAgain"`
	Need        []writtenAnswer `yaml:"need"`
	Options     []writtenOption `yaml:"options"`
}

type writtenOption struct {
	Place   levels.Place
	Name    levels.Text     `yaml:"name"`
	Answers []writtenAnswer `yaml:"answers"`
}

type writtenAnswer struct {
	Place    levels.Place
	ID       levels.Text `yaml:"id"`
	Answer   levels.Raw  `yaml:"answer"`
	Evidence levels.Text `yaml:"evidence"`
	By       levels.Text `yaml:"by"`
	Date     levels.Raw  `yaml:"date"`
	Note     levels.Text `yaml:"note"`
}

// Answers are an answers file, read but not yet held against the review.
type Answers struct {
	file     answersFile
	doc      *levels.Document
	problems levels.Problems
	need     map[string]*writtenAnswer
	options  map[string]map[string]*writtenAnswer
}

// The header of files of answers.
const (
	answersVersion = "operator-maturity/v1"
	answersKind    = "ReviewAnswers"
)

// ParseAnswers reads a file of answers. Its mistakes come out of Review, with
// those that only the review can find, so that all are seen at once.
func ParseAnswers(name string, content []byte) *Answers {
	a := &Answers{need: map[string]*writtenAnswer{}, options: map[string]map[string]*writtenAnswer{}}
	doc, root := levels.ParseDocument(name, content, &a.problems)
	a.doc = doc
	if root == nil {
		return a
	}
	doc.Decode(root, &a.file)
	a.header()
	return a
}

func (a *Answers) header() {
	f := &a.file
	if f.Place.Node() == nil {
		return // no mapping: reported
	}
	for _, h := range []struct {
		key, want string
		got       levels.Text
	}{{"apiVersion", answersVersion, f.APIVersion}, {"kind", answersKind, f.Kind}} {
		if h.got.Value() != h.want {
			at := h.got.Node()
			if at == nil {
				at = f.Place.Node()
			}
			a.doc.Report(at, "%s %q: this program reads %s; write a new file with `review init`", h.key, h.got.Value(), h.want)
		}
	}
}
