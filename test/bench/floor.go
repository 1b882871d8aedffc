package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// pageReader reads an answer to its end. It returns the continue token in it
// and its bytes.
type pageReader func(*http.Response) (next string, bytes int64, err error)

// floor is the sub-command that reads the lists of a file with a bare client
// and throws the answers away: what no scan of them can be faster than. With
// -decode it decodes them first, as any program made with client-go does.
func floor(args []string) error {
	flags := flag.NewFlagSet("floor", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the server to read")
	file := flags.String("walks", "", "the lists to read")
	workers := flags.Int("workers", 12, "lists read at once")
	decode := flags.Bool("decode", false, "decode each page with client-go's decoders before it is thrown away")
	readFile := flags.String("read", "", "where to write what was read of each list, and in which time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var walks []walk
	if err := readJSON(*file, &walks); err != nil {
		return fmt.Errorf("reading the lists: %w", err)
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
	page := discard
	if *decode {
		page = newDecoder().page
	}
	var work errgroup.Group
	work.SetLimit(*workers)
	read := make([]listRead, len(walks))
	for i, w := range walks {
		work.Go(func() error { return w.read(client, config.Host, page, &read[i]) })
	}
	if err := work.Wait(); err != nil || *readFile == "" {
		return err
	}
	return writeJSON(*readFile, read)
}

// listRead is what was read of a list, and how long its pages took.
type listRead struct {
	Path  string        `json:"path"`
	Pages int           `json:"pages"`
	Bytes int64         `json:"bytes"`
	Took  time.Duration `json:"took"`
}

func (w walk) read(client *http.Client, host string, page pageReader, did *listRead) error {
	did.Path = w.Path
	begin := time.Now()
	defer func() { did.Took = time.Since(begin) }()
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
		var bytes int64
		if next, bytes, err = answered(client, req, page); err != nil {
			return fmt.Errorf("reading %s: %w", w.Path, err)
		}
		did.Pages, did.Bytes = did.Pages+1, did.Bytes+bytes
		if next == "" {
			return nil
		}
	}
	return nil
}

func answered(client *http.Client, req *http.Request, page pageReader) (next string, bytes int64, err error) {
	resp, err := client.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", 0, fmt.Errorf("the server answered %s", resp.Status)
	}
	return page(resp)
}

// tokenMark is how every continue token begins: {"v":" in base64.
var tokenMark = regexp.MustCompile(`eyJ2Ijoi[A-Za-z0-9_-]+`)

// discard throws an answer away. Its continue token stands in front, in JSON
// and in protobuf.
func discard(resp *http.Response) (string, int64, error) {
	var head bytes.Buffer
	first, err := io.CopyN(&head, resp.Body, 1000)
	if err != nil && err != io.EOF {
		return "", 0, err
	}
	rest, err := io.Copy(io.Discard, resp.Body)
	return tokenMark.FindString(head.String()), first + rest, err
}
