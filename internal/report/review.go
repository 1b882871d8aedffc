package report

import (
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/review"
)

// WriteReview writes the decision record of an adoption review.
func WriteReview(w io.Writer, format string, rec *review.Record, o Options) error {
	switch format {
	case "table":
		return writeAll(w, printTerminal(reviewTable(rec), o))
	case "markdown":
		return writeAll(w, printMarkdown(reviewRecord(rec, o), o))
	case "html":
		return writeReviewHTML(w, rec, o)
	case "json":
		return writeJSON(w, rec)
	case "yaml":
		return writeYAML(w, rec)
	}
	return unknownFormat(format, ReviewFormats)
}

// ReviewFormats are the formats of a decision record, the usual one first.
var ReviewFormats = []string{"markdown", "table", "html", "json", "yaml"}

// verdictStyle is the colour of a verdict or outcome.
func verdictStyle(verdict string) style {
	switch verdict {
	case review.Adopt:
		return goodStyle
	case review.Hold:
		return badStyle
	}
	return fairStyle
}

// reviewRecord is the whole record: whoever files it, or finds it in a year,
// has neither the cluster nor the program at hand.
func reviewRecord(rec *review.Record, o Options) document {
	var d document
	d.heading(1, plain("Adoption review: "+rec.Topic.Text))
	d.append(reviewHead(rec))
	d.append(reviewDecision(rec, 2))
	d.append(reviewConditions(rec))
	d.append(reviewFlags(rec))
	d.append(reviewQuestions(rec))
	d.append(reviewChecklist(rec))
	d.append(reviewSideBySide(rec))
	d.append(reviewMatches(rec))
	d.append(reviewNeed(rec))
	d.append(reviewCriteria(rec))
	d.append(reviewBasis(rec, o))
	return d
}

// reviewTable is what fits a terminal: the decision, and the operators side by
// side.
func reviewTable(rec *review.Record) document {
	var d document
	d.heading(1, plain("Adoption review: "+rec.Topic.Text))
	if len(rec.Unread) > 0 {
		d.paragraph(styled(fairStyle, "Could not be read: "), plain(some(rec.Unread, "")))
	}
	d.append(reviewDecision(rec, 2))
	d.append(reviewFlags(rec))
	d.append(reviewQuestions(rec))
	d.append(reviewSideBySide(rec))
	d.append(reviewMatches(rec))
	return d
}

// reviewHead is the head of a decision record.
func reviewHead(rec *review.Record) document {
	var d document
	var rows [][]text
	add := func(name string, value text) {
		if len(value) > 0 {
			rows = append(rows, []text{plain(name), value})
		}
	}
	add("Verdict", strong(rec.Verdict))
	add("About", codes(rec.Chosen))
	add("Reviewed on", plain(rec.Date))
	add("Who decides", plain(rec.Decides))
	add("Review again on", plain(rec.ReviewAgain))
	add("Evidence from", plain(evidenceFrom(rec)))
	if len(rec.Unread) > 0 {
		add("Could not be read", plain(some(rec.Unread, "")))
	}
	add("Candidates", codes(rec.Candidates))
	if rec.Answers == "" {
		add("Answers", plain("none were given"))
	} else {
		add("Answers", code(rec.Answers))
	}
	add("Decided by rule", code(rec.Rule))
	d.table(whole(columns("", ""), rows))
	return d
}

// evidenceFrom says what was looked at, and when.
func evidenceFrom(rec *review.Record) string {
	sc := levels.Scorecard{Source: rec.Source}
	if rec.Taken.IsZero() {
		return "no cluster was looked at"
	}
	return subject(&sc) + ", taken on " + rec.Taken.UTC().Format("2006-01-02 15:04") + " UTC"
}

// reviewDecision is the verdict with its reasons: the first one is the rule's,
// the others say what came of each operator.
func reviewDecision(rec *review.Record, level int) document {
	var d document
	d.heading(level, plain("Decision"))
	reason := ""
	if len(rec.Reasons) > 0 {
		reason = rec.Reasons[0]
	}
	d.paragraph(styled(verdictStyle(rec.Verdict), strings.ToUpper(rec.Verdict[:1])+rec.Verdict[1:]), plain(". "+reason))
	if len(rec.Reasons) > 1 {
		d.list(texts(rec.Reasons[1:])...)
	}
	for _, next := range rec.Next {
		d.paragraph(plain("Next: " + next))
	}
	return d
}

func texts(lines []string) []text {
	list := make([]text, len(lines))
	for i, l := range lines {
		list[i] = plain(l)
	}
	return list
}

// reviewConditions are what has to be done before, or is taken as a risk.
func reviewConditions(rec *review.Record) document {
	var d document
	if len(rec.Conditions) == 0 {
		return d
	}
	d.heading(2, plain("Conditions"))
	var rows [][]text
	for _, c := range rec.Conditions {
		rows = append(rows, []text{code(c.Option), plain(c.Text), plain(c.Because), code(c.Criterion)})
	}
	d.table(whole(columns("Operator", "Condition", "Because", "Criterion"), rows))
	return d
}

// reviewFlags are the red flags, those on musts first.
func reviewFlags(rec *review.Record) document {
	var d document
	if len(rec.RedFlags) == 0 {
		return d
	}
	d.heading(2, plain("Red flags"))
	var items []text
	for _, f := range rec.RedFlags {
		taken := ""
		if f.Accepted {
			taken = "; the risk is accepted"
		}
		items = append(items, join(code(f.Option), plain(" "+f.Text+" ("), code(f.Criterion), plain(", "+f.Priority+taken+")")))
	}
	d.list(items...)
	return d
}

// reviewQuestions lists what is open, what decides first.
func reviewQuestions(rec *review.Record) document {
	var d document
	if len(rec.OpenQuestions) == 0 {
		return d
	}
	d.heading(2, plain("Open questions"))
	var deciding, other []text
	for _, q := range rec.OpenQuestions {
		if q.Decides {
			deciding = append(deciding, questionItem(q, len(rec.Options)))
		} else {
			other = append(other, questionItem(q, len(rec.Options)))
		}
	}
	if len(deciding) > 0 {
		d.lead(plain("These decide:"))
		d.list(deciding...)
	}
	if len(other) > 0 {
		d.lead(plain("Others, which become conditions or are good to know:"))
		d.list(other...)
	}
	return d
}

// questionItem is a question with its criterion, whom it is about, and what
// evidence could tell of it.
func questionItem(q review.Question, all int) text {
	item := plain("☐ " + q.Text + " ")
	if q.Priority != "" {
		item = join(item, plain("("+q.Priority+") "))
	}
	item = join(item, code(q.Criterion))
	switch {
	case len(q.Options) == all && all > 1:
		item = join(item, plain(" for all of them"))
	case len(q.Options) > 0:
		item = join(item, plain(" for "), codes(q.Options))
	}
	for _, why := range q.Because {
		if why == "not answered" || why == "" {
			continue
		}
		if len(q.Because) == 1 {
			why = capital(why)
		}
		item = join(item, plain(". "+why))
	}
	return item
}

// capital begins a text with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
