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

// A part of an array lies in its file as a comb of combs: runs of bytes in equal steps, those in larger equal steps, and
// so on. A plan cuts it into boxes, each of which takes one read: whole along the inner axes, a range along one, a single
// position along the outer ones. In the result boxes follow each other, so that the bytes of each go to their own place.

// ReadOptions are the knobs of reading parts of files. The zero value suits local files.
type ReadOptions struct {
	// Gap is the most bytes between two that are wanted which are read and dropped to save a read. 0 stands for 4 KiB,
	// which take as long as another read where the kernel has the file in memory; negative numbers stand for none. Where
	// each read is a request, over a network say, 1 MiB is a good choice. More than 64 MiB count as that.
	Gap int64

	// Workers is how many reads are under way at a time. 0 stands for one, or up to four if there are 8 MiB to read; over
	// a network, where reads take long and cost little, for example 16.
	Workers int
}

const (
	defaultGap = 4 << 10
	gapMax     = 64 << 20
	readMin    = 1 << 20 // bytes that one read may always take
	readGaps   = 8       // it may take so many times Gap if that is more
	parallel   = 8 << 20 // bytes from which on more than one worker pays
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

// A Range is bytes of a file, from Start up to but without End.
type Range struct{ Start, End int64 }

// Ranges goes through the reads that [Part.Read] makes, in the order of the file, counted as Start and End are. Together
// they have every byte that the index selects, and besides those only gaps of at most o.Gap bytes. None is over 1 MiB, or 8
// times o.Gap if that is more.
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

// Read returns a[index...], read from r, where the elements of the whole array begin at offset. The result has memory of
// its own, just as much as it needs, in the order of the file: what numpy.array makes of a slice of a memory map.
//
// The memory is allocated before anything is read: the caller makes sure that r has as many bytes as the header says, as
// [OpenReaderAt] does. With more than one worker r is used by several goroutines.
func (p Part) Read(ctx context.Context, r io.ReaderAt, offset int64, o ReadOptions) (*Array, error) {
	data := bulk.MakeFill[byte](p.array.NBytes())
	if err := p.readInto(ctx, data, r, offset, o); err != nil {
		return nil, err
	}
	return p.compact(p.array.dtype, data), nil
}

// compact lays the array of the part over its elements without gaps, in the order of the file, or over as many of another
// dtype.
func (p Part) compact(t dtype.Type, data []byte) *Array {
	return arrayOf(p.array.geometry().Compact(t, data))
}

// A tooth is one axis of the comb: n positions in steps of some bytes.
type tooth struct{ n, step int64 }

// comb returns the axes of the part that have more than one position, the largest step first; last are the bytes of the
// elements. Axes that continue each other are one.
func (p Part) comb() []tooth {
	var comb []tooth
	add := func(t tooth) {
		if last := len(comb) - 1; last >= 0 && comb[last].step == t.n*t.step {
			t.n *= comb[last].n
			comb = comb[:last]
		}
		comb = append(comb, t)
	}
	for _, axis := range p.array.geometry().SlowestFirst() {
		if n := p.array.shape[axis]; n > 1 {
			s := p.array.strides[axis]
			add(tooth{int64(n), int64(max(s, -s))})
		}
	}
	add(tooth{int64(p.array.dtype.ItemSize()), 1})
	return comb
}

// A plan is how to read a part.
type plan struct {
	start int64 // of the first byte
	outer []tooth
	split tooth   // the axis of which a box has a range
	inner []tooth // all of which a box has
	count int64   // positions along split in a box
	parts int64   // boxes along split
	boxes int64   // in all

	innerExtent, innerBytes int64 // of a box with one position along split: from its first to its last byte, and those wanted
}

// A box is one read: of extent bytes from start, bytes of which are wanted and belong at place in the result.
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
	for ; split > 0; split-- { // whole axes, as long as the next one has small gaps and finds room
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

// read reads a box, through buf if there are gaps in it.
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

// gather copies the wanted bytes of a box, with so many positions along split.
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

// readFull reads len(b) bytes, which are said to be there.
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
