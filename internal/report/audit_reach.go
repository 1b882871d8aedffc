package report

import "kubectl-operator-maturity/internal/levels"

func metricsTable(op levels.Operator, section int) document {
	var d document
	var rows [][]text
	for _, m := range op.Metrics {
		rows = append(rows, []text{code(m.Workload), code(orNothing(m.Port)), code(orNothing(m.Service)), code(orNothing(m.Monitor)), chainEnd(m)})
	}
	d.heading(section, plain("Metrics, from the port to the scraper"))
	if len(rows) == 0 {
		if metricsCell(op)[0].s == unseen {
			d.paragraph(plain("Could not be looked at."))
		} else {
			d.paragraph(plain("None: no port for metrics was seen to be declared."))
		}
		return d
	}
	d.table(whole(columns("Workload", "Port", "Service", "Monitor", "Outcome"), rows))
	return d
}

// chainEnd says where one chain ends, and why there.
func chainEnd(m levels.Metrics) text {
	switch outcome := metricsOutcome(m); {
	case outcome == "scraped":
		return styled(goodStyle, outcome)
	case outcome == "broken":
		return styled(badStyle, outcome+": "+m.Broken)
	case m.Broken != "":
		return plain(outcome + ": " + m.Broken)
	}
	return plain("declared: nothing was seen to scrape it")
}

// managesLines says what its reconciling makes and looks after.
func managesLines(op levels.Operator) document {
	var seen, granted []text
	for _, m := range op.Manages {
		kind := m.Kind
		if m.Group != "" {
			kind += "." + m.Group
		}
		switch {
		case m.Observed > 0:
			seen = append(seen, join(code(kind), plainf(" (%d)", m.Observed)))
		case m.Granted:
			granted = append(granted, code(kind))
		}
	}
	var d document
	if len(seen) > 0 {
		d.paragraph(strong("Made by it"), plain(", as children of its custom resources: "), separated(", ", seen...), plain("."))
	}
	if len(granted) > 0 {
		d.paragraph(strong("May write"), plain(", and no child of these kinds was seen: "), separated(", ", granted...), plain("."))
	}
	return d
}
