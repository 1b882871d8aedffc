package facts

import (
	"regexp"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// An id, address or ARN in a status shows that a custom resource stands for
// something outside the cluster, if it is of that thing. Many statuses hold ids
// of what was only looked up: the images, subnets and roles that Karpenter
// found for an EC2NodeClass. So an id counts at the root of the status, or one
// level below under a name that means the thing itself.

var (
	externalKey = regexp.MustCompile(`^(arn|[a-zA-Z]+ARN|[a-zA-Z]+Arn|providerID|providerId|externalID|externalId|externalName|url|uri|endpoint|hostname|dnsName|selfLink|[a-zA-Z]*[rR]esource(ID|Id)|instanceID|instanceId|volumeID|volumeId|zoneID|zoneId|id)$`)
	// plainID are keys that need no more words to be of the thing itself.
	plainID = words("arn providerID providerId externalID externalId url uri endpoint hostname dnsName selfLink id")
	// itself are parents that mean the thing itself; addresses may be several.
	itself    = words("atprovider ackresourcemetadata resource external externalresource provider cloud loadbalancer address connection")
	addresses = words("ingress addresses endpoints loadbalancers urls")
	// lookedUp are words for what a resource is made with or in, not made.
	lookedUp = regexp.MustCompile(`(?i)^(.*(role|policy|kms|key|vpc|subnet|group|account|user|image|ami|profile|zone|certificate|cert|secret|parent|source|template|issuer|cluster))(arn|id|resourceid)$`)
)

// ownID tells whether a field at the present place is about what the object
// itself stands for.
func (w *statusWalk) ownID(key string) bool {
	kind := inventory.Squash(w.t.k.crd.Names.Kind)
	if l := strings.ToLower(key); !strings.HasSuffix(l, "arn") && !strings.HasSuffix(l, "id") {
		// Only those can be of something looked up.
	} else if m := lookedUp.FindStringSubmatch(key); m != nil && !strings.HasSuffix(kind, inventory.Squash(m[2])) {
		return false
	}
	switch len(w.path) {
	case 0:
		return true
	case 1:
		at := inventory.Squash(w.path[0].key)
		if w.path[0].list {
			return addresses[at] && plainID[key]
		}
		return plainID[key] && (itself[at] || at == kind || strings.HasSuffix(kind, at))
	case 2: // the shape of a Service: loadBalancer.ingress[].hostname
		return w.path[1].list && addresses[inventory.Squash(w.path[1].key)] && key == "hostname"
	}
	return false
}

// pathOf is the path of a field at the present place.
func (w *statusWalk) pathOf(key string) string {
	var path strings.Builder
	for _, s := range w.path {
		path.WriteString(s.key)
		if s.list {
			path.WriteString("[]")
		}
		path.WriteByte('.')
	}
	return path.String() + key
}

// isInCluster tells whether a value names something inside the cluster: the
// name of a Service, a private address.
func isInCluster(value string) bool {
	for rest := value; ; {
		_, after, found := strings.Cut(rest, ".svc")
		if !found {
			break
		}
		if after == "" || after[0] == '.' || after[0] == ':' || after[0] == '/' {
			return true
		}
		rest = after
	}
	return strings.HasPrefix(value, "10.") || strings.HasPrefix(value, "127.") || strings.HasPrefix(value, "192.168.") ||
		strings.Contains(value, "localhost") || strings.Contains(value, ".cluster.local")
}

// isExternal tells whether the value of a field for external things is really
// outside the cluster.
func isExternal(key, value string) bool {
	if strings.HasPrefix(value, "arn:") {
		return true
	}
	switch key {
	case "url", "uri", "endpoint", "hostname", "dnsName", "selfLink", "externalName":
		return strings.Contains(value, ".") && !isInCluster(value)
	case "id":
		return len(value) > 5 && hasDigit.MatchString(value) && !isInCluster(value)
	}
	return len(value) > 3 && !isInCluster(value)
}
