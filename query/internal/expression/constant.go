package expression

import (
	"fmt"
	"math"
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// none is the constant None.
type none struct{}

// names are the constants that have a name. A field of the same name comes first.
var names = map[string]any{
	"True": true, "true": true, "False": false, "false": false, "None": none{},
	"nan": math.NaN(), "NaN": math.NaN(), "inf": math.Inf(1), "pi": math.Pi, "e": math.E,
}

// IsConstant reports whether a name is a constant: pi, nan, True.
func IsConstant(name string) bool {
	_, ok := names[name]
	return ok
}

func constant(x *syntax.Expr, value any) *values.Node {
	return &values.Node{Expr: x, Constant: value, IsConst: true, Column: -1}
}

// isTrue reports whether a constant counts as true.
func isTrue(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case complex128:
		return v != 0
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	}
	return false
}

// numberValue returns a number or a bool as a number.
func numberValue(value any) (any, bool) {
	switch v := value.(type) {
	case bool:
		if v {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	case *big.Int, float64, complex128:
		return v, true
	}
	return nil, false
}

// toFloat rounds a number to the nearest float64.
func toFloat(value any) float64 {
	switch v := value.(type) {
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case float64:
		return v
	}
	return math.NaN()
}

func toComplex(value any) complex128 {
	if z, ok := value.(complex128); ok {
		return z
	}
	return complex(toFloat(value), 0)
}

func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// typed returns a constant as a node of numbers of type t, whose value fits.
func typed(a *values.Node, t values.Type) *values.Node {
	t = t.Scalar()
	number, _ := numberValue(a.Constant)
	out := &values.Node{Type: t, Expr: a.Expr, Column: -1}
	out.Eval = func(e *values.Env) values.Vec {
		return e.Constant(out, func(n int) values.Vec { return constantVec(t, number, n) })
	}
	return out
}

func constantVec(t values.Type, number any, n int) values.Vec {
	switch t.Class {
	case values.Bool:
		v := values.Vec{Mask: make([]uint8, n)}
		values.Fill(v.Mask, values.Bit(isTrue(number)))
		return v
	case values.Float:
		v := values.Vec{Floats: make([]float64, n)}
		values.Fill(v.Floats, roundTo(t.Size, toFloat(number)))
		return v
	case values.Complex:
		v := values.Vec{Complexes: make([]complex128, n)}
		values.Fill(v.Complexes, toComplex(number))
		return v
	}
	v := values.Vec{Ints: make([]int64, n)}
	i := number.(*big.Int)
	if i.Sign() < 0 {
		values.Fill(v.Ints, i.Int64())
	} else {
		values.Fill(v.Ints, int64(i.Uint64()))
	}
	return v
}

// short returns the text of an integer, or its number of bits if it is long.
func short(v *big.Int) string {
	if v.BitLen() > 200 {
		return fmt.Sprintf("an integer of %d bits", v.BitLen())
	}
	return v.String()
}

func fits(i *big.Int) bool { return i.IsInt64() || i.IsUint64() }
