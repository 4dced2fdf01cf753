package flips

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// Contents returns a reader of files of a format: a line for each group and each array.
func Contents(format container.Format) func(file []byte) (string, error) {
	return func(file []byte) (string, error) {
		c, err := format.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return "", err
		}
		if closer, ok := c.(io.Closer); ok {
			defer closer.Close()
		}
		return ContentsOf(c)
	}
}

// ContentsOf returns the lines of the groups and arrays of a container, sorted.
func ContentsOf(c container.Container) (string, error) {
	var lines []string
	for e := range c.Entries() {
		if e.Err != nil {
			return "", e.Err
		}
		if e.Group {
			lines = append(lines, e.Path+" group")
			continue
		}
		src, err := c.Source(e.Path)
		if err != nil {
			return "", err
		}
		line, err := Values(src)
		if err != nil {
			return "", err
		}
		lines = append(lines, e.Path+" "+line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

// Values reads an array and returns its dtype, its shape and the SHA-256 of its elements in C order.
func Values(src npy.Source) (string, error) {
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return "", err
	}
	if a.DType().HasObject() {
		objects, err := a.Objects()
		return fmt.Sprintf("objects %v %q", a.Shape(), fmt.Sprint(objects...)), err
	}
	if a, err = a.AsType(a.DType().WithByteOrder(dtype.LittleEndian)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %v %x", a.DType().Descr(), a.Shape(), sha256.Sum256(a.Bytes())), nil
}
