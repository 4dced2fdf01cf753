package record

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/source"
)

// A Loader reads records as structs of type T with settings of the caller's choice. The functions of this package use
// the zero Loader. A Loader may be used by several goroutines.
type Loader[T any] struct {
	// Array has the limits for reading, and the Casting for fields.
	Array npy.Decoder

	// Strict refuses files with fields that the Go struct does not have. By default they are ignored.
	Strict bool
}

// Load reads the records of a file in C order, and the shape of the array, as [npy.Load] does for plain elements.
// Fields that T does not have are ignored. The error is a [*npy.TypeError] if the file lacks a field of T, or if a
// field of T cannot hold every value of its dtype exactly. It is a [*ValueError] for a single value that does not
// fit.
func Load[T any](path string) (data []T, shape []int, err error) { return Loader[T]{}.Load(path) }

// LoadFrom is [Load] from a stream. It reads exactly one array, so that it can be called again for the next one. At
// the end of r it returns io.EOF.
func LoadFrom[T any](r io.Reader) (data []T, shape []int, err error) { return Loader[T]{}.LoadFrom(r) }

// Load is the function [Load] with the settings of l.
func (l Loader[T]) Load(path string) (data []T, shape []int, err error) {
	return l.loadFile(path, l.compileWhole)
}

// LoadFrom is the function [LoadFrom] with the settings of l.
func (l Loader[T]) LoadFrom(r io.Reader) (data []T, shape []int, err error) {
	s, err := source.Open(r, l.Array.Format())
	if err != nil {
		return nil, nil, err
	}
	if data, err = load[T](s, l.Array.MaxBytes, l.compileWhole); err != nil {
		return nil, nil, err
	}
	return data, slices.Clone(s.Header.Shape), s.Finish()
}

// A compiler returns the program for the array that h describes. It may fold the last axes of h into the dtype.
type compiler func(h *format.Header) (*program, error)

