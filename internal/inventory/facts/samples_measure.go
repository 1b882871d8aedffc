package facts

import (
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// loop names the families in which a framework counts its reconciliations.
type loop struct {
	counts, errors []string
	// once: the family is no count, but tells that it ran.
	once string
}

// loops are the frameworks and operators whose names are known; see
// docs/metrics.md. Others are recognised by their suffix.
var loops = []loop{
	{counts: words("controller_runtime_reconcile_total"), errors: words("controller_runtime_reconcile_errors_total")},
	// Java Operator SDK, Micrometer V2 and V1.
	{counts: words("reconciliations_started_total"), errors: words("reconciliations_failure_total")},
	{counts: words("operator_sdk_reconciliations_started_total"), errors: words("operator_sdk_reconciliations_failed_total")},
	{counts: words("strimzi_reconciliations_total"), errors: words("strimzi_reconciliations_failed_total")},
	{counts: words("certmanager_controller_sync_call_count"), errors: words("certmanager_controller_sync_error_count")},
	{counts: words("prometheus_operator_reconcile_operations_total"), errors: words("prometheus_operator_reconcile_errors_total")},
	{counts: words("external_dns_controller_no_op_runs_total"), errors: words("external_dns_source_errors_total external_dns_registry_errors_total"),
		once: "external_dns_controller_last_sync_timestamp_seconds"},
}
