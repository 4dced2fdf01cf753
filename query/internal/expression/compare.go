package expression

import (
	"bytes"
	"cmp"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// compareInts returns the comparison of integers, bools or times with a bound.
func compareInts(a *values.Node, b bound, t values.Type) func(e *values.Env) values.Vec {
	isTime := a.IsTime() && b.relation != notEqual
	return func(e *values.Env) values.Vec {
		out := e.TakeMask(e.Values(t))
		if !b.always && a.Column >= 0 && a.Class != values.Bool && compareColumn(e, a, b, out) {
			if isTime {
				values.ExceptNaT(out, values.ColumnItems[int64](e, a.Column))
			}
			return values.Vec{Mask: out, Owned: true}
		}
		v := a.Eval(e)
		switch {
		case b.always:
			values.Fill(out, values.Bit(b.result))
		case v.Mask != nil:
			compareTo(out, v.Mask, uint8(b.value), b.relation)
		case a.Wide():
			for i, x := range v.Ints {
				out[i] = values.Bit(b.relation.holds(cmp.Compare(uint64(x), uint64(b.value))))
			}
		default:
			compareTo(out, v.Ints, b.value, b.relation)
		}
		if isTime {
			values.ExceptNaT(out, v.Ints)
		}
		e.Release(v)
		return values.Vec{Mask: out, Owned: true}
	}
}

// compareColumn compares the items of a column with a bound without widening them.
func compareColumn(e *values.Env, a *values.Node, b bound, out []uint8) bool {
	t := e.ColumnType(a.Column)
	if k := t.Kind(); k == dtype.KindVoid {
		return false // named integers of few bits
	}
	unsigned := a.Class == values.Uint
	switch t.ItemSize() {
	case 1:
		if unsigned {
			compareItems(e, a, uint8(b.value), b.relation, out)
		} else {
			compareItems(e, a, int8(b.value), b.relation, out)
		}
	case 2:
		if unsigned {
			compareItems(e, a, uint16(b.value), b.relation, out)
		} else {
			compareItems(e, a, int16(b.value), b.relation, out)
		}
	case 4:
		if unsigned {
			compareItems(e, a, uint32(b.value), b.relation, out)
		} else {
			compareItems(e, a, int32(b.value), b.relation, out)
		}
	case 8:
		if unsigned {
			compareItems(e, a, uint64(b.value), b.relation, out)
		} else {
			compareItems(e, a, b.value, b.relation, out)
		}
	default:
		return false
	}
	return true
}

// compareItems compares the items of the column a with a bound.
func compareItems[T values.Item](e *values.Env, a *values.Node, y T, r relation, out []uint8) {
	compareTo(out, values.ColumnItems[T](e, a.Column), y, r)
}

// compareFloats returns the comparison of floats with a constant, which is rounded to their type as in NumPy 2.
func compareFloats(a *values.Node, y float64, r relation, t values.Type) func(e *values.Env) values.Vec {
	y = roundTo(a.Size, y)
	return func(e *values.Env) values.Vec {
		out := e.TakeMask(e.Values(t))
		if a.Column >= 0 {
			switch t := e.ColumnType(a.Column); {
			case t.Kind() != dtype.KindFloat:
			case t.ItemSize() == 4:
				compareItems(e, a, float32(y), r, out)
				return values.Vec{Mask: out, Owned: true}
			case t.ItemSize() == 8:
				compareItems(e, a, y, r, out)
				return values.Vec{Mask: out, Owned: true}
			}
		}
		v := a.Eval(e)
		compareTo(out, v.Floats, y, r)
		e.Release(v)
		return values.Vec{Mask: out, Owned: true}
	}
}

// compareIntegers returns the comparison of two nodes of integers or bools.
func compareIntegers(r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(a.As(values.Int64Type), b.As(values.Int64Type), t, func(x, y *values.Vec, out []uint8) {
		switch {
		case a.Wide() == b.Wide() && !a.Wide():
			compareEach(out, x.Ints, y.Ints, r)
		default:
			for i, p := range x.Ints {
				out[i] = values.Bit(r.holds(compareWide(p, y.Ints[i], a.Wide(), b.Wide())))
			}
		}
	})
}

// compareMixed returns the comparison of integers of 64 bits with floats, which is exact, as in Python.
func compareMixed(r relation, ints, floats *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(ints, floats, t, func(x, y *values.Vec, out []uint8) {
		for i, f := range y.Floats {
			out[i] = values.Bit(r.mixed(x.Ints[i], ints.Wide(), f))
		}
	})
}

// compareAsFloats returns the comparison of two nodes of real numbers that float64 represents exactly.
func compareAsFloats(r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(a.As(values.Float64Type), b.As(values.Float64Type), t, func(x, y *values.Vec, out []uint8) {
		compareEach(out, x.Floats, y.Floats, r)
	})
}

// compareComplexes returns the comparison of complex numbers, which are only equal or not equal.
func compareComplexes(r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(a.As(values.Complex128Type), b.As(values.Complex128Type), t, func(x, y *values.Vec, out []uint8) {
		for i, z := range x.Complexes {
			out[i] = values.Bit((z == y.Complexes[i]) == (r == equal))
		}
	})
}

// compareTexts returns the comparison of two nodes of text, by code points or by bytes.
func compareTexts(r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(a, b, t, func(x, y *values.Vec, out []uint8) {
		for i, s := range x.Texts {
			out[i] = values.Bit(r.holds(bytes.Compare(s, y.Texts[i])))
		}
	})
}

// compareText returns the comparison of a node of text with a constant.
func (c *checker) compareText(r relation, a *values.Node, y string, t values.Type) func(e *values.Env) values.Vec {
	text := values.TrimNULs([]byte(y))
	if a.Column >= 0 && (r == equal || r == notEqual) {
		return c.matchItems(r, a, text, t)
	}
	return func(e *values.Env) values.Vec {
		v := a.Eval(e)
		out := e.TakeMask(e.Values(t))
		for i, s := range v.Texts {
			out[i] = values.Bit(r.holds(bytes.Compare(s, text)))
		}
		e.Release(v)
		return values.Vec{Mask: out, Owned: true}
	}
}

// matchItems compares the bytes of items with the bytes of a constant.
func (c *checker) matchItems(r relation, a *values.Node, text []byte, t values.Type) func(e *values.Env) values.Vec {
	dt := c.columns[a.Column].DType
	want := make([]byte, dt.ItemSize())
	fits := len(text) <= len(want)
	if dt.Kind() == dtype.KindStr {
		fits = scalar.PutUCS4(want, string(text), dt.ByteOrder() == dtype.BigEndian) == nil
	} else {
		copy(want, text)
	}
	size := len(want)
	return func(e *values.Env) values.Vec {
		out := e.TakeMask(e.Values(t))
		if !fits || size == 0 {
			values.Fill(out, values.Bit((r == notEqual) == !fits))
			return values.Vec{Mask: out, Owned: true}
		}
		items := e.ColumnBytes(a.Column)
		differs := values.Bit(r == notEqual)
		for i := range out {
			out[i] = values.Bit(string(items[i*size:(i+1)*size]) == string(want)) ^ differs
		}
		return values.Vec{Mask: out, Owned: true}
	}
}
