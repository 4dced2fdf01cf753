package expression

import (
	"bytes"
	"cmp"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// compareInts returns the comparison of integers, bools or times with a bound.
func compareInts(a *node, b bound, t typ) func(e *Env) vec {
	isTime := a.isTime() && b.relation != notEqual
	return func(e *Env) vec {
		out := e.takeMask(e.values(t))
		if !b.always && a.column >= 0 && a.class != boolValue && compareColumn(e, a, b, out) {
			if isTime {
				exceptNaT(out, columnItems[int64](e, a.column))
			}
			return vec{mask: out, owned: true}
		}
		v := a.eval(e)
		switch {
		case b.always:
			fill(out, b2u(b.result))
		case v.mask != nil:
			compareTo(out, v.mask, uint8(b.value), b.relation)
		case a.wide():
			for i, x := range v.ints {
				out[i] = b2u(b.relation.holds(cmp.Compare(uint64(x), uint64(b.value))))
			}
		default:
			compareTo(out, v.ints, b.value, b.relation)
		}
		if isTime {
			exceptNaT(out, v.ints)
		}
		e.release(v)
		return vec{mask: out, owned: true}
	}
}

// compareColumn compares the items of a column with a bound without widening them.
func compareColumn(e *Env, a *node, b bound, out []uint8) bool {
	t := e.columnType(a.column)
	if k := t.Kind(); k == dtype.KindVoid {
		return false // named integers of few bits
	}
	unsigned := a.class == uintValue
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
func compareItems[T item](e *Env, a *node, y T, r relation, out []uint8) {
	compareTo(out, columnItems[T](e, a.column), y, r)
}

// compareFloats returns the comparison of floats with a constant, which is rounded to their type as in NumPy 2.
func compareFloats(a *node, y float64, r relation, t typ) func(e *Env) vec {
	y = roundTo(a.size, y)
	return func(e *Env) vec {
		out := e.takeMask(e.values(t))
		if a.column >= 0 {
			switch t := e.columnType(a.column); {
			case t.Kind() != dtype.KindFloat:
			case t.ItemSize() == 4:
				compareItems(e, a, float32(y), r, out)
				return vec{mask: out, owned: true}
			case t.ItemSize() == 8:
				compareItems(e, a, y, r, out)
				return vec{mask: out, owned: true}
			}
		}
		v := a.eval(e)
		compareTo(out, v.floats, y, r)
		e.release(v)
		return vec{mask: out, owned: true}
	}
}

// compareIntegers returns the comparison of two nodes of integers or bools.
func compareIntegers(r relation, a, b *node, t typ) func(e *Env) vec {
	return testPairs(a.as(int64Type), b.as(int64Type), t, func(x, y *vec, out []uint8) {
		switch {
		case a.wide() == b.wide() && !a.wide():
			compareEach(out, x.ints, y.ints, r)
		default:
			for i, p := range x.ints {
				out[i] = b2u(r.holds(compareWide(p, y.ints[i], a.wide(), b.wide())))
			}
		}
	})
}

// compareMixed returns the comparison of integers of 64 bits with floats, which is exact, as in Python.
func compareMixed(r relation, ints, floats *node, t typ) func(e *Env) vec {
	return testPairs(ints, floats, t, func(x, y *vec, out []uint8) {
		for i, f := range y.floats {
			out[i] = b2u(r.mixed(x.ints[i], ints.wide(), f))
		}
	})
}

// compareAsFloats returns the comparison of two nodes of real numbers that float64 represents exactly.
func compareAsFloats(r relation, a, b *node, t typ) func(e *Env) vec {
	return testPairs(a.as(float64Type), b.as(float64Type), t, func(x, y *vec, out []uint8) {
		compareEach(out, x.floats, y.floats, r)
	})
}

// compareComplexes returns the comparison of complex numbers, which are only equal or not equal.
func compareComplexes(r relation, a, b *node, t typ) func(e *Env) vec {
	return testPairs(a.as(complex128Type), b.as(complex128Type), t, func(x, y *vec, out []uint8) {
		for i, z := range x.complexes {
			out[i] = b2u((z == y.complexes[i]) == (r == equal))
		}
	})
}

// compareTexts returns the comparison of two nodes of text, by code points or by bytes.
func compareTexts(r relation, a, b *node, t typ) func(e *Env) vec {
	return testPairs(a, b, t, func(x, y *vec, out []uint8) {
		for i, s := range x.texts {
			out[i] = b2u(r.holds(bytes.Compare(s, y.texts[i])))
		}
	})
}

// compareText returns the comparison of a node of text with a constant.
func (c *checker) compareText(r relation, a *node, y string, t typ) func(e *Env) vec {
	text := trimNULs([]byte(y))
	if a.column >= 0 && (r == equal || r == notEqual) {
		return c.matchItems(r, a, text, t)
	}
	return func(e *Env) vec {
		v := a.eval(e)
		out := e.takeMask(e.values(t))
		for i, s := range v.texts {
			out[i] = b2u(r.holds(bytes.Compare(s, text)))
		}
		e.release(v)
		return vec{mask: out, owned: true}
	}
}

// matchItems compares the bytes of items with the bytes of a constant.
func (c *checker) matchItems(r relation, a *node, text []byte, t typ) func(e *Env) vec {
	dt := c.columns[a.column].DType
	want := make([]byte, dt.ItemSize())
	fits := len(text) <= len(want)
	if dt.Kind() == dtype.KindStr {
		fits = scalar.PutUCS4(want, string(text), dt.ByteOrder() == dtype.BigEndian) == nil
	} else {
		copy(want, text)
	}
	size := len(want)
	return func(e *Env) vec {
		out := e.takeMask(e.values(t))
		if !fits || size == 0 {
			fill(out, b2u((r == notEqual) == !fits))
			return vec{mask: out, owned: true}
		}
		items := e.columnBytes(a.column)
		differs := b2u(r == notEqual)
		for i := range out {
			out[i] = b2u(string(items[i*size:(i+1)*size]) == string(want)) ^ differs
		}
		return vec{mask: out, owned: true}
	}
}
