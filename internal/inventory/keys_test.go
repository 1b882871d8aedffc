package inventory

import (
	"bufio"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"kubectl-operator-maturity/internal/corpustest"
)

// asPattern says what each set of keys and each check of a text means, as a
// regular expression: short to read, slow to run.
var asPattern = []struct {
	what    string
	pattern *regexp.Regexp
	has     func(string) bool
}{
	{"droppedKeys", regexp.MustCompile(`(?i)^(icon|description|keywords|maintainers|links|specDescriptors|statusDescriptors|actionDescriptors|` +
		`rego|code|libs|source|examples|basicAuth|authorization|bearerToken.*|tlsConfig|oauth2|password|token|params|headers|httpHeaders|proxyUrl|data|stringData|binaryData|` +
		`relabelings|metricRelabelings|schema|openAPIV3Schema|templates?|env|envFrom|command|volumes|volumeMounts|metadata|authenticationRef)$`), droppedKeys.hasFolded},
	{"keptInstall", regexp.MustCompile(`^(install|deployments|spec|template|containers|clusterPermissions|permissions|rules)$`), keptInstall.has},
	{"scalarKeys", regexp.MustCompile(`^(version|.*Version|image|imageName|replicas|instances|size|members|nodes|paused|suspend|suspended|maintenance|schedule|` +
		`controllerName|minReplicas|maxReplicas|enabled?.*)$`), scalarKeys.has},
	{"referenceKeys", regexp.MustCompile(`^(.*Refs?|.*Reference|cluster|clusterName|.*ClusterName|backup|backupName|source|secretName|issuer|ref|.*Selector|scaleTargetRef)$`), referenceKeys.has},
	{"nameKeys", regexp.MustCompile(`^(name|kind|group|apiVersion|apiGroup|namespace|clusterName|matchLabels)$`), nameKeys.has},
	{"credentialKey", regexp.MustCompile(`(?i)(password|passwd|token|api_?key|access_?key|private_?key|client_?secret|credentials?)$|^manifest$`), credentialKey.hasFolded},
	{"isFieldName", regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9]{0,62}$`), isFieldName},
	{"isPlainValue", regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 .,_:/@*+-]{0,200}$`), isPlainValue},
}

// topicsAsPatterns says what the topics of schema_topics.go mean.
var topicsAsPatterns = map[Topic]string{
	TopicVersion:        `^(version|imageTag|[a-z]+Version)$`,
	TopicImage:          `^(image|[a-zA-Z]+Image|imageName|imageTag|repository)$`,
	TopicBackup:         `(?i)backup`,
	TopicRestore:        `(?i)restore|recover|fromBackup|backupSource|^dataSource$|^bootstrapFrom$|^clone$`,
	TopicReplicas:       `^(replicas|instances|size|nodes|members|replicaCount|numberOfInstances|clusterSize)$`,
	TopicAutoscale:      `(?i)autoscal|^minReplicas$|^maxReplicas$|^hpa$`,
	TopicMonitoring:     `(?i)monitoring|^metrics|exporter|serviceMonitor|podMonitor|prometheus`,
	TopicAlerts:         `(?i)^alerts?$|alerting|prometheusRule`,
	TopicDisruption:     `(?i)pdb|disruptionBudget`,
	TopicStrategy:       `(?i)updateStrategy|rollout|maxUnavailable|updateMethod`,
	TopicStorage:        `(?i)^storage$|^storage(Class|Spec|Size)|volumeClaim|^persistence$|^dataVolume`,
	TopicHeal:           `(?i)failover|heal(ing)?$|^repair|autoRestart|autoRecover`,
	TopicTune:           `(?i)tuning|autoRebalance|^optimi[sz]`,
	TopicPause:          `(?i)^paused?$|^suspend(ed)?$|maintenance`,
	TopicResources:      `^resources$|^[a-z]+Resources$`,
	TopicLiveness:       `^livenessProbe$`,
	TopicReadiness:      `^readinessProbe$`,
	TopicSpread:         `^(affinity|topologySpreadConstraints)$`,
	TopicReference:      `^(clusterName|cluster|[a-zA-Z]+Ref|[a-zA-Z]+ClusterName|[a-zA-Z]+ClusterReference)$`,
	TopicStatusVersion:  `(?i)^version$|[a-z]Version$|^image$`,
	TopicStatusRole:     `(?i)currentPrimary|^leader|^master|^role$|^members$`,
	TopicStatusBackup:   `(?i)last.*backup|firstRecoverability|backup.*time`,
	TopicStatusReplicas: `(?i)^(ready|available|current)?(replicas|instances|members|nodes)$|^ready(Nodes|Members|Instances)$`,
	TopicStatusHeal:     `(?i)autoRestart|failovers?(Count)?$|lastFail(ed)?over|autoRecover|selfHeal`,
}

