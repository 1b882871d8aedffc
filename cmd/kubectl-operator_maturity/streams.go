package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// streams are where data, messages and input go. Data goes to out and all else
// to err, so that a pipe gets nothing but data.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// outWidth is the width of the terminal that out is; 0 when it is none.
	outWidth int
	// errTerminal: progress may be drawn on err.
	errTerminal bool
}

func standardStreams() streams {
	s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, errTerminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		s.outWidth = width
	}
	return s
}

// useColor decides on colour: always, never, or auto: on a terminal that is
// not dumb, unless NO_COLOR is set (https://no-color.org).
func (s streams) useColor(mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return s.outWidth > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
