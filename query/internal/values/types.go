package values

import (
	"math"
	"math/big"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A Class is a class of types with the same operators.
type Class byte

const (
	Bool Class = iota
	Int
	Uint
	Float
	Complex
	Str
	Bytes
	Datetime
	Timedelta
	Other // objects, records and raw bytes
)

// A Type is the type of an expression: the type of one value, and the shape of the values of a row.
type Type struct {
	Class Class
	Size  int        // bytes of a number, as in the name of its dtype; the most characters or bytes of text
	Step  dtype.Step // of times
	Shape []int      // of the values of one row; nil for one value
	name  string     // of the dtype, for messages about otherValue
}

var BoolType, Int64Type, Float64Type, Complex128Type = Type{Class: Bool, Size: 1}, Type{Class: Int, Size: 8},
	Type{Class: Float, Size: 8}, Type{Class: Complex, Size: 16}

// typeOf returns the type of items of t.
func typeOf(t dtype.Type) Type {
	if _, ok := elem.SmallIntOf(t); ok {
		return Type{Class: Int, Size: 1}
	}
	size := t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindBool:
		return BoolType
	case dtype.KindInt:
		return Type{Class: Int, Size: size}
	case dtype.KindUint:
		return Type{Class: Uint, Size: size}
	case dtype.KindFloat:
		switch {
		case size > 8: // long doubles are rounded
			size = 8
		case size == 1 || t.Kind() == dtype.KindVoid: // float8 and bfloat16 are computed as float32
			size = 4
		}
		return Type{Class: Float, Size: size}
	case dtype.KindComplex:
		return Type{Class: Complex, Size: min(max(size, 8), 16)}
	case dtype.KindStr:
		return Type{Class: Str, Size: size / 4}
	case dtype.KindBytes:
		return Type{Class: Bytes, Size: size}
	case dtype.KindDatetime:
		return Type{Class: Datetime, Step: t.Step()}
	case dtype.KindTimedelta:
		return Type{Class: Timedelta, Step: t.Step()}
	}
	return Type{Class: Other, name: t.String()}
}

// String returns the name of the dtype.
func (t Type) String() string {
	bits := strconv.Itoa(8 * t.Size)
	switch t.Class {
	case Bool:
		return "bool"
	case Int:
		return "int" + bits
	case Uint:
		return "uint" + bits
	case Float:
		return "float" + bits
	case Complex:
		return "complex" + bits
	case Str:
		return "str"
	case Bytes:
		return "bytes"
	case Datetime:
		return "datetime64[" + t.Step.String() + "]"
	case Timedelta:
		return "timedelta64[" + t.Step.String() + "]"
	}
	return t.name
}

// Items returns the number of values of a row.
func (t Type) Items() int {
	n := 1
	for _, m := range t.Shape {
		n *= m
	}
	return n
}

func (t Type) IsInteger() bool { return t.Class == Int || t.Class == Uint }
func (t Type) IsNumber() bool  { return t.Class <= Complex }
func (t Type) IsTime() bool    { return t.Class == Datetime || t.Class == Timedelta }
func (t Type) IsText() bool    { return t.Class == Str || t.Class == Bytes }
func (t Type) Wide() bool      { return t.Class == Uint && t.Size == 8 }

// Scalar returns the type of one value.
func (t Type) Scalar() Type {
	t.Shape = nil
	return t
}

// Promote returns the type of numbers that holds both, as numpy.promote_types.
func Promote(a, b Type) Type {
	if a.Class > b.Class {
		a, b = b, a
	}
	switch {
	case a.Class == b.Class:
		return Type{Class: a.Class, Size: max(a.Size, b.Size)}
	case a.Class == Bool:
		return b.Scalar()
	case b.Class == Uint: // a is signed
		if b.Size < a.Size {
			return a.Scalar()
		}
		if b.Size == 8 {
			return Float64Type
		}
		return Type{Class: Int, Size: 2 * b.Size}
	case a.Class == Float: // b is complex
		return Type{Class: Complex, Size: max(2*a.Size, b.Size)}
	}
	float := min(2*a.Size, 8) // of a float that holds all integers of a, or of the largest
	if b.Class == Complex {
		return Type{Class: Complex, Size: max(2*float, b.Size)}
	}
	return Type{Class: Float, Size: max(float, b.Size)}
}

// Limits returns the smallest and the largest integer of a type.
func (t Type) Limits() (low, high *big.Int) {
	one := big.NewInt(1)
	switch t.Class {
	case Bool:
		return new(big.Int), one
	case Uint:
		high = new(big.Int).Lsh(one, uint(8*t.Size))
		return new(big.Int), high.Sub(high, one)
	case Int:
		high = new(big.Int).Lsh(one, uint(8*t.Size-1))
		return new(big.Int).Neg(high), high.Sub(high, one)
	}
	return big.NewInt(math.MinInt64 + 1), big.NewInt(math.MaxInt64) // times but NaT
}

// IsCount reports whether values are integers or bools.
func (t Type) IsCount() bool { return t.IsInteger() || t.Class == Bool }

// Large reports whether times were made of uint64, whose bits they have.
func (t Type) Large() bool { return t.IsTime() && t.Size > 0 }

// TimeType returns the dtype of times.
func (t Type) TimeType() dtype.Type {
	if t.Class == Datetime {
		return dtype.Datetime64(t.Step)
	}
	return dtype.Timedelta64(t.Step)
}

// DType returns the dtype of one value, in the byte order of the machine.
func (t Type) DType() dtype.Type {
	switch t.Class {
	case Bool:
		return dtype.Bool
	case Str:
		return dtype.Str(t.Size)
	case Bytes:
		return dtype.Bytes(t.Size)
	case Datetime, Timedelta:
		return t.TimeType()
	case Other:
		return dtype.Type{}
	}
	kind := map[Class]string{Int: "i", Uint: "u", Float: "f", Complex: "c"}[t.Class]
	out, _ := dtype.Parse(kind + strconv.Itoa(t.Size))
	return out
}
