package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/report"
)

// outputFlags are -o, which may be repeated, and --color.
type outputFlags struct {
	outputs []string
	color   string
}

func (f *outputFlags) add(cmd *cobra.Command, formats string) {
	cmd.Flags().StringArrayVarP(&f.outputs, "output", "o", []string{"table"}, "output `FORMAT[=FILE]`, repeatable: "+formats)
	cmd.Flags().StringVar(&f.color, "color", "auto", "colour: auto, always, never")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(strings.Split(formats, ", "), cobra.ShellCompDirectiveNoFileComp))
}

// output is one parsed -o.
type output struct {
	format string
	file   string // "" is stdout
}

func (f *outputFlags) parse() ([]output, error) {
	switch f.color {
	case "auto", "always", "never":
	default:
		return nil, fmt.Errorf("--color %q: known are auto, always, never", f.color)
	}
	var list []output
	stdout := 0
	for _, o := range f.outputs {
		format, file, named := strings.Cut(o, "=")
		if named && file == "" {
			return nil, fmt.Errorf("-o %s: a file name is missing behind =", o)
		}
		if file == "" {
			stdout++
		}
		list = append(list, output{format, file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("-o: only one format can go to stdout, give the others a file: -o markdown=report.md")
	}
	return list, nil
}

// writeAll renders every output first, and only then writes: a format that
// does not exist leaves no other file behind.
func (f *outputFlags) writeAll(s streams, list []output, write func(w io.Writer, format string, o report.Options) error) error {
	rendered := make([]bytes.Buffer, len(list))
	for i, o := range list {
		options := report.Options{Command: displayName}
		if o.file == "" {
			options.Color, options.Width = s.useColor(f.color), s.outWidth
		}
		if err := write(&rendered[i], o.format, options); err != nil {
			return err
		}
	}
	for i, o := range list {
		if o.file == "" {
			if _, err := s.out.Write(rendered[i].Bytes()); err != nil {
				return fmt.Errorf("writing the report to stdout: %w", err)
			}
			continue
		}
		if err := writeFile(o.file, rendered[i].Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "wrote %s\n", o.file)
	}
	return nil
}
