package manifests

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// path reads what one argument of the user names.
func (r *reader) path(p string) error {
	if p == "-" {
		if r.options.Stdin == nil {
			return errors.New("reading -: there is no standard input")
		}
		return r.stream("stdin", r.options.Stdin, 0)
	}
	info, err := os.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist: give a file, a folder, an archive, or - for standard input", p)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", p, err)
	}
	if info.IsDir() {
		return r.folder(p)
	}
	f, err := os.Open(p)
	if err != nil {
		return fmt.Errorf("reading %s: %w", p, err)
	}
	defer f.Close()
	return r.stream(filepath.ToSlash(p), f, 0)
}

// folder reads the files of a folder and of those below it, in the order of
// their names. os.Root keeps links from leading out of it; folders behind a
// link are not entered, since within the root they are met anyway.
func (r *reader) folder(p string) error {
	root, err := os.OpenRoot(p)
	if err != nil {
		return fmt.Errorf("reading %s: %w", p, err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		shown := path.Join(filepath.ToSlash(p), name)
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil:
			r.fail(position{file: shown}, cause(err))
			return nil
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type()&fs.ModeSymlink != 0:
			return r.link(root, name, shown)
		case entry.Type().IsRegular() && wanted(name):
			return r.member(root, name, shown)
		}
		return nil
	})
}

// link reads a file behind a link, if it is within the root.
func (r *reader) link(root *os.Root, name, shown string) error {
	info, err := root.Stat(name)
	switch {
	case err != nil && (wanted(name) || path.Ext(name) == ""):
		r.fail(position{file: shown}, fmt.Errorf("the link is not followed: %w", cause(err)))
		return nil
	case err == nil && info.Mode().IsRegular() && wanted(name):
		return r.member(root, name, shown)
	}
	return nil
}

func (r *reader) member(root *os.Root, name, shown string) error {
	f, err := root.Open(name)
	if err != nil {
		r.fail(position{file: shown}, cause(err))
		return nil
	}
	defer f.Close()
	return r.stream(shown, f, 0)
}

// wanted tells by its name whether a file of a folder or an archive is read.
func wanted(name string) bool {
	name = strings.ToLower(path.Base(name))
	if strings.HasPrefix(name, "._") {
		return false // what macOS puts beside each file of an archive
	}
	inner, compressed := strings.CutSuffix(name, ".gz")
	switch path.Ext(inner) {
	case ".yaml", ".yml", ".json", ".tar", ".tgz":
		return true
	case "":
		return compressed
	}
	return false
}

// cause is an error of the file system without the path in it: the position
// that is printed before it names the file.
func cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}
