package testcluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Request is what the server's audit log says of one request.
type Request struct {
	User        string
	As          string // the user impersonated, if any
	Verb        string // get, list, watch, create, patch …; for paths that are no resources the method in lower case
	URI         string
	UserAgent   string
	Code        int // the HTTP status answered; 0 when the client left before there was one
	Group       string
	Resource    string // plural; empty for paths that are no resources
	Subresource string
	Namespace   string
	Name        string
	Time        time.Time
}

// auditEvent is the part of an audit.k8s.io/v1 Event that is used here.
type auditEvent struct {
	AuditID          string
	Stage            string
	RequestURI       string
	Verb             string
	UserAgent        string
	User             struct{ Username string }
	ImpersonatedUser struct{ Username string }
	ObjectRef        struct{ APIGroup, Resource, Subresource, Namespace, Name string }
	ResponseStatus   struct{ Code int }
	StageTimestamp   time.Time
}

// markAgent is the user agent of the requests that mark how far the audit log has been written.
const markAgent = "testcluster-mark"

// Requests are the requests of a user the server has answered so far, oldest answer first; those of all
// users when user is empty. A watch counts from when the server began to answer it.
func (c *Cluster) Requests(user string) ([]Request, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	mark, err := c.mark(ctx)
	if err != nil {
		return nil, fmt.Errorf("marking the audit log: %w", err)
	}
	var requests []Request
	err = c.poll(ctx, "audit log", func(context.Context) error {
		data, err := os.ReadFile(c.path("audit.log"))
		if err != nil {
			return err
		}
		if !bytes.Contains(data, []byte(mark)) {
			return fmt.Errorf("looking for %s in the audit log: not written yet", mark)
		}
		requests, err = parseAudit(data, user)
		return err
	})
	return requests, err
}

// mark sends a request whose user agent is unique. When it is in the log, so is all that was answered before.
func (c *Cluster) mark(ctx context.Context) (string, error) {
	config := rest.CopyConfig(c.User(self))
	config.UserAgent = fmt.Sprintf("%s/%d", markAgent, time.Now().UnixNano())
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return "", err
	}
	_, err = client.Discovery().RESTClient().Get().AbsPath("/version").DoRaw(ctx)
	return config.UserAgent, err
}

func parseAudit(data []byte, user string) ([]Request, error) {
	var requests []Request
	index := map[string]int{} // a watch is logged twice, when it begins and when it ends
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // being written
		}
		var event auditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("reading audit event %q: %w", line, err)
		}
		if user != "" && event.User.Username != user || strings.HasPrefix(event.UserAgent, markAgent) {
			continue
		}
		request := Request{
			User: event.User.Username, As: event.ImpersonatedUser.Username,
			Verb: event.Verb, URI: event.RequestURI, UserAgent: event.UserAgent, Code: event.ResponseStatus.Code,
			Group: event.ObjectRef.APIGroup, Resource: event.ObjectRef.Resource, Subresource: event.ObjectRef.Subresource,
			Namespace: event.ObjectRef.Namespace, Name: event.ObjectRef.Name, Time: event.StageTimestamp,
		}
		if i, seen := index[event.AuditID]; seen {
			requests[i] = request
			continue
		}
		index[event.AuditID] = len(requests)
		requests = append(requests, request)
	}
	return requests, nil
}
