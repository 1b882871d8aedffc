// Package review answers "should we write this operator?" from evidence: what
// is on the cluster, what the catalogue knows, what was given as a candidate,
// and what people answered. It is a pure function of these: it reads no file,
// asks no network and has no clock.
//
//	topic.go, match*.go          what the topic is near to, and why
//	subject*.go                  what is known of one operator, side by side
//	rulefile.go, load*.go        rules/review: criteria, outcomes, verdicts
//	answers*.go                  what people answered, checked with file:line
//	judge.go                     one criterion: evidence first, then the answer
//	decide.go                    the first rule that holds decides; no sums
//	record*.go, checklist.go     the decision record
//	form.go, ask.go              the questions as a file and on a terminal
//
// Two rules stand above every file of rules: an unknown must never becomes
// "adopt", and evidence outranks an answer, which can only accept a risk.
package review
