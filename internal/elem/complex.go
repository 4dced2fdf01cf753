package elem

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// complexCodec reads and writes each half with the float format of its size, so that each is rounded once.
func (x Texts) complexCodec(t dtype.Type) codec {
	half := t.ItemSize() / 2
	p := x.infinite(x.partOf(t, half))
	format := x.complexFormat(half, isBig(t))
	return codec{
		format: func(dst, item []byte) ([]byte, error) { return format(dst, item), nil },
		parse: func(item []byte, text string) error {
			re, im, err := splitComplex(text)
			if err == nil {
				err = p.parse(item[:half], re)
			}
			if err == nil {
				err = p.parse(item[half:2*half], im)
			}
			return Refuse(t, text, err)
		},
	}
}

func (x Texts) complexFormat(half int, big bool) func(dst, item []byte) []byte {
	switch half {
	case 8:
		return func(dst, item []byte) []byte {
			re, im := math.Float64frombits(bulk.Uint(item[:8], big)), math.Float64frombits(bulk.Uint(item[8:16], big))
			return scalar.AppendComplex128(dst, complex(re, im))
		}
	case 4:
		return func(dst, item []byte) []byte {
			re, im := math.Float32frombits(uint32(bulk.Uint(item[:4], big))), math.Float32frombits(uint32(bulk.Uint(item[4:8], big)))
			return scalar.AppendComplex64(dst, complex(re, im))
		}
	case 2:
		return func(dst, item []byte) []byte {
			return scalar.Complex32{Real: scalar.Float16{Bits: uint16(bulk.Uint(item[:2], big))}, Imag: scalar.Float16{Bits: uint16(bulk.Uint(item[2:4], big))}}.Append(dst)
		}
	}
	if x.isQuad(half) {
		return func(dst, item []byte) []byte {
			return scalar.AppendComplex256(dst, quad(item[:half], big), quad(item[half:2*half], big))
		}
	}
	return func(dst, item []byte) []byte {
		re, _ := scalar.LongDoubleFromBytes(item[:half], big) // the size is right
		im, _ := scalar.LongDoubleFromBytes(item[half:2*half], big)
		return scalar.LongComplex{Real: re, Imag: im}.Append(dst)
	}
}

// splitComplex splits a text into its parts as Python's complex(str) does. A missing part is "0". The empty text is NaN
// with an imaginary part of 0, as when NumPy converts a NaN to a complex number.
func splitComplex(text string) (re, im string, err error) {
	if text == "" {
		return "nan", "0", nil
	}
	if n := len(text); n >= 2 && text[0] == '(' && text[n-1] == ')' {
		text = text[1 : n-1]
	}
	n := len(text)
	if n == 0 {
		return "", "", scalar.ErrSyntax
	}
	if text[n-1]|0x20 != 'j' {
		return text, "0", nil
	}
	i := n - 2 // the sign that starts the imaginary part
	for i > 0 && (text[i] != '+' && text[i] != '-' || text[i-1]|0x20 == 'e') {
		i--
	}
	i = max(i, 0)
	re, im = text[:i], text[i:n-1]
	if re == "" {
		re = "0"
	}
	switch im {
	case "", "+", "-": // j alone means 1j
		im += "1"
	}
	return re, im, nil
}
