package demo

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"40d": 960 * time.Hour, "1d4h": 28 * time.Hour, "90s": 90 * time.Second, "33h56m": 33*time.Hour + 56*time.Minute,
	} {
		if got, err := parseAge(text); err != nil || got != want {
			t.Errorf("parseAge(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"40", "d", "-3h", "4d4", "soon"} {
		if got, err := parseAge(text); err == nil {
			t.Errorf("parseAge(%q) = %v, want an error", text, got)
		}
	}
}

func TestAbsolute(t *testing.T) {
	value := map[string]any{
		"conditions": []any{map[string]any{"lastTransitionTime": "ago 10d", "message": "ago and in", "observedGeneration": int64(1)}},
		"notAfter":   "in 80d",
		"renewed":    "ago 12m",
	}
	got, newest, err := absolute(value, time.RFC3339)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"conditions": []any{map[string]any{"lastTransitionTime": "2026-11-20T12:00:00Z", "message": "ago and in", "observedGeneration": int64(1)}},
		"notAfter":   "2027-02-18T12:00:00Z",
		"renewed":    "2026-11-30T11:48:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if newest != 12*time.Minute {
		t.Errorf("newest past time is %v ago, want 12m: the future does not count", newest)
	}
	if _, newest, _ := absolute(map[string]any{"state": "Ready"}, time.RFC3339); newest >= 0 {
		t.Errorf("newest of no times = %v, want a negative age", newest)
	}
	if _, _, err := absolute("ago 5", time.RFC3339); err == nil {
		t.Error("an age without a unit is accepted")
	}
}
