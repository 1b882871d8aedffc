package main

import (
	"errors"
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// The exit codes are part of the interface: they are documented in the README
// and CI jobs branch on them. A gate that failed outranks incompleteness.
const (
	exitOK         = 0
	exitFailed     = 1 // could not do it
	exitGate       = 2 // a gate failed
	exitIncomplete = 3 // not everything was seen, under --strict, or the scan was cut short
	exitEmpty      = 4 // nothing to scan, under --fail-if-empty
)

// exitError is an error with an exit code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func exitWith(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// hintError is an error with a line that says what to do next.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

func withHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hintError{err, hint}
}

// exitCode prints an error once, with its hint, and says how to exit. An error
// may quote a server, a file or an address, so no escape and no credential
// gets through.
func exitCode(s streams, err error) int {
	if err == nil {
		return exitOK
	}
	for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
		fmt.Fprintf(s.err, "%s: error: %s\n", displayName, inventory.Whole(line))
	}
	if hint := (*hintError)(nil); errors.As(err, &hint) {
		fmt.Fprintf(s.err, "hint: %s\n", inventory.Whole(hint.hint))
	}
	if exit := (*exitError)(nil); errors.As(err, &exit) {
		return exit.code
	}
	return exitFailed
}
