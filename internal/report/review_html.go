package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"

	"kubectl-operator-maturity/internal/review"
)

// reviewPage is one file that needs nothing else, like the page of a scan, and
// without a script.
const reviewPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="kubectl operator-maturity">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body>
<header>
<p class="kicker">Adoption review</p>
<h1>{{.Topic}}</h1>
</header>
<main>
{{template "blocks" .Blocks}}</main>
</body>
</html>
`

// reviewTemplate shares the blocks of the page of a scan.
var reviewTemplate = template.Must(template.Must(htmlTemplate.Clone()).New("review").Parse(reviewPage))

func writeReviewHTML(w io.Writer, rec *review.Record, o Options) error {
	var b bytes.Buffer
	err := reviewTemplate.Execute(&b, struct {
		Policy, Title, Topic string
		Style                template.CSS
		Blocks               []htmlBlock
	}{
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", sourceHash(htmlStyle)),
		Title:  "Adoption review: " + cleanLine(rec.Topic.Text), Topic: cleanLine(rec.Topic.Text),
		Style:  template.CSS(htmlStyle),
		Blocks: (&htmlPrinter{}).blocks(reviewRecord(rec, o)[1:]), // the title is the page's own
	})
	if err != nil {
		return fmt.Errorf("rendering the review as HTML: %w", err)
	}
	return writeAll(w, b.Bytes())
}
