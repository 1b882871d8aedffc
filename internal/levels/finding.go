package levels

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
)

// findings are what somebody should look at: a refuted row of hygiene, a CRD
// that a row of a level refutes while the operator as a whole is not refuted,
// and what the criterion itself calls a finding. whole is the verdict for the
// operator.
func (r *rule) findings(whole Verdict, rulings []judged) []Finding {
	var list []Finding
	var refuted []*judged
	for i := range rulings {
		j := &rulings[i]
		if f := r.finding(j); f != nil {
			list = append(list, *f)
			continue // what the criterion says itself need not be said twice
		}
		if j.verdict == Refuted {
			refuted = append(refuted, j)
		}
	}
	if len(refuted) > 0 && (r.Level == 0 || whole != Refuted) {
		list = append(list, r.refutation(refuted))
	}
	return list
}

// finding is the one that the criterion itself brings for a subject.
func (r *rule) finding(j *judged) *Finding {
	if r.when == nil || j.verdict == NotApplicable || !r.when.eval(j.subject).yes() {
		return nil
	}
	detail := r.Title
	if said := r.detail.eval(j.subject); !said.unknown() {
		detail = strings.TrimSpace(string(said.value.(types.String)))
	}
	return &Finding{ID: r.ID, Severity: r.Finding.Severity, Detail: detail, Objects: j.objects(r.objects)}
}

// refutation is one finding for all subjects that a criterion refutes.
func (r *rule) refutation(refuted []*judged) Finding {
	f := Finding{ID: r.ID, Severity: r.Severity, Detail: r.say(refuted[0].subject, refuted[0].ruling), Objects: []string{}}
	if f.Severity == "" {
		f.Severity = "info"
		if r.Essential {
			f.Severity = "warning"
		}
	}
	if more := len(refuted) - 1; more > 0 {
		var kinds []string
		for _, j := range refuted[1:] {
			kinds = append(kinds, j.crd.Kind)
		}
		f.Detail = fmt.Sprintf("%s; likewise %s", strings.TrimSuffix(f.Detail, "."), names(kinds))
	}
	for _, j := range refuted {
		f.Objects = append(f.Objects, j.objects(r.evidence)...)
	}
	slices.Sort(f.Objects)
	f.Objects = slices.Compact(f.Objects)
	return f
}

// objectName is how evidence names an object, Kind/namespace/name, and neither a
// share such as 1/2 nor an address.
var objectName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.]*/[^/]`)

// objects are the names that an expression lists; without any, the CRD stands
// for them.
func (j *judged) objects(p *program) []string {
	objects := []string{} // a list in JSON, also where it is empty
	for _, said := range list(p, j.subject) {
		// Evidence may say more than the name: "Certificate/shop/a: Ready=False",
		// "CrashLoopBackOff (Deployment/ops/a)".
		for word := range strings.FieldsSeq(said) {
			word = strings.Trim(word, "(),:;")
			if objectName.MatchString(word) {
				objects = append(objects, word)
				break
			}
		}
	}
	if len(objects) == 0 && j.crd != nil {
		objects = []string{"customresourcedefinitions/" + j.crd.Name}
	}
	return objects
}
