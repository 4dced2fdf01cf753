package container

import (
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// A CopiesWriter is an [ArrayWriter] that takes one element many times: formats have ways to write equal elements that cost less
// than the elements do.
type CopiesWriter interface {
	ArrayWriter

	// WriteCopies takes the next n elements, all of them equal to value, which has no dimensions.
	WriteCopies(value *npy.Array, n int) error

	// CopiesCost returns about how many bytes WriteCopies would have to visit or to write for n elements: none for elements
	// that the format leaves out, all of their bytes for elements that it cannot shorten.
	CopiesCost(value *npy.Array, n int) int64
}

// putRuns writes the runs of an array. The cost of equal elements is compared with the limits of src.
func putRuns(to CopiesWriter, src npy.Source, runs iter.Seq2[source.Run, error]) error {
	t, cost := src.DType(), int64(0)
	for run, err := range runs {
		if err != nil {
			return err
		}
		if run.Value == nil {
			block, err := npy.FromBytes(t, run.Data, run.Count)
			if err == nil {
				err = writeError(to.Write(block))
			}
			if err != nil {
				return err
			}
			continue
		}
		value, err := npy.FromBytes(t, run.Value)
		if err != nil {
			return err
		}
		if cost += to.CopiesCost(value, run.Count); cost > 0 {
			if err := source.CheckBytes(src, cost); err != nil {
				return err
			}
		}
		if err := writeError(to.WriteCopies(value, run.Count)); err != nil {
			return err
		}
	}
	return nil
}

// copiesOf returns the runs of src, if to is a writer of equal elements and src knows of many.
func copiesOf(ctx context.Context, to ArrayWriter, src npy.Source) (CopiesWriter, iter.Seq2[source.Run, error], error) {
	w, ok := to.(CopiesWriter)
	if !ok {
		return nil, nil, nil
	}
	runs, err := source.Runs(ctx, src, source.RunOptions{Memory: blockBytes})
	return w, runs, err
}

// CopiesCost implements [CopiesWriter].
func (m *memberWriter) CopiesCost(value *npy.Array, n int) int64 {
	return m.w.z.CopiesCost(value.Bytes(), n)
}

// WriteCopies implements [CopiesWriter].
func (m *memberWriter) WriteCopies(value *npy.Array, n int) error {
	if m.done {
		return errTooMany(m.e)
	}
	if err := m.start(); err != nil {
		return err
	}
	return m.pipe.copies(value, n, m.out.WriteCopies)
}

// copies writes n times an element by write.
func (b *blockWriter) copies(value *npy.Array, n int, write func(value []byte, n int) error) error {
	if err := b.checkType(value); err != nil {
		return err
	}
	if b.n -= int64(n) * int64(b.e.DType.ItemSize()); b.n < 0 {
		return errTooMany(b.e)
	}
	return write(value.Bytes(), n)
}
