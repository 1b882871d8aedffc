package review

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrStopped ends the questions early; what was answered by then counts.
var ErrStopped = errors.New("stopped asking")

// Ask asks what is open, the need first, and puts the answers into the record
// as a person would into the file. It returns how many were given. An empty
// line leaves a question open; q ends the questions.
//
// The record is then what WriteForm writes: the answers take the way through
// the file, so they are checked like any other.
func Ask(in io.Reader, out io.Writer, rec *Record) (int, error) {
	a := &asking{in: bufio.NewScanner(in), out: out, date: rec.Date}
	fmt.Fprintf(out, "Questions about %q. Answer yes, no, not-applicable; an empty line leaves it open, q ends.\n", clean(rec.Topic.Text))
	a.by = a.read("Your role (no name): ")
	if a.by == "" {
		return 0, errors.New("an answer needs the role of who gives it")
	}
	err := a.all("", rec.Need)
	for i := range rec.Options {
		if err == nil {
			err = a.all(rec.Options[i].Name, rec.Options[i].Checks)
		}
	}
	if errors.Is(err, ErrStopped) {
		err = nil
	}
	if err == nil {
		err = a.in.Err()
	}
	return a.given, err
}

type asking struct {
	in       *bufio.Scanner
	out      io.Writer
	by, date string
	given    int
	ended    bool
}

func (a *asking) read(prompt string) string {
	fmt.Fprint(a.out, prompt)
	if !a.in.Scan() {
		a.ended = true
		return ""
	}
	return strings.TrimSpace(a.in.Text())
}

// all asks the open questions of one list: of an operator, or of the need.
func (a *asking) all(option string, checks []Check) error {
	for i := range checks {
		k := &checks[i]
		if k.State != unknown {
			continue
		}
		of := ""
		if option != "" {
			of = clean(option) + ": "
		}
		priority := k.Priority
		if priority == "" {
			priority = k.Group
		}
		fmt.Fprintf(a.out, "\n[%s] %s%s\n", priority, of, clean(k.Question))
		if k.Why != "" {
			fmt.Fprintf(a.out, "  %s\n", clean(k.Why))
		}
		if err := a.one(k); err != nil {
			return err
		}
	}
	return nil
}

func (a *asking) one(k *Check) error {
	for {
		word := strings.ToLower(a.read("  answer: "))
		switch word {
		case "":
			if a.ended {
				return ErrStopped
			}
			return nil
		case "q", "quit":
			return ErrStopped
		case "y":
			word = yes
		case "n":
			word = no
		case "na", "n/a":
			word = notApplicable
		}
		if word != yes && word != no && word != notApplicable {
			fmt.Fprintln(a.out, "  yes, no or not-applicable; an empty line leaves it open")
			continue
		}
		given := &Answer{ID: k.ID, Answer: word, By: a.by, Date: a.date}
		if word == notApplicable {
			given.Note = a.read("  why: ")
		} else {
			given.Evidence = a.read("  evidence (a link): ")
		}
		if problem := lacking(k, given); problem != "" {
			if a.ended {
				return ErrStopped
			}
			fmt.Fprintf(a.out, "  %s: it stays open\n", problem)
			return nil
		}
		k.Answer, k.By, k.State = given, byAnswer, stateOf(word)
		a.given++
		return nil
	}
}

// lacking says what an answer needs and has not.
func lacking(k *Check, a *Answer) string {
	switch {
	case a.Answer == notApplicable && a.Note == "":
		return "not-applicable needs a reason"
	case a.Answer == yes && k.Priority == "must" && a.Evidence == "":
		return "a must that is answered yes needs evidence"
	}
	return ""
}

func stateOf(answer string) string {
	switch answer {
	case yes:
		return met
	case no:
		return failed
	}
	return skipped
}
