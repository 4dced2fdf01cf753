package npy

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// A part of an array lies in its file in strided axes: runs of bytes in equal steps, groups of runs in larger equal
// steps, and so on. A plan cuts the part into boxes, one for each read: whole along the inner axes, a
// range along one axis, a single position along the outer axes. Boxes follow each other in the result, so the bytes
// of each box go to a place of their own.

// ReadOptions configures partial reads. The zero value suits local files.
type ReadOptions struct {
	// Gap is the largest run of unwanted bytes that is read through to merge two reads. 0 means 4 KiB, which take as
	// long as another read if the file is in the kernel's memory. Negative numbers mean none. Where each read is a
	// request, over a network for example, 1 MiB is a good choice. The maximum is 64 MiB.
	Gap int64

	// Workers is the number of concurrent reads. 0 means one, or up to four if there are at least 8 MiB to read. Over
	// a network, where reads take long and cost little, 16 is an example.
	Workers int
}

const (
	defaultGap = 4 << 10
	gapMax     = 64 << 20
	readMin    = 1 << 20 // bytes that one read may always have
	readGaps   = 8       // one read may also have this multiple of Gap
	parallel   = 8 << 20 // smallest number of bytes for more than one worker
)

func (o ReadOptions) gap() int64 {
	if o.Gap == 0 {
		return defaultGap
	}
	return min(max(o.Gap, 0), gapMax)
}

func (o ReadOptions) workers(bytes int64) int {
	switch {
	case o.Workers > 0:
		return o.Workers
	case bytes < parallel:
		return 1
	}
	return min(par.Workers(), 4)
}

// A Range is the bytes of a file from Start up to, but not including, End.
type Range struct{ Start, End int64 }

// Ranges yields the reads that [Part.Read] makes, in the order of the file, with offsets counted as Start and End
// are. Together the reads have every byte that the index selects. Other bytes lie only in gaps of at most o.Gap
// bytes. No read is over 1 MiB, or 8 times o.Gap if that is more.
func (p Part) Ranges(o ReadOptions) iter.Seq[Range] {
	return func(yield func(Range) bool) {
		plan := p.plan(o)
		for i := range plan.boxes {
			if b := plan.box(i); !yield(Range{b.start, b.start + b.extent}) {
				return
			}
		}
	}
}

// Read reads a[index...] from r, where the elements of the whole array begin at offset. The result has memory of its
// own, exactly as much as it needs, in the order of the file: numpy.array of a slice of a memory map.
//
// The memory is allocated before anything is read. The caller must check that r has as many bytes as the header says,
// as [OpenReaderAt] does. With more than one worker r is used by several goroutines.
func (p Part) Read(ctx context.Context, r io.ReaderAt, offset int64, o ReadOptions) (*Array, error) {
	data := bulk.MakeFill[byte](p.array.NBytes())
	if err := p.readInto(ctx, data, r, offset, o); err != nil {
		return nil, err
	}
	return p.compact(p.array.nd.DType, data), nil
}

// compact returns the array of the part over data, contiguous and in the order of the file. Its elements may have
// another dtype.
func (p Part) compact(t dtype.Type, data []byte) *Array {
	return arrayOf(p.array.nd.Compact(t, data))
}

// A tooth is one strided axis of a part: n positions, step bytes apart.
type tooth struct{ n, step int64 }

// comb returns the axes of the part that have more than one position, the largest step first. The last axis is the
// bytes of an element. Axes that continue each other are merged.
func (p Part) comb() []tooth {
	var comb []tooth
	add := func(t tooth) {
		if last := len(comb) - 1; last >= 0 && comb[last].step == t.n*t.step {
			t.n *= comb[last].n
			comb = comb[:last]
		}
		comb = append(comb, t)
	}
	for _, axis := range p.array.nd.SlowestFirst() {
		if n := p.array.nd.Shape[axis]; n > 1 {
			s := p.array.nd.Strides[axis]
			add(tooth{int64(n), int64(max(s, -s))})
		}
	}
	add(tooth{int64(p.array.nd.DType.ItemSize()), 1})
	return comb
}

