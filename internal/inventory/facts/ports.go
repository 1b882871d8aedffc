package facts

import (
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// podPort is a port of a pod: declared by a container, or known from a flag
// alone.
type podPort struct {
	name   string
	number int32
	proxy  bool // of a kube-rbac-proxy
}

func (p podPort) label() string { return cmpOr(p.name, strconv.Itoa(int(p.number))) }

func (p podPort) same(q podPort) bool {
	if p.number != 0 && q.number != 0 {
		return p.number == q.number
	}
	return p.name == q.name
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// findPort finds a port of a pod by name or number. A number need not be
// declared by a container: ports of pods are open without it.
func findPort(spec *corev1.PodSpec, target string) (podPort, bool) {
	number, err := strconv.Atoi(target)
	for i := range spec.Containers {
		for _, p := range spec.Containers[i].Ports {
			if p.Name != "" && p.Name == target || err == nil && int(p.ContainerPort) == number {
				return podPort{p.Name, p.ContainerPort, rbacProxy(&spec.Containers[i])}, true
			}
		}
	}
	return podPort{number: int32(number)}, err == nil && number > 0 && number < 65536
}

// metricsName is what ports for metrics are called.
var metricsName = regexp.MustCompile(`(?i)(^|-)metrics?($|-)|prometheus|^prom(-|$)|(^|-)monitoring$|telemetry`)

// wellKnown are numbers at which controllers serve metrics under a plain name.
var (
	wellKnown = map[int32]bool{8080: true, 8443: true, 9402: true, 8383: true, 8686: true, 9090: true, 7979: true, 8000: true, 8888: true}
	plainName = words("http https web http-web")
)

// metricsPorts are the ports whose name says metrics, and all ports of a
// kube-rbac-proxy, which guards them.
func metricsPorts(spec *corev1.PodSpec) []podPort {
	var list []podPort
	if spec == nil {
		return nil
	}
	for i := range spec.Containers {
		c := &spec.Containers[i]
		for _, p := range c.Ports {
			if metricsName.MatchString(p.Name) || rbacProxy(c) {
				list = append(list, podPort{p.Name, p.ContainerPort, rbacProxy(c)})
			}
		}
	}
	return list
}

// metricsFlag are the flags that say where metrics are served.
var metricsFlag = regexp.MustCompile(`(?i)^((http-?)?metrics|prometheus|telemetry)[-_.]?(secure[-_.]?)?(bind[-_.]?|listen[-_.]?|serving[-_.]?|server[-_.]?)?(address|addr|port)$|^secure-listen-address$`)

// flagged are what the flags of a container say about metrics.
type flagged struct {
	ports    []podPort
	disabled bool
	// local: served on the loopback address only.
	local bool
}

func metricsFlags(c *corev1.Container) flagged {
	var f flagged
	eachFlag(c, func(name, value string) {
		if !metricsFlag.MatchString(name) || value == "" {
			return
		}
		host, port := "", value
		if i := strings.LastIndexByte(value, ':'); i >= 0 {
			host, port = value[:i], value[i+1:]
		}
		number, err := strconv.Atoi(port)
		switch {
		case err == nil && number == 0, value == "off", value == "disabled", value == "false":
			f.disabled = true
		case err == nil && (host == "127.0.0.1" || host == "localhost" || host == "[::1]"):
			f.local = true
		case err == nil:
			f.ports = append(f.ports, podPort{number: int32(number), proxy: rbacProxy(c)})
		}
	})
	return f
}

// eachFlag yields the flags of a container, written --name=value or --name value.
func eachFlag(c *corev1.Container, yield func(name, value string)) {
	for _, args := range [][]string{c.Command, c.Args} {
		for i, arg := range args {
			if !strings.HasPrefix(arg, "-") {
				continue
			}
			name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !has && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				value = args[i+1]
			}
			yield(name, value)
		}
	}
}
