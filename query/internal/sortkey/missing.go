package sortkey

import (
	"errors"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// MissingOf returns the function that reports NaN and NaT, or nil for dtypes that have neither.
func MissingOf(t dtype.Type) func(item []byte) bool {
	size := t.ItemSize()
	big := t.ByteOrder() == dtype.BigEndian
	switch elem.KindOf(t) {
	case dtype.KindDatetime, dtype.KindTimedelta:
		read := UintOf(8, big)
		return func(b []byte) bool { return read(b) == 1<<63 }
	case dtype.KindComplex:
		class := complexClass(floatPart(t))
		return func(b []byte) bool { return class(b) != 0 }
	case dtype.KindFloat:
		if size > 8 {
			return func(b []byte) bool { x, _ := scalar.LongDoubleFromBytes(b, big); return x.IsNaN() }
		}
		key, nan := floatKey(t, false), uint64(math.MaxUint64)>>(64-8*size)
		if _, ok := elem.SmallFloatOf(t); ok {
			nan = math.MaxUint32
		}
		return func(b []byte) bool { return key(b) == nan }
	}
	return nil
}

// PutMissing writes NaN or NaT.
func PutMissing(item []byte, t dtype.Type) error {
	big := t.ByteOrder() == dtype.BigEndian
	switch kind := elem.KindOf(t); {
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		bulk.PutUint(item, 1<<63, big)
	case kind == dtype.KindComplex:
		half := len(item) / 2
		return errors.Join(PutMissing(item[:half], floatPart(t)), PutMissing(item[half:], floatPart(t)))
	case len(item) > 8:
		return scalar.LongDoubleFromFloat64(math.NaN()).PutBytes(item, big)
	case elem.IsBFloat16(t):
		bulk.PutUint(item, 0x7fc0, big)
	case len(item) > 1:
		bulk.PutUint(item, map[int]uint64{2: 0x7e00, 4: 0x7fc0_0000, 8: 0x7ff8_0000_0000_0000}[len(item)], big)
	default: // a float of one byte, which was missing in every row
		small, _ := elem.SmallFloatOf(t)
		item[0] = small.Nearest(math.NaN())
	}
	return nil
}
