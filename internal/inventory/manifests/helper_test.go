package manifests

import (
	"bytes"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
)

// sameAfterCodec checks that a snapshot survives being saved.
func sameAfterCodec(t *testing.T, s *inventory.Snapshot) {
	t.Helper()
	first := encode(t, s)
	again, err := inventory.Decode(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	second := encode(t, again)
	if bytes.Equal(first, second) {
		return
	}
	a, b := bytes.Split(first, []byte("\n")), bytes.Split(second, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			t.Fatalf("line %d changes when saved:\n%s\n%s", i+1, a[i], b[i])
		}
	}
	t.Fatal("length changes when saved")
}

func encode(t *testing.T, s *inventory.Snapshot) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := inventory.Encode(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
