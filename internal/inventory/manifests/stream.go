package manifests

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"kubectl-operator-maturity/internal/inventory"
)

// maxNesting bounds archives within archives.
const maxNesting = 4

const peeked = 4 << 10

// stream reads one file, or one file of an archive, by its content.
func (r *reader) stream(name string, in io.Reader, nesting int) error {
	if nesting > maxNesting {
		r.fail(position{file: name}, fmt.Errorf("archives are nested more than %d deep: unpack it first", maxNesting))
		return nil
	}
	b := bufio.NewReaderSize(guarded{r, in}, 64<<10)
	head, _ := b.Peek(peeked) // an error here comes again when reading
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return r.gzip(name, b, nesting)
	case isTar(name, head):
		return r.tar(name, b, nesting)
	case packed(head) != "":
		r.fail(position{file: name}, fmt.Errorf("%s files are not read: unpack it first", packed(head)))
		return nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
		b = bufio.NewReaderSize(utf16.Reader(b), 64<<10)
		head, _ = b.Peek(peeked)
	case bytes.HasPrefix(head, bom):
		head = head[len(bom):]
		b.Discard(len(bom))
	}
	switch {
	case ours.Match(head):
		return r.decode(name, b)
	case startsJSON.Match(head):
		return r.json(name, b)
	default:
		return r.yaml(name, b, 1)
	}
}

var (
	bom = []byte("\xef\xbb\xbf")
	// startsJSON: an object with a quoted key, or an array of objects. The
	// rest may be YAML in flow style, or a template: {{ if }}.
	startsJSON = regexp.MustCompile(`^\s*(\{\s*["}]|\[\s*[\[{\]])`)
	// ours is how every snapshot and scorecard of this program begins.
	ours = regexp.MustCompile(`^\s*\{\s*"apiVersion"\s*:\s*"operator-maturity/`)
)

// guarded ends reading when the context does.
type guarded struct {
	r  *reader
	in io.Reader
}

func (g guarded) Read(p []byte) (int, error) {
	if err := g.r.ctx.Err(); err != nil {
		return 0, err
	}
	return g.in.Read(p)
}

func (r *reader) gzip(name string, in io.Reader, nesting int) error {
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		r.fail(position{file: name}, fmt.Errorf("unpacking: %w", err))
		return nil
	}
	return r.stream(name, unpacked{r, unzipped}, nesting+1)
}

// unpacked counts what all compressed files of a run unpack to: a small file
// can hold terabytes.
type unpacked struct {
	r  *reader
	in io.Reader
}

func (u unpacked) Read(p []byte) (int, error) {
	if u.r.unpacked <= 0 {
		return 0, fmt.Errorf("compressed files unpack to more than %s: give fewer of them, or unpack them first", size(u.r.options.MaxTotal))
	}
	n, err := u.in.Read(p)
	u.r.unpacked -= int64(n)
	return n, err
}

func isTar(name string, head []byte) bool {
	if len(head) >= 262 && string(head[257:262]) == "ustar" {
		return true
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return len(head) >= 512 && (strings.HasSuffix(name, ".tar") || strings.HasSuffix(name, ".tgz"))
}

// packed names a format that is recognised but not read.
func packed(head []byte) string {
	for magic, name := range map[string]string{"PK\x03\x04": "zip", "\xfd7zXZ\x00": "xz", "\x28\xb5\x2f\xfd": "zstd", "BZh": "bzip2", "7z\xbc\xaf": "7z"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return name
		}
	}
	return ""
}

// tar reads the files of an archive as they come. Nothing is written to disk,
// so a path that leads out of the archive does no harm, but it is a forgery.
func (r *reader) tar(name string, in io.Reader, nesting int) error {
	archive := tar.NewReader(in)
	for {
		entry, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err != nil {
			r.fail(position{file: name}, fmt.Errorf("reading the archive: %w; the rest of it was not read", err))
			return nil
		}
		if entry.Typeflag != tar.TypeReg || !wanted(entry.Name) {
			continue
		}
		if !filepath.IsLocal(entry.Name) {
			r.fail(position{file: name}, fmt.Errorf("the path %q leads out of the archive; it was not read", entry.Name))
			continue
		}
		if err := r.stream(name+"/"+strings.TrimPrefix(entry.Name, "./"), archive, nesting+1); err != nil {
			return err
		}
	}
}

// decode reads a snapshot that this program has written.
func (r *reader) decode(name string, in io.Reader) error {
	if r.snapshot != nil {
		return fmt.Errorf("%s and %s are both snapshots: read one of them, or compare them with diff", r.snapshotFile, name)
	}
	s, err := inventory.Decode(in)
	if errors.Is(err, inventory.ErrNotSnapshot) {
		r.fail(position{file: name, line: 1}, errors.New("not a snapshot but another file of this program, such as a scorecard"))
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	r.snapshot, r.snapshotFile = s, name
	return nil
}
