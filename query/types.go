package query

import (
	"slices"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A class is what can be done with a value.
type class byte

const (
	boolClass class = iota
	intClass
	uintClass
	floatClass
	complexClass
	strClass
	bytesClass
	datetimeClass
	timedeltaClass
	otherClass // objects, records and raw bytes
)

// A typ is the type of an expression: what one value is, and how many values a row has.
type typ struct {
	class class
	size  int        // bytes of a number, as in the name of its dtype
	step  dtype.Step // of times
	shape []int      // of the values of one row; nil for one value
	name  string     // of the dtype, for messages about otherClass
}

var boolType, int64Type, float64Type, complex128Type = typ{class: boolClass, size: 1}, typ{class: intClass, size: 8},
	typ{class: floatClass, size: 8}, typ{class: complexClass, size: 16}

// typeOf returns the type of items of t.
func typeOf(t dtype.Type) typ {
	if _, ok := elem.SmallIntOf(t); ok {
		return typ{class: intClass, size: 1}
	}
	size := t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindBool:
		return boolType
	case dtype.KindInt:
		return typ{class: intClass, size: size}
	case dtype.KindUint:
		return typ{class: uintClass, size: size}
	case dtype.KindFloat:
		switch {
		case size > 8: // long doubles are rounded
			size = 8
		case size == 1 || t.Kind() == dtype.KindVoid: // float8 and bfloat16 are computed as float32
			size = 4
		}
		return typ{class: floatClass, size: size}
	case dtype.KindComplex:
		return typ{class: complexClass, size: min(max(size, 8), 16)}
	case dtype.KindStr:
		return typ{class: strClass}
	case dtype.KindBytes:
		return typ{class: bytesClass}
	case dtype.KindDatetime:
		return typ{class: datetimeClass, step: t.Step()}
	case dtype.KindTimedelta:
		return typ{class: timedeltaClass, step: t.Step()}
	}
	return typ{class: otherClass, name: t.String()}
}

// String returns the name of the dtype.
func (t typ) String() string {
	bits := strconv.Itoa(8 * t.size)
	switch t.class {
	case boolClass:
		return "bool"
	case intClass:
		return "int" + bits
	case uintClass:
		return "uint" + bits
	case floatClass:
		return "float" + bits
	case complexClass:
		return "complex" + bits
	case strClass:
		return "str"
	case bytesClass:
		return "bytes"
	case datetimeClass:
		return "datetime64[" + t.step.String() + "]"
	case timedeltaClass:
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

func (t typ) isInteger() bool { return t.class == intClass || t.class == uintClass }
func (t typ) isReal() bool    { return t.class <= floatClass }
func (t typ) isNumber() bool  { return t.class <= complexClass }
func (t typ) isTime() bool    { return t.class == datetimeClass || t.class == timedeltaClass }
func (t typ) isText() bool    { return t.class == strClass || t.class == bytesClass }
func (t typ) wide() bool      { return t.class == uintClass && t.size == 8 }

// scalar returns the type of one value.
func (t typ) scalar() typ {
	t.shape = nil
	return t
}

func (t typ) equal(u typ) bool {
	return t.class == u.class && t.size == u.size && t.step == u.step && slices.Equal(t.shape, u.shape)
}

// promote returns the type of numbers that holds both, as numpy.promote_types.
func promote(a, b typ) typ {
	if a.class > b.class {
		a, b = b, a
	}
	switch {
	case a.class == b.class:
		return typ{class: a.class, size: max(a.size, b.size)}
	case a.class == boolClass:
		return b.scalar()
	case b.class == uintClass: // a is signed
		if b.size < a.size {
			return a.scalar()
		}
		if b.size == 8 {
			return float64Type
		}
		return typ{class: intClass, size: 2 * b.size}
	case a.class == floatClass: // b is complex
		return typ{class: complexClass, size: max(2*a.size, b.size)}
	}
	float := min(2*a.size, 8) // of a float that holds all integers of a, or of the largest
	if b.class == complexClass {
		return typ{class: complexClass, size: max(2*float, b.size)}
	}
	return typ{class: floatClass, size: max(float, b.size)}
}