// compileWhole returns the program for whole records, or for a Go array that stands for the last axes.
func (l Loader[T]) compileWhole(h *format.Header) (*program, error) {
	f, err := folded(*h, reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	p, err := l.Compile(f.DType)
	if err != nil {
		return nil, err
	}
	*h = f
	return p.p, nil
}

// compileField returns the compiler for one field.
func (l Loader[T]) compileField(field string) compiler {
	return func(h *format.Header) (*program, error) {
		return compileField(reflect.TypeFor[T](), h.DType, field, l.Array.Casting)
	}
}

func (l Loader[T]) loadFile(path string, compile compiler) (data []T, shape []int, err error) {
	f, s, err := source.OpenFile(path, l.Array.Format())
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, err = load[T](s, l.Array.MaxBytes, compile); err != nil {
		return nil, nil, &fs.PathError{Op: "load", Path: path, Err: err}
	}
	return data, slices.Clone(s.Header.Shape), nil
}

// load reads straight into the result if the layouts are the same, and by blocks otherwise.
func load[T any](s *source.Source, maxBytes int64, compile compiler) ([]T, error) {
	h, inC := s.Header, s.InCOrder()
	inner, err := compile(&s.Header)
	if err != nil {
		return nil, err
	}
	if err := s.CheckSize(maxBytes); err != nil {
		return nil, err
	}
	p := &Plan[T]{inner}
	if err := p.checkSize(s.Header.Size()); err != nil {
		return nil, err
	}
	switch {
	case !inC && s.InCOrder(): // the items of a Go array are apart: the last axes of Fortran order
		raw, err := s.Bytes()
		if err != nil {
			return nil, err
		}
		a, err := npy.FromHeader(h, raw)
		if err != nil {
			return nil, err
		}
		return p.toSlice(a, s.Header.Size())
	case p.p.sameLoad && inC:
		return source.Shared[T](s, nil, 1)
	}
	return source.Load(s, nil, func(dst []T, src []byte, first int) error {
		err := renumber(p.fill(dst, src), first)
		if e, ok := err.(*ValueError); ok && !s.InCOrder() {
			e.Record = fromFortran(e.Record, s.Header.Shape)
		}
		return err
	})
}

// fromFortran returns the position in C order of the element at position k in Fortran order.
func fromFortran(k int, shape []int) int {
	at := 0
	for _, n := range shape {
		at, k = at*n+k%n, k/n
	}
	return at
}

// ToSlice returns the records of an array in C order. They do not share its memory. The errors are the errors of
// [Load].
func ToSlice[T any](a *npy.Array) ([]T, error) { return Loader[T]{}.ToSlice(a) }

// ToSlice is the function [ToSlice] with the settings of l.
func (l Loader[T]) ToSlice(a *npy.Array) ([]T, error) {
	h := headerOf(a)
	p, err := l.compileWhole(&h)
	if err != nil {
		return nil, err
	}
	plan := &Plan[T]{p}
	if err := plan.checkSize(h.Size()); err != nil {
		return nil, err
	}
	return plan.toSlice(a, h.Size())
}

func headerOf(a *npy.Array) format.Header { return format.Header{DType: a.DType(), Shape: a.Shape()} }

// toSlice returns the n records of a in C order.
func (p *Plan[T]) toSlice(a *npy.Array, n int) ([]T, error) {
	data, size := bulk.MakeFill[T](n), p.p.size
	src, _ := a.Contiguous().ViewBytes()
	err := par.Split(context.Background(), n, p.p.block, len(src), func(low, high int) error {
		return renumber(p.fill(data[low:high], src[low*size:high*size]), low)
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// ViewOf returns the records of an array in the array's memory. It never copies: a change to one is a change to the
// other. The array must be in C order and aligned for T. T must have the fields of its dtype at the same offsets with
// the same types: only numbers in native byte order, no bool, string or time.Time, and no skipped field.
// numpy.dtype(align=True) gives most Go structs the same layout. Otherwise the error wraps [errors.ErrUnsupported]
// and says why; [ToSlice] copies such an array. For types that cannot be converted at all it is a [*npy.TypeError].
func ViewOf[T any](a *npy.Array) ([]T, error) {
	h := headerOf(a)
	p, err := Loader[T]{}.compileWhole(&h)
	if err != nil {
		return nil, err
	}
	raw, ok := a.ViewBytes()
	switch {
	case !bulk.Shares:
		return nil, noView[T](a, "this program is built with the tag purego")
	case !p.sameLoad:
		return nil, noView[T](a, "the struct has other offsets, byte orders or types than the records, or a bool")
	case !ok:
		return nil, noView[T](a, "the records do not follow each other in C order")
	}
	data, ok := bulk.View[T](raw)
	if !ok {
		return nil, noView[T](a, "they are not aligned in memory")
	}
	return data, nil
}

func noView[T any](a *npy.Array, why string) error {
	return diag.Errorf("record", "no view of dtype %s as %s without a copy: %s; ToSlice copies: %w", a.DType(), reflect.TypeFor[T](), why, errors.ErrUnsupported)
}

// emptyRecordsMax is the largest number of records without bytes that become Go values. No byte in a file backs such
// records.
const emptyRecordsMax = 1 << 20

// checkSize returns an error if n records cannot become n structs: too many records of 0 bytes, or too much memory.
func (p *Plan[T]) checkSize(n int) error {
	size := int(reflect.TypeFor[T]().Size())
	switch {
	case p.p.size == 0 && n > emptyRecordsMax:
		return diag.Wrap("record", bounded.Over("", emptyRecordsMax, n, "%d records of 0 bytes are over %d", n, emptyRecordsMax))
	case size > 0 && n > math.MaxInt/size:
		return diag.Wrap("record", bounded.Over("", 0, 0, "%d structs of %d bytes are more than this machine can address", n, size))
	}
	return nil
}
