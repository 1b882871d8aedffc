package inventory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// canary stands wherever a secret could; none of it may be kept.
const canary = "hunter2canary"

// secretive are objects with a canary in each place that is not to be kept.
var secretive = []string{
	`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","annotations":{"note":"CANARY","kubectl.kubernetes.io/last-applied-configuration":"CANARY"}},
	  "spec":{"template":{"metadata":{"annotations":{"x":"CANARY"}},"spec":{
	    "hostAliases":[{"ip":"1.2.3.4","hostnames":["CANARY"]}],"imagePullSecrets":[{"name":"CANARY"}],
	    "volumes":[{"name":"v","hostPath":{"path":"/CANARY"}},{"name":"e","ephemeral":{"volumeClaimTemplate":{"metadata":{"annotations":{"a":"CANARY"}}}}}],
	    "containers":[{"name":"c","image":"r.io/c:1",
	      "command":["/manager","-pCANARY","--password=CANARY"],
	      "args":["--token","CANARY","-a","CANARY","--set=password=CANARY,leader-election=true","--upstream=https://user:CANARY@host/","--token:CANARY"],
	      "env":[{"name":"PASSWORD","value":"CANARY"},{"name":"IMAGE_PULL_AUTH","value":"user:CANARY"},{"name":"RELATED_IMAGE_X","value":"r.io/x:1"},{"name":"WATCH_NAMESPACE","value":"a,b"}],
	      "livenessProbe":{"httpGet":{"path":"/healthz?token=CANARY","port":8080,"httpHeaders":[{"name":"Authorization","value":"CANARY"}]}},
	      "readinessProbe":{"exec":{"command":["sh","-c","CANARY"]}},
	      "lifecycle":{"preStop":{"exec":{"command":["CANARY"]}}}}]}}},
	  "status":{"conditions":[{"type":"Available","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s"},"spec":{"volumeClaimTemplates":[{"metadata":{"name":"data","annotations":{"a":"CANARY"}}}]},"status":{"conditions":[{"type":"X","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"s"},"spec":{"template":{"spec":{"containers":[{"name":"c","env":[{"name":"K","value":"CANARY"}]}]}}},"status":{"conditions":[{"type":"X","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"u","controller":true}]},"spec":{"template":{"spec":{"containers":[{"name":"c","image":"r.io/c:1","env":[{"name":"K","value":"CANARY"}]}]}}},"status":{"conditions":[{"type":"ReplicaFailure","status":"True","message":"MESSAGE"}]}}`,
	`{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"bare"},"spec":{"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"c","env":[{"name":"K","value":"CANARY"}]}]}}}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","args":["--dsn=CANARY"]}],"ephemeralContainers":[{"name":"debug","command":["CANARY"]}]},
	  "status":{"message":"MESSAGE","containerStatuses":[{"name":"c","state":{"waiting":{"reason":"X","message":"MESSAGE"}},"lastState":{"terminated":{"exitCode":1,"message":"CANARY"}}}]}}`,
	`{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"template":{"spec":{"containers":[{"name":"c","env":[{"name":"K","value":"CANARY"}]}]}}},"status":{"conditions":[{"type":"Failed","status":"True","message":"MESSAGE"}]}}`,
	`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"j"},"spec":{"jobTemplate":{"metadata":{"annotations":{"a":"CANARY"}},"spec":{"template":{"spec":{"containers":[{"name":"c","envFrom":[{"prefix":"CANARY"}]}]}}}}}}`,
	`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"apiVersion":"example.io/v1","kind":"Widget"},"message":"MESSAGE"}`,
	`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"h"},"status":{"conditions":[{"type":"ScalingActive","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"h"},"status":{"conditions":[{"type":"DisruptionAllowed","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","annotations":{"a":"CANARY"}},"status":{"conditions":[{"type":"X","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"w"},"webhooks":[{"name":"a","clientConfig":{"url":"https://user:CANARY@host/x?token=CANARY","caBundle":"Q0FOQVJZ"}}]}`,
	`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"k":"CANARY"},"binaryData":{"k":"CANARY"}}`,
	`{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"a"},"spec":{"caBundle":"CANARY","group":"g","service":{"name":"s"}},"status":{"conditions":[{"type":"Available","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"w","annotations":{"a":"CANARY"},"managedFields":[{"manager":"m","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:CANARY":{}},"f:spec":{"f:a":{"f:CANARY":{}}}}}]},
	  "spec":{"password":"CANARY","config":{"key":"CANARY"},"list":["CANARY"],"source":"https://user:CANARY@host/x","secretRef":{"name":"ref","value":"CANARY"},"parentRefs":[{"name":"gw","password":"CANARY"}],"backup":{"name":7,"kind":null},"enableAuthWith":"CANARY","version":"1.2"},
	  "status":{"password":"CANARY","conditions":[{"type":"Ready","status":"False","message":"MESSAGE"}]}}`,
	`{"apiVersion":"monitoring.coreos.com/v1","kind":"ServiceMonitor","metadata":{"name":"m"},"spec":{"endpoints":[{"port":"metrics","bearerTokenFile":"CANARY","basicAuth":{"username":"CANARY"},"params":{"k":["CANARY"]},"tlsConfig":{"ca":"CANARY"}}]}}`,
	`{"apiVersion":"keda.sh/v1alpha1","kind":"ScaledObject","metadata":{"name":"m"},"spec":{"triggers":[{"type":"x","metadata":{"connection":"CANARY"}}]}}`,
	`{"apiVersion":"kro.run/v1alpha1","kind":"ResourceGraphDefinition","metadata":{"name":"m"},"spec":{"resources":[{"id":"s","template":{"apiVersion":"v1","kind":"Secret","stringData":{"k":"CANARY"}}}]}}`,
	`{"apiVersion":"operators.coreos.com/v1alpha1","kind":"ClusterServiceVersion","metadata":{"name":"m","annotations":{"alm-examples":"CANARY"}},"spec":{"install":{"spec":{"deployments":[{"name":"d","spec":{"template":{"metadata":{"annotations":{"a":"CANARY"}},"spec":{"containers":[{"name":"c","image":"r.io/c:1","args":["--token=CANARY"],"env":[{"name":"K","value":"CANARY"}],"livenessProbe":{"httpGet":{"httpHeaders":[{"name":"a","value":"CANARY"}]}}}]}}}}]}}}}`,
	`{"apiVersion":"operators.coreos.com/v1alpha1","kind":"InstallPlan","metadata":{"name":"m"},"spec":{"approved":true},"status":{"plan":[{"resource":{"kind":"Deployment","manifest":"{\"env\":\"CANARY\"}"}}]}}`,
	`{"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"hidden"},"status":{"password\u200b":"CANARY","pass\u0000word":"x","token\ufffd":"CANARY"}}`,
	`{"apiVersion":"monitoring.coreos.com/v1","kind":"PodMonitor","metadata":{"name":"hidden"},"spec":{"basicAuth\u200b":{"username":"CANARY"},"params\u0007":"CANARY"}}`,
}

