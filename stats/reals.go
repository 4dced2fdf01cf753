package stats

import (
	"errors"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// reals returns items as float64. The result is valid until the next call with the same scratch.
type reals func(s *scratch, items []byte) []float64

// realsOf returns the reader of items of t, which must be real numbers or bools; else the error is
// [errors.ErrUnsupported].
func realsOf(t dtype.Type) (reals, error) {
	swap := !t.IsNative()
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return floatsOf(t, t.ItemSize()), nil
	case dtype.KindBool:
		return func(s *scratch, items []byte) []float64 {
			return convert(s, items, func(x uint8) float64 { return float64(min(x, 1)) })
		}, nil
	case dtype.KindInt:
		if n, ok := elem.SmallIntOf(t); ok {
			return func(s *scratch, items []byte) []float64 {
				return convert(s, items, func(x uint8) float64 { return float64(n.Value(x)) })
			}, nil
		}
		switch t.ItemSize() {
		case 1:
			return intReals[int8](swap), nil
		case 2:
			return intReals[int16](swap), nil
		case 4:
			return intReals[int32](swap), nil
		}
		return intReals[int64](swap), nil
	case dtype.KindUint:
		switch t.ItemSize() {
		case 1:
			return intReals[uint8](swap), nil
		case 2:
			return intReals[uint16](swap), nil
		case 4:
			return intReals[uint32](swap), nil
		}
		return intReals[uint64](swap), nil
	}
	return nil, errors.ErrUnsupported
}

func intReals[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](swap bool) reals {
	return func(s *scratch, items []byte) []float64 {
		return convert(s, numbers[T](s, items, swap), func(x T) float64 { return float64(x) })
	}
}
