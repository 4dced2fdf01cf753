package record

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/scalar"
)

// A column moves the values of one leaf for a block of records. Packages codec and cast alone decide which types fit and how
// values are converted, as for package npy, whose generic types would take 20 s to compile for all element types.
type column interface {
	// natural returns the dtype of values of this type. If the type does not determine the dtype, it returns an
	// invalid one and a hint.
	natural() (dtype.Type, string)
	reads(dtype.Type) bool
	with(npy.Casting) column // the same column with another casting
	writes(dtype.Type) bool
	load(l *leaf, s reflect.Value, first, n int, records []byte, size int) error
	store(l *leaf, records []byte, size int, s reflect.Value, first, n int) error
}

// values is the column of an element type.
type values[E npy.Element] struct{ casting npy.Casting }

func (values[E]) goType() reflect.Type { return reflect.TypeFor[E]() }

func (c values[E]) with(casting npy.Casting) column { return values[E]{casting} }

func (values[E]) natural() (dtype.Type, string) {
	t := codec.Of[E]().DType()
	switch t.Kind() {
	case dtype.KindStr:
		return dtype.Type{}, `say the length: ,U8`
	case dtype.KindBytes:
		return dtype.Type{}, `say the length: ,S8 or ,V8`
	case dtype.KindDatetime:
		return dtype.Type{}, `say the step: ,M8[us]`
	case dtype.KindTimedelta:
		return dtype.Type{}, `say the step: ,m8[us]`
	}
	return t, ""
}

func (c values[E]) reads(t dtype.Type) bool {
	a, err := npy.New(t, 0)
	return err == nil && decoderOf[E](a.DType(), c.casting) != nil
}

func (values[E]) writes(t dtype.Type) bool {
	_, err := npy.New(t, 0)
	return err == nil && codec.Of[E]().Encoder(t) != nil
}

// decoderOf returns the decoder from t to E that a casting allows, or nil.
func decoderOf[E npy.Element](t dtype.Type, casting npy.Casting) codec.Decoder[E] {
	decode := codec.Of[E]().Decoder(t)
	if decode != nil || casting <= npy.SafeCasting {
		return decode
	}
	to, convert := casterTo(codec.Of[E]().DType(), t, casting)
	if convert == nil {
		return nil
	}
	if decode = codec.Of[E]().Decoder(to); decode == nil {
		return nil
	}
	return func(dst []E, src []byte) error {
		buf := make([]byte, len(dst)*to.ItemSize())
		if err := convert(buf, src, len(dst)); err != nil {
			return err
		}
		return decode(dst, buf)
	}
}

// casterTo returns the caster that a casting allows from t to the dtype of a Go type, and this dtype for elements of t.
func casterTo(own, t dtype.Type, casting npy.Casting) (dtype.Type, cast.Caster) {
	to := cast.Target(t, own)
	if to.Kind() == dtype.KindStr && to.ItemSize() == 0 || to.IsStruct() {
		return to, nil
	}
	convert, err := cast.For(t, to, cast.Casting(casting))
	if err != nil {
		return to, nil
	}
	return to, convert
}

func (c values[E]) load(l *leaf, s reflect.Value, first, n int, records []byte, size int) error {
	data, err := decode[E](l, n, records, size, c.casting)
	if err != nil {
		return err
	}
	bulk.Scatter(s, first, n, l.at, data)
	return nil
}

// decode returns the values of n records.
func decode[E npy.Element](l *leaf, n int, records []byte, size int, casting npy.Casting) ([]E, error) {
	if codec.Of[E]().Shares(l.dtype) { // the bytes are values, and are copied once
		shape, itemSize := l.shape(n), l.dtype.ItemSize()
		data := bulk.MakeFill[E](n * l.at.Count())
		raw, _ := bulk.Bytes(data)
		bulk.CopyBytes(raw, 0, steps(shape, itemSize), records, l.start, l.steps(size), shape, itemSize)
		return data, nil
	}
	a, err := npy.FromStrides(l.dtype, records[:n*size], l.start, l.shape(n), l.steps(size))
	if err != nil {
		return nil, err
	}
	return elementsOf[E](a, casting)
}

// elementsOf returns the elements of an array in C order.
func elementsOf[E npy.Element](a *npy.Array, casting npy.Casting) ([]E, error) {
	n := a.Size()
	if err := checkEmpty(n, a.DType().ItemSize()); err != nil {
		return nil, onlyElement(err, n)
	}
	data := bulk.MakeFill[E](n)
	raw, _ := a.Contiguous().ViewBytes()
	decode, size := decoderOf[E](a.DType(), casting), a.DType().ItemSize()
	for first := 0; first < n; first += decodeBlock { // the buffers of decoders stay small
		end := min(first+decodeBlock, n)
		if err := decode(data[first:end], raw[first*size:end*size]); err != nil {
			return nil, onlyElement(codec.Count(err, first), n)
		}
	}
	return data, nil
}

// decodeBlock is the number of elements that are decoded at a time.
const decodeBlock = 16 * codec.Chunk

