package codec

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// LongDoubles returns the decoder of the long doubles of x86, in 12 or 16 bytes.
func LongDoubles(t dtype.Type) Decoder[scalar.LongDouble] {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindFloat || size < 12 {
		return nil
	}
	return func(dst []scalar.LongDouble, src []byte) error {
		for i := range dst {
			x, err := scalar.LongDoubleFromBytes(src[i*size:(i+1)*size], big)
			if err != nil {
				return &ElementError{i, err}
			}
			dst[i] = x
		}
		return nil
	}
}

// PutLongDoubles returns the encoder of the long doubles of x86.
func PutLongDoubles(t dtype.Type) Encoder[scalar.LongDouble] {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindFloat || size < 12 {
		return nil
	}
	return func(dst []byte, src []scalar.LongDouble) error {
		for i, x := range src {
			if err := x.PutBytes(dst[i*size:(i+1)*size], big); err != nil {
				return &ElementError{i, err}
			}
		}
		return nil
	}
}

// LongComplex returns the decoder of complex numbers of two long doubles of x86.
func LongComplex(t dtype.Type) Decoder[scalar.LongComplex] {
	half, big := t.ItemSize()/2, t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindComplex || half < 12 {
		return nil
	}
	return func(dst []scalar.LongComplex, src []byte) error {
		for i := range dst {
			item := src[2*i*half : (2*i+2)*half]
			re, err := scalar.LongDoubleFromBytes(item[:half], big)
			if err != nil {
				return &ElementError{i, err}
			}
			im, err := scalar.LongDoubleFromBytes(item[half:], big)
			if err != nil {
				return &ElementError{i, err}
			}
			dst[i] = scalar.LongComplex{Real: re, Imag: im}
		}
		return nil
	}
}

// PutLongComplex returns the encoder of complex numbers of two long doubles of x86.
func PutLongComplex(t dtype.Type) Encoder[scalar.LongComplex] {
	half, big := t.ItemSize()/2, t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindComplex || half < 12 {
		return nil
	}
	return func(dst []byte, src []scalar.LongComplex) error {
		for i, c := range src {
			item := dst[2*i*half : (2*i+2)*half]
			if err := c.Real.PutBytes(item[:half], big); err != nil {
				return &ElementError{i, err}
			}
			if err := c.Imag.PutBytes(item[half:], big); err != nil {
				return &ElementError{i, err}
			}
		}
		return nil
	}
}

// Float128s returns the decoder of binary128. Its descr is also the descr of a long double of 16 bytes, so the caller
// must know which of the two the elements are.
func Float128s(t dtype.Type) Decoder[scalar.Float128] {
	if t.Kind() != dtype.KindFloat || t.ItemSize() != 16 {
		return nil
	}
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []scalar.Float128, src []byte) error {
		for i := range dst {
			dst[i], _ = scalar.Float128FromBytes(src[16*i:16*(i+1)], big) // the size is right
		}
		return nil
	}
}

// PutFloat128s returns the encoder of binary128.
func PutFloat128s(t dtype.Type) Encoder[scalar.Float128] {
	if t.Kind() != dtype.KindFloat || t.ItemSize() != 16 {
		return nil
	}
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []byte, src []scalar.Float128) error {
		for i, x := range src {
			_ = x.PutBytes(dst[16*i:16*(i+1)], big) // the size is right
		}
		return nil
	}
}
