package tally

import (
	"encoding/binary"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats/internal/exact"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/state"
)

// AppendTo appends the total of a column as bytes.
func (t *Total) AppendTo(dst []byte, c *Column) []byte {
	if !c.isRead() {
		return dst
	}
	switch kind := elem.KindOf(c.DType); kind {
	case dtype.KindBytes, dtype.KindStr:
		dst = state.AppendCounts(dst, t.Empty, int64(t.MinLen), int64(t.MaxLen))
	case dtype.KindBool:
		dst = state.AppendCounts(dst, t.Zeros)
	case dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		dst = state.AppendCounts(dst, t.NaTs, t.Zeros)
		if t.Count == t.NaTs {
			break
		}
		dst = binary.AppendVarint(binary.AppendVarint(dst, t.IMin), t.IMax)
		dst = state.AppendUints(state.AppendCounts(dst, t.MinAt, t.MaxAt), t.Sum[:]...)
		if !items.HasTicks(c.DType) {
			dst = state.AppendUints(dst, t.Squares[:]...)
		}
	case dtype.KindFloat, dtype.KindComplex:
		dst = state.AppendCounts(dst, t.NaNs, t.Zeros)
		if t.Count == t.NaNs {
			break
		}
		if kind == dtype.KindComplex {
			return state.AppendSums(state.AppendSums(state.AppendCounts(dst, t.Infs), t.re), t.im)
		}
		dst = state.AppendCounts(state.AppendFloats(dst, t.FMin, t.FMax), t.MinAt, t.MaxAt)
		dst = state.AppendSums(dst, t.re)
	}
	return dst
}

// Parse reads the bytes of AppendTo, of some elements.
func (t *Total) Parse(r *state.Reader, c *Column, elems int64) {
	if !c.isRead() {
		return
	}
	t.Count = elems * c.Each
	switch kind := elem.KindOf(c.DType); kind {
	case dtype.KindBytes, dtype.KindStr:
		t.Empty, t.MinLen, t.MaxLen = r.Count(t.Count), int(r.Count(int64(c.Size))), int(r.Count(int64(c.Size)))
		r.Check(t.MinLen <= t.MaxLen)
	case dtype.KindBool:
		t.Zeros = r.Count(t.Count)
		trues := uint64(t.Count - t.Zeros)
		t.Sum[0], t.Squares[0] = trues, trues
	case dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		if t.NaTs = r.Count(t.Count); !items.HasTicks(c.DType) {
			r.Check(t.NaTs == 0)
		}
		t.Zeros = r.Count(t.Count - t.NaTs)
		if n := t.Count - t.NaTs; n > 0 {
			t.parseInts(r, c.DType, n)
		}
	case dtype.KindFloat, dtype.KindComplex:
		t.NaNs = r.Count(t.Count)
		n := t.Count - t.NaNs
		t.Zeros = r.Count(n)
		switch {
		case n == 0:
		case kind == dtype.KindComplex:
			t.Infs = r.Count(n)
			t.re, t.im = r.Sums(n), r.Sums(n)
		default:
			t.parseFloats(r, n)
		}
	}
}

// parseInts reads the extremes and sums of n integers or times. Their sum lies between n times the extremes, and no sum of squares
// is less than the sum of n squared means: else the mean would be beyond 64 bits, and the variance negative.
func (t *Total) parseInts(r *state.Reader, dt dtype.Type, n int64) {
	t.IMin, t.IMax, t.Known = r.Int(), r.Int(), true
	t.parsePositions(r)
	r.Uints(t.Sum[:])
	sum := exact.Big(t.Sum[:], true)
	r.Check(exact.IsSum(sum, n, exact.Extreme(dt, t.IMin), exact.Extreme(dt, t.IMax)))
	if items.HasTicks(dt) {
		r.Check(t.IMin != scalar.NaT)
		return
	}
	r.Uints(t.Squares[:])
	r.Check(exact.AreSquares(exact.Big(t.Squares[:], false), n, sum))
}

// parseFloats reads the extremes and sums of n floats.
func (t *Total) parseFloats(r *state.Reader, n int64) {
	t.FMin, t.FMax, t.Known = r.Float(), r.Float(), true
	r.Check(t.FMin <= t.FMax)
	t.parsePositions(r)
	t.re = r.Sums(n)
	t.Infs = t.re.PosInf + t.re.NegInf
}

func (t *Total) parsePositions(r *state.Reader) {
	t.MinAt, t.MaxAt = r.Count(math.MaxInt64), r.Count(math.MaxInt64)
}
