package inventory

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortLargeSortsStably(t *testing.T) {
	type item struct{ key, at int }
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		list := make([]item, n)
		for i := range list {
			list[i] = item{random.IntN(n/2 + 1), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b item) int { return cmp.Compare(a.key, b.key) })
		sortLarge(list, func(a, b *item) int { return cmp.Compare(a.key, b.key) })
		if !slices.Equal(list, want) {
			t.Fatalf("got %v, want %v", list, want)
		}
	}
}

func TestMergeMovesEveryObjectOnce(t *testing.T) {
	one := func() *Snapshot {
		s := &Snapshot{}
		for _, object := range secretive {
			if err := decodeItem(fill(object), s, nil); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	count := func(s *Snapshot) int {
		n := len(s.CustomResources) + len(s.CRDs)
		for _, k := range storedKinds() {
			k.Each(s, func(TypedObject) { n++ })
		}
		return n
	}
	sum := &Snapshot{}
	for range 3 {
		sum.Merge(one())
	}
	if got, want := count(sum), 3*count(one()); got != want || want != 3*len(secretive) {
		t.Errorf("%d objects, want %d", got, want)
	}
}
