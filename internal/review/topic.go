package review

import (
	"slices"
	"strings"
	"unicode"
)

// Topic is what a review is about: a kind, an API group, or words.
type Topic struct {
	Text  string   `json:"text"`
	Words []string `json:"words"`
	// Subject are the words that say what it is about: those that name no
	// quality, unless there is no other. None, where every word is generic.
	Subject []string `json:"subject"`
}

// generic words say nothing alone: every second kind is called a cluster. They
// are left out as long as another word remains.
var generic = map[string]bool{
	"a": true, "an": true, "and": true, "api": true, "cluster": true, "controller": true, "crd": true, "custom": true, "for": true,
	"in": true, "instance": true, "k8s": true, "kubernetes": true, "manage": true, "managed": true, "manager": true, "management": true, "of": true,
	"on": true, "operator": true, "or": true, "resource": true, "server": true, "service": true, "set": true, "the": true, "to": true, "with": true,
}

// qualities are words for what many operators do to whatever they look after:
// with "postgresql backup" an operator that backs up MySQL is not meant.
var qualities = map[string]bool{
	"alert": true, "alerting": true, "autoscaling": true, "availability": true, "available": true, "backup": true, "disaster": true, "failover": true, "ha": true,
	"healing": true, "high": true, "highly": true, "metric": true, "monitoring": true, "recovery": true, "replication": true, "restore": true, "rotation": true,
	"scaling": true, "self": true, "snapshot": true, "upgrade": true,
}

// NewTopic splits a topic into its words: "PostgresCluster" is postgres and
// cluster, of which cluster is left out. Of an API group or the name of a CRD
// the last part is left out: half of all groups end in io.
func NewTopic(text string) Topic {
	t := Topic{Text: strings.Join(strings.Fields(text), " "), Words: []string{}, Subject: []string{}}
	spoken := t.Text
	if at := strings.LastIndex(spoken, "."); at > 0 && !strings.Contains(spoken, " ") {
		spoken = spoken[:at]
	}
	all := wordsOf(spoken)
	for _, w := range all {
		if !generic[singular(w)] && !generic[w] {
			t.Words = append(t.Words, w)
		}
	}
	if len(t.Words) == 0 {
		t.Words = append(t.Words, all...)
		return t
	}
	for _, w := range t.Words {
		if !qualities[singular(w)] && !qualities[w] {
			t.Subject = append(t.Subject, w)
		}
	}
	if len(t.Subject) == 0 {
		t.Subject = t.Words
	}
	return t
}

// wordsOf splits at everything that is no letter or digit, and where a small
// letter is followed by a capital one; each word once, in small letters.
func wordsOf(text string) []string {
	var words []string
	var word strings.Builder
	flush := func() {
		if w := strings.ToLower(word.String()); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
		word.Reset()
	}
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]), // postgresCluster
			unicode.IsUpper(r) && i > 0 && unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]): // HTTPRoute
			flush()
		}
		word.WriteRune(r)
	}
	flush()
	return words
}

// stem takes the plural away, so that "certificates" finds a certificate, and
// the ending of "messaging", so that it finds a message.
func stem(word string) string {
	word = singular(word)
	switch {
	case len(word) > 6 && strings.HasSuffix(word, "ing"):
		return word[:len(word)-3]
	case len(word) > 4 && strings.HasSuffix(word, "e"):
		return word[:len(word)-1]
	}
	return word
}

func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 4 && (strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "shes") || strings.HasSuffix(word, "xes")):
		return word[:len(word)-2]
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "is") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// alike tells whether two words mean the same: the same but for a plural, or
// one the beginning of the other and little longer (postgres, postgresql).
func alike(a, b string) bool {
	if stem(a) == stem(b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 5 && len(b)-len(a) <= 2 && strings.HasPrefix(b, a)
}

// found are the words of the topic that a text has.
func (t Topic) found(text string) []string {
	have := wordsOf(text)
	var list []string
	for _, w := range t.Words {
		if slices.ContainsFunc(have, func(h string) bool { return alike(w, h) }) {
			list = append(list, w)
		}
	}
	return list
}

// is tells whether the topic as a whole is a name, whatever the case.
func (t Topic) is(name string) bool { return name != "" && strings.EqualFold(t.Text, name) }

// whole tells whether an alias stands in the topic with every word that says
// something: "cnpg" does in "cnpg backup", "redis-operator-cert" does not in
// "cert".
func (t Topic) whole(alias string) []string {
	words := NewTopic(alias).Words
	for _, w := range words {
		if !slices.ContainsFunc(t.Words, func(mine string) bool { return alike(w, mine) }) {
			return nil
		}
	}
	return t.found(alias)
}

// about counts the words of a list that say what the topic is about.
func (t Topic) about(words []string) int {
	n := 0
	for _, w := range t.Subject {
		if slices.Contains(words, w) {
			n++
		}
	}
	return n
}
