// Command dist makes what a release consists of: an archive of the plugin for
// each platform, their checksums, and the manifest for krew.
//
//	go run ./hack/dist [-version v1.2.3] [-url URL] [-targets linux/amd64,…] DIR
//
// It runs in the root of the checkout. The same commit gives the same bytes:
// builds are trimmed of paths, every file has the time of the commit (or
// SOURCE_DATE_EPOCH), and archives are written in a fixed order.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	versionFlag := flags.String("version", "", "version to stamp (default: the tag of the commit, or a pseudo-version of it)")
	url := flags.String("url", "https://releases.example.com/operator-maturity", "where the archives will be found: URL/VERSION/ARCHIVE")
	wanted := flags.String("targets", "", "build these only, such as linux/amd64,windows/arm64 (default: all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("give the folder to write to: dist [flags] DIR")
	}
	targets, err := parseTargets(*wanted)
	if err != nil {
		return err
	}
	r := release{root: ".", out: flags.Arg(0), version: *versionFlag, url: strings.TrimSuffix(*url, "/")}
	if r.version == "" {
		if r.version, err = gitVersion(ctx, r.root); err != nil {
			return err
		}
	}
	if r.time, err = sourceTime(ctx, r.root); err != nil {
		return err
	}
	return r.make(ctx, targets)
}

// release is one version of the plugin, on its way to the folder out.
type release struct {
	root    string // of the checkout
	out     string
	version string
	url     string
	time    time.Time // of every file in the archives
}

// make builds and packs each target, then writes the checksums and the
// manifest. What an earlier run left in the folder stays unless it has the same
// name.
func (r *release) make(ctx context.Context, targets []target) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "operator-maturity-dist")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var archives []archive
	for _, t := range targets {
		binary := filepath.Join(work, t.binary())
		if err := r.build(ctx, t, binary); err != nil {
			return err
		}
		a, err := r.pack(t, binary)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "wrote", filepath.Join(r.out, a.name))
		archives = append(archives, a)
	}
	return r.describe(archives)
}

// describe writes SHA256SUMS, as sha256sum -c reads it, and the manifest.
func (r *release) describe(archives []archive) error {
	var sums strings.Builder
	for _, a := range archives {
		fmt.Fprintf(&sums, "%s  %s\n", a.sha256, a.name)
	}
	if err := os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return err
	}
	return r.writeManifest(archives)
}
