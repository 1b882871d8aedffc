package report

import "strings"

// terms are the words of the report that a reader may not know.
var terms = [][2]string{
	{"Operator", "a project's custom resource definitions together with the workloads that look after them."},
	{"Controller", "the workload that reconciles: running, degraded (some replicas are not ready), down (none is), absent (there is no such workload), " +
		"external (it runs outside the cluster), declared (only a manifest was seen), unknown (could not be looked at)."},
	{"Custom resource (CR)", "an instance of a custom resource definition (CRD). “2/3” is two ready of three; “+” there are or may be more; “(1?)” the readiness of one cannot be told; “?” they could not be looked at."},
	{"Operand", "what a custom resource stands for: a database, a certificate, a load balancer."},
	{"Child", "an object whose chain of owner references, followed by uid, ends at a custom resource. A dangling reference names an owner that is gone."},
	{"Finalizer", "a mark that keeps an object until its controller has cleaned up. If the controller is gone, the deletion is stuck."},
	{"Criterion", "one thing that is judged. Essential criteria decide a level, supporting ones add detail, hygiene ones decide none."},
	{"Verdicts", "proven, indicated, refuted, not observed (everything needed was seen, nothing was there), unknown (could not be looked at), does not apply (left out of the count)."},
	{"Grade of evidence", "declared (somebody says so) < api (the schema can express it) < granted (its rights allow it) < present (a linked object exists) < observed (a fresh condition, event or finished run)."},
	{"Stale evidence", "was left by a controller that no longer runs. It proves nothing about now."},
	{"Witness", "an essential criterion that is proven by something the operator was seen to do. Without one a level is at most indicated."},
	{"Status of a level", "proven, indicated, partial (some essential criteria are met), not shown (none is), refuted, unknown, does not apply."},
	{"Archetype", "workload (runs pods for its resources), api-objects (makes Secrets and other objects), external (manages cloud resources), policy (admits or refuses), data-only (only stores), shared-api (many implementers)."},
}

// levelMeanings say what each level is about, in the order of the levels.
var levelMeanings = []string{
	"a custom resource is provisioned, configured in its spec, and its status tells whether it is ready.",
	"operator and operand are upgraded without disruption, and the status tells the version.",
	"backup, restore, scaling, fail-over and a resilient operand; for operands without pods: renewal, drift correction and clean-up.",
	"metrics, alerts and events about the operator and its operands.",
	"scales, heals or tunes by itself, or tells anomalies.",
}

func glossary() document {
	var d document
	d.heading(2, plain("Glossary"))
	var items []text
	for i, meaning := range levelMeanings {
		items = append(items, join(strong("Level "+string(rune('1'+i))+", "+levelName(i+1)), plain(": "+meaning)))
	}
	for _, t := range terms {
		items = append(items, join(strong(t[0]), plain(": "+strings.TrimSpace(t[1]))))
	}
	d.list(items...)
	return d
}
