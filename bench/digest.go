package main

import (
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// digest returns a checksum of a row's result. It is the same for the same values in any form, and the same as the
// function of this name in worker.py returns for NumPy's result.
func digest(result any) (uint32, error) {
	switch x := result.(type) {
	case string:
		return crc32.ChecksumIEEE([]byte(x)), nil
	case []string:
		return crc32.ChecksumIEEE([]byte(strings.Join(x, "\n"))), nil
	case file:
		a, err := npy.Decoder{Objects: objects.Decoder{}}.ReadFile(string(x))
		if err != nil {
			return 0, err
		}
		return digest(a)
	case table:
		a, err := readTable(string(x), convert.ReadOptions{})
		if err != nil {
			return 0, err
		}
		return digest(a)
	case hdf5File:
		a, err := x.array()
		if err != nil {
			return 0, err
		}
		return digest(a)
	case archive:
		arrays, err := x.arrays()
		if err != nil {
			return 0, err
		}
		return digest(arrays)
	case []*npy.Array:
		var crcs []string
		for _, a := range x {
			crc, err := digest(a)
			if err != nil {
				return 0, err
			}
			crcs = append(crcs, fmt.Sprint(crc))
		}
		return digest(crcs)
	case frame:
		return x.digest()
	case *npy.Array:
		if values, err := x.Objects(); err == nil {
			return digest(texts(values))
		}
		return digestArray(x, nil)
	case []float64:
		return digestArray(npy.FromSlice(x))
	case []float32:
		return digestArray(npy.FromSlice(x))
	case []scalar.Float16:
		return digestArray(npy.FromSlice(x))
	case []reading:
		return digestArray(record.FromSlice(x))
	}
	return 0, fmt.Errorf("%T has no digest: add it to digest", result)
}

// texts returns the text of ints and strings, Python's str.
func texts(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return out
}

// digestArray computes the checksum of the elements in C order and little-endian, structs field by field, without
// padding.
func digestArray(a *npy.Array, err error) (uint32, error) {
	if err != nil {
		return 0, err
	}
	columns := []*npy.Array{a}
	if fields := a.DType().Fields(); fields != nil {
		columns = nil
		for _, f := range fields {
			column, err := a.Field(f.Name)
			if err != nil {
				return 0, err
			}
			columns = append(columns, column)
		}
	}
	var crc uint32
	for _, column := range columns {
		little, err := column.AsType(column.DType().WithByteOrder(dtype.LittleEndian))
		if err != nil {
			return 0, err
		}
		crc = crc32.Update(crc, crc32.IEEETable, little.Bytes())
	}
	return crc, nil
}

// digest computes the checksum of each column: of dates in seconds, and of numbers that are all one NaN where they are missing.
func (f frame) digest() (uint32, error) {
	var columns []*npy.Array
	for _, field := range f.DType().Fields() {
		column, err := f.Field(field.Name)
		if err != nil {
			return 0, err
		}
		switch field.DType.Kind() {
		case dtype.KindStr:
			column, err = column.AsType(dtype.Str(64))
		case dtype.KindDatetime:
			column, err = column.AsType(dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Second}))
		case dtype.KindFloat:
			column, err = oneNaN(column)
		}
		if err != nil {
			return 0, err
		}
		columns = append(columns, column)
	}
	return digest(columns)
}

// oneNaN returns a copy of an array of float64 in which every NaN has the same bits.
func oneNaN(a *npy.Array) (*npy.Array, error) {
	view, err := npy.As[float64](a)
	if err != nil {
		return nil, err
	}
	values := make([]float64, 0, a.Len())
	for i := range a.Len() {
		x := view.At(i)
		if x != x {
			x = math.Float64frombits(0x7ff8 << 48)
		}
		values = append(values, x)
	}
	return npy.FromSlice(values)
}
