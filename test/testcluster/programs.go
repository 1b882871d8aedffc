package testcluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNotFound says that there is no control plane to run.
var ErrNotFound = errors.New("no control plane found: run `make controlplane`, or set KUBEBUILDER_ASSETS to a directory with etcd, kube-apiserver and kube-controller-manager")

// programs is where the programs are: files of their own in dir, or all of them in one file.
type programs struct {
	dir string
	one string
}

// findPrograms looks, in this order, at the directory KUBEBUILDER_ASSETS names, at the file the Makefile
// names, and, for a plain `go test`, for the newest file that `make controlplane` has left.
func findPrograms() (programs, error) {
	if dir := os.Getenv("KUBEBUILDER_ASSETS"); dir != "" {
		if !isFile(filepath.Join(dir, executable("kube-apiserver"))) {
			return programs{}, fmt.Errorf("looking for kube-apiserver in KUBEBUILDER_ASSETS=%s: %w", dir, ErrNotFound)
		}
		return programs{dir: dir}, nil
	}
	if file := os.Getenv("OPERATOR_MATURITY_CONTROLPLANE"); file != "" {
		if !isFile(file) {
			return programs{}, fmt.Errorf("looking for OPERATOR_MATURITY_CONTROLPLANE=%s: %w", file, ErrNotFound)
		}
		return programs{one: file}, nil
	}
	return newestBuilt()
}

func newestBuilt() (programs, error) {
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return programs{}, fmt.Errorf("looking for the cache directory: %w: %w", err, ErrNotFound)
		}
		cache = filepath.Join(home, ".cache") // what the Makefile uses, on every system
	}
	files, err := filepath.Glob(filepath.Join(cache, "kubectl-operator-maturity", "controlplane-*", "controlplane"))
	if err != nil {
		return programs{}, fmt.Errorf("looking for a control plane in %s: %w", cache, err)
	}
	var newest os.FileInfo
	var found programs
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil && (newest == nil || info.ModTime().After(newest.ModTime())) {
			newest, found.one = info, file
		}
	}
	if newest == nil {
		return programs{}, ErrNotFound
	}
	return found, nil
}

func (p programs) command(name string, flags []string) *exec.Cmd {
	if p.one != "" {
		return exec.Command(p.one, append([]string{name}, flags...)...)
	}
	return exec.Command(filepath.Join(p.dir, executable(name)), flags...)
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
