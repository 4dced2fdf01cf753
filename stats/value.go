package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/npygo/npy/scalar"
)

// A Value is one result: an integer of any size, a float, a complex number, or the text of a time. The zero Value means
// that there is no result.
type Value struct {
	kind valueKind
	int  *big.Int
	num  complex128 // of floats and complex numbers
	text string
}

type valueKind byte

const (
	noValue valueKind = iota
	isInt
	isFloat
	isComplex
	isText
)

func intValue(x *big.Int) Value       { return Value{kind: isInt, int: x} }
func floatValue(x float64) Value      { return Value{kind: isFloat, num: complex(x, 0)} }
func complexValue(x complex128) Value { return Value{kind: isComplex, num: x} }
func textValue(text string) Value     { return Value{kind: isText, text: text} }

// Float returns the Value of a float.
func Float(x float64) Value { return floatValue(x) }

// IsValid reports whether there is a result.
func (v Value) IsValid() bool { return v.kind != noValue }

// Int returns a copy of an integer, and false for every other Value.
func (v Value) Int() (*big.Int, bool) {
	if v.kind != isInt {
		return nil, false
	}
	return new(big.Int).Set(v.int), true
}

// Float64 returns a float, or the float64 nearest to an integer. It is NaN for every other Value.
func (v Value) Float64() float64 {
	switch v.kind {
	case isFloat:
		return real(v.num)
	case isInt:
		x, _ := new(big.Float).SetInt(v.int).Float64()
		return x
	}
	return math.NaN()
}

// Complex128 returns a complex number. For every other Value it returns the result of Float64.
func (v Value) Complex128() complex128 {
	if v.kind == isComplex {
		return v.num
	}
	return complex(v.Float64(), 0)
}

// String returns the text of the value: all digits of an integer, the fewest digits that read back to the same float,
// ISO 8601 for a datetime64, "5 days" for a timedelta64. It is empty for the zero Value.
func (v Value) String() string {
	switch v.kind {
	case isInt:
		return v.int.String()
	case isFloat:
		return string(scalar.AppendFloat64(nil, real(v.num)))
	case isComplex:
		return string(scalar.AppendComplex128(nil, v.num))
	}
	return v.text
}

// MarshalJSON writes numbers with all their digits. NaN and the infinities are the strings "NaN", "Infinity" and
// "-Infinity", complex numbers and times are strings, and the zero Value is null.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case noValue:
		return []byte("null"), nil
	case isInt:
		return []byte(v.int.String()), nil
	case isFloat:
		switch x := real(v.num); {
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
			*v = floatValue(x)
		}
		return err
	}
	if len(text) > valueMax {
		return fmt.Errorf("stats: a number of %d digits, at most %d are possible", len(text), valueMax)
	}
	x, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return fmt.Errorf("stats: %.40q is not a result: want a number, a string or null", text)
	}
	*v = intValue(x)
	return nil
}

// valueOfText returns the value that a string in JSON represents.
func valueOfText(text string) Value {
	switch text {
	case "NaN":
		return floatValue(math.NaN())
	case "Infinity":
		return floatValue(math.Inf(1))
	case "-Infinity":
		return floatValue(math.Inf(-1))
	}
	if strings.HasSuffix(text, "j") {
		if x, err := scalar.ParseComplex128(text); err == nil {
			return complexValue(x)
		}
	}
	return textValue(text)
}
