package stats

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// An Extent is the smallest and the largest number of an array, without NaN, NaT and infinities: the range that the bins
// of [HistogramOf] divide. Where the pieces of an array are in many places, a first pass merges their Extents, and a second the
// histograms that [Extent.Histogram] counts.
type Extent struct {
	t         dtype.Type
	some      bool   // there are numbers
	low, high uint64 // keys: of float64, or of ticks
}

// ExtentOf returns the Extent of an array of real numbers, bools or times. Records and other dtypes are an error that wraps
// [errors.ErrUnsupported]. src is read once.
func ExtentOf(ctx context.Context, src npy.Source) (Extent, error) {
	return extentOf(src.DType(), passesOf(ctx, src))
}

func extentOf(t dtype.Type, each passes) (Extent, error) {
	all := Extent{t: t}
	if hasTicks(t) {
		k, _ := keyingOf(t)
		return all, onAll(each, t.ItemSize(), func() *Extent { return new(Extent) }, func(s *scratch, e *Extent, items []byte, _ int64) {
			for _, key := range k.keys(s, items) {
				e.add(Extent{some: true, low: key, high: key})
			}
		}, func(e *Extent) { all.add(*e) })
	}
	read, err := realsOf(t)
	if err != nil {
		return all, fmt.Errorf("stats: a histogram needs real numbers, bools or times, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	return all, onAll(each, t.ItemSize(), func() *bounds { return &bounds{fmin: math.Inf(1), fmax: math.Inf(-1)} }, func(s *scratch, r *bounds, items []byte, _ int64) {
		for _, x := range read(&s.numbers, items) {
			if finite(x) {
				r.fmin, r.fmax = min(r.fmin, x), max(r.fmax, x)
			}
		}
	}, func(r *bounds) { all.add(Extent{some: r.fmin <= r.fmax, low: keyOf(r.fmin), high: keyOf(r.fmax)}) })
}

// add adds numbers of the same dtype.
func (e *Extent) add(other Extent) {
	switch {
	case !other.some:
	case !e.some:
		e.some, e.low, e.high = true, other.low, other.high
	default:
		e.low, e.high = min(e.low, other.low), max(e.high, other.high)
	}
}

// Merge adds the numbers of another piece of the array. The order does not matter. The zero Extent becomes other. Another dtype is an error,
// after which e is unchanged.
func (e *Extent) Merge(other Extent) error {
	if e.t.IsValid() && !e.t.Equal(other.t) {
		return fmt.Errorf("stats: cannot merge the extent of dtype %s into that of dtype %s", other.t, e.t)
	}
	e.t = other.t
	e.add(other)
	return nil
}

// Low returns the smallest number, as a float, or the first time. It is the zero Value if there are none.
func (e Extent) Low() Value { return e.value(e.low) }

// High returns the largest number, as a float, or the last time. It is the zero Value if there are none.
func (e Extent) High() Value { return e.value(e.high) }

func (e Extent) value(key uint64) Value {
	switch {
	case !e.some:
		return Value{}
	case hasTicks(e.t):
		k, _ := keyingOf(e.t)
		return k.value(key)
	}
	return Float(numberOf(key))
}

// Histogram counts the elements of a piece of the array in the bins of the whole, as [HistogramOf] chooses them for an
// array whose Extent is e. Elements outside of e are left out. Histograms of all pieces add up, see [Histogram.Merge].
// Another dtype than e's is an error. src is read once.
func (e Extent) Histogram(ctx context.Context, src npy.Source, bins int) (Histogram, error) {
	if t := src.DType(); !e.t.Equal(t) {
		return Histogram{}, fmt.Errorf("stats: elements of dtype %s are not those of an extent of dtype %s", t, e.t)
	}
	if err := checkBins(bins); err != nil {
		return Histogram{}, err
	}
	return e.histogram(bins, passesOf(ctx, src))
}

func (e Extent) histogram(bins int, each passes) (Histogram, error) {
	switch {
	case !e.some:
		return Histogram{Counts: make([]int64, bins)}, nil
	case hasTicks(e.t):
		return e.histogramOfTimes(bins, each)
	}
	read, err := realsOf(e.t)
	if err != nil {
		return Histogram{}, err
	}
	return countIn(edges(numberOf(e.low), numberOf(e.high), bins), e.t.ItemSize(), read, each)
}

// histogramOfTimes counts ticks by their keys.
func (e Extent) histogramOfTimes(bins int, each passes) (Histogram, error) {
	k, _ := keyingOf(e.t)
	low, high := e.low, e.high
	if low == high { // one tick, as a bin of its own
		if high++; high == 0 {
			low, high = math.MaxUint64-1, math.MaxUint64
		}
	}
	n := min(uint64(bins), high-low)
	h := Histogram{Counts: make([]int64, n)}
	edges := make([]uint64, n+1)
	for i := range edges {
		over, under := bits.Mul64(high-low, uint64(i))
		ticks, _ := bits.Div64(over, under, n)
		edges[i] = low + ticks
		h.Edges = append(h.Edges, k.value(edges[i]))
	}
	return h, onAll(each, e.t.ItemSize(), func() *[]int64 { c := make([]int64, n); return &c }, func(s *scratch, counts *[]int64, items []byte, times int64) {
		for _, key := range k.keys(s, items) {
			if key < low || key > high {
				continue
			}
			i, found := slices.BinarySearch(edges, key)
			if !found {
				i--
			}
			(*counts)[min(i, int(n)-1)] += times
		}
	}, func(counts *[]int64) {
		for i, c := range *counts {
			h.Counts[i] += c
		}
	})
}

// extentMagic begins the bytes of an Extent. The last byte is the version.
const extentMagic = "npyrang\x01"

// MarshalBinary returns the dtype and the two numbers. The bytes begin with a version.
func (e Extent) MarshalBinary() ([]byte, error) {
	if !e.t.IsValid() {
		return nil, errors.New("stats: this Extent has no dtype: make it with ExtentOf")
	}
	out, err := appendType([]byte(extentMagic), e.t)
	if err != nil {
		return nil, err
	}
	out = append(out, byte(boolInt(e.some)))
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, e.low), e.high), nil
}

// UnmarshalBinary replaces e by the Extent that MarshalBinary wrote. Other bytes are an error, after which e is
// unchanged. Bytes from an untrusted source cannot do more harm than to give wrong numbers.
func (e *Extent) UnmarshalBinary(data []byte) error {
	s := state{data: data}
	if head := s.bytes(len(extentMagic)); string(head) != extentMagic {
		return errors.New("stats: these are not the bytes of an Extent, or a later version of this package wrote them")
	}
	t, err := s.dtype()
	if err != nil {
		return err
	}
	read := Extent{t: t, some: s.count(1) == 1}
	for _, key := range []*uint64{&read.low, &read.high} {
		if b := s.bytes(8); !s.bad {
			*key = binary.LittleEndian.Uint64(b)
		}
	}
	if !hasTicks(t) {
		_, err := realsOf(t)
		s.check(err == nil && (!read.some || finite(numberOf(read.low)) && finite(numberOf(read.high))))
	}
	if s.check(read.low <= read.high); s.bad || len(s.data) > 0 {
		return errState
	}
	*e = read
	return nil
}

// MarshalJSON returns an error: an Extent is half of a computation.
func (e Extent) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Extent", "marshal its Low and High")
}
