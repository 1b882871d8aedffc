package facts

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kubectl-operator-maturity/internal/inventory"
)

var preview = regexp.MustCompile(`^v[0-9]+(alpha|beta)[0-9]*$`)

func (k *kind) versions() {
	f, crd := &k.facts.Versions, k.crd
	f.Stored = slices.Clone(crd.StoredVersions)
	stable, alphaOnly := false, true
	for i := range crd.Versions {
		v := &crd.Versions[i]
		if v.Storage {
			f.Storage = v.Name
		}
		if v.Deprecated {
			f.Deprecated = append(f.Deprecated, v.Name)
		}
		if v.Served {
			f.Served = append(f.Served, v.Name)
			stable = stable || !preview.MatchString(v.Name)
			alphaOnly = alphaOnly && strings.Contains(v.Name, "alpha")
		}
	}
	f.AlphaOnly = alphaOnly && len(f.Served) > 0
	for i := range crd.Versions {
		if v := &crd.Versions[i]; stable && v.Served && preview.MatchString(v.Name) && !v.Deprecated {
			f.UnflaggedOld = append(f.UnflaggedOld, v.Name)
		}
	}
	for _, stored := range crd.StoredVersions {
		if !slices.Contains(f.Served, stored) {
			f.StoredNotServed = append(f.StoredNotServed, stored)
		}
	}
	f.Conversion = "None"
	if crd.Conversion != nil && crd.Conversion.Strategy != "" {
		f.Conversion = crd.Conversion.Strategy
	}
	f.ConversionBroken = k.conversionBroken()
	f.DifferentSchemas = differ(crd)
	on := func(c apiextensionsv1.CustomResourceDefinitionConditionType) bool {
		return crd.Condition(c) == apiextensionsv1.ConditionTrue
	}
	f.Established = crd.UID == "" || on(apiextensionsv1.Established)
	f.NonStructural = on(apiextensionsv1.NonStructuralSchema) || crd.PreserveUnknownFields
	f.NamesConflict = crd.Condition(apiextensionsv1.NamesAccepted) == apiextensionsv1.ConditionFalse
	f.Terminating = crd.DeletionTimestamp != nil || on(apiextensionsv1.Terminating)
	f.CreatedBy = creator(crd)
	f.CreatedByOperator = k.op.isOwn(f.CreatedBy)
	v := k.op.o.on()
	if crd.DiscoveryOnly {
		v.why("customresourcedefinitions could not be listed: known from discovery alone")
	}
	if c := crd.Conversion; c != nil && c.Strategy == "Webhook" && c.Service != nil && crd.UID != "" {
		v.on(services, slicesOf)
	}
	unseen(k.facts.Unseen, "versions", v)
}

// differ tells whether served versions have different fields: by their shapes,
// or where those were not kept, as far as other facts show. What they say about one field (a
// description, bounds, allowed values) may differ without loss.
func differ(crd *inventory.CRD) bool {
	var first *inventory.SchemaFacts
	shape := ""
	for i := range crd.Versions {
		v := &crd.Versions[i]
		if !v.Served {
			continue
		}
		if v.Shape != "" {
			if shape != "" && shape != v.Shape {
				return true
			}
			shape = v.Shape
			continue
		}
		schema := v.Schema
		schema.Description, schema.SpecDescribed, schema.Constraints, schema.PhaseEnum = "", 0, 0, nil // of the same fields
		if first == nil {
			first = &schema
		} else if !reflect.DeepEqual(*first, schema) {
			return true
		}
	}
	return false
}

// creator is the manager that wrote the CRD first.
func creator(crd *inventory.CRD) string {
	name, at := "", time.Time{}
	for i := range crd.ManagedFields {
		e := &crd.ManagedFields[i]
		if e.Subresource != "" || e.Time == nil {
			continue
		}
		if name == "" || e.Time.Time.Before(at) || e.Time.Time.Equal(at) && e.Manager < name {
			name, at = e.Manager, e.Time.Time
		}
	}
	return name
}
