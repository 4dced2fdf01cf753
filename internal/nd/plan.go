package nd

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// The elements of an array lie in its file along strided axes: runs of bytes in equal steps, groups of runs in larger
// equal steps, and so on. A Plan cuts them into boxes, one for each read: whole along the inner axes, a range along
// one axis, a single position along the outer axes. Boxes follow each other in the result, so the bytes of each box
// go to a place of their own.

// ReadMin is the number of bytes that one read may always have.
const ReadMin = 1 << 20

const readGaps = 8 // one read may also have this multiple of the gap

// A stridedAxis has n positions, step bytes apart.
type stridedAxis struct{ n, step int64 }

// stridedAxes returns the axes that have more than one position, the largest step first. The last axis is the bytes of
// an element. Axes that continue each other are merged.
func (a *Array) stridedAxes() []stridedAxis {
	var axes []stridedAxis
	add := func(x stridedAxis) {
		if last := len(axes) - 1; last >= 0 && axes[last].step == x.n*x.step {
			x.n *= axes[last].n
			axes = axes[:last]
		}
		axes = append(axes, x)
	}
	for _, axis := range a.SlowestFirst() {
		if n := a.Shape[axis]; n > 1 {
			s := a.Strides[axis]
			add(stridedAxis{int64(n), int64(max(s, -s))})
		}
	}
	add(stridedAxis{int64(a.DType.ItemSize()), 1})
	return axes
}

// A Plan divides the bytes of an array into reads or writes, numbered from 0 to Count-1.
type Plan struct {
	Count int64

	start int64 // of the first byte
	outer []stridedAxis
	split stridedAxis   // the axis along which a box has a range
	inner []stridedAxis // the axes along which a box is whole
	most  int64         // positions along split in a box
	parts int64         // boxes along split

	innerExtent, innerBytes int64 // of a box with one position along split: its bytes from first to last, and its wanted bytes
}

// A Run is one read or write: Extent bytes from Start. Of these, Bytes are wanted and belong at Place in the result,
// which has the elements of [Array.Compact].
type Run struct {
	Start, Extent int64
	Place, Bytes  int64

	count int64 // positions along split
}

// Plan returns the reads of all elements that read through gaps of at most gap bytes. No read is over 1 MiB, or 8
// gaps if that is more. Data of the array does not matter.
func (a *Array) Plan(gap int64) Plan {
	start, end := a.Extent()
	if start == end {
		return Plan{}
	}
	limit := max(ReadMin, readGaps*gap)
	axes := a.stridedAxes()
	p := Plan{start: int64(start), innerExtent: 1, innerBytes: 1}
	split := len(axes) - 1
	for ; split > 0; split-- { // whole axes, as long as the gaps of the next axis are small and the box is within the limit
		x := axes[split]
		whole := (x.n-1)*x.step + p.innerExtent
		if x.step-p.innerExtent > gap || whole > limit {
			break
		}
		p.innerExtent, p.innerBytes = whole, p.innerBytes*x.n
	}
	p.outer, p.split, p.inner = axes[:split], axes[split], axes[split+1:]
	p.most = 1
	if p.split.step-p.innerExtent <= gap {
		p.most = min((limit-p.innerExtent)/p.split.step+1, p.split.n)
	}
	p.parts = (p.split.n-1)/p.most + 1
	p.Count = p.parts
	for _, x := range p.outer {
		p.Count *= x.n
	}
	return p
}

// Run returns read number i, in the order of the file.
func (p *Plan) Run(i int64) Run {
	part, above := i%p.parts, i/p.parts
	r := Run{Start: p.start + part*p.most*p.split.step, count: min(p.most, p.split.n-part*p.most)}
	r.Extent = (r.count-1)*p.split.step + p.innerExtent
	r.Bytes = r.count * p.innerBytes
	r.Place = (above*p.split.n + part*p.most) * p.innerBytes
	for _, x := range slices.Backward(p.outer) {
		r.Start += above % x.n * x.step
		above /= x.n
	}
	return r
}

// Read fills dst with the elements, whose array begins in r at offset, on the given number of goroutines.
func (p *Plan) Read(ctx context.Context, dst []byte, r io.ReaderAt, offset int64, workers int) error {
	workers = int(min(int64(workers), p.Count))
	bufs := make([][]byte, max(workers, 1))
	return par.Each(ctx, int(p.Count), workers, func(w, i int) error {
		return p.ReadRun(dst, r, offset, p.Run(int64(i)), &bufs[w])
	})
}

// ReadRun makes one read into dst, which has all elements up to the end of the run. It reads through buf unless all bytes are
// wanted, and allocates that.
func (p *Plan) ReadRun(dst []byte, r io.ReaderAt, offset int64, x Run, buf *[]byte) error {
	to := dst[x.Place : x.Place+x.Bytes]
	if x.Bytes == x.Extent {
		return ReadFull(r, to, offset+x.Start)
	}
	if *buf == nil {
		*buf = make([]byte, (p.most-1)*p.split.step+p.innerExtent)
	}
	if err := ReadFull(r, (*buf)[:x.Extent], offset+x.Start); err != nil {
		return err
	}
	p.gather(to, *buf, x.count)
	return nil
}

// gather copies the wanted bytes of a box with count positions along split.
func (p *Plan) gather(dst, src []byte, count int64) {
	axes := append([]stridedAxis{{count, p.split.step}}, p.inner...)
	shape, to, from := make([]int, len(axes)), make([]int, len(axes)), make([]int, len(axes))
	step := 1
	for i, x := range slices.Backward(axes) {
		shape[i], to[i], from[i] = int(x.n), step, int(x.step)
		step *= int(x.n)
	}
	bulk.Copy(dst, 0, to, src, 0, from, shape)
}

// ReadFull reads len(b) bytes. An early end of the data is an error.
func ReadFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || err == io.EOF:
		return &format.Error{Offset: at + int64(n), Err: fmt.Errorf("the data ends within the elements: %w", io.ErrUnexpectedEOF)}
	}
	return diag.Errorf("npy", "reading the data: %w", err)
}
