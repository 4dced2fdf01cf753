package expression

import (
	"math"
	"math/big"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A class is a class of types with the same operators.
type class byte

const (
	boolValue class = iota
	intValue
	uintValue
	floatValue
	complexValue
	strValue
	bytesValue
	datetimeValue
	timedeltaValue
	otherValue // objects, records and raw bytes
)

// A typ is the type of an expression: the type of one value, and the shape of the values of a row.
type typ struct {
	class class
	size  int        // bytes of a number, as in the name of its dtype
	step  dtype.Step // of times
	shape []int      // of the values of one row; nil for one value
	name  string     // of the dtype, for messages about otherValue
}

var boolType, int64Type, float64Type, complex128Type = typ{class: boolValue, size: 1}, typ{class: intValue, size: 8},
	typ{class: floatValue, size: 8}, typ{class: complexValue, size: 16}

// typeOf returns the type of items of t.
func typeOf(t dtype.Type) typ {
	if _, ok := elem.SmallIntOf(t); ok {
		return typ{class: intValue, size: 1}
	}
	size := t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindBool:
		return boolType
	case dtype.KindInt:
		return typ{class: intValue, size: size}
	case dtype.KindUint:
		return typ{class: uintValue, size: size}
	case dtype.KindFloat:
		switch {
		case size > 8: // long doubles are rounded
			size = 8
		case size == 1 || t.Kind() == dtype.KindVoid: // float8 and bfloat16 are computed as float32
			size = 4
		}
		return typ{class: floatValue, size: size}
	case dtype.KindComplex:
		return typ{class: complexValue, size: min(max(size, 8), 16)}
	case dtype.KindStr:
		return typ{class: strValue}
	case dtype.KindBytes:
		return typ{class: bytesValue}
	case dtype.KindDatetime:
		return typ{class: datetimeValue, step: t.Step()}
	case dtype.KindTimedelta:
		return typ{class: timedeltaValue, step: t.Step()}
	}
	return typ{class: otherValue, name: t.String()}
}

// String returns the name of the dtype.
func (t typ) String() string {
	bits := strconv.Itoa(8 * t.size)
	switch t.class {
	case boolValue:
		return "bool"
	case intValue:
		return "int" + bits
	case uintValue:
		return "uint" + bits
	case floatValue:
		return "float" + bits
	case complexValue:
		return "complex" + bits
	case strValue:
		return "str"
	case bytesValue:
		return "bytes"
	case datetimeValue:
		return "datetime64[" + t.step.String() + "]"
	case timedeltaValue:
		return "timedelta64[" + t.step.String() + "]"
	}
	return t.name
}

// items returns the number of values of a row.
func (t typ) items() int {
	n := 1
	for _, m := range t.shape {
		n *= m
	}
	return n
}

func (t typ) isInteger() bool { return t.class == intValue || t.class == uintValue }
func (t typ) isNumber() bool  { return t.class <= complexValue }
func (t typ) isTime() bool    { return t.class == datetimeValue || t.class == timedeltaValue }
func (t typ) isText() bool    { return t.class == strValue || t.class == bytesValue }
func (t typ) wide() bool      { return t.class == uintValue && t.size == 8 }

// scalar returns the type of one value.
func (t typ) scalar() typ {
	t.shape = nil
	return t
}

// promote returns the type of numbers that holds both, as numpy.promote_types.
func promote(a, b typ) typ {
	if a.class > b.class {
		a, b = b, a
	}
	switch {
	case a.class == b.class:
		return typ{class: a.class, size: max(a.size, b.size)}
	case a.class == boolValue:
		return b.scalar()
	case b.class == uintValue: // a is signed
		if b.size < a.size {
			return a.scalar()
		}
		if b.size == 8 {
			return float64Type
		}
		return typ{class: intValue, size: 2 * b.size}
	case a.class == floatValue: // b is complex
		return typ{class: complexValue, size: max(2*a.size, b.size)}
	}
	float := min(2*a.size, 8) // of a float that holds all integers of a, or of the largest
	if b.class == complexValue {
		return typ{class: complexValue, size: max(2*float, b.size)}
	}
	return typ{class: floatValue, size: max(float, b.size)}
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

// isCount reports whether values are integers or bools.
func (t typ) isCount() bool { return t.isInteger() || t.class == boolValue }

// large reports whether times were made of uint64, whose bits they have.
func (t typ) large() bool { return t.isTime() && t.size > 0 }

// timeType returns the dtype of times.
func (t typ) timeType() dtype.Type {
	if t.class == datetimeValue {
		return dtype.Datetime64(t.step)
	}
	return dtype.Timedelta64(t.step)
}