// TestTopicsFitTheirPatterns asks every word that could be a field's name.
func TestTopicsFitTheirPatterns(t *testing.T) {
	words := map[string]bool{}
	for _, word := range strings.Fields(`version Version imageTag aVersion a1Version Image baseImage a_Image datasource dataSource readyReplicas readyreadyReplicas availableNodes replicas
		lastBackup lastSuccessfulBackupTime backupLast backupStartTime timeBackup failoverCount failovers failoverCounts lastFailedOver heal Healing healer optimise optimize optimist
		storageclass Storage storages pauses paused suspendeD metricsPort portMetrics fooRef Ref fooRefs fooClusterName ClusterName 1Version v1Version image images`) {
		words[word] = true
	}
	if !testing.Short() {
		for _, folder := range []string{"manifests", "operatorhub"} {
			collectWords(t, filepath.Join(corpustest.Dir(t), folder), words, map[string]bool{})
		}
	}
	for _, topic := range append(slices.Clone(specTopics.patterns), statusTopics.patterns...) {
		pattern := regexp.MustCompile(topicsAsPatterns[topic.topic])
		for word := range words {
			if !isFieldName(word) {
				continue
			}
			if got, want := topic.fits(word, strings.ToLower(word)), pattern.MatchString(word); got != want {
				t.Errorf("%s fits %q: %t, its pattern says %t", topic.topic, word, got, want)
			}
		}
	}
}

// cleanSlowly is clean without any shortcut.
func cleanSlowly(s string) string {
	s = ansi.ReplaceAllString(s, "")
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for _, c := range credentials {
		s = c.pattern.ReplaceAllString(s, c.with)
	}
	return s
}

func checkKey(t *testing.T, key string) {
	t.Helper()
	for _, p := range asPattern {
		if got, want := p.has(key), p.pattern.MatchString(key); got != want {
			t.Errorf("%s of %q is %t, its pattern says %t", p.what, key, got, want)
		}
	}
}

func checkText(t *testing.T, text string) {
	t.Helper()
	if got, want := clean(text), cleanSlowly(text); got != want {
		t.Errorf("clean(%q) is %q, without shortcuts %q", text, got, want)
	}
}

func TestKeysAndTextsAreJudgedAsTheirPatternsSay(t *testing.T) {
	for _, key := range []string{"", "a", "Version", "xVersion", "version", "enable", "enabled", "enableX", "Enable", "parentRefs", "Ref", "Refs", "ref", "PASSWORD",
		"dbPassword", "passwords", "api_key", "apikey", "Api_Key", "manifest", "aManifest", "bearerTokenFile", "BearerToken", "pa\u017f\u017fword", "to\u212aen", "de\u017fcription",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 201), strings.Repeat("a", 202), "9", "-", "a-b", "a b", "\xff", "a\xff"} {
		checkKey(t, key)
	}
	for _, text := range []string{"", " ", "a  b", " a", "a ", "plain text", "https://u:p@h/", "postgres://u:pass@h:5/d?x", "AKIAABCDEFGHIJKLMNOP", "akiaabcdefghijklmnop",
		"Bearer abcdefgh.ijkl", "BEARER  abcdefghij", "authorization: Basic Zm9vOmJhcg==", "eyJhbGciOiJI.eyJzdWIiOiIx.sig", "ghp_abcdefghijklmnop", "xoxb-1234567890ab",
		"glpat-abcdefghijklmn", "password=hunter2", "PASSWORD: hunter2", "api-key=abcdef", "accesskey: abcd", "Client_Secret=abcd", "to\u212aen=abcdef", "pa\u017fsword=hunter2",
		"-----BEGIN RSA PRIVATE KEY----- x -----END RSA PRIVATE KEY-----", "\x1b[31mred\x1b[0m", "tab\there", "caf\u00e9 password=abc", "\xff\xfe"} {
		checkText(t, text)
	}
}

// TestCorpusIsPrunedAsThePatternsSay asks every word of the corpus, and an
// eighth of its lines.
func TestCorpusIsPrunedAsThePatternsSay(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole corpus")
	}
	words, texts := map[string]bool{}, map[string]bool{}
	for _, folder := range []string{"manifests", "recordings", "operatorhub"} {
		collectWords(t, filepath.Join(corpustest.Dir(t), folder), words, texts)
	}
	for word := range words {
		checkKey(t, word)
	}
	for text := range texts {
		checkText(t, text)
	}
	t.Logf("%d words and %d texts", len(words), len(texts))
}

func collectWords(t *testing.T, dir string, words, texts map[string]bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		var in io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				return err
			}
		}
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			for part := range strings.SplitSeq(lines.Text(), `","`) {
				if len(part)%8 == 0 { // some of them: the slow way is slow
					texts[cut(part, 8*maxText)] = true
				}
			}
			for _, word := range strings.FieldsFunc(lines.Text(), func(r rune) bool { return strings.ContainsRune(" \"{}[],:", r) }) {
				words[word] = true
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}
