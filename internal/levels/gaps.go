package levels

// Gaps lists criteria that the tests leave unproven: each needs a test where
// it is proven, one where it is not, and one where it is refuted, as far as it
// has such an expression.
func Gaps(rules *Rules, results []TestResult) []string {
	tested := map[string]map[Verdict]bool{}
	for i := range results {
		t := &results[i]
		if tested[t.Criterion] == nil {
			tested[t.Criterion] = map[Verdict]bool{}
		}
		tested[t.Criterion][t.Want] = true
	}
	var gaps []string
	for _, r := range rules.rules {
		has := tested[r.ID]
		lacks := func(what string) { gaps = append(gaps, r.Position+": "+r.ID+" has no test where it is "+what) }
		if r.proven != nil && !has[Proven] {
			lacks("proven")
		}
		if r.proven == nil && r.indicated != nil && !has[Indicated] {
			lacks("indicated")
		}
		if r.refuted != nil && !has[Refuted] {
			lacks("refuted")
		}
		if !has[NotObserved] && !has[Indicated] && !has[Refuted] && !has[Unknown] {
			lacks("not proven")
		}
	}
	return gaps
}
