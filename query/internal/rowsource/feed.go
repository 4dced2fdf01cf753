package rowsource

import (
	"context"
	"errors"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// A Feed gives the elements of a Source as bytes in C order, as many at a time as the caller wants.
type Feed struct {
	data  *io.SectionReader // set if several goroutines can read
	at    int64
	next  func() (*npy.Array, error, bool)
	end   func()
	block []byte
}

// NewFeed returns the feed of a source, whose blocks take some bytes of memory. Stop it.
func NewFeed(ctx context.Context, src npy.Source, memory int64) *Feed {
	if data, ok := npy.DataOf(src); ok {
		announce.Reads(data, 0, data.Size())
		return &Feed{data: data, end: func() {}}
	}
	next, end := par.Pull2(src.Blocks(ctx, memory))
	return &Feed{next: next, end: end}
}

// Stop ends the reading of blocks.
func (f *Feed) Stop() { f.end() }

// Read fills data.
func (f *Feed) Read(ctx context.Context, data []byte) error {
	if f.data != nil {
		const unit = 1 << 20
		err := par.Each(ctx, (len(data)+unit-1)/unit, par.Workers(), func(_, i int) error {
			piece := data[i*unit : min((i+1)*unit, len(data))]
			n, err := f.data.ReadAt(piece, f.at+int64(i*unit))
			if n == len(piece) {
				return nil
			}
			return EndsEarly(err)
		})
		f.at += int64(len(data))
		return err
	}
	for len(data) > 0 {
		if len(f.block) == 0 {
			block, err, ok := f.next()
			switch {
			case !ok:
				return EndsEarly(nil)
			case err != nil:
				return err
			}
			f.block, _ = block.ViewBytes() // blocks are in C order
		}
		n := copy(data, f.block)
		data, f.block = data[n:], f.block[n:]
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// EndsEarly returns the error of a source that ends early for nil and for io.EOF, and any other error as it is.
func EndsEarly(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return diag.Errorf("query", "the data ends early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
