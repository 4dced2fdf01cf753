package along

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats/internal/exact"
)

// arrayOf returns an array of xs. It does nothing after an error.
func arrayOf[T npy.Element](xs []T, shape []int, err *error) *npy.Array {
	if *err != nil {
		return nil
	}
	a, e := npy.FromSlice(xs, shape...)
	*err = e
	return a
}

// fromInts returns an array of t with the low bytes of xs. t has the byte order of the machine.
func fromInts(t dtype.Type, xs []int64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := make([]byte, len(xs)*size)
	big := t.WithByteOrder(dtype.BigEndian).Equal(t) && size > 1
	for k, x := range xs {
		item := data[k*size : (k+1)*size]
		for i := range item {
			if big {
				item[size-1-i] = byte(x >> (8 * i))
			} else {
				item[i] = byte(x >> (8 * i))
			}
		}
	}
	return npy.FromBytes(t, data, shape...)
}

// sumsOf returns sums as int64, as uint64 where a sum needs it, or else as Python integers, dtype object.
func sumsOf(cells [][2]uint64, shape []int) (a *npy.Array, err error) {
	signed, unsigned := true, true
	for k := range cells {
		sum := cells[k]
		signed = signed && sum[1] == uint64(int64(sum[0])>>63)
		unsigned = unsigned && sum[1] == 0
	}
	if !signed && !unsigned {
		values := make([]any, len(cells))
		for k := range values {
			values[k] = exact.Big(cells[k][:], true)
		}
		return npy.FromObjects(values, shape...)
	}
	if signed {
		xs := make([]int64, len(cells))
		for k := range xs {
			xs[k] = int64(cells[k][0])
		}
		return arrayOf(xs, shape, &err), err
	}
	xs := make([]uint64, len(cells))
	for k := range xs {
		xs[k] = cells[k][0]
	}
	return arrayOf(xs, shape, &err), err
}
