package record

import (
	"io"
	"io/fs"
	"reflect"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
)

// A Saver writes structs of type T as records with settings of the caller's choice. The functions of this package use
// the zero Saver. A Saver may be used by several goroutines.
type Saver[T any] struct {
	// DType is the dtype of the records, as for [FromSliceAs]. The zero Type stands for the result of [DType].
	DType dtype.Type

	// Array has the settings for the file.
	Array npy.Encoder
}

func (s Saver[T]) dtype() (dtype.Type, error) {
	if s.DType.IsValid() {
		return wholeType(reflect.TypeFor[T](), s.DType)
	}
	return DType[T]()
}

// Save writes records to a file in C order: the bytes of np.save with the dtype that [DType] returns for T. Without a
// shape the array has one dimension; with one, the product of its dimensions must be len(data). After an error an old
// file is unchanged.
func Save[T any](path string, data []T, shape ...int) error {
	return Saver[T]{}.Save(path, data, shape...)
}

// SaveTo is [Save] to a stream.
func SaveTo[T any](w io.Writer, data []T, shape ...int) error {
	return Saver[T]{}.SaveTo(w, data, shape...)
}

// Save is the function [Save] with the settings of s.
func (s Saver[T]) Save(path string, data []T, shape ...int) error {
	a, err := s.array(data, shape)
	if err != nil {
		return &fs.PathError{Op: "save", Path: path, Err: err}
	}
	return s.Array.WriteFile(path, a)
}

// SaveTo is the function [SaveTo] with the settings of s.
func (s Saver[T]) SaveTo(w io.Writer, data []T, shape ...int) error {
	a, err := s.array(data, shape)
	if err != nil {
		return err
	}
	return s.Array.Write(w, a)
}

func (s Saver[T]) array(data []T, shape []int) (*npy.Array, error) {
	t, err := s.dtype()
	if err != nil {
		return nil, err
	}
	return FromSliceAs(t, data, shape...)
}

// FromSlice returns an array of records with the dtype that [DType] returns for T. It shares the memory of data if
// the layouts are the same and have no padding. A value that does not fit, such as a string that is too long, is a
// [*ValueError].
func FromSlice[T any](data []T, shape ...int) (*npy.Array, error) {
	return Saver[T]{}.array(data, shape)
}

// FromSliceAs is [FromSlice] with a dtype of the caller's choice. Its fields must match the fields of T, but may have
// another order, other byte orders, other lengths of strings, and padding, which becomes zeros.
func FromSliceAs[T any](t dtype.Type, data []T, shape ...int) (*npy.Array, error) {
	if shape == nil {
		shape = []int{len(data)}
	}
	p, err := Compile[T](t)
	if err == nil {
		err = p.p.noStore
	}
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: p.p.dtype, Shape: shape}
	full := unfolded(h)
	if err := full.Validate(); err != nil {
		return nil, err
	}
	if h.Size() != len(data) {
		return nil, diag.Errorf("record", "%d records given for shape %s, which has %d", len(data), format.ShapeString(shape), h.Size())
	}
	if p.p.sameStore {
		raw, _ := bulk.Bytes(data)
		return npy.FromBytes(full.DType, raw, full.Shape...)
	}
	raw := bulk.MakeFill[byte](int(full.NBytes()))
	if err := p.Encode(raw, data); err != nil {
		return nil, err
	}
	return npy.FromBytes(full.DType, raw, full.Shape...)
}
