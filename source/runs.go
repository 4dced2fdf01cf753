package source

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
)

// A Run is elements that follow each other in C order: the elements of Data, or Count times the element Value. It is valid until
// the next one and must not be changed.
type Run struct {
	Data  []byte // contiguous elements; nil where all are Value
	Value []byte // the bytes of one element; nil where there is Data
	Count int    // of elements
}

// RunOptions configures [Runs]. The zero value suits consumers of single elements.
type RunOptions struct {
	// Unit is the number of elements that belong together, such as a row. Every run begins at a multiple of it, and the
	// elements of an incomplete unit come as Data. 0 means 1.
	Unit int

	// Memory is the target for the buffers in bytes, as for [npy.Source.Blocks].
	Memory int64
}

// memory returns the target for the buffers.
func (o RunOptions) memory() int64 {
	if o.Memory <= 0 {
		return runMemory
	}
	return o.Memory
}

const (
	leastRun  = 64 << 10  // bytes of the shortest run of one value; shorter ones are copied to the elements around them
	leastRuns = 1 << 20   // bytes of the smallest array that has runs of one value
	runBytes  = 8 << 20   // of a run of Data that is put together
	runMemory = 256 << 20 // default
)

// Runs returns all elements of src in C order, in runs. A run is a block of elements, or one value many times. It is [npy.RegionsOf]
// for consumers that need the order. It returns nil where [npy.Source.Blocks] and [npy.DataOf] are as good: too little of src is constant, or a unit does not
// fit into the memory. An error ends the runs.
func Runs(ctx context.Context, src npy.Source, o RunOptions) (iter.Seq2[Run, error], error) {
	h := format.Header{DType: src.DType(), Shape: src.Shape()}
	if len(h.Shape) == 0 || h.DType.HasObject() || h.NBytes() < leastRuns || int64(o.Unit) > o.memory()/int64(h.DType.ItemSize()) {
		return nil, nil
	}
	r, err := npy.RegionsOf(ctx, src)
	if r == nil {
		return nil, err
	}
	if !pays(r, src) {
		return nil, nil
	}
	return runsOf(ctx, src, r, o, leastRun), nil
}

// runsOf returns the runs of src. Runs of one value have at least so many bytes.
func runsOf(ctx context.Context, src npy.Source, r *npy.Regions, o RunOptions, least int) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		c := newRunCutter(src, o, least, func(run Run) bool { return yield(run, nil) })
		w := newRegionWalker(ctx, src, o, c)
		err := w.all(r)
		if err == nil {
			err = c.end()
		}
		if err != nil && err != errRunsLeft {
			yield(Run{}, err)
		}
	}
}

// errRunsLeft ends a loop over runs that the caller has left.
var errRunsLeft = errors.New("the caller wants no more")

// A runCutter joins elements in C order to runs that begin at multiples of the unit.
type runCutter struct {
	src               npy.Source
	size, unit, least int // bytes of an element, elements of a unit, least elements of a run of one value
	flush             int // bytes of a run of data, whole units
	yield             func(Run) bool

	data  []byte // that has not been yielded
	value []byte // of the elements after data
	count int    // of these

	copied, checked int64 // bytes of copies of values in data, and how many of them src allows
}

func newRunCutter(src npy.Source, o RunOptions, least int, yield func(Run) bool) *runCutter {
	size, unit := src.DType().ItemSize(), max(o.Unit, 1)
	c := &runCutter{src: src, size: size, unit: unit, least: max(least/size, unit, 1), yield: yield}
	c.flush = max(runBytes/(unit*size), 1) * unit * size
	return c
}

// add adds elements.
func (c *runCutter) add(data []byte) error {
	if err := c.settle(false); err != nil {
		return err
	}
	for len(data) > 0 {
		if len(c.data) == 0 && len(data) >= c.flush { // no copy
			n := len(data) / (c.unit * c.size) * c.unit * c.size
			if !c.yield(Run{Data: data[:n], Count: n / c.size}) {
				return errRunsLeft
			}
			data = data[n:]
			continue
		}
		n := min(len(data), c.flush-len(c.data))
		c.data = append(c.data, data[:n]...)
		data = data[n:]
		if len(c.data) == c.flush {
			if err := c.put(); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeat adds n times an element, which must not change.
func (c *runCutter) repeat(value []byte, n int) error {
	if c.count > 0 && bytes.Equal(value, c.value) {
		c.count += n
		return nil
	}
	if err := c.settle(false); err != nil {
		return err
	}
	c.value, c.count = value, n
	return nil
}

// settle yields the equal elements that have been added last, or puts them to the others if they are few. At the end, a unit may
// be incomplete.
func (c *runCutter) settle(end bool) error {
	n := c.count
	if n == 0 {
		return nil
	}
	if part := len(c.data) / c.size % c.unit; part > 0 {
		k := min(n, c.unit-part)
		if err := c.copies(k); err != nil {
			return err
		}
		n -= k
	}
	whole := n
	if !end {
		whole -= n % c.unit
	}
	if whole < c.least {
		whole = 0
	}
	if whole > 0 {
		if err := c.put(); err != nil {
			return err
		}
		if !c.yield(Run{Value: c.value, Count: whole}) {
			return errRunsLeft
		}
	}
	if err := c.copies(n - whole); err != nil {
		return err
	}
	c.count = 0
	if len(c.data) >= c.flush {
		return c.putUnits()
	}
	return nil
}

// copies adds n elements of the value to data. All that are added count for the limits of the source, because they are visited.
func (c *runCutter) copies(n int) error {
	const step = 16 << 20
	if c.copied += int64(n * c.size); c.copied > c.checked {
		if err := CheckBytes(c.src, c.copied); err != nil {
			return err
		}
		c.checked = c.copied + step
	}
	low := len(c.data)
	c.data = append(c.data, make([]byte, n*c.size)...)
	bulk.Repeat(c.data[low:], c.value)
	return nil
}

// put yields data.
func (c *runCutter) put() error {
	if len(c.data) > 0 && !c.yield(Run{Data: c.data, Count: len(c.data) / c.size}) {
		return errRunsLeft
	}
	c.data = c.data[:0]
	return nil
}

// putUnits yields data up to its last whole unit.
func (c *runCutter) putUnits() error {
	whole := len(c.data) / (c.unit * c.size) * c.unit * c.size
	rest := bytes.Clone(c.data[whole:])
	c.data = c.data[:whole]
	err := c.put()
	c.data = append(c.data, rest...)
	return err
}

// end yields the rest.
func (c *runCutter) end() error {
	if err := c.settle(true); err != nil {
		return err
	}
	return c.put()
}
