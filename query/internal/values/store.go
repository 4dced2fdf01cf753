package values

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// Store writes values of type t as items of its dtype, in the byte order of the machine. A text that is longer than the dtype is
// an error of its row.
func (e *Env) Store(dst []byte, v Vec, t Type) {
	switch {
	case len(dst) == 0:
	case v.Mask != nil:
		copy(dst, v.Mask)
	case v.Ints != nil:
		storeInts(dst, v.Ints, len(dst)/len(v.Ints))
	case v.Floats != nil:
		storeFloats(dst, v.Floats, len(dst)/len(v.Floats))
	case v.Complexes != nil:
		storeComplexes(dst, v.Complexes, t.Size)
	case v.Texts != nil:
		e.storeTexts(dst, v.Texts, t)
	}
}

// storeInts writes the low bytes of integers.
func storeInts(dst []byte, xs []int64, size int) {
	switch size {
	case 1:
		for i, x := range xs {
			dst[i] = byte(x)
		}
	case 2:
		put(dst, xs, func(x int64) uint16 { return uint16(x) })
	case 4:
		put(dst, xs, func(x int64) uint32 { return uint32(x) })
	default:
		bulk.Encode(dst, xs, false)
	}
}

func storeFloats(dst []byte, xs []float64, size int) {
	switch size {
	case 2:
		put(dst, xs, func(x float64) uint16 { return scalar.Float16FromFloat64(x).Bits })
	case 4:
		put(dst, xs, func(x float64) float32 { return float32(x) })
	default:
		bulk.Encode(dst, xs, false)
	}
}

func storeComplexes(dst []byte, xs []complex128, size int) {
	for i, z := range xs {
		if size == 8 {
			bulk.PutUint(dst[i*8:i*8+4], uint64(math.Float32bits(float32(real(z)))), bigEndian)
			bulk.PutUint(dst[i*8+4:i*8+8], uint64(math.Float32bits(float32(imag(z)))), bigEndian)
			continue
		}
		bulk.PutUint(dst[i*16:i*16+8], math.Float64bits(real(z)), bigEndian)
		bulk.PutUint(dst[i*16+8:i*16+16], math.Float64bits(imag(z)), bigEndian)
	}
}

// bigEndian reports whether the machine is.
var bigEndian = dtype.Uint16.ByteOrder() == dtype.BigEndian

// put writes values as numbers of type S.
func put[T any, S bulk.Number](dst []byte, xs []T, number func(T) S) {
	if to, ok := bulk.View[S](dst); ok {
		for i, x := range xs {
			to[i] = number(x)
		}
		return
	}
	var buf [256]S
	for len(xs) > 0 {
		n := min(len(xs), len(buf))
		size := len(dst) / len(xs) * n
		for i, x := range xs[:n] {
			buf[i] = number(x)
		}
		bulk.Encode(dst[:size], buf[:n], false)
		dst, xs = dst[size:], xs[n:]
	}
}

// storeTexts writes texts, with NULs after them.
func (e *Env) storeTexts(dst []byte, texts [][]byte, t Type) {
	size := len(dst) / len(texts)
	perRow := max(t.Items(), 1)
	for i, s := range texts {
		item := dst[i*size : (i+1)*size]
		if t.Class == Bytes {
			if clear(item[copy(item, s):]); len(s) > size {
				e.Fail(i/perRow, "a text of %d bytes does not fit in %d", len(s), size)
			}
			continue
		}
		if err := scalar.PutUCS4(item, string(s), bigEndian); err != nil {
			e.Fail(i/perRow, "%v", err)
		}
	}
}
