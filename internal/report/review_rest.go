package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/review"
)

// shownKnown is how many known operators are described: those behind them
// share a word with the topic at most.
const shownKnown = 10

// reviewMatches says what the topic is near to, and why.
func reviewMatches(rec *review.Record) document {
	var d document
	d.heading(2, plain("What there is"))
	m := &rec.Matches
	if m.Unseen != "" {
		d.paragraph(styled(fairStyle, "Not every CRD of the cluster could be seen: "), plain(m.Unseen))
	}
	switch {
	case rec.Taken.IsZero():
	case len(m.Here) == 0 && m.Unseen != "":
		d.paragraph(plain("On this cluster: nothing near the topic among what could be seen."))
	case len(m.Here) == 0:
		d.paragraph(plain("On this cluster: nothing near the topic."))
	default:
		d.lead(plain("On this cluster, the nearest first:"))
		d.table(whole(columns("What", "Whose", "Matches by"), matchRows(m.Here)))
	}
	if len(m.Known) == 0 {
		d.paragraph(plain("In the catalogue, and not here: nothing near the topic."))
	} else {
		d.lead(plain("Known from the catalogue, and not here, the nearest first. To compare one, render its manifests and give them as --candidate:"))
		var rows [][]text
		var further []string
		for i, k := range m.Known {
			if i >= shownKnown {
				further = append(further, k.Name)
				continue
			}
			rows = append(rows, []text{code(k.Name), plain(k.Description), plain(reasonsOf(k)), link(k.Homepage)})
		}
		d.table(whole(columns("Operator", "What it does", "Matches by", "Homepage"), rows))
		if len(further) > 0 {
			d.paragraph(plain("Further off: "), codes(further))
		}
	}
	if len(m.Mentions) > 0 {
		d.paragraph(plain("No match, since they have the word in a description or an API group only: "), codes(m.Mentions))
	}
	d.append(reviewLeftOut(rec))
	return d
}

// reviewLeftOut names what on the cluster has too few of the words: whoever
// means it can ask for it by name. Of the catalogue it gives the number.
func reviewLeftOut(rec *review.Record) document {
	var d document
	m := &rec.Matches
	of := strings.Join(rec.Topic.Words, ", ")
	switch {
	case len(m.LeftOutHere)+len(m.LeftOut) == 0:
	case len(rec.Topic.Subject) == 0:
		d.paragraph(plain(fmt.Sprintf("No match, since the topic (%s) is a word that every second operator has: %s here, %s in the catalogue. Name a kind, a group or the application.",
			of, counted(len(m.LeftOutHere), "operator"), counted(len(m.LeftOut), "operator"))))
	default:
		if len(m.LeftOutHere) > 0 {
			d.paragraph(plain("Here, but no match, since they have a part of the words "+of+" only: "), codes(m.LeftOutHere), plain(". To review one all the same, make its name the topic."))
		}
		if len(m.LeftOut) > 0 {
			d.paragraph(plain(fmt.Sprintf("In the catalogue, but no match, since they have a part of the words %s only: %s.", of, counted(len(m.LeftOut), "operator"))))
		}
	}
	return d
}

func matchRows(matches []review.Match) [][]text {
	whose := map[string]string{"cluster": "an operator", "nobody": "nobody's: no controller was found", "shared": "a shared API"}
	var rows [][]text
	for _, m := range matches {
		what := whose[m.Where]
		if m.Note != "" {
			what += "; " + m.Note
		}
		rows = append(rows, []text{code(m.Name), plain(what), plain(reasonsOf(m))})
	}
	return rows
}

// reasonsOf are the nearest reasons: one of each sort, so that forty kinds of
// one group do not fill the table.
func reasonsOf(m review.Match) string {
	var order []string
	first, count := map[string]string{}, map[string]int{}
	for _, r := range m.Reasons {
		if count[r.By]++; count[r.By] == 1 {
			order, first[r.By] = append(order, r.By), r.What
		}
	}
	for i, by := range order {
		order[i] = by + " " + first[by]
		if count[by] > 1 {
			order[i] += fmt.Sprintf(" and %d more", count[by]-1)
		}
	}
	return strings.Join(order[:min(len(order), 3)], "; ")
}

// needAnswers are the words for the state of a question about the need.
var needAnswers = map[string]string{"met": "yes", "failed": "no", "unknown": "open", "not-applicable": "does not apply"}

// reviewNeed is the need as it was answered.
func reviewNeed(rec *review.Record) document {
	var d document
	d.heading(2, plain("The need"))
	groups := map[string]string{"question": "", "reason": "speaks for an operator", "against": "speaks against one"}
	var rows [][]text
	for _, k := range rec.Need {
		because := k.Because
		if k.State == "unknown" && k.Because == "not answered" {
			because = ""
		}
		rows = append(rows, []text{plain(k.Question), plain(needAnswers[k.State]), plain(groups[k.Group]), answeredText(k, because)})
	}
	d.table(whole(columns("Question", "Answer", "If yes", "By whom"), rows))
	return d
}

// answeredText is the reason, with the link that was given as evidence.
func answeredText(k review.Check, because string) text {
	t := plain(because)
	if k.Answer != nil && k.Answer.Evidence != "" {
		evidence := plain(k.Answer.Evidence)
		if strings.HasPrefix(k.Answer.Evidence, "https://") || strings.HasPrefix(k.Answer.Evidence, "http://") {
			evidence = link(k.Answer.Evidence)
		}
		t = join(t, plain(". Evidence: "), evidence)
	}
	return t
}

// reviewCriteria is every criterion of every operator.
func reviewCriteria(rec *review.Record) document {
	var d document
	if len(rec.Options) == 0 {
		return d
	}
	d.heading(2, plain("Criteria"))
	for i := range rec.Options {
		o := &rec.Options[i]
		d.heading(3, join(code(o.Name), plain(": "+o.Outcome)))
		var rows [][]text
		for _, k := range o.Checks {
			if k.State == "not-applicable" && k.By == "evidence" {
				continue
			}
			rows = append(rows, []text{code(k.ID), plain(k.Priority), stateText(k.State), answeredText(k, k.Because)})
		}
		d.table(whole(columns("Criterion", "Priority", "State", "Because"), rows))
	}
	return d
}

func stateText(state string) text {
	switch state {
	case "met":
		return styled(goodStyle, state)
	case "failed":
		return styled(badStyle, "not met")
	case "accepted":
		return styled(fairStyle, "risk accepted")
	}
	return styled(fairStyle, state)
}

// reviewBasis says how the decision was made, so that it can be made again.
func reviewBasis(rec *review.Record, o Options) document {
	var d document
	d.heading(2, plain("How this was decided"))
	d.paragraph(plain("The first rule that holds decides; there are no points and no sums. Evidence comes before answers: an answer against it is refused, a risk can only be accepted by name. A must that is unknown keeps every verdict short of adopt. Nothing was asked but the cluster and the files named above."))
	d.list(
		join(plain("Verdict: rule "), code(rec.Rule), plain(" of "), code("rules/review")),
		join(plain("Criteria and rules as files: "), code(o.command()+" rules export DIR")),
		join(plain("The questions as a file: "), code(o.command()+" review init "+shellWord(rec.Topic.Text))),
	)
	return d
}
