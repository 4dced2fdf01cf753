package stats

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/scalar"
)

// A Value is one result: an integer of any size, a float, a complex number, or the text of a time. The zero Value means
// that there is no result.
type Value struct {
	of any // a *big.Int, float64, complex128 or string
}

// Float returns the Value of a float.
func Float(x float64) Value { return Value{x} }

// valuesOf returns the results of the packages below. nil stays nil.
func valuesOf(all []any) []Value {
	if all == nil {
		return nil
	}
	out := make([]Value, len(all))
	for i, v := range all {
		out[i] = Value{v}
	}
	return out
}

// IsValid reports whether there is a result.
func (v Value) IsValid() bool { return v.of != nil }

// Int returns a copy of an integer, and false for every other Value.
func (v Value) Int() (*big.Int, bool) {
	x, ok := v.of.(*big.Int)
	if !ok {
		return nil, false
	}
	return new(big.Int).Set(x), true
}

// Float64 returns a float, or the float64 nearest to an integer. It is NaN for every other Value.
func (v Value) Float64() float64 {
	switch x := v.of.(type) {
	case float64:
		return x
	case *big.Int:
		f, _ := new(big.Float).SetInt(x).Float64()
		return f
	}
	return math.NaN()
}

// Complex128 returns a complex number. For every other Value it returns the result of Float64.
func (v Value) Complex128() complex128 {
	if x, ok := v.of.(complex128); ok {
		return x
	}
	return complex(v.Float64(), 0)
}

// String returns the text of the value: all digits of an integer, the fewest digits that read back to the same float,
// ISO 8601 for a datetime64, "5 days" for a timedelta64. It is empty for the zero Value.
func (v Value) String() string {
	switch x := v.of.(type) {
	case *big.Int:
		return x.String()
	case float64:
		return string(scalar.AppendFloat64(nil, x))
	case complex128:
		return string(scalar.AppendComplex128(nil, x))
	case string:
		return x
	}
	return ""
}

// MarshalJSON writes numbers with all their digits. NaN and the infinities are the strings "NaN", "Infinity" and
// "-Infinity", complex numbers and times are strings, and the zero Value is null.
func (v Value) MarshalJSON() ([]byte, error) {
	switch x := v.of.(type) {
	case nil:
		return []byte("null"), nil
	case *big.Int:
		return []byte(x.String()), nil
	case float64:
		switch {
		case math.IsNaN(x):
			return []byte(`"NaN"`), nil
		case math.IsInf(x, 1):
			return []byte(`"Infinity"`), nil
		case math.IsInf(x, -1):
			return []byte(`"-Infinity"`), nil
		default:
			return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
		}
	}
	return json.Marshal(v.String())
}

// valueMax is the number of digits of an integer that UnmarshalJSON reads. The cost of parsing grows faster than the
// number of digits. Sums have at most 39.
const valueMax = 1000

// UnmarshalJSON reads the output of MarshalJSON. A whole float becomes an integer, and the text of a time becomes text,
// for JSON does not tell them apart. An error leaves v unchanged.
func (v *Value) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		*v = Value{}
		return nil
	}
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*v = valueOfText(text)
		return nil
	}
	if strings.ContainsAny(text, ".eE") {
		x, err := strconv.ParseFloat(text, 64)
		if err == nil {
			*v = Float(x)
		}
		return err
	}
	if len(text) > valueMax {
		return diag.Errorf("stats", "a number of %d digits, at most %d are possible", len(text), valueMax)
	}
	x, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return diag.Errorf("stats", "%.40q is not a result: want a number, a string or null", text)
	}
	*v = Value{x}
	return nil
}

// valueOfText returns the value that a string in JSON represents.
func valueOfText(text string) Value {
	switch text {
	case "NaN":
		return Float(math.NaN())
	case "Infinity":
		return Float(math.Inf(1))
	case "-Infinity":
		return Float(math.Inf(-1))
	}
	if strings.HasSuffix(text, "j") {
		if x, err := scalar.ParseComplex128(text); err == nil {
			return Value{x}
		}
	}
	return Value{text}
}
