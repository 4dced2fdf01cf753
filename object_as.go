package npy

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	"github.com/npygo/npy/internal/pylit"
)

// A scalarObject is an object that is one element of a dtype of its own, as NumPy's scalars are.
type scalarObject interface {
	Scalar() *Array // without dimensions
}

// objectsAs is As for an array of dtype |O: every object has to be a T in Python's sense.
func objectsAs[T Element](a *Array) (View[T], error) {
	data := make([]T, 0, a.Size())
	for item := range a.items() {
		v := a.objects.get(item)
		x, ok := objectAs[T](v)
		if !ok {
			return View[T]{}, typeError[T](a.dtype, fmt.Sprintf("element %s is %s; Array.Objects gives all of them as they are",
				indexText(len(data), a.shape), describeObject(v)))
		}
		data = append(data, x)
	}
	return View[T]{data: data, shape: a.shape, strides: contiguous(a.shape, 1, false)}, nil
}

// indexText returns the index of the i-th element in C order as text.
func indexText(i int, shape []int) []byte { return pylit.AppendInts(nil, unravel(i, shape)) }

// unravel returns the index of the i-th element in C order, numpy.unravel_index.
func unravel(i int, shape []int) []int {
	index := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		index[axis] = i % shape[axis]
		i /= shape[axis]
	}
	return index
}

// describeObject says what an object is that was expected to be another.
func describeObject(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool, int64, float64, complex128, *big.Int:
		return string(appendRepr(nil, v, describedMax))
	}
	return fmt.Sprintf("a %T", v)
}

// describedMax is how much of an object an error repeats, in bytes.
const describedMax = 40

// objectAs returns v as a T: the same value, or none.
func objectAs[T Element](v any) (x T, ok bool) {
	if x, ok := v.(T); ok {
		return x, true
	}
	if s, ok := v.(scalarObject); ok {
		view, err := As[T](s.Scalar())
		if err != nil {
			return x, false
		}
		return view.At(), true
	}
	target := reflect.ValueOf(&x).Elem()
	if target.Type().PkgPath() != "" { // the types of package scalar are only what they are
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

// setNumber sets a number to the value of another, if that is the same number. Integers are floats, and both are complex
// numbers, but not the other way round.
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
