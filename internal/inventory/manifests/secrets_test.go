package manifests

import (
	"bytes"
	"testing"
)

// Field case J6: what is pruned does not come back through a file.
func TestNoSecretPassesThroughFiles(t *testing.T) {
	s := read(t, `
apiVersion: v1
kind: ConfigMap
metadata: {name: c, annotations: {a: canary}}
data: {k: canary}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {k: canary}
---
apiVersion: a.io/v1
kind: Widget
metadata: {name: w}
spec: {password: canary, list: [canary]}
data: canary
status: {conditions: [{type: Ready, status: "False", message: "https://u:canary@h"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, args: [--token=canary], env: [{name: A, value: canary}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: q}
spec: "https://u:canary@h"
`)
	if out := encode(t, s); bytes.Contains(out, []byte("canary")) {
		t.Errorf("kept: %s", out)
	}
}
