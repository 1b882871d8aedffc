package endtoend

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// installs is manifests/expected.json: what real install manifests hold.
type installs struct {
	CRDOperator map[string]string `json:"crdOperator"`
	Operators   map[string]struct {
		CRDs        []string `json:"crds"`
		Controllers []struct{ Kind, Namespace, Name string }
	} `json:"operators"`
	InstallableTogether []string `json:"installableTogether"`
}

// outcome counts what came out right, and lists what did not.
type outcome struct {
	crds, crdsRight               int
	withController, controllersOK int
	confusion                     []string
	highWrong                     []string
}

func (o *outcome) crdShare() float64 { return float64(o.crdsRight) / float64(o.crds) }
func (o *outcome) controllerShare() float64 {
	return float64(o.controllersOK) / float64(o.withController)
}

func (o *outcome) log(t *testing.T) {
	t.Helper()
	t.Logf("identity right for %d of %d CRDs, controllers for %d of %d operators", o.crdsRight, o.crds, o.controllersOK, o.withController)
	for _, line := range o.confusion {
		t.Log(line)
	}
}

// found is an attribution by CRD.
type found struct {
	owner       map[string]string
	confidence  map[string]attribution.Confidence
	controllers map[string][]string // by operator
}

func attribute(s *inventory.Snapshot, cat *catalogue.Catalogue) found {
	r := attribution.Attribute(s, cat)
	f := found{map[string]string{}, map[string]attribution.Confidence{}, map[string][]string{}}
	for _, o := range r.Operators {
		for _, c := range o.CRDs {
			f.owner[c.Name], f.confidence[c.Name] = o.Name, c.Confidence
		}
		for _, c := range o.Controllers {
			f.controllers[o.Name] = append(f.controllers[o.Name], c.Workload.Ref())
		}
	}
	for _, a := range r.SharedAPIs {
		for _, c := range a.CRDs {
			f.owner[c.Name] = a.Name
		}
	}
	return f
}

// check compares an attribution with the ground truth of an install. Names are
// those of the full catalogue, whose aliases tie the slugs that package one
// project in two ways. Without a catalogue names are the packages' own, and
// what counts is that the CRD is grouped with the right controllers.
func (o *outcome) check(f found, names, used *catalogue.Catalogue, truth *installs, slug string) {
	install := truth.Operators[slug]
	var want []string
	for _, c := range install.Controllers {
		want = append(want, c.Kind+"/"+c.Namespace+"/"+c.Name)
	}
	slices.Sort(want)
	groups := map[string]bool{}
	for _, crd := range install.CRDs {
		o.crds++
		got := f.owner[crd]
		groups[got] = true
		if used == nil {
			o.checkGrouped(f, crd, got, want, slug)
			continue
		}
		if got == projectName(names, slug) || got == projectName(names, truth.CRDOperator[crd]) {
			o.crdsRight++
			continue
		}
		o.confusion = append(o.confusion, slug+": "+crd+" is under "+got+", want "+projectName(names, truth.CRDOperator[crd]))
		if f.confidence[crd] == attribution.High {
			o.highWrong = append(o.highWrong, slug+": "+crd+" is surely under "+got)
		}
	}
	if len(want) == 0 {
		return
	}
	o.withController++
	var got []string
	for name := range groups {
		got = append(got, f.controllers[name]...)
	}
	if len(groups) == 0 {
		got = f.controllers[projectName(names, slug)]
	}
	slices.Sort(got)
	if got = slices.Compact(got); slices.Equal(got, want) {
		o.controllersOK++
		return
	}
	o.confusion = append(o.confusion, slug+": controllers "+strings.Join(got, " ")+", want "+strings.Join(want, " "))
}

// checkGrouped: without a catalogue a CRD is right when it is under an operator
// with at least one of the right controllers, and wrong when that operator's
// controllers are others.
func (o *outcome) checkGrouped(f found, crd, got string, want []string, slug string) {
	controllers := f.controllers[got]
	right := got != "" && (len(controllers) == 0 && len(want) == 0 || slices.ContainsFunc(controllers, func(c string) bool { return slices.Contains(want, c) }))
	switch {
	case right:
		o.crdsRight++
	case got == "" && len(want) == 0:
		o.crdsRight++ // nobody's: the install has no controller and says nothing
	default:
		o.confusion = append(o.confusion, slug+": "+crd+" is under "+got+" with "+strings.Join(controllers, " "))
		if f.confidence[crd] == attribution.High && len(controllers) > 0 {
			o.highWrong = append(o.highWrong, slug+": "+crd+" is surely under "+got)
		}
	}
}

func projectName(names *catalogue.Catalogue, slug string) string {
	if entry := names.ByName(slug); entry != nil {
		return entry.Name
	}
	return slug
}

func TestEachInstallAloneIsAttributed(t *testing.T) {
	large(t)
	dir := filepath.Join(corpustest.Dir(t), "manifests")
	var truth installs
	readJSON(t, &truth, "manifests", "expected.json")
	cat := builtinCatalogue(t)
	var with, without outcome
	for slug := range truth.Operators {
		s := read(t, time.Time{}, filepath.Join(dir, slug))
		with.check(attribute(s, cat), cat, cat, &truth, slug)
		without.check(attribute(s, nil), cat, nil, &truth, slug)
	}
	with.log(t)
	if with.crdShare() < 0.99 {
		t.Errorf("with the catalogue %.1f %% of CRDs are right, want 99 %%", 100*with.crdShare())
	}
	if with.controllerShare() < 0.95 {
		t.Errorf("controllers are right for %.1f %% of operators, want 95 %%", 100*with.controllerShare())
	}
	without.log(t)
	if without.crdShare() < 0.90 {
		t.Errorf("without a catalogue %.1f %% of CRDs are grouped with the right controllers, want 90 %%", 100*without.crdShare())
	}
	for _, wrong := range append(with.highWrong, without.highWrong...) {
		t.Errorf("wrong with high confidence: %s", wrong)
	}
}

func TestManyInstallsTogetherAreAttributed(t *testing.T) {
	large(t)
	dir := filepath.Join(corpustest.Dir(t), "manifests")
	var truth installs
	readJSON(t, &truth, "manifests", "expected.json")
	cat := builtinCatalogue(t)
	var paths []string
	for _, slug := range truth.InstallableTogether {
		paths = append(paths, filepath.Join(dir, slug))
	}
	s := read(t, time.Time{}, paths...)
	for name, used := range map[string]*catalogue.Catalogue{"with the catalogue": cat, "without": nil} {
		t.Run(name, func(t *testing.T) {
			f := attribute(s, used)
			var o outcome
			for _, slug := range truth.InstallableTogether {
				o.check(f, cat, used, &truth, slug)
			}
			o.log(t)
			least := map[bool]float64{true: 0.99, false: 0.90}[used != nil]
			if o.crdShare() < least {
				t.Errorf("%.1f %% of CRDs are right, want %.0f %%", 100*o.crdShare(), 100*least)
			}
			if used != nil && o.controllerShare() < 0.95 {
				t.Errorf("controllers are right for %.1f %% of operators, want 95 %%", 100*o.controllerShare())
			}
			for _, wrong := range o.highWrong {
				t.Errorf("wrong with high confidence: %s", wrong)
			}
		})
	}
}
