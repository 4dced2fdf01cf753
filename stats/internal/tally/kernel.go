package tally

import (
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/stats/internal/items"
)

// A kernel adds items of one dtype to a tally.
type kernel struct {
	// add adds between 1 and items.Chunk items.
	add func(s *items.Scratch, t *Tally, data []byte)
	// find returns the first item that equals an extreme of the tally, or -1. It is nil for items without extremes.
	find func(s *items.Scratch, data []byte, x extreme) int
}

// kernelFor returns the kernel for items of t. Items without a numeric or text meaning are only counted.
func kernelFor(t dtype.Type) kernel {
	if n, ok := elem.SmallIntOf(t); ok {
		return intKernel(items.SmallInts(n), addNarrow)
	}
	swap, size := !t.IsNative(), t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindBool:
		return kernel{add: addBools}
	case dtype.KindInt:
		switch size {
		case 1:
			return intKernel(items.View[int8](swap), addNarrow)
		case 2:
			return intKernel(items.View[int16](swap), addNarrow)
		case 4:
			return intKernel(items.View[int32](swap), addNarrow)
		case 8:
			return intKernel(items.View[int64](swap), addInt64s)
		}
	case dtype.KindUint:
		switch size {
		case 1:
			return intKernel(items.View[uint8](swap), addNarrow)
		case 2:
			return intKernel(items.View[uint16](swap), addNarrow)
		case 4:
			return intKernel(items.View[uint32](swap), addNarrow)
		case 8:
			k := intKernel(items.View[uint64](swap), addUint64s)
			find := k.find
			k.find = func(s *items.Scratch, data []byte, x extreme) int {
				return find(s, data, extreme{i: x.i ^ math.MinInt64})
			}
			return k
		}
	case dtype.KindFloat:
		floats := codec.FloatsOf(t, size)
		return kernel{
			func(s *items.Scratch, t *Tally, data []byte) { t.addFloats(s, floats(&s.Numbers, data)) },
			func(s *items.Scratch, data []byte, x extreme) int { return slices.Index(floats(&s.Numbers, data), x.f) },
		}
	case dtype.KindComplex:
		floats := codec.FloatsOf(t, size/2)
		return kernel{add: func(s *items.Scratch, t *Tally, data []byte) { t.addComplexes(s, floats(&s.Numbers, data)) }}
	case dtype.KindDatetime, dtype.KindTimedelta:
		return intKernel(items.View[int64](swap), addTimes)
	case dtype.KindBytes, dtype.KindStr:
		return kernel{add: addStrings(size, max(size/max(t.Chars(), 1), 1))}
	}
	return kernel{add: func(_ *items.Scratch, t *Tally, data []byte) { t.Count += int64(len(data) / size) }}
}

// intKernel returns the kernel for items that are read as integers.
func intKernel[T items.Int](read items.Reader[T], add func(t *Tally, xs []T)) kernel {
	return kernel{
		func(s *items.Scratch, t *Tally, data []byte) { add(t, read(s, data)) },
		func(s *items.Scratch, data []byte, x extreme) int { return slices.Index(read(s, data), T(x.i)) },
	}
}

// addStrings returns the kernel for strings of characters of width bytes, padded with NULs.
func addStrings(size, width int) func(*items.Scratch, *Tally, []byte) {
	return func(_ *items.Scratch, t *Tally, data []byte) {
		for ; len(data) > 0; data = data[size:] {
			n := size
			for n > 0 && data[n-1] == 0 {
				n--
			}
			n = (n + width - 1) / width
			if n == 0 {
				t.Empty++
			}
			if t.Count == 0 || n < t.MinLen {
				t.MinLen = n
			}
			t.MaxLen = max(t.MaxLen, n)
			t.Count++
		}
	}
}
