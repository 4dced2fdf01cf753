package codec

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// Complex returns the decoder of complex numbers that are no wider than D, and of real numbers that one part of D holds.
func Complex[D complex64 | complex128](t dtype.Type) Decoder[D] {
	wide := any(*new(D)) == any(complex128(0))
	swap := !t.IsNative()
	if t.Kind() == dtype.KindComplex {
		switch {
		case t.ItemSize() == 4:
			halves := Complex32(swap)
			return func(dst []D, src []byte) error {
				buf := make([]scalar.Complex32, len(dst))
				if err := halves(buf, src); err != nil {
					return err
				}
				for i, c := range buf {
					dst[i] = D(c.Complex64())
				}
				return nil
			}
		case t.ItemSize() == 8 && wide:
			return viaBuffer(swap, func(dst []D, src []complex64) {
				for i, c := range src {
					dst[i] = D(c)
				}
			})
		case t.ItemSize() == 8 || t.ItemSize() == 16 && wide:
			return Exact[D](swap)
		}
		return nil
	}
	if wide {
		return realParts[D](Real[float64](t))
	}
	return realParts[D](Real[float32](t))
}

// realParts returns the decoder of real numbers as complex numbers.
func realParts[D complex64 | complex128, S bulk.Real](decode Decoder[S]) Decoder[D] {
	if decode == nil {
		return nil
	}
	return func(dst []D, src []byte) error {
		reals := make([]S, len(dst))
		if err := decode(reals, src); err != nil {
			return err
		}
		bulk.WidenComplex(dst, reals)
		return nil
	}
}

// Complex32 returns the decoder of complex numbers of two float16.
func Complex32(swap bool) Decoder[scalar.Complex32] {
	return func(dst []scalar.Complex32, src []byte) error {
		halves := make([]uint16, 2*len(dst))
		bulk.Decode(halves, src, swap)
		for i := range dst {
			dst[i] = scalar.Complex32{Real: scalar.Float16{Bits: halves[2*i]}, Imag: scalar.Float16{Bits: halves[2*i+1]}}
		}
		return nil
	}
}

// PutComplex32 returns the encoder of complex numbers of two float16.
func PutComplex32(swap bool) Encoder[scalar.Complex32] {
	return func(dst []byte, src []scalar.Complex32) error {
		halves := make([]uint16, 0, 2*len(src))
		for _, c := range src {
			halves = append(halves, c.Real.Bits, c.Imag.Bits)
		}
		bulk.Encode(dst, halves, swap)
		return nil
	}
}
