package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTopicWords(t *testing.T) {
	for topic, want := range map[string][]string{
		"PostgresCluster":              {"postgres"},
		"kafka":                        {"kafka"},
		"certificates":                 {"certificates"},
		"redis cache":                  {"redis", "cache"},
		"  postgresql   backup ":       {"postgresql", "backup"},
		"HTTPRoute":                    {"http", "route"},
		"cluster":                      {"cluster"}, // generic, but all there is
		"postgresql.cnpg.io":           {"postgresql", "cnpg"},
		"cert-manager.io":              {"cert"},
		"💥":                            {},
		"an operator for the database": {"database"},
	} {
		if diff := cmp.Diff(want, NewTopic(topic).Words); diff != "" {
			t.Errorf("%q (-want +got):\n%s", topic, diff)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, pair := range [][2]string{{"certificates", "certificate"}, {"postgres", "postgresql"}, {"policies", "policy"}, {"redis", "redis"}, {"message", "messaging"}, {"caches", "caching"}} {
		if !alike(pair[0], pair[1]) {
			t.Errorf("%v are not alike", pair)
		}
	}
	for _, pair := range [][2]string{{"redis", "reddit"}, {"cert", "certificate"}, {"kafka", "kafkaconnector"}} {
		if alike(pair[0], pair[1]) {
			t.Errorf("%v are alike", pair)
		}
	}
}

func TestMatchesAreRankedByReasonsOnly(t *testing.T) {
	match := func(name string, words int, by ...string) Match {
		m := Match{Name: name, Words: make([]string, words), Whole: by[0] == byKind || by[0] == byGroup}
		for _, b := range by {
			m.Reasons = append(m.Reasons, Reason{By: b})
		}
		return m
	}
	got := sortMatches([]Match{
		match("a-described-kind", 1, byKindText), match("described", 1, byDescription), match("one-word", 1, byGroupWord), match("both-words", 2, byKeyword),
		match("category", 1, byCategory), match("kind", 2, byKind), match("group", 2, byGroup), match("a-keyword", 1, byKeyword), match("z-two-sorts", 1, byKeyword, byDomain),
	})
	var names []string
	for _, m := range got {
		names = append(names, m.Name)
	}
	if diff := cmp.Diff([]string{"kind", "group", "both-words", "z-two-sorts", "one-word", "category", "a-keyword", "described", "a-described-kind"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
