package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a file whole or not at all: what stood there before stays
// until the new content is on the disk. A link stays one: what it points to is
// replaced. What is no file, such as /dev/stdout or a pipe, is written to.
func writeFile(name string, content []byte) error {
	return writeFileBy(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// writeFileBy is writeFile for content that is written piece by piece.
func writeFileBy(name string, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = writeTo(name, write)
	} else {
		err = replace(name, write)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = written(f, write)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

func replace(name string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails, as it should, once the file was renamed
	err = written(temp, write)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	return err
}

// written writes through a buffer: encoders write in small pieces.
func written(f *os.File, write func(io.Writer) error) error {
	buffer := bufio.NewWriter(f)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}
