package review

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteForm writes the answers file of a review: what the evidence answered
// filled in, the rest as questions.
func WriteForm(w io.Writer, rec *Record) error {
	f := &form{}
	f.line("# Answers to the review of %q of %s.", clean(rec.Topic.Text), rec.Date)
	f.line("# Fill in what stands on unknown, then: review %s --answers FILE", shellWord(rec.Topic.Text))
	f.line("# answer: yes, no, unknown, not-applicable (with a note), accepted (no, and we take the risk: with a note)")
	f.line("# by is a role, no name; date is the day of the answer; a must that is answered yes needs evidence (a link).")
	f.line("# Answers by %s come from evidence. They are for you to read: the evidence is looked at again each time.", toolAuthor)
	f.line("apiVersion: %s", answersVersion)
	f.line("kind: %s", answersKind)
	f.line("topic: %s", quoted(rec.Topic.Text))
	f.line(`decides: "" # the rules suggest: %s`, clean(rec.Decides))
	f.line("reviewAgain: # a date; the rules suggest %s", rec.ReviewAgain)
	f.line("need:")
	for i := range rec.Need {
		f.check(&rec.Need[i], "  ", rec)
	}
	if len(rec.Options) > 0 {
		f.line("options:")
	}
	for i := range rec.Options {
		f.line("  - name: %s", quoted(rec.Options[i].Name))
		f.line("    answers:")
		for j := range rec.Options[i].Checks {
			if k := &rec.Options[i].Checks[j]; k.State != skipped || k.By == byAnswer {
				f.check(k, "      ", rec)
			}
		}
	}
	_, err := w.Write(f.out.Bytes())
	if err != nil {
		return fmt.Errorf("writing the answers file: %w", err)
	}
	return nil
}

type form struct{ out bytes.Buffer }

func (f *form) line(format string, args ...any) {
	f.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// check is one question, or what evidence or a person answered.
func (f *form) check(k *Check, indent string, rec *Record) {
	priority := k.Priority
	if priority == "" {
		priority = k.Group
	}
	f.line("%s# %s: %s", indent, priority, clean(k.Question))
	if k.State == unknown && k.Because != "not answered" {
		f.line("%s# Not seen: %s", indent, clean(k.Because))
	}
	f.line("%s- id: %s", indent, k.ID)
	switch {
	case k.Answer != nil && k.Answer.Answer != unanswered:
		a := k.Answer
		f.fields(indent, a.Answer, a.Evidence, a.By, a.Date, a.Note)
	case k.By == byEvidence:
		f.fields(indent, needWord(k.State), k.Because, toolAuthor, rec.Date, "")
	default:
		f.fields(indent, unanswered, "", "", "", "")
	}
}

func (f *form) fields(indent, answer, evidence, by, date, note string) {
	f.line("%s  answer: %s", indent, quotedWord(answer))
	f.line("%s  evidence: %s", indent, quoted(evidence))
	f.line("%s  by: %s", indent, quoted(by))
	f.line("%s  date: %s", indent, date)
	if note != "" {
		f.line("%s  note: %s", indent, quoted(note))
	}
}

// quoted is a text as YAML takes it, whatever is in it.
func quoted(s string) string { return fmt.Sprintf("%q", clean(s)) }

// quotedWord quotes yes and no, which other YAML readers take for true and
// false.
func quotedWord(answer string) string {
	if answer == yes || answer == no {
		return `"` + answer + `"`
	}
	return answer
}

// clean makes one line of a text that may come from the cluster: a line break
// would end a comment.
func clean(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 }), " ")
}

// shellWord quotes a topic for the command line in a comment.
func shellWord(s string) string {
	s = clean(s)
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r)) {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return s
}
