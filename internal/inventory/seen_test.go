package inventory

import "testing"

func TestSeen(t *testing.T) {
	s := &Snapshot{Access: []Access{
		{Resource: "pods", Access: Listed}, {Group: "apps", Resource: "deployments", Access: Partial, Detail: "2 of 9"},
		{Resource: "services", Access: Forbidden}, {Resource: "events", Access: Failed}, {Group: "a.b", Resource: "cs", Access: Absent},
	}}
	for _, c := range []struct {
		group, resource, source string
		complete                bool
		want                    Sight
	}{
		{"", "pods", "cluster", false, Sight{Whole: true}},
		{"a.b", "cs", "cluster", false, Sight{Whole: true}},
		{"apps", "deployments", "cluster", false, Sight{Some: true, Why: "deployments.apps read in part: 2 of 9"}},
		{"", "services", "cluster", false, Sight{Why: "services forbidden"}},
		{"", "events", "cluster", false, Sight{Why: "events could not be listed"}},
		{"", "nodes", "cluster", false, Sight{Why: "nodes: not asked for"}},
		{"", "nodes", "files", false, Sight{Why: "nodes: none in the files, which may not be all (--complete says that they are)"}},
		{"", "nodes", "files", true, Sight{Whole: true}},
	} {
		s.Source.Type, s.Source.Complete = c.source, c.complete
		if got := s.Seen(c.group, c.resource); got != c.want {
			t.Errorf("%s.%s: %+v, want %+v", c.resource, c.group, got, c.want)
		}
	}
}
