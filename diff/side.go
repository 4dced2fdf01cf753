package diff

import (
	"context"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// A side is one of the two arrays that are compared.
type side struct {
	npy.Source
	header format.Header
	data   *io.SectionReader // the elements in C order, nil if they cannot be read at any offset
}

const (
	elementMax  = 4 << 20  // larger elements are not read by each goroutine
	blockMemory = 64 << 20 // more would only help where the elements have to be reordered
)

func sideOf(src npy.Source) side {
	s := side{Source: src, header: npy.HeaderOf(src)}
	if data, ok := npy.DataOf(src); ok && s.header.DType.ItemSize() <= elementMax {
		s.data = data
	}
	return s
}

// bytes yields the elements in C order.
func (s side) bytes(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for block, err := range s.Blocks(ctx, blockMemory) {
			if err != nil {
				yield(nil, err)
				return
			}
			data, _ := block.ViewBytes() // it is in C order
			if !yield(data, nil) {
				return
			}
		}
	}
}
