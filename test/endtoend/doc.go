// Package endtoend holds tests of the whole: from a real API server, or from
// recordings of one, to the scorecard.
package endtoend
