package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"kubectl-operator-maturity/internal/levels"
)

//go:embed html/fleet.html.tmpl
var fleetSource string

// fleetTemplate has the parts of the page of one cluster, and escapes as it
// does.
var fleetTemplate = template.Must(template.Must(template.New("parts").Parse(htmlSource)).New("fleet").Parse(fleetSource))

// fleetPage is everything that the template shows.
type fleetPage struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Subject string
	Totals  []htmlSpan
	Tiles   []htmlTile
	Heads   []string
	Rows    []fleetRow
	Notes   [][]htmlSpan

	Clusters, Empty, Drift, Coverage, How []htmlBlock
	Sections                              []htmlFold
}

type fleetRow struct {
	Name    string
	Cells   []fleetHTMLCell
	Differs []htmlSpan
}

// fleetHTMLCell is an operator on a cluster.
type fleetHTMLCell struct {
	// Class is present, absent or unknown.
	Class string
	Text  []htmlSpan
	Track *htmlTrack
	Title string
}

// writeFleetHTML writes one file under the same rules as writeHTML.
func writeFleetHTML(w io.Writer, f *levels.FleetScorecard, _ Options) error {
	page := newFleetPage(f)
	page.Style, page.Script, page.Policy = template.CSS(htmlStyle), template.JS(htmlScript), pagePolicy()
	var b bytes.Buffer
	if err := fleetTemplate.Execute(&b, page); err != nil {
		return fmt.Errorf("rendering the HTML report: %w", err)
	}
	return writeAll(w, b.Bytes())
}

func newFleetPage(f *levels.FleetScorecard) fleetPage {
	p := &htmlPrinter{}
	page := fleetPage{
		Subject:  clusterCount(f),
		Totals:   p.text(fleetTotals(f)),
		Tiles:    fleetTiles(f),
		Notes:    p.texts(matrixNotes(f)),
		Clusters: append([]htmlBlock{p.block(clusterTable(f))}, p.blocks(sameClusters(f))...),
		Drift:    p.blocks(withoutHeading(driftSection(f))),
		Coverage: p.blocks(withoutHeading(fleetCoverage(f, Options{}))),
		How:      p.blocks(withoutHeading(howToRead())),
	}
	if len(f.Operators) == 0 {
		page.Empty = p.blocks(document{paragraph{text: noOperators(f)}})
	}
	for i := range f.Clusters {
		page.Heads = append(page.Heads, clusterHead(f, i))
		page.Sections = append(page.Sections, p.fold(clusterSection(f, i, 3)))
	}
	for i := range f.Operators {
		op := &f.Operators[i]
		row := fleetRow{Name: cleanLine(op.Name), Differs: p.text(differsCell(f, op.Name))}
		for j := range op.Cells {
			row.Cells = append(row.Cells, p.fleetCell(&f.Clusters[j], op, j))
		}
		page.Rows = append(page.Rows, row)
	}
	return page
}

func (p *htmlPrinter) fleetCell(c *levels.FleetCluster, op *levels.FleetOperator, j int) fleetHTMLCell {
	cell := &op.Cells[j]
	h := fleetHTMLCell{Class: presenceWord(cell.Presence), Text: p.text(matrixCell(c, op, j, false)), Title: cleanLine(cell.Why)}
	if found := operatorOn(c, op.Name); found != nil {
		track := trackOf(*found)
		h.Track = &track
		h.Title = track.Label
	}
	return h
}

// fleetTiles are the numbers that sum the fleet up.
func fleetTiles(f *levels.FleetScorecard) []htmlTile {
	unread, partly, certain, names := 0, 0, 0, len(f.Clusters)-sameAgain(f)
	for i := range f.Clusters {
		switch c := &f.Clusters[i]; {
		case c.Scorecard == nil:
			unread++
		case c.Outcome != levels.Read || !c.Scorecard.Coverage.Complete:
			partly++
		}
	}
	for _, d := range f.Drift {
		if d.Certain {
			certain++
		}
	}
	clusters := htmlTile{Number: fmt.Sprint(names), Name: "clusters", Note: "all were read"}
	if names == 1 {
		clusters.Name = "cluster"
	}
	if again := len(f.Clusters) - names; again > 0 {
		clusters.Note = fmt.Sprintf("under %d names", len(f.Clusters))
	}
	switch {
	case unread > 0:
		clusters.Class, clusters.Note = "bad", fmt.Sprintf("%d of %d could not be read, %d only in part", unread, len(f.Clusters), partly)
	case partly > 0:
		clusters.Class, clusters.Note = "fair", fmt.Sprintf("%d only in part", partly)
	}
	drift := htmlTile{Number: fmt.Sprint(certain), Name: "differences", Note: "between clusters"}
	if certain > 0 {
		drift.Class = "fair"
	}
	if more := len(f.Drift) - certain; more > 0 {
		drift.Note = fmt.Sprintf("and %d that may be none", more)
	}
	operators := htmlTile{Number: fmt.Sprint(len(f.Operators)), Name: "operators", Note: "on any of the clusters"}
	if unread+partly > 0 {
		operators.Number, operators.Note, operators.Class = operators.Number+"+", "there may be more where nobody could look", "fair"
	}
	return []htmlTile{clusters, operators, drift}
}
