// Package numbers reads arrays of any numeric dtype as float64, for charts and pictures.
package numbers

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// Read reads a[index...] of an array.
func Read(ctx context.Context, src npy.Source, index ...npy.Index) (*npy.Array, error) {
	part, err := src.Select(index...)
	if err != nil {
		return nil, err
	}
	return part.ReadAll(ctx)
}

// Of returns the elements of an array in C order, rounded to float64: bools are 0 and 1, complex numbers their
// magnitude, times their ticks, and NaT is NaN.
func Of(a *npy.Array) ([]float64, error) {
	read := Reader(a.DType())
	if read == nil {
		return nil, NotNumeric(a.DType())
	}
	return read(a)
}

// Reader returns the conversion to numbers for a dtype, or nil if its elements are not numbers.
func Reader(t dtype.Type) func(*npy.Array) ([]float64, error) {
	types := npy.GoTypes(t)
	is := func(t reflect.Type) bool { return slices.Contains(types, t) }
	switch {
	case is(reflect.TypeFor[float64]()):
		return floats
	case is(reflect.TypeFor[int64]()):
		return ReaderOf(func(x int64) float64 { return float64(x) })
	case is(reflect.TypeFor[uint64]()):
		return ReaderOf(func(x uint64) float64 { return float64(x) })
	case is(reflect.TypeFor[complex128]()):
		return ReaderOf(cmplx.Abs)
	case is(reflect.TypeFor[scalar.LongDouble]()):
		return ReaderOf(longFloat)
	case is(reflect.TypeFor[scalar.LongComplex]()):
		return ReaderOf(func(x scalar.LongComplex) float64 { return math.Hypot(longFloat(x.Real), longFloat(x.Imag)) })
	case is(reflect.TypeFor[scalar.Datetime64]()):
		return ReaderOf(func(x scalar.Datetime64) float64 { return ticks(x.Ticks) })
	case is(reflect.TypeFor[scalar.Timedelta64]()):
		return ReaderOf(func(x scalar.Timedelta64) float64 { return ticks(x.Ticks) })
	}
	return nil
}

// ReaderOf returns a function that converts all elements of an array.
func ReaderOf[T npy.Element](convert func(T) float64) func(*npy.Array) ([]float64, error) {
	return func(a *npy.Array) ([]float64, error) {
		v, err := npy.As[T](a)
		if err != nil {
			return nil, err
		}
		elements, ok := v.ViewSlice()
		if !ok {
			elements = v.ToSlice()
		}
		out := make([]float64, len(elements))
		for i, x := range elements {
			out[i] = convert(x)
		}
		return out, nil
	}
}

// floats is the conversion of elements that float64 holds.
func floats(a *npy.Array) ([]float64, error) {
	v, err := npy.As[float64](a)
	if err != nil {
		return nil, err
	}
	if elements, ok := v.ViewSlice(); ok && !a.DType().Equal(dtype.Float64) {
		return elements, nil // that As has made
	}
	return v.ToSlice(), nil
}

// PartsOf returns the real or the imaginary parts of complex numbers.
func PartsOf(a *npy.Array, imaginary bool) ([]float64, error) {
	if slices.Contains(npy.GoTypes(a.DType()), reflect.TypeFor[complex128]()) {
		return ReaderOf(func(x complex128) float64 {
			if imaginary {
				return imag(x)
			}
			return real(x)
		})(a)
	}
	return ReaderOf(func(x scalar.LongComplex) float64 {
		if imaginary {
			return longFloat(x.Imag)
		}
		return longFloat(x.Real)
	})(a)
}

func longFloat(x scalar.LongDouble) float64 {
	f, _ := x.Float64() // rounded
	return f
}

func ticks(n int64) float64 {
	if n == scalar.NaT {
		return math.NaN()
	}
	return float64(n)
}

// NotNumeric returns the error for elements that are not numbers, with the way out.
func NotNumeric(t dtype.Type) error {
	switch {
	case t.NumField() > 0:
		return fmt.Errorf("its elements are records; FILE['%s'] takes one field", t.Field(0).Name)
	case t.HasObject():
		return fmt.Errorf("its elements are Python objects, not numbers; 'npy show' prints them, and 'npy convert' to .csv and back can make numbers of them")
	}
	hint := ""
	if t.Equal(dtype.Void(1)) || t.Equal(dtype.Void(2)) {
		hint = "; if they are of ml_dtypes, give --as"
	}
	return fmt.Errorf("its elements are %s, not numbers; 'npy show' prints them%s", TypeText(t), hint)
}

// Numeric reports whether the elements of a dtype are numbers.
func Numeric(t dtype.Type) bool { return Reader(t) != nil }

// TypeText names a dtype for people: NumPy's name and the descr, with the length of strings in characters, not bits.
func TypeText(t dtype.Type) string {
	switch {
	case t.IsStruct():
		if t.NumField() == 1 {
			return "struct of 1 field"
		}
		return fmt.Sprintf("struct of %d fields", t.NumField())
	case t.Kind() == dtype.KindStr:
		return fmt.Sprintf("str of %d characters (%s)", t.Chars(), t.Descr())
	case t.Kind() == dtype.KindBytes:
		return fmt.Sprintf("bytes of length %d (%s)", t.Chars(), t.Descr())
	case t.Kind() == dtype.KindObject:
		return "Python objects (|O)"
	}
	return fmt.Sprintf("%s (%s)", t.Name(), t.Descr())
}
