package opcode

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/npygo/npy/pickle/internal/literal"
)

// Value returns the argument of the opcode that Next took as a value: an int64, *big.Int, float64, bool, string, []byte or [2]string, or
// nil if there is none. Bytes are valid until more is taken. A str of Python 2 is a string of its bytes read as Latin-1.
// PROTO and FRAME are obeyed.
func (s *Scanner) Value(code byte, maxDigits int) (any, error) {
	arg := &s.Arg
	switch code {
	case Proto:
		return int64(arg.N), s.SetProtocol(arg.N)
	case Frame:
		return int64(arg.N), s.OpenFrame(arg.N)
	case BinGet, LongBinGet, BinPut, LongBinPut, Ext1, Ext2, BinInt1, BinInt2:
		return int64(arg.N), nil
	case Ext4, BinInt:
		return int64(int32(arg.N)), nil
	case BinFloat:
		return Float64(arg.N), nil
	case Global, Inst:
		return arg.Lines, nil
	case PersID:
		return string(arg.Data), nil
	case BinBytes, ShortBinBytes, BinBytes8, ByteArray8:
		return arg.Data, nil
	case Get, Put:
		n, err := literal.MemoNumber(arg.Data)
		return orNil(int64(n), err)
	}
	return literalValue(code, arg.Data, maxDigits)
}

// literalValue is Value for numbers of any length and texts.
func literalValue(code byte, data []byte, maxDigits int) (any, error) {
	switch code {
	case Int:
		return literal.Int(data, maxDigits)
	case Long:
		return literal.Long(data, maxDigits)
	case Long1, Long4:
		return literal.Binary(data, maxDigits)
	case Float:
		f, err := literal.Float(data)
		return orNil(f, err)
	case ShortBinUnicode, BinUnicode, BinUnicode8:
		err := CheckText(data)
		return orNil(string(data), err)
	case Unicode:
		b, err := literal.RawUnicode(data)
		return orNil(string(b), err)
	case ShortBinString, BinString:
		return literal.Latin1Text(data), nil
	case String:
		b, err := literal.Unquote(data)
		return orNil(literal.Latin1Text(b), err)
	}
	return nil, nil
}

// orNil returns a value, or nil with an error.
func orNil[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Float64 returns the argument of BINFLOAT, which is big-endian.
func Float64(n uint64) float64 { return math.Float64frombits(bits.ReverseBytes64(n)) }

// CheckText returns an error for the argument of BINUNICODE that is not UTF-8.
func CheckText(b []byte) error {
	if !literal.ValidText(b) {
		return fmt.Errorf("%s is not UTF-8", literal.Quoted(b))
	}
	return nil
}
