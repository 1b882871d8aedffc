package facts

import (
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// ruleObject is a PrometheusRule or one of its kin.
type ruleObject struct {
	ref    string
	obj    *inventory.Object
	alerts []alert
}

type alert struct {
	name                                          string
	expr                                          expression
	severity, critical, runbook, summary, anomaly bool
}

var ruleKinds = []struct {
	resource
	kind string
}{
	{resource{"monitoring.coreos.com", "prometheusrules"}, "PrometheusRule"},
	{resource{"operator.victoriametrics.com", "vmrules"}, "VMRule"},
	{resource{"monitoring.googleapis.com", "rules"}, "Rules"},
	{resource{"monitoring.googleapis.com", "clusterrules"}, "ClusterRules"},
}

func (o *observer) readRules() []*ruleObject {
	var list []*ruleObject
	for i := range o.s.CustomResources {
		c := &o.s.CustomResources[i]
		for _, row := range ruleKinds {
			if row.kind == c.Kind && row.group == c.Group() {
				list = append(list, &ruleObject{ref: ref(c.Kind, c), obj: c, alerts: alertsOf(c)})
			}
		}
	}
	slices.SortFunc(list, func(a, b *ruleObject) int { return strings.Compare(a.ref, b.ref) })
	return list
}

func alertsOf(c *inventory.Object) []alert {
	var list []alert
	for _, group := range objectsIn(c.Spec.At("groups")) {
		for _, rule := range objectsIn(group["rules"]) {
			name := str(rule["alert"])
			if name == "" {
				continue // a recording rule
			}
			severity := strings.ToLower(str(dig(rule, "labels", "severity")))
			notes := stringMap(rule["annotations"])
			a := alert{name: name, expr: readExpression(portText(rule["expr"])),
				severity: severity != "", critical: severity == "critical" || severity == "page",
				runbook: notes["runbook_url"] != "" || notes["runbook"] != "",
				summary: notes["summary"] != "" || notes["description"] != "" || notes["message"] != ""}
			a.anomaly = a.expr.unusual || namesAnomaly(name)
			list = append(list, a)
		}
	}
	return list
}

// anomaly are expressions that compare with what was usual, by their text.
var anomaly = regexp.MustCompile(`\b(predict_linear|stddev_over_time|stdvar_over_time|quantile_over_time|holt_winters|double_exponential_smoothing|mad_over_time)\s*\(|\boffset\s+[1-9][0-9]*[dw]\b`)

// alerts finds the alerting rules that the operator wrote, and those that came
// with its package. Rules of an operator whose product is rules are neither.
func (k *kind) alerts() {
	f := &k.facts.Alerts
	for _, r := range k.op.o.rules {
		if len(r.alerts) == 0 || k.op.isProduct(r.obj.Kind+"."+r.obj.Group()) {
			continue
		}
		_, child := k.family.uids[r.obj.UID]
		child = child && r.obj.UID != ""
		switch {
		case child, k.op.wrote(r.obj):
			f.ByOperator = append(f.ByOperator, r.ref)
			k.see("ownedAlerts", &k.facts.Seen.OwnedAlerts, r.ref+" alert "+r.alerts[0].name)
		case k.op.ofRelease(r.obj):
			f.ByRelease = append(f.ByRelease, r.ref)
		default:
			continue
		}
		for i := range r.alerts {
			k.countAlert(&r.alerts[i])
		}
	}
	f.ByOperator, f.ByRelease, f.Anomaly = sorted(f.ByOperator), sorted(f.ByRelease), sorted(f.Anomaly)
	// Which rules came with its package is known from its workloads.
	v := k.op.ofControllers().onCustom(ruleKinds[0].resource, ruleKinds[1].resource)
	if !k.noInstances() {
		v.and(k.ofInstances())
	}
	unseen(k.facts.Unseen, "alerts", v)
}

func (k *kind) countAlert(a *alert) {
	f := &k.facts.Alerts
	f.Count++
	count := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	count(&f.WithSeverity, a.severity)
	count(&f.Critical, a.critical)
	count(&f.WithRunbook, a.runbook)
	count(&f.WithSummary, a.summary)
	count(&f.OperandCount, k.op.ofOperand(a))
	if a.anomaly {
		f.Anomaly = append(f.Anomaly, a.name)
	}
}

// ofOperand tells whether an alert speaks of the operand rather than of the
// controller's own health. A heuristic: some metric that its expression selects is none
// that every controller has (up, process_*, workqueue_*, …), has no word for
// reconciling or for the operator in its name, and, if it is one of
// kube-state-metrics, no label matcher names a controller's workload.
func (op *operator) ofOperand(a *alert) bool {
	for _, m := range a.expr.metrics {
		if ownHealth.MatchString(m) {
			continue
		}
		if strings.HasPrefix(m, "kube_") || strings.HasPrefix(m, "container_") {
			if op.namedIn(&a.expr) {
				continue
			}
		}
		return true
	}
	return false
}

func (op *operator) namedIn(e *expression) bool {
	for i := range op.at.Controllers {
		if e.names(op.at.Controllers[i].Workload.Name) {
			return true
		}
	}
	return false
}

var ownHealth = regexp.MustCompile(`^(up|absent|ALERTS.*|scrape_.*)$|^(go|process|promhttp|controller_runtime|workqueue|rest_client|leader_election|certwatcher|apiserver)_|reconcil|(^|_)(operator|controller)_|_controller_sync`)

var (
	quoted     = regexp.MustCompile(`"(\\.|[^"\\])*"|'(\\.|[^'\\])*'`)
	braced     = regexp.MustCompile(`\{[^{}]*\}`)
	grouping   = regexp.MustCompile(`\b(by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)`)
	identifier = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*\s*\(?`)
	numeral    = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?(ms|[smhdwy]|[eE][+-]?[0-9]+)?\b`) // durations too
	keyword    = words("and or unless bool offset by without on ignoring group_left group_right inf nan start end atan2")
)

// metricsIn lists the metric names of an expression that does not parse: its
// identifiers that are neither functions, keywords nor labels.
func metricsIn(expr string) []string {
	expr = quoted.ReplaceAllString(expr, " ")
	var named []string
	expr = braced.ReplaceAllString(expr, " ")
	expr = grouping.ReplaceAllString(expr, " ")
	expr = numeral.ReplaceAllString(expr, " ")
	for _, id := range identifier.FindAllString(expr, -1) {
		if strings.HasSuffix(id, "(") {
			continue
		}
		if id = strings.TrimSpace(id); !keyword[strings.ToLower(id)] {
			named = append(named, id)
		}
	}
	return named
}