// A plan divides a part into reads.
type plan struct {
	start int64 // of the first byte
	outer []tooth
	split tooth   // the axis along which a box has a range
	inner []tooth // the axes along which a box is whole
	count int64   // positions along split in a box
	parts int64   // boxes along split
	boxes int64   // in all

	innerExtent, innerBytes int64 // of a box with one position along split: its bytes from first to last, and its wanted bytes
}

// A readBox is one read: extent bytes from start. Of these, bytes are wanted and belong at place in the result.
type readBox struct {
	start, extent int64
	place, bytes  int64
	count         int64 // positions along split
}

func (p Part) plan(o ReadOptions) plan {
	if p.End == p.Start {
		return plan{}
	}
	gap := o.gap()
	limit := max(readMin, readGaps*gap)
	comb := p.comb()
	x := plan{start: p.Start, innerExtent: 1, innerBytes: 1}
	split := len(comb) - 1
	for ; split > 0; split-- { // whole axes, as long as the gaps of the next axis are small and the box is within the limit
		t := comb[split]
		whole := (t.n-1)*t.step + x.innerExtent
		if t.step-x.innerExtent > gap || whole > limit {
			break
		}
		x.innerExtent, x.innerBytes = whole, x.innerBytes*t.n
	}
	x.outer, x.split, x.inner = comb[:split], comb[split], comb[split+1:]
	x.count = 1
	if x.split.step-x.innerExtent <= gap {
		x.count = min((limit-x.innerExtent)/x.split.step+1, x.split.n)
	}
	x.parts = (x.split.n-1)/x.count + 1
	x.boxes = x.parts
	for _, t := range x.outer {
		x.boxes *= t.n
	}
	return x
}

func (x plan) box(i int64) readBox {
	part, above := i%x.parts, i/x.parts
	b := readBox{start: x.start + part*x.count*x.split.step, count: min(x.count, x.split.n-part*x.count)}
	b.extent = (b.count-1)*x.split.step + x.innerExtent
	b.bytes = b.count * x.innerBytes
	b.place = (above*x.split.n + part*x.count) * x.innerBytes
	for _, t := range slices.Backward(x.outer) {
		b.start += above % t.n * t.step
		above /= t.n
	}
	return b
}

// readInto fills dst with the bytes of the part.
func (p Part) readInto(ctx context.Context, dst []byte, r io.ReaderAt, offset int64, o ReadOptions) error {
	x := p.plan(o)
	workers := int(min(int64(o.workers(int64(len(dst)))), x.boxes))
	bufs := make([][]byte, max(workers, 1))
	return par.Each(ctx, int(x.boxes), workers, func(w, i int) error {
		return x.read(dst, r, offset, x.box(int64(i)), &bufs[w])
	})
}

// read reads a box, through buf unless the box is contiguous.
func (x plan) read(dst []byte, r io.ReaderAt, offset int64, b readBox, buf *[]byte) error {
	to := dst[b.place : b.place+b.bytes]
	if b.bytes == b.extent {
		return readFull(r, to, offset+b.start)
	}
	if *buf == nil {
		*buf = make([]byte, (x.count-1)*x.split.step+x.innerExtent)
	}
	if err := readFull(r, (*buf)[:b.extent], offset+b.start); err != nil {
		return err
	}
	x.gather(to, *buf, b.count)
	return nil
}

// gather copies the wanted bytes of a box with count positions along split.
func (x plan) gather(dst, src []byte, count int64) {
	comb := append([]tooth{{count, x.split.step}}, x.inner...)
	shape, to, from := make([]int, len(comb)), make([]int, len(comb)), make([]int, len(comb))
	step := 1
	for i, t := range slices.Backward(comb) {
		shape[i], to[i], from[i] = int(t.n), step, int(t.step)
		step *= int(t.n)
	}
	bulk.Copy(dst, 0, to, src, 0, from, shape)
}

// readFull reads len(b) bytes. An early end of the data is an error.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || err == io.EOF:
		return &format.Error{Offset: at + int64(n), Err: fmt.Errorf("the data ends within the elements: %w", io.ErrUnexpectedEOF)}
	}
	return fmt.Errorf("npy: reading the data: %w", err)
}
