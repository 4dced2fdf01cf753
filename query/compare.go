package query

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

// A relation is an operator of a comparison.
type relation byte

const (
	equal relation = iota
	notEqual
	less
	lessEqual
	greater
	greaterEqual
)

var relations = map[string]relation{"==": equal, "!=": notEqual, "<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual}

// mirrored is the relation of b to a, for that of a to b.
func (r relation) mirrored() relation {
	return [...]relation{equal, notEqual, greater, greaterEqual, less, lessEqual}[r]
}

// holds reports whether the relation holds for the sign of a comparison.
func (r relation) holds(sign int) bool {
	switch r {
	case equal:
		return sign == 0
	case notEqual:
		return sign != 0
	case less:
		return sign < 0
	case lessEqual:
		return sign <= 0
	case greater:
		return sign > 0
	}
	return sign >= 0
}

// compareTo sets out to the relation of each x to one y. NaN is only not equal.
func compareTo[T cmp.Ordered](out []uint8, xs []T, y T, r relation) {
	out = out[:len(xs)]
	switch r {
	case equal:
		for i, x := range xs {
			out[i] = b2u(x == y)
		}
	case notEqual:
		for i, x := range xs {
			out[i] = b2u(x != y)
		}
	case less:
		for i, x := range xs {
			out[i] = b2u(x < y)
		}
	case lessEqual:
		for i, x := range xs {
			out[i] = b2u(x <= y)
		}
	case greater:
		for i, x := range xs {
			out[i] = b2u(x > y)
		}
	case greaterEqual:
		for i, x := range xs {
			out[i] = b2u(x >= y)
		}
	}
}

// compareEach sets out to the relation of each x to the y of the same index.
func compareEach[T cmp.Ordered](out []uint8, xs, ys []T, r relation) {
	out, ys = out[:len(xs)], ys[:len(xs)]
	switch r {
	case equal:
		for i, x := range xs {
			out[i] = b2u(x == ys[i])
		}
	case notEqual:
		for i, x := range xs {
			out[i] = b2u(x != ys[i])
		}
	case less:
		for i, x := range xs {
			out[i] = b2u(x < ys[i])
		}
	case lessEqual:
		for i, x := range xs {
			out[i] = b2u(x <= ys[i])
		}
	case greater:
		for i, x := range xs {
			out[i] = b2u(x > ys[i])
		}
	case greaterEqual:
		for i, x := range xs {
			out[i] = b2u(x >= ys[i])
		}
	}
}

// exceptNaT clears the results of times that are NaT.
func exceptNaT(out []uint8, xs []int64) {
	for i, x := range xs {
		out[i] &= b2u(x != scalar.NaT)
	}
}

// A bound is a comparison of integers with a constant, brought to the integers that a type has.
type bound struct {
	relation
	value  int64 // the bits of a uint64
	always bool  // the result does not depend on the value
	result bool  // then
}

// boundOf returns the comparison of integers from low to high with y.
func boundOf(r relation, y *big.Rat, low, high *big.Int) bound {
	fixed := func(result bool) bound { return bound{relation: r, always: true, result: result} }
	floor := new(big.Int).Div(y.Num(), y.Denom()) // rounds down: the denominator is positive
	if !y.IsInt() {
		switch r {
		case equal, notEqual:
			return fixed(r == notEqual)
		case less:
			r = lessEqual
		case greaterEqual:
			r = greater
		}
	}
	switch {
	case floor.Cmp(high) > 0:
		return fixed(r.holds(-1))
	case floor.Cmp(low) < 0:
		return fixed(r.holds(1))
	}
	if floor.Sign() < 0 {
		return bound{relation: r, value: floor.Int64()}
	}
	return bound{relation: r, value: int64(floor.Uint64())}
}

// limits returns the smallest and the largest integer of a type.
func (t typ) limits() (low, high *big.Int) {
	one := big.NewInt(1)
	switch t.class {
	case boolValue:
		return new(big.Int), one
	case uintValue:
		high = new(big.Int).Lsh(one, uint(8*t.size))
		return new(big.Int), high.Sub(high, one)
	case intValue:
		high = new(big.Int).Lsh(one, uint(8*t.size-1))
		return new(big.Int).Neg(high), high.Sub(high, one)
	}
	return big.NewInt(math.MinInt64 + 1), big.NewInt(math.MaxInt64) // times but NaT
}

// compareInts returns the comparison of integers, bools or times with a bound.
func (c *checker) compareInts(a *node, b bound, t typ) func(e *env) vec {
	isTime := a.isTime() && b.relation != notEqual
	return func(e *env) vec {
		out := e.takeMask(e.values(t))
		if !b.always && a.column >= 0 && a.class != boolValue && compareColumn(e, a, b, out) {
			if isTime {
				exceptNaT(out, codec.View[int64](&e.columns[a.column].reader, e.columnBytes(a.column), !c.columns[a.column].DType.IsNative()))
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
func compareColumn(e *env, a *node, b bound, out []uint8) bool {
	t := e.c.columns[a.column].DType
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

// An item is a type of items that are compared as they are.
type item interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

func compareItems[T item](e *env, a *node, y T, r relation, out []uint8) {
	swap := !e.c.columns[a.column].DType.IsNative()
	compareTo(out, codec.View[T](&e.columns[a.column].reader, e.columnBytes(a.column), swap), y, r)
}

// compareFloats returns the comparison of floats with a constant, which is rounded to their type as in NumPy 2.
func (c *checker) compareFloats(a *node, y float64, r relation, t typ) func(e *env) vec {
	y = roundTo(a.size, y)
	return func(e *env) vec {
		out := e.takeMask(e.values(t))
		if a.column >= 0 && c.columns[a.column].DType.Kind() == dtype.KindFloat {
			switch c.columns[a.column].DType.ItemSize() {
			case 4:
				compareItems(e, a, float32(y), r, out)
				return vec{mask: out, owned: true}
			case 8:
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
func compareIntegers(r relation, a, b *node, t typ) func(e *env) vec {
	return func(e *env) vec {
		x, y := e.pair(a, b, t, int64Type)
		out := e.takeMask(e.values(t))
		switch {
		case a.wide() == b.wide() && !a.wide():
			compareEach(out, x.ints, y.ints, r)
		default:
			for i, p := range x.ints {
				out[i] = b2u(r.holds(compareWide(p, y.ints[i], a.wide(), b.wide())))
			}
		}
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// compareWide compares integers of 64 bits, signed or not.
func compareWide(x, y int64, unsignedX, unsignedY bool) int {
	switch {
	case unsignedX && unsignedY:
		return cmp.Compare(uint64(x), uint64(y))
	case unsignedX:
		if x < 0 || y < 0 {
			return 1
		}
	case unsignedY:
		if x < 0 || y < 0 {
			return -1
		}
	}
	return cmp.Compare(x, y)
}

// compareMixed returns the comparison of integers of 64 bits with floats, which is exact, as in Python.
func compareMixed(r relation, ints, floats *node, t typ) func(e *env) vec {
	return func(e *env) vec {
		x, y := e.fit(ints, t), e.fit(floats, t)
		out := e.takeMask(e.values(t))
		for i, f := range y.floats {
			out[i] = b2u(r.mixed(x.ints[i], ints.wide(), f))
		}
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// mixed reports whether the relation holds between an integer and a float.
func (r relation) mixed(x int64, unsigned bool, f float64) bool {
	switch {
	case f != f:
		return r == notEqual
	case f >= 0x1p64:
		return r.holds(-1)
	case f < -0x1p63:
		return r.holds(1)
	}
	whole := math.Floor(f)
	y, wide := int64(0), whole >= 0x1p63
	if wide {
		y = int64(uint64(whole))
	} else {
		y = int64(whole)
	}
	sign := compareWide(x, y, unsigned, wide)
	if sign == 0 && f > whole {
		sign = -1
	}
	return r.holds(sign)
}

// compareAsFloats returns the comparison of two nodes of real numbers that float64 has exactly.
func compareAsFloats(r relation, a, b *node, t typ) func(e *env) vec {
	return func(e *env) vec {
		x, y := e.pair(a, b, t, float64Type)
		out := e.takeMask(e.values(t))
		compareEach(out, x.floats, y.floats, r)
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// compareComplexes returns whether numbers are equal, or are not.
func compareComplexes(r relation, a, b *node, t typ) func(e *env) vec {
	return func(e *env) vec {
		x, y := e.pair(a, b, t, complex128Type)
		out := e.takeMask(e.values(t))
		for i, z := range x.complexes {
			out[i] = b2u((z == y.complexes[i]) == (r == equal))
		}
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// compareTexts returns the comparison of two nodes of text, by code points or by bytes.
func compareTexts(r relation, a, b *node, t typ) func(e *env) vec {
	return func(e *env) vec {
		x, y := e.fit(a, t), e.fit(b, t)
		out := e.takeMask(e.values(t))
		for i, s := range x.texts {
			out[i] = b2u(r.holds(bytes.Compare(s, y.texts[i])))
		}
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// compareText returns the comparison of a node of text with a constant.
func (c *checker) compareText(r relation, a *node, y string, t typ) func(e *env) vec {
	text := trimNULs([]byte(y))
	if a.column >= 0 && (r == equal || r == notEqual) {
		return c.matchItems(r, a, text, t)
	}
	return func(e *env) vec {
		v := a.eval(e)
		out := e.takeMask(e.values(t))
		for i, s := range v.texts {
			out[i] = b2u(r.holds(bytes.Compare(s, text)))
		}
		e.release(v)
		return vec{mask: out, owned: true}
	}
}

// matchItems compares the bytes of items with those of a constant.
func (c *checker) matchItems(r relation, a *node, text []byte, t typ) func(e *env) vec {
	dt := c.columns[a.column].DType
	want := make([]byte, dt.ItemSize())
	fits := len(text) <= len(want)
	if dt.Kind() == dtype.KindStr {
		fits = scalar.PutUCS4(want, string(text), dt.ByteOrder() == dtype.BigEndian) == nil
	} else {
		copy(want, text)
	}
	size := len(want)
	return func(e *env) vec {
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

func fill[T any](out []T, x T) {
	for i := range out {
		out[i] = x
	}
}

// pair evaluates two nodes as values of one class: int64, float64 or complex128.
func (e *env) pair(a, b *node, t, as typ) (x, y vec) {
	x = e.as(a.eval(e), a.typ, as)
	y = e.as(b.eval(e), b.typ, as)
	return e.spread(x, a.typ, t), e.spread(y, b.typ, t)
}

// as converts numbers to another class.
func (e *env) as(v vec, from, to typ) vec {
	if from.class == to.class || from.isInteger() && to.isInteger() || from.isTime() {
		return v
	}
	defer e.release(v)
	switch to.class {
	case intValue, uintValue:
		out := e.takeInts(len(v.mask))
		for i, x := range v.mask {
			out[i] = int64(x)
		}
		return vec{ints: out, owned: true}
	case floatValue:
		return vec{floats: e.floatsOf(v, from), owned: true}
	}
	if from.class != floatValue {
		v = vec{floats: e.floatsOf(v, from), owned: true}
		defer e.release(v)
	}
	out := e.takeComplexes(len(v.floats))
	for i, x := range v.floats {
		out[i] = complex(x, 0)
	}
	return vec{complexes: out, owned: true}
}

// floatsOf converts bools or integers to new floats.
func (e *env) floatsOf(v vec, from typ) []float64 {
	if from.class == boolValue {
		out := e.takeFloats(len(v.mask))
		for i, x := range v.mask {
			out[i] = float64(x)
		}
		return out
	}
	out := e.takeFloats(len(v.ints))
	if from.wide() {
		for i, x := range v.ints {
			out[i] = float64(uint64(x))
		}
		return out
	}
	for i, x := range v.ints {
		out[i] = float64(x)
	}
	return out
}

// sameShape returns the shape of the values of a pair. A node with one value per row fits every other.
func sameShape(a, b *node) ([]int, bool) {
	switch {
	case len(a.shape) == 0:
		return b.shape, true
	case len(b.shape) == 0, slices.Equal(a.shape, b.shape):
		return a.shape, true
	}
	return nil, false
}
