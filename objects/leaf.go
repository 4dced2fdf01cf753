package objects

import (
	"bytes"
	"math"
	"math/big"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/scalar"
)

// leaf returns a plain element as the Python value in a struct with objects: the result of ndarray.item().
func leaf(t dtype.Type, item []byte) (any, error) {
	isBig := t.ByteOrder() == dtype.BigEndian
	size := t.ItemSize()
	switch t.Kind() {
	case dtype.KindBool:
		return item[0] != 0, nil
	case dtype.KindInt:
		unused := 64 - 8*size
		return int64(bulk.Uint(item, isBig)<<unused) >> unused, nil
	case dtype.KindUint:
		return bulk.Uint(item, isBig), nil
	case dtype.KindFloat:
		if size == 2 || size == 4 || size == 8 {
			return floatOf(item, isBig), nil
		}
	case dtype.KindComplex:
		if size == 8 || size == 16 {
			return complex(floatOf(item[:size/2], isBig), floatOf(item[size/2:], isBig)), nil
		}
	case dtype.KindStr:
		text, err := scalar.AppendUCS4(nil, item, isBig)
		return string(text), err
	case dtype.KindBytes:
		return bytes.Clone(bytes.TrimRight(item, "\x00")), nil
	case dtype.KindVoid:
		return bytes.Clone(item), nil
	case dtype.KindDatetime:
		return datetimeOf(scalar.Datetime64{Ticks: int64(bulk.Uint(item, isBig))}, t.Step()), nil
	case dtype.KindTimedelta:
		return timedeltaOf(scalar.Timedelta64{Ticks: int64(bulk.Uint(item, isBig))}, t.Step()), nil
	}
	a, err := npy.FromBytes(t, bytes.Clone(item))
	if err != nil {
		return nil, err
	}
	return NewScalar(a)
}

func floatOf(item []byte, isBig bool) float64 {
	switch bits := bulk.Uint(item, isBig); len(item) {
	case 2:
		return scalar.Float16{Bits: uint16(bits)}.Float64()
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	default:
		return math.Float64frombits(bits)
	}
}

// putFloat writes a float and reports whether it is stored exactly.
func putFloat(item []byte, f float64, isBig bool) bool {
	switch len(item) {
	case 2:
		bulk.PutUint(item, uint64(scalar.Float16FromFloat64(f).Bits), isBig)
	case 4:
		bulk.PutUint(item, uint64(math.Float32bits(float32(f))), isBig)
	default:
		bulk.PutUint(item, math.Float64bits(f), isBig)
	}
	return floatOf(item, isBig) == f || math.IsNaN(f)
}

// putLeaf writes a Python value as a plain element, if it is a value of that dtype.
func putLeaf(t dtype.Type, item []byte, v any) error {
	if s, ok := v.(*Scalar); ok && s.array.DType().Equal(t) {
		copy(item, s.array.Bytes())
		return nil
	}
	isBig := t.ByteOrder() == dtype.BigEndian
	fits := false
	switch t.Kind() {
	case dtype.KindBool:
		var b bool
		if b, fits = v.(bool); b {
			item[0] = 1
		}
	case dtype.KindInt, dtype.KindUint:
		fits = putInt(t, item, v, isBig)
	case dtype.KindFloat, dtype.KindComplex:
		fits = putInexact(t, item, v, isBig)
	case dtype.KindStr:
		if s, ok := v.(string); ok {
			return scalar.PutUCS4(item, s, isBig)
		}
	case dtype.KindBytes, dtype.KindVoid:
		raw, ok := pickle.RawBytes(v)
		fits = ok && len(raw) <= len(item)
		copy(item, raw)
	case dtype.KindDatetime, dtype.KindTimedelta:
		var ticks int64
		ticks, fits = ticksOf(t, v)
		bulk.PutUint(item, uint64(ticks), isBig)
	}
	if !fits {
		return malformed("array has a %T for an element of dtype %s", v, t)
	}
	return nil
}

// putInt writes an int if it is in the range of t.
func putInt(t dtype.Type, item []byte, v any, isBig bool) bool {
	var bits uint64
	negative := false
	switch v := v.(type) {
	case int64:
		bits, negative = uint64(v), v < 0
	case uint64:
		bits = v
	case *big.Int:
		if !v.IsUint64() {
			return false
		}
		bits = v.Uint64()
	default:
		return false
	}
	bulk.PutUint(item, bits, isBig)
	back := bulk.Uint(item, isBig)
	if t.Kind() == dtype.KindUint {
		return back == bits && !negative
	}
	unused := 64 - 8*len(item)
	signed := int64(back<<unused) >> unused
	return uint64(signed) == bits && (signed < 0) == negative
}

// putInexact writes a float or complex number of up to 64 bits per part.
func putInexact(t dtype.Type, item []byte, v any, isBig bool) bool {
	half := len(item) / 2
	switch v := v.(type) {
	case float64:
		return t.Kind() == dtype.KindFloat && len(item) <= 8 && putFloat(item, v, isBig)
	case complex128:
		return t.Kind() == dtype.KindComplex && half <= 8 && putFloat(item[:half], real(v), isBig) && putFloat(item[half:], imag(v), isBig)
	}
	return false
}
