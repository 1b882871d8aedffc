package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const program = "kubectl-operator_maturity"

// target is a platform in Go's words.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// binary is the name of the program on the platform.
func (t target) binary() string {
	if t.os == "windows" {
		return program + ".exe"
	}
	return program
}

func allTargets() []target {
	return []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}
}

// parseTargets reads a list such as linux/amd64,windows/arm64; an empty one is all.
func parseTargets(list string) ([]target, error) {
	if list == "" {
		return allTargets(), nil
	}
	var targets []target
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(allTargets(), func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-targets: %q is not released: known are %v", name, allTargets())
		}
		targets = append(targets, allTargets()[i])
	}
	return targets, nil
}

// build compiles the plugin as make build does, with the version in it. The
// state of the checkout is not stamped: it would differ between equal sources.
func (r *release) build(ctx context.Context, t target, to string) error {
	absolute, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.release="+r.version, "-o", absolute, "./cmd/"+program)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s: %w\n%s", t, err, out)
	}
	return nil
}

// gitVersion is the tag of the commit when it has one of the form v1.2.3, else
// a pseudo-version like Go's, v0.0.0-TIME-COMMIT; -dirty when files were changed.
func gitVersion(ctx context.Context, root string) (string, error) {
	version, err := git(ctx, root, "describe", "--tags", "--exact-match", "--match", "v[0-9]*.[0-9]*.[0-9]*")
	if err != nil {
		if version, err = git(ctx, root, "log", "-1", "--abbrev=12", "--date=format-local:%Y%m%d%H%M%S", "--format=v0.0.0-%cd-%h"); err != nil {
			return "", fmt.Errorf("no version: %w; give one with -version", err)
		}
	}
	changed, err := git(ctx, root, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return "", err
	}
	if changed != "" {
		version += "-dirty"
	}
	return version, nil
}

// sourceTime is the time of the commit, or what SOURCE_DATE_EPOCH says
// (https://reproducible-builds.org/specs/source-date-epoch/).
func sourceTime(ctx context.Context, root string) (time.Time, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		var err error
		if seconds, err = git(ctx, root, "log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, fmt.Errorf("no time for the files: %w; give one with SOURCE_DATE_EPOCH", err)
		}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH %q is no number of seconds", seconds)
	}
	return time.Unix(n, 0).UTC(), nil
}

func git(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
