package netcdf

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/diag"
)

// Scaled returns the values that src stands for by the conventions CF and NUG, given its attributes in a netCDF-3,
// netCDF-4 or HDF5 file. Elements are multiplied by scale_factor, and add_offset is added. Elements that equal
// _FillValue or missing_value become NaN, if the result has floats. _Unsigned "true" makes signed integers unsigned.
//
// The dtype is float32 for float32 and integers of up to 16 bits with factors of float32, and otherwise float64, as
// netCDF4 for Python has it with NumPy 2; integers without scale_factor and add_offset stay integers. A src without such attributes
// is returned as it is. An attribute that is not a number is an error.
func Scaled(src npy.Source, attributes []container.Attribute) (npy.Source, error) {
	src, _, err := scaled(src, attributes, false)
	return src, err
}

// Masked is [Scaled] for readers that need each missing element to be NaN: integers that only have fill values become floats too,
// float32 of up to 16 bits and otherwise float64, as xarray has it. Of valid_min, valid_max and valid_range it takes no
// notice, as xarray. changed reports whether the attributes change any element.
func Masked(src npy.Source, attributes []container.Attribute) (masked npy.Source, changed bool, err error) {
	return scaled(src, attributes, true)
}

// IsScaling reports whether an attribute says how elements are packed. It does not belong to the elements that Scaled returns.
func IsScaling(name string) bool {
	switch name {
	case "scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned":
		return true
	}
	return false
}

// scaled is Scaled, or Masked if integers become floats for the sake of their fill values.
func scaled(src npy.Source, attributes []container.Attribute, mask bool) (_ npy.Source, changed bool, err error) {
	switch src.DType().Kind() {
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat:
	default:
		return src, false, nil
	}
	s := scaling{scale: 1, narrow: true}
	unsigned := false
	for _, a := range attributes {
		var err error
		switch a.Name {
		case "scale_factor":
			s.scale, err = s.factor(a)
		case "add_offset":
			s.offset, err = s.factor(a)
		case "_Unsigned":
			unsigned = isTrue(a)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if t := src.DType(); unsigned && t.Kind() == dtype.KindInt {
		u := map[int]dtype.Type{1: dtype.Uint8, 2: dtype.Uint16, 4: dtype.Uint32, 8: dtype.Uint64}[t.ItemSize()]
		same := func(_ context.Context, dst []byte, src [][]byte, _ int) error { copy(dst, src[0]); return nil }
		changed = true
		if src, err = npy.Computed(u.WithByteOrder(t.ByteOrder()), same, src); err != nil {
			return nil, false, err
		}
	}
	isFloat := src.DType().Kind() == dtype.KindFloat
	if !s.factors && !isFloat && !mask {
		return src, changed, nil
	}
	var fills []string
	for _, a := range attributes {
		if a.Name != "_FillValue" && a.Name != "missing_value" {
			continue
		}
		if a.Err != nil {
			return nil, false, a.Err
		}
		fills = append(fills, fillsOf(a.Value, src.DType(), unsigned)...)
	}
	if !s.factors && len(fills) == 0 {
		return src, changed, nil
	}
	src, err = s.source(src, fills)
	return src, true, err
}

// fillsOf returns the bytes of the elements of dtype t that the values of an attribute stand for. A value that t does not hold is no element:
// without the check -9999 would be 241 of uint8. Of integers that are read as unsigned, a fill value may have the same bits.
// NaN is left out, because it is NaN already.
func fillsOf(value *npy.Array, t dtype.Type, unsigned bool) (fills []string) {
	fill, err := value.Cast(t, npy.UnsafeCasting)
	if err != nil || value.DType().HasObject() {
		return nil
	}
	is, err1 := fill.Cast(dtype.Float64, npy.UnsafeCasting)
	was, err2 := value.Cast(dtype.Float64, npy.UnsafeCasting)
	if err1 != nil || err2 != nil {
		return nil
	}
	x, err1 := npy.As[float64](is.Contiguous())
	y, err2 := npy.As[float64](was.Contiguous())
	if err1 != nil || err2 != nil {
		return nil
	}
	size, data, wanted := t.ItemSize(), fill.Contiguous().Bytes(), y.ToSlice()
	for i, v := range x.ToSlice() {
		exact := v == wanted[i] || t.Kind() == dtype.KindFloat || unsigned && value.DType().ItemSize() == size
		if v == v && exact {
			fills = append(fills, string(data[i*size:(i+1)*size]))
		}
	}
	return fills
}

// A scaling is a factor and an offset.
type scaling struct {
	scale, offset float64
	factors       bool // there is one
	narrow        bool // all are float32
}

// factor returns the number of an attribute.
func (s *scaling) factor(a container.Attribute) (float64, error) {
	if a.Err != nil {
		return 0, a.Err
	}
	s.factors = true
	t := a.Value.DType()
	if t.Kind() != dtype.KindFloat || t.ItemSize() > 4 {
		s.narrow = false
	}
	number, err := a.Value.Cast(dtype.Float64, npy.UnsafeCasting)
	if err != nil || number.Size() != 1 || t.HasObject() {
		return 0, diag.Errorf("netcdf", "attribute %s is not a number", a.Name)
	}
	v, err := npy.As[float64](number)
	if err != nil {
		return 0, err
	}
	return v.ToSlice()[0], nil
}

// isTrue reports whether an attribute is the text "true".
func isTrue(a container.Attribute) bool {
	if a.Err != nil || !a.Value.DType().HasObject() || a.Value.Size() != 1 {
		return false
	}
	objects, err := a.Value.Objects()
	return err == nil && objects[0] == "true"
}

// source returns the scaled elements of src.
func (s *scaling) source(src npy.Source, fills []string) (npy.Source, error) {
	from := src.DType()
	t := dtype.Float64
	small := from.ItemSize() <= 2 || from.Kind() == dtype.KindFloat && from.ItemSize() <= 4
	if small && (s.narrow || !s.factors) {
		t = dtype.Float32
	}
	t = t.WithByteOrder(dtype.LittleEndian)
	caster, err := cast.For(from, t, cast.Unsafe)
	if err != nil {
		return nil, err
	}
	size := from.ItemSize()
	return npy.Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		if err := caster(dst, src[0], n); err != nil {
			return err
		}
		if t.ItemSize() == 4 {
			s.single(dst)
		} else {
			s.double(dst)
		}
		for i := range n {
			for _, m := range fills {
				if string(src[0][i*size:(i+1)*size]) == m {
					setNaN(dst[i*t.ItemSize() : (i+1)*t.ItemSize()])
				}
			}
		}
		return nil
	}, src)
}

func (s *scaling) single(b []byte) {
	if !s.factors {
		return
	}
	scale, offset := float32(s.scale), float32(s.offset)
	for ; len(b) > 0; b = b[4:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(b))
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x*scale)+offset))
	}
}

func (s *scaling) double(b []byte) {
	if !s.factors {
		return
	}
	for ; len(b) > 0; b = b[8:] {
		x := math.Float64frombits(binary.LittleEndian.Uint64(b))
		binary.LittleEndian.PutUint64(b, math.Float64bits(float64(x*s.scale)+s.offset))
	}
}

func setNaN(b []byte) {
	if len(b) == 4 {
		binary.LittleEndian.PutUint32(b, 0x7fc00000)
		return
	}
	binary.LittleEndian.PutUint64(b, 0x7ff8000000000000)
}