const message = `cannot reach https://user:CANARY@host:5432/db?x=1 with AKIACANARYCANARY0 and postgres://:CANARY@h, DB_PASSWORD=CANARY, Authorization: Basic CANARYCANARY, -----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----`

func fill(object string) []byte {
	object = strings.ReplaceAll(object, "MESSAGE", message)
	object = strings.ReplaceAll(object, "AKIACANARYCANARY0", "AKIAIOSFODNN7EXAMPLE")
	return []byte(strings.ReplaceAll(object, "CANARY", canary))
}

func snapshotOf(t *testing.T, objects ...[]byte) *Snapshot {
	t.Helper()
	s := &Snapshot{}
	for _, raw := range objects {
		if err := decodeItem(raw, s, nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestNoSecretIsKept(t *testing.T) {
	for _, object := range secretive {
		raw := fill(object)
		if !bytes.Contains(raw, []byte(canary)) && !bytes.Contains(raw, []byte("Q0FOQVJZ")) {
			t.Fatalf("no canary in %s", object)
		}
		out := encoded(t, snapshotOf(t, raw))
		for _, secret := range []string{canary, "AKIAIOSFODNN7EXAMPLE", "Q0FOQVJZ"} {
			if bytes.Contains(out, []byte(secret)) {
				t.Errorf("%s is kept:\n%s", secret, out)
			}
		}
	}
}

func TestPruneTwiceIsTheSameAsOnce(t *testing.T) {
	for _, object := range secretive {
		s := snapshotOf(t, fill(object))
		once := encoded(t, s)
		for _, k := range storedKinds() {
			k.Each(s, func(o TypedObject) { Prune(o) })
		}
		for i := range s.CustomResources {
			o := &s.CustomResources[i]
			PruneCustom(o, o.Spec.Value(), o.Status.Value())
		}
		if twice := encoded(t, s); !bytes.Equal(once, twice) {
			t.Errorf("differs:\n%s\n%s", once, twice)
		}
	}
}

func TestWhatEvidenceRestsOnIsKept(t *testing.T) {
	for _, c := range []struct{ object, want string }{
		{secretive[0], `"/manager"`},
		{secretive[0], `{"name":"RELATED_IMAGE_X","value":"r.io/x:1"}`},
		{secretive[0], `{"name":"WATCH_NAMESPACE","value":"a,b"}`},
		{secretive[0], `{"name":"e","ephemeral":{}}`},
		{secretive[0], `"livenessProbe":{"httpGet":{"port":8080}}`},
		{secretive[1], `"volumeClaimTemplates":[{"metadata":{"name":"data"}`},
		{secretive[3], `"image":"r.io/c:1"`},
		{secretive[4], `"labels":{"app":"x"}`},
		{secretive[12], `"url":"https://[redacted]@host"`},
		{secretive[15], `"version":"1.2"`},
		{secretive[15], `"secretRef":{"name":"ref"}`},
		{secretive[15], `"parentRefs":[{"name":"gw"}]`},
		{secretive[15], `"config.key"`},
		{secretive[18], `"template":{"apiVersion":"v1","kind":"Secret"}`},
		{secretive[19], `"image":"r.io/c:1"`},
	} {
		if out := encoded(t, snapshotOf(t, fill(c.object))); !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("no %s in:\n%s", c.want, out)
		}
	}
}

func TestRuleExpressionsStayWhole(t *testing.T) {
	expr := "max_over_time(kube_pod_container_status_waiting_reason[5m]) # why\n  > " + strings.Repeat("1 + ", 150) + "1"
	s := &Snapshot{}
	s.AddCustom(Object{APIVersion: "monitoring.coreos.com/v1", Kind: "PrometheusRule", Spec: Pack(map[string]any{"expr": expr})})
	got, _ := s.CustomResources[0].Spec.At("expr").(string)
	if want := strings.ReplaceAll(expr, "  > ", "> "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"/manager", "controller", "--leader-elect", "--metrics-bind-address=:8080", "--zap-level=5"}, []string{"/manager", "controller", "--leader-elect", "--metrics-bind-address=:8080", "--zap-level"}},
		{[]string{"--metrics-addr", ":8080", "--password", "secret", "more"}, []string{"--metrics-addr", ":8080", "--password"}},
		{[]string{"-enable-leader-election=true", "-v", "-psecret", "--", "-"}, []string{"-enable-leader-election=true", "-v", "-p", "--", "-"}},
		{[]string{"-c", "exec /manager --token=x"}, []string{"-c"}},
	} {
		if got := flagsOf(c.in); !slices.Equal(got, c.want) {
			t.Errorf("flagsOf(%q) = %q, want %q", c.in, got, c.want)
		}
		if once := flagsOf(c.in); !slices.Equal(flagsOf(once), once) {
			t.Errorf("flagsOf twice on %q: %q", c.in, flagsOf(once))
		}
	}
}

func TestLargeStatusIsBounded(t *testing.T) {
	status := map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}
	deep := any("leaf")
	for range 30 {
		deep = map[string]any{"a": deep}
	}
	status["deep"] = deep
	for i := range 500 {
		status["a"+strings.Repeat("x", i)] = strings.Repeat("y", 10_000)
	}
	kept := (*Shared)(nil).pruneStatus(valueOf(status)).Map()
	raw, err := json.Marshal(kept)
	if err != nil || len(raw) > 60*600 {
		t.Errorf("%d bytes kept, %v", len(raw), err)
	}
	if kept["conditions"] == nil {
		t.Error("the conditions are cut off")
	}
}
