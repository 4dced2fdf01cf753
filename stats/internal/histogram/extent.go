package histogram

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/keys"
	"github.com/npygo/npy/stats/internal/state"
)

// An Extent is the smallest and the largest number of an array, without NaN, NaT and infinities.
type Extent struct {
	t         dtype.Type
	some      bool   // there are numbers
	low, high uint64 // keys: of float64, or of ticks
}

// ExtentOf returns the Extent of an array of real numbers, bools or times, which is read once.
func ExtentOf(ctx context.Context, src npy.Source) (Extent, error) {
	return extentOf(src.DType(), feed.Once(ctx, src))
}

func extentOf(t dtype.Type, each feed.Passes) (Extent, error) {
	if items.HasTicks(t) {
		return extentOfTimes(t, each)
	}
	all := Extent{t: t}
	read := codec.RealsOf(t)
	if read == nil {
		return all, diag.Errorf("stats", "a histogram needs real numbers, bools or times, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	type span struct{ low, high float64 }
	err := feed.On(each, t.ItemSize(), func() *span { return &span{math.Inf(1), math.Inf(-1)} }, func(s *items.Scratch, r *span, data []byte, _ int64) {
		for _, x := range read(&s.Numbers, data) {
			if items.IsFinite(x) {
				r.low, r.high = min(r.low, x), max(r.high, x)
			}
		}
	}, func(r *span) {
		all.add(Extent{some: r.low <= r.high, low: keys.OfFloat(r.low), high: keys.OfFloat(r.high)})
	})
	return all, err
}

func extentOfTimes(t dtype.Type, each feed.Passes) (Extent, error) {
	all := Extent{t: t}
	k, _ := keys.Of(t)
	err := feed.On(each, t.ItemSize(), func() *Extent { return new(Extent) }, func(s *items.Scratch, e *Extent, data []byte, _ int64) {
		for _, key := range k.Keys(s, data) {
			e.add(Extent{some: true, low: key, high: key})
		}
	}, func(e *Extent) { all.add(*e) })
	return all, err
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

// Merge adds the numbers of another piece of the array. The zero Extent becomes other. After an error e is unchanged.
func (e *Extent) Merge(other Extent) error {
	if e.t.IsValid() && !e.t.Equal(other.t) {
		return diag.Errorf("stats", "cannot merge the extent of dtype %s into that of dtype %s", other.t, e.t)
	}
	e.t = other.t
	e.add(other)
	return nil
}

// Low returns the smallest number, as a float64, or the text of the first time; nil if there are none.
func (e *Extent) Low() any { return e.value(e.low) }

// High returns the largest number, as a float64, or the text of the last time; nil if there are none.
func (e *Extent) High() any { return e.value(e.high) }

func (e *Extent) value(key uint64) any {
	switch {
	case !e.some:
		return nil
	case items.HasTicks(e.t):
		k, _ := keys.Of(e.t)
		return k.Value(key)
	}
	return keys.FloatOf(key)
}

// magic begins the bytes of an Extent. The last byte is the version.
const magic = "npyrang\x01"

// MarshalBinary returns the dtype and the two numbers.
func (e *Extent) MarshalBinary() ([]byte, error) {
	if !e.t.IsValid() {
		return nil, diag.New("stats", "this Extent has no dtype: make it with ExtentOf")
	}
	out, err := state.Begin(magic, e.t)
	if err != nil {
		return nil, err
	}
	out = state.AppendCounts(out, state.OfBool(e.some))
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, e.low), e.high), nil
}

// UnmarshalBinary replaces e by the Extent that MarshalBinary wrote. Other bytes are an error, after which e is unchanged.
func (e *Extent) UnmarshalBinary(data []byte) error {
	r, t, err := state.Open(data, magic, "an Extent")
	if err != nil {
		return err
	}
	read := Extent{t: t, some: r.Count(1) == 1}
	read.low, read.high = r.Uint64(), r.Uint64()
	if !items.HasTicks(t) {
		r.Check(codec.RealsOf(t) != nil && (!read.some || items.IsFinite(keys.FloatOf(read.low)) && items.IsFinite(keys.FloatOf(read.high))))
	}
	r.Check(read.low <= read.high)
	if err := r.End(); err != nil {
		return err
	}
	*e = read
	return nil
}
