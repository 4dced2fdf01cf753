package cast

import (
	"math"
	"math/big"
	"reflect"
	"unicode/utf8"

	"github.com/npygo/npy/internal/codec"
)

// MissingText returns the text of a common missing value of StringDType: None or NaN.
func MissingText(v any) (string, bool) {
	if v == nil {
		return "None", true
	}
	f, ok := v.(float64)
	return "nan", ok && math.IsNaN(f)
}

// Longest returns the number of characters of the longest text, 0 if there is none.
func Longest(texts []string) int {
	n := 0
	for _, s := range texts {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

// Truncate cuts texts to n characters each.
func Truncate(texts []string, n int) {
	for i, s := range texts {
		count := 0
		for at := range s {
			if count == n {
				texts[i] = s[:at]
				break
			}
			count++
		}
	}
}

// ObjectAs returns the value of a plain Python object as a T. It returns false if T cannot hold the value. A Python
// int that does not fit in 64 bits is a *big.Int.
func ObjectAs[T any](v any) (x T, ok bool) {
	if x, ok := v.(T); ok {
		return x, true
	}
	target := reflect.ValueOf(&x).Elem()
	base := codec.Base(target.Type())
	switch {
	case base == nil:
		return x, false
	case base == reflect.TypeOf(v): // T is a named type
		target.Set(reflect.ValueOf(v).Convert(target.Type()))
		return x, true
	case base.PkgPath() != "": // the types of package scalar take no other values
		return x, false
	}
	if b, isBig := v.(*big.Int); isBig {
		if !b.IsUint64() {
			return x, false
		}
		v = b.Uint64()
	}
	return x, setNumber(target, reflect.ValueOf(v))
}

// setNumber sets a number to the value of another and reports whether the values are the same. Integers may become
// floats, and both may become complex numbers.
func setNumber(target, v reflect.Value) bool {
	switch {
	case !v.IsValid() || v.Type().PkgPath() != "":
		return false
	case target.CanInt() && v.CanInt():
		target.SetInt(v.Int())
		return target.Int() == v.Int()
	case target.CanInt() && v.CanUint():
		target.SetInt(int64(v.Uint()))
		return target.Int() >= 0 && uint64(target.Int()) == v.Uint()
	case target.CanUint() && v.CanInt():
		target.SetUint(uint64(v.Int()))
		return v.Int() >= 0 && target.Uint() == uint64(v.Int())
	case target.CanUint() && v.CanUint():
		target.SetUint(v.Uint())
		return target.Uint() == v.Uint()
	case target.CanFloat():
		f, ok := exactFloat(v)
		target.SetFloat(f)
		return ok && sameFloat(target.Float(), f)
	case target.CanComplex():
		c, ok := exactComplex(v)
		target.SetComplex(c)
		got := target.Complex()
		return ok && sameFloat(real(got), real(c)) && sameFloat(imag(got), imag(c))
	}
	return false
}

// sameFloat reports whether two floats are equal, NaN being equal to NaN.
func sameFloat(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// exactFloat returns a real number as a float64.
func exactFloat(v reflect.Value) (f float64, ok bool) {
	var whole *big.Int
	switch {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		whole = big.NewInt(v.Int())
	case v.CanUint():
		whole = new(big.Int).SetUint64(v.Uint())
	default:
		return 0, false
	}
	f, accuracy := new(big.Float).SetInt(whole).Float64()
	return f, accuracy == big.Exact
}

func exactComplex(v reflect.Value) (c complex128, ok bool) {
	if v.CanComplex() {
		return v.Complex(), true
	}
	f, ok := exactFloat(v)
	return complex(f, 0), ok
}
