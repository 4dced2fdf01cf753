package sortkey

import (
	"math"

	"github.com/npygo/npy/dtype"
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
		class := complexClass(FloatPart(t))
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
