package filter

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowset"
	"github.com/npygo/npy/source"
)

// A chosen selects every step-th row of a set of rows of a source, beginning with rank start.
type chosen struct {
	base        npy.Source
	set         *rowset.Set
	start, step int // a step of 0 is 1
	count       int
	single      bool // the first axis was removed by an integer
}

// Rows returns the rows of src that are in a set as a Source, which reads them when it is read. src can be read more than once.
func Rows(src npy.Source, set *rowset.Set) npy.Source {
	return &chosen{base: src, set: set, count: set.Total}
}

// DType implements [npy.Source].
func (s *chosen) DType() dtype.Type { return s.base.DType() }

// Shape implements [npy.Source].
func (s *chosen) Shape() []int {
	shape := s.base.Shape()
	if s.single {
		return shape[1:]
	}
	shape[0] = s.count
	return shape
}

// Select implements [npy.Source].
func (s *chosen) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := source.SelectCopy(s, index); ok {
		return copied, err
	}
	if s.single {
		base, err := s.base.Select(append([]npy.Index{npy.All()}, index...)...)
		if err != nil {
			return nil, err
		}
		out := *s
		out.base = base
		return &out, nil
	}
	cut, err := source.CutIndex(s.Shape(), index)
	if err != nil {
		return nil, err
	}
	base, err := s.base.Select(append([]npy.Index{npy.All()}, cut.Rest...)...)
	if err != nil {
		return nil, err
	}
	out := &chosen{base, s.set, s.start + cut.Start*s.by(), s.by() * cut.Step, cut.Count, cut.Single}
	if len(cut.More) == 0 {
		return out, nil
	}
	if out.base, err = base.Select(cut.More[0]); err != nil { // a field
		return nil, err
	}
	return out.Select(cut.More[1:]...)
}

func (s *chosen) by() int {
	if s.step == 0 {
		return 1
	}
	return s.step
}

// ReadAll implements [npy.Source].
func (s *chosen) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := s.read(ctx, 0, s.count)
	if err != nil || !s.single {
		return a, err
	}
	return a.Slice(npy.At(0))
}

// read returns count rows, from number first on.
func (s *chosen) read(ctx context.Context, first, count int) (*npy.Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	shape := s.base.Shape()
	shape[0] = count
	h := format.Header{DType: s.base.DType(), Shape: shape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if err := source.CheckBytes(s.base, h.NBytes()); err != nil {
		return nil, err
	}
	if s.by() != 1 {
		return npy.Take(ctx, s.base, s.set.Positions(s.start+first*s.by(), s.by(), count))
	}
	data := bulk.MakeFill[byte](int(h.NBytes()))
	if err := s.fill(ctx, data, s.start+first, count); err != nil {
		return nil, err
	}
	return npy.FromHeader(h, data)
}

// fill copies count rows to dst, beginning with the row of a rank.
func (s *chosen) fill(ctx context.Context, dst []byte, rank, count int) error {
	if len(dst) == 0 {
		return nil
	}
	size := len(dst) / count
	low, high := s.set.At(rank), s.set.At(rank+count-1)+1
	rows := fetcherOf(s.base, size)
	per := max(chunkBytes/size, 1)
	var chunks []int // the first row of each, which is one of the set
	for from := s.set.Find(low, high, 0); from < high; from = s.set.Find(from+per, high, 0) {
		chunks = append(chunks, from)
	}
	bufs := make([][]byte, max(min(rows.workers, len(chunks)), 1))
	return par.Each(ctx, len(chunks), len(bufs), func(w, i int) error {
		from, to := chunks[i], min(chunks[i]+per, high)
		at := (s.set.Rank(from) - rank) * size
		if run := s.set.Find(from, to, ^uint64(0)); run == to { // all of the same run
			return rows.read(ctx, dst[at:at+(to-from)*size], from, to)
		}
		data, err := rows.view(ctx, &bufs[w], from, to)
		if err != nil {
			return err
		}
		s.set.CopyRuns(dst[at:], data, from, to, size)
		return nil
	})
}

// Blocks implements [npy.Source].
func (s *chosen) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if s.single || nd.Size(s.Shape()) == 0 {
			s.whole(ctx, memory, yield)
			return
		}
		size := nd.Size(s.base.Shape()[1:]) * s.base.DType().ItemSize()
		if err := source.CheckBytes(s.base, int64(s.count)*int64(size)); err != nil {
			yield(nil, err)
			return
		}
		if memory <= 0 {
			memory = 64 << 20
		}
		per := max(int(min(memory, 8<<20))/max(size, 1), 1)
		if size == 0 {
			per = s.count
		}
		for first := 0; first < s.count; first += per {
			a, err := s.read(ctx, first, min(per, s.count-first))
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// Regions implements the optional method of [npy.Source]: the regions of the base, with the chosen rows.
func (s *chosen) Regions(ctx context.Context) (*npy.Regions, error) {
	if s.single || s.by() != 1 {
		return nil, nil
	}
	r, err := npy.RegionsOf(ctx, s.base)
	if r == nil {
		return nil, err
	}
	out := &npy.Regions{All: func(yield func(npy.Region) bool) {
		for x := range r.All {
			low, high := s.ranks(x.Origin[0], x.Origin[0]+x.Shape[0])
			if low == high {
				continue
			}
			x.Origin, x.Shape = slices.Clone(x.Origin), slices.Clone(x.Shape)
			x.Origin[0], x.Shape[0] = low, high-low
			if !yield(x) {
				return
			}
		}
	}}
	for x := range out.All {
		if x.Value != nil {
			out.Constant += x.Size()
		}
	}
	return out, nil
}

// ranks returns the numbers of the chosen rows from low up to high of the base.
func (s *chosen) ranks(low, high int) (from, to int) {
	clip := func(rank int) int { return min(max(rank-s.start, 0), s.count) }
	return clip(s.set.Rank(low)), clip(s.set.Rank(high))
}

// CheckBytes implements the optional method of [npy.Source].
func (s *chosen) CheckBytes(n int64) error { return source.CheckBytes(s.base, n) }

// whole yields the array in one piece, if it has elements.
func (s *chosen) whole(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) {
	a, err := s.ReadAll(ctx)
	if err != nil {
		yield(nil, err)
		return
	}
	a.Blocks(ctx, memory)(yield)
}

var _ npy.Source = (*chosen)(nil)

// choose returns the rows of src that satisfy the expression as a source, which reads them when it is read.
func (c *Filter) choose(ctx context.Context, src npy.Source) (*chosen, error) {
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return nil, err
	}
	set, err := c.rowsOf(ctx, src)
	if err != nil {
		return nil, err
	}
	return &chosen{base: src, set: set, count: set.Total}, nil
}
