package diff

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
)

// A side is one of the two arrays being compared.
type side struct {
	npy.Source
	header format.Header
	data   *io.SectionReader // the elements in C order; nil if the array is not seekable
}

const (
	elementMax  = 4 << 20  // goroutines do not read larger elements themselves
	blockMemory = 64 << 20 // more would only help where the elements must be reordered
)

func sideOf(src npy.Source) side {
	s := side{Source: src, header: npy.HeaderOf(src)}
	if data, ok := npy.DataOf(src); ok && s.header.DType.ItemSize() <= elementMax {
		s.data = data
	}
	return s
}

// runs yields the elements in C order.
func (s side) runs(ctx context.Context) iter.Seq2[source.Run, error] {
	return func(yield func(source.Run, error) bool) {
		for block, err := range s.Blocks(ctx, blockMemory) {
			if err != nil {
				yield(source.Run{}, err)
				return
			}
			data, _ := block.ViewBytes() // the block is in C order
			if !yield(source.Run{Data: data, Count: block.Size()}, nil) {
				return
			}
		}
	}
}

// A ReadError reports that the elements of one array could not be read.
type ReadError struct {
	Side byte  // 'a' for the first or 'b' for the second
	Err  error // of the reading, with its place in the file if it has one
}

// Error returns one line: which array failed, and the cause.
func (e *ReadError) Error() string { return "diff: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *ReadError) Fault(_ string) string { return fmt.Sprintf("%c: %v", e.Side, e.Err) }

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }
