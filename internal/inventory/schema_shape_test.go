package inventory

import "testing"

func TestShapeIsOfFieldsAndTypes(t *testing.T) {
	version := func(name, fields string) string {
		return `{"name":"` + name + `","served":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"metadata":{"type":"object"},` + fields + `}}}}`
	}
	const base = `"spec":{"type":"object","properties":{"size":{"type":"integer","description":"d"},"hosts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`
	for name, c := range map[string]struct {
		other string
		same  bool
	}{
		"the same":                      {base, true},
		"bounds and descriptions":       {`"spec":{"type":"object","required":["size"],"properties":{"size":{"type":"integer","minimum":1},"hosts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","pattern":"a"}}}}}}`, true},
		"another type":                  {`"spec":{"type":"object","properties":{"size":{"type":"string"},"hosts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`, false},
		"one field less, deep in items": {`"spec":{"type":"object","properties":{"size":{"type":"integer"},"hosts":{"type":"array","items":{"type":"object"}}}}`, false},
		"one field more in status":      {base + `,"status":{"type":"object","properties":{"x":{"type":"string"}}}`, false},
	} {
		crd := crdOf(t, `{"versions":[`+version("v1", base)+`,`+version("v2", c.other)+`]}`)
		if same := crd.Versions[0].Shape == crd.Versions[1].Shape; same != c.same || crd.Versions[0].Shape == "" {
			t.Errorf("%s: %q and %q", name, crd.Versions[0].Shape, crd.Versions[1].Shape)
		}
	}
	if crd := crdOf(t, `{"versions":[`+version("v1", base)+`]}`); crd.Versions[0].Shape != "" {
		t.Errorf("one version has shape %q", crd.Versions[0].Shape)
	}
}
