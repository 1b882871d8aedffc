package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// walk is a list that the floor reads: page after page, in the form in which
// the scan asked for it.
type walk struct {
	Path   string `json:"path"`
	Accept string `json:"accept"`
	Limit  string `json:"limit"`
	Pages  int    `json:"pages"`
}

// walksOf puts the requests of a scan together to lists, in the order in which
// they were begun.
func walksOf(requests []request) (walks []walk, pages int) {
	at := map[string]int{}
	for _, r := range requests {
		query, err := url.ParseQuery(r.Query)
		if err != nil || query.Get("limit") == "" {
			continue
		}
		pages++
		i, known := at[r.Path]
		if !known {
			i = len(walks)
			at[r.Path] = i
			walks = append(walks, walk{Path: r.Path, Accept: r.Accept, Limit: query.Get("limit")})
		}
		walks[i].Pages++
	}
	return walks, pages
}

// floor is the sub-command that reads the lists of a file with a bare client
// and throws the answers away: what no scan of them can be faster than.
func floor(args []string) error {
	flags := flag.NewFlagSet("floor", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the server to read")
	file := flags.String("walks", "", "the lists to read")
	workers := flags.Int("workers", 12, "lists read at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	raw, err := os.ReadFile(*file)
	if err != nil {
		return fmt.Errorf("reading the lists: %w", err)
	}
	var walks []walk
	if err := json.Unmarshal(raw, &walks); err != nil {
		return fmt.Errorf("reading the lists in %s: %w", *file, err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.DisableCompression = true // as the scan does on loopback
	config.Timeout = time.Minute
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("setting up the connection: %w", err)
	}
	var work errgroup.Group
	work.SetLimit(*workers)
	for _, w := range walks {
		work.Go(func() error { return w.read(client, config.Host) })
	}
	return work.Wait()
}

func (w walk) read(client *http.Client, host string) error {
	next := ""
	for range w.Pages {
		query := url.Values{"limit": {w.Limit}}
		if next != "" {
			query.Set("continue", next)
		}
		req, err := http.NewRequest(http.MethodGet, host+w.Path+"?"+query.Encode(), nil)
		if err != nil {
			return fmt.Errorf("asking for %s: %w", w.Path, err)
		}
		req.Header.Set("Accept", w.Accept)
		if next, err = discard(client, req); err != nil {
			return fmt.Errorf("reading %s: %w", w.Path, err)
		}
		if next == "" {
			return nil
		}
	}
	return nil
}

// tokenMark is how every continue token begins: {"v":" in base64.
var tokenMark = regexp.MustCompile(`eyJ2Ijoi[A-Za-z0-9_-]+`)

// discard reads an answer to its end and returns the continue token in it,
// which stands in front in JSON and in protobuf.
func discard(client *http.Client, req *http.Request) (string, error) {
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the server answered %s", resp.Status)
	}
	var head bytes.Buffer
	if _, err := io.CopyN(&head, resp.Body, 1000); err != nil && err != io.EOF {
		return "", err
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return "", err
	}
	return tokenMark.FindString(head.String()), nil
}
