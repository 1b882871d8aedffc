package cluster

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// askAggregated asks each extension API server that is said to be available
// which kinds it serves, and keeps their names beside the APIService
// (spec.kinds). One that does not answer leaves its kinds unknown: nothing else
// rests on them, so it is no incompleteness.
func (c *collector) askAggregated(ctx context.Context) {
	for i := range c.snapshot.APIServices {
		o := &c.snapshot.APIServices[i]
		spec := o.Spec.Map()
		group, _ := spec["group"].(string)
		version, _ := spec["version"].(string)
		if spec["service"] == nil || group == "" || version == "" || !available(o) || ctx.Err() != nil {
			continue
		}
		if kinds := c.clients.kindsOf(ctx, group, version); len(kinds) > 0 {
			spec["kinds"] = kinds
			o.Spec = inventory.Pack(spec)
		}
	}
}

// aggregatedPatience is how long an extension API server may take to list its
// kinds: it is a side question.
const aggregatedPatience = 5 * time.Second

// kindsOf lists the kinds of a group version, sorted; nil if it does not say.
func (c *clients) kindsOf(ctx context.Context, group, version string) []any {
	ctx, cancel := context.WithTimeout(ctx, aggregatedPatience)
	defer cancel()
	if c.turn(ctx) != nil {
		return nil
	}
	raw, err := c.objects.Get().AbsPath("apis", group, version).Do(ctx).Raw()
	if err != nil {
		return nil
	}
	var list metav1.APIResourceList
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var names []string
	for _, r := range list.APIResources {
		if !strings.Contains(r.Name, "/") && !slices.Contains(names, r.Kind) {
			names = append(names, inventory.Text(r.Kind))
		}
	}
	slices.Sort(names)
	kinds := make([]any, len(names))
	for i, name := range names {
		kinds[i] = name
	}
	return kinds
}

func available(o *inventory.Object) bool {
	conditions, _ := o.Status.At("conditions").([]any)
	for _, item := range conditions {
		if c, ok := item.(map[string]any); ok && c["type"] == "Available" {
			return c["status"] == "True"
		}
	}
	return false
}
