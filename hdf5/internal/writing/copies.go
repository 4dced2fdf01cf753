package writing

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// Chunks whose elements all are the fill value are not written: a reader finds none, and gives the fill value.

// repeat takes n times an element. It leaves out the chunks that have only the fill value, whatever their number.
func (s *ChunkSink) repeat(item []byte, n int) error {
	fill := !s.Dense && s.isFill(item)
	var copies []byte
	for n > 0 {
		if fill && s.full == 0 {
			if k := s.leaveOut(n); k > 0 {
				n -= k
				continue
			}
		}
		rows := min(s.chunks[s.axis], s.Shape[s.axis]-s.done)
		k := min(n, (rows*s.inner-s.full)/s.itemSize, max(chunkTarget/s.itemSize, 1))
		if len(copies) < k*s.itemSize {
			copies = make([]byte, k*s.itemSize)
			bulk.Repeat(copies, item)
		}
		if err := s.Write(copies[:k*s.itemSize]); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// leaveOut moves on by as many whole slabs as n elements have, or as end before the next slab. It returns the number of elements.
func (s *ChunkSink) leaveOut(n int) int {
	row := s.inner / s.itemSize // elements of one index of the axis of the slab
	rows, chunks := s.Shape[s.axis], nd.Size(s.Counts[s.axis+1:])
	if whole := n / (row * rows); s.done == 0 && whole > 0 { // all slabs along the axis, several times
		s.next += whole * s.Counts[s.axis] * chunks
		return whole * row * rows
	}
	k := min(n/row, rows-s.done)
	if k < rows-s.done {
		k -= k % s.chunks[s.axis]
	}
	s.next += (k + s.chunks[s.axis] - 1) / s.chunks[s.axis] * chunks
	if s.done += k; s.done == rows {
		s.done = 0
	}
	return k * row
}

// CopiesCost implements [container.CopiesWriter]. The fill value costs nothing.
func (a *arrayWriter) CopiesCost(value *npy.Array, n int) int64 {
	if item, err := a.copied(value); err == nil && a.sink != nil && a.sink.isFill(item) {
		return 0
	}
	return int64(n) * int64(value.DType().ItemSize())
}

// copied returns an element as it lies in the file.
func (a *arrayWriter) copied(value *npy.Array) ([]byte, error) {
	if a.form == nil || !value.DType().Equal(a.t) {
		return nil, diag.Errorf("hdf5", "an element of dtype %s in an array of %s", value.DType(), a.t)
	}
	return a.form.Encode(value, &Pool{Heap: a.w.heap})
}

// WriteCopies implements [container.CopiesWriter].
func (a *arrayWriter) WriteCopies(value *npy.Array, n int) error {
	item, err := a.copied(value)
	switch {
	case a.w.err != nil:
		return a.w.err
	case a.closed:
		return ErrWriterClosed
	case err != nil:
		return a.error(err)
	case n > a.left:
		return a.error(diag.New("hdf5", "more elements than the shape has"))
	}
	a.left -= n
	if a.sink != nil {
		return a.error(a.sink.repeat(item, n))
	}
	for data := range bulk.Copies(item, n, chunkTarget) {
		if err := a.w.out.WriteAt(data, a.addr); err != nil {
			return a.error(err)
		}
		a.addr += int64(len(data))
	}
	return nil
}
