package join

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
)

// common returns the dtype in which keys of two dtypes are compared by their values.
func common(a, b dtype.Type) (dtype.Type, error) {
	a, b = a.WithByteOrder(dtype.NativeEndian), b.WithByteOrder(dtype.NativeEndian)
	if a.Equal(b) {
		return a, nil
	}
	if !a.IsStruct() && !b.IsStruct() && !a.IsSubarray() && !b.IsSubarray() {
		if t, ok := commonItem(a, b); ok {
			return t, nil
		}
	}
	return dtype.Type{}, fmt.Errorf("dtypes %s and %s are not compared; convert one of them first", a, b)
}

// commonItem is common for items of different dtypes.
func commonItem(a, b dtype.Type) (t dtype.Type, ok bool) {
	kind, other := elem.KindOf(a), elem.KindOf(b)
	small := a.ItemSize() <= 8 && b.ItemSize() <= 8
	switch {
	case kind == dtype.KindUint && other == dtype.KindUint:
		return dtype.Uint64, true
	case isInt(kind) && isInt(other):
		return dtype.Int64, true
	case isReal(kind) && isReal(other):
		return dtype.Float64, small
	case kind != other:
		return t, false
	case kind == dtype.KindComplex:
		return dtype.Complex128, a.ItemSize() <= 16 && b.ItemSize() <= 16
	case kind == dtype.KindStr:
		return dtype.Str(max(a.Chars(), b.Chars())), true
	case kind == dtype.KindBytes:
		return dtype.Bytes(max(a.ItemSize(), b.ItemSize())), true
	case kind == dtype.KindDatetime:
		step, err := cast.CommonStep(a, b)
		return dtype.Datetime64(step), err == nil
	case kind == dtype.KindTimedelta:
		step, err := cast.CommonStep(a, b)
		return dtype.Timedelta64(step), err == nil
	}
	return t, false
}

func isInt(kind dtype.Kind) bool  { return kind == dtype.KindInt || kind == dtype.KindUint }
func isReal(kind dtype.Kind) bool { return isInt(kind) || kind == dtype.KindFloat }

// wide returns the dtype of eight bytes for keys whose distance is computed.
func wide(t dtype.Type) (dtype.Type, error) {
	switch kind := elem.KindOf(t); {
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		return t, nil
	case kind == dtype.KindUint:
		return dtype.Uint64, nil
	case kind == dtype.KindInt:
		return dtype.Int64, nil
	case kind == dtype.KindFloat && t.ItemSize() <= 8:
		return dtype.Float64, nil
	}
	return t, fmt.Errorf("an asof join needs numbers or times, not dtype %s", t)
}

// A move copies an item of each row to a row of another layout, or converts it.
type move struct {
	name     string // for errors
	from, to fields.Place
	convert  cast.Caster // nil copies
}

// newMove returns the move of an item to a dtype. A value that the dtype does not hold exactly is an error.
func newMove(name string, from, to fields.Place) (move, error) {
	m := move{name: name, from: from, to: to}
	t, u := from.DType, to.DType
	switch {
	case elem.KindOf(t) == dtype.KindBool && t.Equal(u):
		m.convert = truths
	case !t.Equal(u):
		convert, err := cast.For(t, u, cast.SameKind)
		if err != nil {
			return m, diag.Errorf("query", "%q: %w", name, err)
		}
		m.convert = exactly(t, u, convert)
	}
	return m, nil
}

// truths copies bools, so that all that are true have equal bytes.
func truths(dst, src []byte, n int) error {
	for i, b := range src[:n] {
		dst[i] = min(b, 1)
	}
	return nil
}

// exactly returns a Caster with an error for integers that become another float.
func exactly(from, to dtype.Type, convert cast.Caster) cast.Caster {
	var long []fields.Field
	targets := fields.Of(to)
	for i, f := range fields.Of(from) {
		if isInt(elem.KindOf(f.DType)) && f.DType.ItemSize() == 8 && elem.KindOf(targets[i].DType) == dtype.KindFloat {
			long = append(long, f)
		}
	}
	if long == nil {
		return convert
	}
	return func(dst, src []byte, n int) error {
		for _, f := range long {
			if err := checkExact(f, src, n); err != nil {
				return err
			}
		}
		return convert(dst, src, n)
	}
}

// checkExact returns an error for the first integer of a field that float64 does not hold.
func checkExact(f fields.Field, src []byte, n int) error {
	var buf []byte
	if n == 0 {
		return nil
	}
	items := f.Items(&buf, src, n, len(src)/n)
	big, signed := f.DType.ByteOrder() == dtype.BigEndian, elem.KindOf(f.DType) == dtype.KindInt
	per := len(items) / 8 / n
	for i := range len(items) / 8 {
		x := bulk.Uint(items[8*i:8*i+8], big)
		size := x
		if signed && int64(x) < 0 {
			size = -x
		}
		if bits.Len64(size)-bits.TrailingZeros64(size) <= 53 {
			continue
		}
		text := fmt.Sprint(x)
		if signed {
			text = fmt.Sprint(int64(x))
		}
		return &codec.ElementError{Index: i / per, Err: fmt.Errorf("float64 does not hold %s exactly", text)}
	}
	return nil
}

// merged returns moves with copies of adjacent items as one.
func merged(moves []move) []move {
	var out []move
	for _, m := range moves {
		m.from, m.to = span(m.from), span(m.to)
		if k := len(out) - 1; k >= 0 && m.convert == nil && out[k].convert == nil {
			if last := &out[k]; end(last.from) == m.from.Offset && end(last.to) == m.to.Offset {
				both := dtype.Void(last.from.DType.ItemSize() + m.from.DType.ItemSize())
				last.from.DType, last.to.DType = both, both
				continue
			}
		}
		out = append(out, m)
	}
	return slices.Clip(out)
}

// span returns the place of the bytes of an item, whatever they are.
func span(p fields.Place) fields.Place {
	return fields.Place{DType: dtype.Void(p.DType.ItemSize()), Offset: p.Offset}
}

func end(p fields.Place) int { return p.Offset + p.DType.ItemSize() }

// run makes the items of n rows.
func (m *move) run(dst []byte, stride int, src []byte, from, n int) error {
	size := m.to.DType.ItemSize()
	if size == 0 || n == 0 {
		return nil
	}
	if m.convert == nil {
		if size == stride && size == from {
			copy(dst, src)
		} else {
			bulk.CopyBytes(dst, m.to.Offset, []int{stride}, src, m.from.Offset, []int{from}, []int{n}, size)
		}
		return nil
	}
	var buf []byte
	items := m.items(&buf, src, from, n)
	out := dst
	if size != stride {
		out = bulk.MakeFill[byte](n * size)
	}
	if err := m.convert(out, items, n); err != nil {
		if e, ok := err.(*codec.ElementError); ok {
			return &codec.ElementError{Index: e.Index, Err: fmt.Errorf("%q: %w", m.name, e.Err)}
		}
		return err
	}
	if size != stride {
		bulk.CopyBytes(dst, m.to.Offset, []int{stride}, out, 0, []int{size}, []int{n}, size)
	}
	return nil
}

// items returns the items of n rows as contiguous bytes.
func (m *move) items(buf *[]byte, src []byte, from, n int) []byte {
	size := m.from.DType.ItemSize()
	if size == from {
		return src
	}
	*buf = bulk.Reuse(*buf, n*size)
	if size > 0 {
		bulk.CopyBytes(*buf, 0, []int{size}, src, m.from.Offset, []int{from}, []int{n}, size)
	}
	return *buf
}