// checkEmpty returns the error of package npy for many elements without bytes, which no byte in a file backs.
func checkEmpty(n, itemSize int) error {
	if itemSize == 0 && n > emptyRecordsMax {
		return diag.Wrap("npy", bounded.Over("", emptyRecordsMax, n, "%d elements of 0 bytes are over %d", n, emptyRecordsMax))
	}
	return nil
}

func (values[E]) store(l *leaf, records []byte, size int, s reflect.Value, first, n int) error {
	data := make([]E, n*l.at.Count())
	bulk.Gather(data, s, first, n, l.at)
	put, itemSize := codec.Of[E]().Encoder(l.dtype), l.dtype.ItemSize()
	raw := bulk.MakeFill[byte](len(data) * itemSize)
	err := par.Split(context.Background(), len(data), 1, len(raw), func(low, high int) error {
		return codec.Count(put(raw[low*itemSize:high*itemSize], data[low:high]), low)
	})
	if err != nil {
		return onlyElement(err, len(data))
	}
	l.place(records, size, n, raw)
	return nil
}

// encode stores the values of n records in their places. values returns them as an array of the given shape.
func encode(l *leaf, records []byte, size, n int, values func(shape []int) (*npy.Array, error)) error {
	a, err := values(l.shape(n))
	if err != nil {
		return onlyElement(err, n*l.at.Count())
	}
	raw, _ := a.ViewBytes()
	l.place(records, size, n, raw)
	return nil
}

// place copies the bytes of the values of n records to their places.
func (l *leaf) place(records []byte, size, n int, raw []byte) {
	if shape, itemSize := l.shape(n), l.dtype.ItemSize(); len(raw) > 0 {
		bulk.CopyBytes(records, l.start, l.steps(size), raw, 0, steps(shape, itemSize), shape, itemSize)
	}
}

// onlyElement removes the number of the element from an error of package npy if there is only one element.
func onlyElement(err error, n int) error {
	if inner := errors.Unwrap(err); inner != nil && n == 1 {
		return inner
	}
	return err
}

// times is the column of time.Time. It converts times of every step exactly or returns an error.
type times struct{}

func (c times) with(npy.Casting) column { return c }

func (times) natural() (dtype.Type, string) { return values[scalar.Datetime64]{}.natural() }

// reads rejects counts without a unit, because they are not times.
func (times) reads(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime && t.Step().Unit != dtype.Generic
}

func (c times) writes(t dtype.Type) bool { return c.reads(t) }

func (times) load(l *leaf, s reflect.Value, first, n int, records []byte, size int) error {
	ticks, err := decode[scalar.Datetime64](l, n, records, size, npy.SafeCasting)
	if err != nil {
		return err
	}
	data := make([]time.Time, len(ticks))
	for i, x := range ticks {
		if data[i], err = x.Time(l.dtype.Step()); err != nil {
			return err
		}
	}
	bulk.Scatter(s, first, n, l.at, data)
	return nil
}

func (times) store(l *leaf, records []byte, size int, s reflect.Value, first, n int) error {
	data := make([]time.Time, n*l.at.Count())
	bulk.Gather(data, s, first, n, l.at)
	return encode(l, records, size, n, func(shape []int) (*npy.Array, error) { return npy.FromTimes(l.dtype, data, nil, shape...) })
}

// durations is the column of time.Duration, unless its tag makes it an integer.
type durations struct{}

func (c durations) with(npy.Casting) column { return c }

func (durations) natural() (dtype.Type, string) { return dtype.Timedelta64(nanosecond), "" }

// nanosecond is the step of a time.Duration.
var nanosecond = dtype.Step{Num: 1, Unit: dtype.Nanosecond}

// reads rejects units without a fixed length.
func (durations) reads(t dtype.Type) bool {
	u := t.Step().Unit
	return t.Kind() == dtype.KindTimedelta && u != dtype.Generic && u != dtype.Year && u != dtype.Month
}

// writes accepts only nanoseconds, the step of a Duration: every Duration is a whole number of them.
func (durations) writes(t dtype.Type) bool {
	return t.Kind() == dtype.KindTimedelta && t.Step() == nanosecond
}

func (durations) load(l *leaf, s reflect.Value, first, n int, records []byte, size int) error {
	ticks, err := decode[scalar.Timedelta64](l, n, records, size, npy.SafeCasting)
	if err != nil {
		return err
	}
	data := make([]time.Duration, len(ticks))
	for i, x := range ticks {
		if data[i], err = x.Duration(l.dtype.Step()); err != nil {
			return err
		}
	}
	bulk.Scatter(s, first, n, l.at, data)
	return nil
}

func (durations) store(l *leaf, records []byte, size int, s reflect.Value, first, n int) error {
	data := make([]time.Duration, n*l.at.Count())
	bulk.Gather(data, s, first, n, l.at)
	return encode(l, records, size, n, func(shape []int) (*npy.Array, error) { return npy.FromDurations(l.dtype, data, nil, shape...) })
}
