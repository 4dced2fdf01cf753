package diff

import (
	"bytes"
	"context"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

const (
	blockBytes = 256 << 10 // of one array: the work unit of a goroutine, whose results are merged in order
	chunkItems = 2048      // items passed to a kernel at once, few enough that the intermediate results stay in the cache
)

// A comparer compares the elements of two arrays.
type comparer struct {
	Options
	sizeA, sizeB int // of one element
	elems, per   int // the number of all elements, and the number per work unit
	pairs        []pair
	tallies      []tally // one per pair
	same         bool    // equal bytes are equal elements
}

func newComparer(a, b format.Header, pairs []pair, o Options) (*comparer, error) {
	c := &comparer{Options: o, sizeA: a.DType.ItemSize(), sizeB: b.DType.ItemSize(), pairs: pairs, tallies: make([]tally, len(pairs))}
	elems, ok := bounded.Count(a.Shape, 1)
	if !ok {
		return nil, diag.Wrap("diff", bounded.Over("", 0, 0, "the elements of shape %s are more than can be counted", format.ShapeString(a.Shape)))
	}
	c.elems, c.per, c.same = elems, max(blockBytes/max(c.sizeA, c.sizeB, 1), 1), a.DType.Equal(b.DType)
	for i := range pairs {
		l := &pairs[i]
		if _, ok := bounded.Count(append([]int{elems}, l.a.Dims...), 1); !ok {
			return nil, diag.Wrap("diff", bounded.Over("", 0, 0, "the items of field %q are more than can be counted", l.name))
		}
		if l.reason == "" {
			l.kernel, l.reason = kernelFor(l.a.DType, l.b.DType)
		}
		l.same = l.reason == "" && l.a.DType.Equal(l.b.DType) && !(o.NaNsDiffer && hasNaN(l.a.DType))
		c.same = c.same && l.same
	}
	return c, nil
}

// run compares n elements in memory on all processors. The first has the number first.
func (c *comparer) run(a, b []byte, n, first int) {
	_ = c.share(context.Background(), n, func(low, high int, parts [][]judge) error { // it cannot fail
		var s scratch
		for i := low; i < high; i += c.per {
			m := min(c.per, high-i)
			parts[i/c.per] = c.block(&s, a[i*c.sizeA:(i+m)*c.sizeA], b[i*c.sizeB:(i+m)*c.sizeB], m, first+i)
		}
		return nil
	})
}

// share compares parts of n elements on all processors and merges the results in order.
func (c *comparer) share(ctx context.Context, n int, do func(low, high int, parts [][]judge) error) error {
	parts := make([][]judge, (n-1)/c.per+1)
	err := par.Split(ctx, n, c.per, n*(c.sizeA+c.sizeB), func(low, high int) error { return do(low, high, parts) })
	if err != nil {
		return err
	}
	for _, part := range parts {
		for i := range part {
			c.tallies[i].merge(&part[i].tally, c.Max)
		}
	}
	return nil
}

// block compares n elements field by field. It returns nil if all their bytes are equal and equal bytes mean equal values.
func (c *comparer) block(s *scratch, a, b []byte, n, first int) []judge {
	if c.same && bytes.Equal(a, b) {
		return nil
	}
	judges := make([]judge, len(c.pairs))
	for i, l := range c.pairs {
		if l.reason != "" || l.items == 0 {
			continue
		}
		j := &judges[i]
		*j = newJudge(c.Options)
		x, y := l.a.Items(&s.a.items, a, n, c.sizeA), l.b.Items(&s.b.items, b, n, c.sizeB)
		l.chunks(s, j, x, y, n*l.items, int64(first)*int64(l.items))
	}
	return judges
}

// chunks compares n items. The first has the number first.
func (l *pair) chunks(s *scratch, j *judge, a, b []byte, n int, first int64) {
	sizeA, sizeB := l.a.DType.ItemSize(), l.b.DType.ItemSize()
	if sizeA == 0 && sizeB == 0 {
		return
	}
	for i := 0; i < n; i += chunkItems {
		end := min(i+chunkItems, n)
		x, y := a[i*sizeA:end*sizeA], b[i*sizeB:end*sizeB]
		if l.same && bytes.Equal(x, y) {
			continue
		}
		j.base = first + int64(i)
		l.kernel(s, j, x, y, end-i)
	}
	j.pin(a, b, sizeA, sizeB, first)
}

// fields converts the tallies to Fields.
func (c *comparer) fields(shape []int) []Field {
	fields := make([]Field, len(c.pairs))
	for i, l := range c.pairs {
		t := c.tallies[i]
		f := Field{Name: l.name, A: l.a.DType, B: l.b.DType, Incomparable: l.reason}
		if l.reason == "" {
			f.Count = int64(c.elems) * int64(l.items)
			f.Different, f.Close, f.NaNs = t.different, t.close, t.nans
			w := wording{append(slices.Clone(shape), l.a.Dims...), texts(l.a.DType), texts(l.b.DType)}
			for _, e := range t.first {
				f.First = append(f.First, *w.mismatch(&e))
			}
			f.WorstAbs, f.WorstRel, f.WorstULPs = w.mismatch(t.worst[0]), w.mismatch(t.worst[1]), w.mismatch(t.worst[2])
		}
		fields[i] = f
	}
	return fields
}

// A wording converts the entries of a pair to mismatches.
type wording struct {
	shape []int
	a, b  func(item []byte) string
}

func (w wording) mismatch(e *entry) *Mismatch {
	if e == nil {
		return nil
	}
	return &Mismatch{Index: nd.Unravel(e.at, w.shape), A: w.a(e.a), B: w.b(e.b), Abs: e.abs, Rel: e.rel, ULPs: e.ulps}
}

// hasNaN reports whether t has values that may differ from themselves.
func hasNaN(t dtype.Type) bool {
	switch elem.KindOf(t) {
	case dtype.KindFloat, dtype.KindComplex, dtype.KindDatetime, dtype.KindTimedelta:
		return true
	}
	return false
}
