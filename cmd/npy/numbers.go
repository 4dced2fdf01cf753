package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// A slicer is an array that is looked at piece by piece: one in memory, or a part of a file of which only what is
// asked for is read.
type slicer interface {
	DType() dtype.Type
	Shape() []int
	Slice(index ...npy.Index) (*npy.Array, error)
}

// A filePart is the slicer of a part of a file.
type filePart struct {
	npy.Part
	file *npy.File
}

// Slice reads an index of the part.
func (p filePart) Slice(index ...npy.Index) (*npy.Array, error) {
	part, err := p.Part.Slice(index...)
	if err != nil {
		return nil, err
	}
	return p.file.ReadPart(part)
}

// openSlicer gives the array that a target names, from its file where it has places, else read into memory. The caller
// calls close.
func (a *app) openSlicer(t target, d npy.Decoder) (s slicer, close func(), err error) {
	f := openParts(t, d)
	if f == nil {
		array, err := a.load(t, d)
		return array, func() {}, err
	}
	part, err := npy.PartOf(f.Header(), t.index...)
	if err != nil {
		f.Close()
		return nil, nil, explain(err)
	}
	return filePart{part, f}, func() { f.Close() }, nil
}

// numbers returns the elements of an array in C order, rounded to float64: bools are 0 and 1, complex numbers their
// magnitude, times their ticks, and NaT is NaN.
func numbers(a *npy.Array) ([]float64, error) {
	read := numbersFor(a.DType())
	if read == nil {
		return nil, notNumbers(a.DType())
	}
	return read(a)
}

// numbersFor returns what numbers does with arrays of a dtype, nil if its elements are no numbers.
func numbersFor(t dtype.Type) func(*npy.Array) ([]float64, error) {
	types := npy.GoTypes(t)
	is := func(t reflect.Type) bool { return slices.Contains(types, t) }
	switch {
	case is(reflect.TypeFor[float64]()):
		return numbersOf(func(x float64) float64 { return x })
	case is(reflect.TypeFor[int64]()):
		return numbersOf(func(x int64) float64 { return float64(x) })
	case is(reflect.TypeFor[uint64]()):
		return numbersOf(func(x uint64) float64 { return float64(x) })
	case is(reflect.TypeFor[complex128]()):
		return numbersOf(cmplx.Abs)
	case is(reflect.TypeFor[scalar.LongDouble]()):
		return numbersOf(longFloat)
	case is(reflect.TypeFor[scalar.LongComplex]()):
		return numbersOf(func(x scalar.LongComplex) float64 { return math.Hypot(longFloat(x.Real), longFloat(x.Imag)) })
	case is(reflect.TypeFor[scalar.Datetime64]()):
		return numbersOf(func(x scalar.Datetime64) float64 { return ticks(int64(x)) })
	case is(reflect.TypeFor[scalar.Timedelta64]()):
		return numbersOf(func(x scalar.Timedelta64) float64 { return ticks(int64(x)) })
	}
	return nil
}

// numbersOf returns what converts all elements.
func numbersOf[T npy.Element](convert func(T) float64) func(*npy.Array) ([]float64, error) {
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

// notNumbers says why there is no picture of elements that are no numbers, and the way out.
func notNumbers(t dtype.Type) error {
	switch {
	case t.NumField() > 0:
		return fmt.Errorf("its elements are structs; FILE['%s'] takes one field", t.Field(0).Name)
	case t.HasObject():
		return fmt.Errorf("its elements are Python objects and no numbers; 'npy show' prints them, and 'npy convert' to .json or .csv and back makes numbers of them")
	}
	hint := ""
	if t.Equal(dtype.Void(1)) || t.Equal(dtype.Void(2)) {
		hint = "; if they are of ml_dtypes, --as says which"
	}
	return fmt.Errorf("its elements are %s and no numbers; 'npy show' prints them%s", typeText(t), hint)
}

// isNumber reports whether numbers takes elements of a type.
func isNumber(t dtype.Type) bool { return numbersFor(t) != nil }
