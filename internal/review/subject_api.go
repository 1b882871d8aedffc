package review

import (
	"strings"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// api is how stable the API is, from the definitions of its CRDs.
func (s *Subject) api(op operator) {
	a := &s.API
	a.CRDs = len(op.facts.CRDs)
	for i := range op.facts.CRDs {
		s.apiOf(&op.facts.CRDs[i])
	}
	s.unseenCRDs("api", op, "versions")
	s.unseenCRDs("api", op, "schema")
	for _, l := range []*[]string{&a.AlphaOnly, &a.Deprecated, &a.UnflaggedOld, &a.StoredNotServed, &a.ConversionWebhooks, &a.ConversionBroken,
		&a.UnconvertedSchemas, &a.NoStatus, &a.NoConditions, &a.NoSchema, &a.TakenAsData, &a.CreatedAtRunTime} {
		*l = list(*l)
	}
	s.Seen.StoredNotServed, s.Seen.ConversionBroken = a.StoredNotServed, a.ConversionBroken
}

func (s *Subject) apiOf(crd *facts.CRD) {
	a, v := &s.API, &crd.Versions
	with := func(versions []string) string { return crd.Name + " (" + strings.Join(versions, ", ") + ")" }
	put := func(to *[]string, holds bool, what string) {
		if holds {
			*to = append(*to, what)
		}
	}
	put(&a.AlphaOnly, v.AlphaOnly, crd.Name)
	put(&a.Deprecated, len(v.Deprecated) > 0, with(v.Deprecated))
	put(&a.UnflaggedOld, len(v.UnflaggedOld) > 0, with(v.UnflaggedOld))
	put(&a.StoredNotServed, len(v.StoredNotServed) > 0, with(v.StoredNotServed))
	put(&a.ConversionWebhooks, v.Conversion == "Webhook", crd.Name)
	put(&a.ConversionBroken, v.ConversionBroken != "", crd.Name+": "+v.ConversionBroken)
	put(&a.UnconvertedSchemas, v.DifferentSchemas && v.Conversion != "Webhook", with(v.Served))
	put(&a.CreatedAtRunTime, v.CreatedByOperator, crd.Name)
	schema := &crd.Schema
	put(&a.NoSchema, !schema.Present || schema.Opaque, crd.Name)
	if crd.DataOnly {
		a.TakenAsData = append(a.TakenAsData, crd.Name)
		return
	}
	put(&a.NoStatus, !schema.StatusSubresource, crd.Name)
	put(&a.NoConditions, !schema.HasConditions && !schema.StatusOpaque && crd.Seen.Conditions == 0, crd.Name)
}
