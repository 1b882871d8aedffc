package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kubectl-operator-maturity/internal/review"
)

// askFlags are the questions on a terminal.
type askFlags struct {
	interactive bool
	save        string
}

func (f *askFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.interactive, "interactive", false, "ask the open questions on the terminal")
	cmd.Flags().StringVar(&f.save, "save-answers", "", "with --interactive: write all answers to `FILE`")
}

// check refuses to ask where nobody can answer: a pipe would answer with
// whatever it holds.
func (f *askFlags) check(s streams) error {
	switch {
	case f.save != "" && !f.interactive:
		return errors.New("--save-answers goes with --interactive; without it, review init writes the file")
	case f.interactive && !isTerminal(s):
		return withHint(errors.New("--interactive needs a terminal"), displayName+" review init TOPIC > answers.yaml writes the questions to a file")
	}
	return nil
}

func isTerminal(s streams) bool {
	in, ok := s.in.(*os.File)
	return ok && s.errTerminal && term.IsTerminal(int(in.Fd()))
}

// ask asks on stderr, since stdout is for the record, and reviews again with
// the answers.
func (f *askFlags) ask(s streams, in *review.Input, rec *review.Record) (*review.Record, error) {
	given, err := review.Ask(s.in, s.err, rec)
	if err != nil {
		return nil, err
	}
	var form bytes.Buffer
	if err := review.WriteForm(&form, rec); err != nil {
		return nil, err
	}
	if f.save != "" {
		if err := writeFile(f.save, form.Bytes()); err != nil {
			return nil, err
		}
		fmt.Fprintf(s.err, "wrote %s with the answers so far, new ones: %d\n", f.save, given)
	}
	name := f.save
	if name == "" {
		name = "given on the terminal"
	}
	in.Answers, in.AnswersFile = review.ParseAnswers(name, form.Bytes()), name
	return review.Review(*in)
}
