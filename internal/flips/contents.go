package flips

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
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

// Values reads an array and returns its dtype, its shape and the SHA-256 of its elements in C order. It reads the array as a
// whole and then in blocks. If one of the two has an error, the values of the other are returned: a reader may use either.
func Values(src npy.Source) (string, error) {
	ctx := context.Background()
	whole, err := valuesOf(src, func(yield func(*npy.Array, error) bool) { yield(src.ReadAll(ctx)) })
	blocks, blocksErr := valuesOf(src, src.Blocks(ctx, 256))
	switch {
	case err != nil:
		return blocks, blocksErr
	case blocksErr != nil || whole == blocks:
		return whole, nil
	}
	return whole + ", in blocks " + blocks, nil
}

// valuesOf is Values for an array whose blocks are given.
func valuesOf(src npy.Source, blocks iter.Seq2[*npy.Array, error]) (string, error) {
	sum := sha256.New()
	order := src.DType().WithByteOrder(dtype.LittleEndian)
	for a, err := range blocks {
		if err != nil {
			return "", err
		}
		if a.DType().HasObject() {
			objects, err := a.Objects()
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%q", fmt.Sprint(objects...))
			continue
		}
		if a, err = a.AsType(order); err != nil {
			return "", err
		}
		sum.Write(a.Bytes())
	}
	return fmt.Sprintf("%s %v %x", order.Descr(), src.Shape(), sum.Sum(nil)), nil
}
