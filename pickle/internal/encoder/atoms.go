package encoder

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/pylit"
	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// Protocols 0 and 1 are Python's first. Protocol 0 is text: numbers and strings end in a newline, and containers are
// filled one item at a time. Protocol 1 has opcodes for numbers of 32 bits, strings and empty containers.

var (
	errNotUTF8  = errors.New("it is not UTF-8: use []byte for Python bytes")
	errTooLarge = errors.New("it is larger than 4 GiB: set Encoder.Protocol to 4 or more")
	errLargeInt = errors.New("it has more than 2 GiB")
)

// Bool writes a bool.
func (w *Writer) Bool(b bool) {
	switch {
	case w.protocol < 2 && b:
		w.Lines(opcode.Int, "01")
	case w.protocol < 2:
		w.Lines(opcode.Int, "00")
	case b:
		w.Ops(opcode.NewTrue)
	default:
		w.Ops(opcode.NewFalse)
	}
}

// Int writes an int of 64 bits in the fewest bytes.
func (w *Writer) Int(n int64) {
	if w.protocol < 2 {
		w.oldInt(n)
		return
	}
	switch buf := w.open(); {
	case n >= 0 && n <= math.MaxUint8:
		w.buf = append(buf, opcode.BinInt1, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		w.buf = append(buf, opcode.BinInt2, byte(n), byte(n>>8))
	case n >= math.MinInt32 && n <= math.MaxInt32:
		w.buf = binary.LittleEndian.AppendUint32(append(buf, opcode.BinInt), uint32(n))
	default:
		size := 5
		for size < 8 && n>>(8*size-1) != 0 && n>>(8*size-1) != -1 {
			size++
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		w.buf = append(append(buf, opcode.Long1, byte(size)), b[:size]...)
	}
}

// oldInt is Int in protocols 0 and 1.
func (w *Writer) oldInt(n int64) {
	switch {
	case n < math.MinInt32 || n > math.MaxInt32:
		w.Lines(opcode.Long, strconv.FormatInt(n, 10)+"L")
	case w.protocol == 0:
		w.Lines(opcode.Int, strconv.FormatInt(n, 10))
	case n >= 0 && n <= math.MaxUint8:
		w.Ops(opcode.BinInt1, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		w.Ops(opcode.BinInt2, byte(n), byte(n>>8))
	default:
		w.buf = binary.LittleEndian.AppendUint32(append(w.buf, opcode.BinInt), uint32(n))
	}
}

// Float writes a float.
func (w *Writer) Float(f float64) {
	if w.protocol == 0 {
		w.Lines(opcode.Float, string(pylit.AppendFloat(nil, f)))
	} else {
		w.buf = binary.BigEndian.AppendUint64(append(w.open(), opcode.BinFloat), math.Float64bits(f))
	}
}

// CheckBig returns an error for an int that cannot be written, and counts the bytes of a large int that was written
// before.
func (w *Writer) CheckBig(n *big.Int) error {
	if n.IsInt64() || w.protocol < 2 {
		return nil
	}
	if err := w.countLarge(n); err != nil {
		return err
	}
	if int64(literal.Size(n)) > math.MaxInt32 {
		return errLargeInt
	}
	return nil
}

// longInt is the largest int, in bytes, that does not count as shared.
const longInt = 1 << 10

// countLarge counts the bytes of a large int that was written before.
func (w *Writer) countLarge(n *big.Int) error {
	size := int64(n.BitLen() / 8)
	if size <= longInt {
		return nil
	}
	if w.large[n] {
		w.again += size
	}
	w.large[n] = true
	if w.again > w.maxShared {
		return bounded.Over("MaxShared", w.maxShared, w.again, "ints that were written before take %d bytes, over MaxShared %d", w.again, w.maxShared)
	}
	return nil
}

// Big writes an int that has passed CheckBig: two's complement, little-endian, in the fewest bytes.
func (w *Writer) Big(n *big.Int) {
	switch {
	case n.IsInt64():
		w.Int(n.Int64())
		return
	case w.protocol < 2:
		w.Lines(opcode.Long, n.String()+"L")
		return
	}
	b := literal.Bytes(n)
	op, countSize := byte(opcode.Long1), 1
	if len(b) > math.MaxUint8 {
		op, countSize = opcode.Long4, 4
	}
	w.counted(op, countSize, len(b))
	w.Ops(b...)
}

// CheckText returns an error for a str that cannot be written.
func (w *Writer) CheckText(s string) error {
	if !utf8.ValidString(s) && !literal.ValidText([]byte(s)) {
		return errNotUTF8
	}
	if w.protocol == 0 {
		return nil
	}
	return w.CheckSize(len(s))
}

// CheckSize returns an error for the length of a str or bytes that cannot be written.
func (w *Writer) CheckSize(n int) error {
	if uint64(n) > math.MaxUint32 && w.protocol < 4 {
		return errTooLarge
	}
	return nil
}

// Text writes a str that has passed CheckText.
func (w *Writer) Text(s string) error {
	switch {
	case w.protocol == 0:
		w.Lines(opcode.Unicode, string(literal.AppendRawUnicode(nil, s)))
		return nil
	case len(s) <= math.MaxUint8 && w.protocol >= 4:
		return writeData(&w.frames, opcode.ShortBinUnicode, 1, s)
	case uint64(len(s)) > math.MaxUint32:
		return writeData(&w.frames, opcode.BinUnicode8, 8, s)
	}
	return writeData(&w.frames, opcode.BinUnicode, 4, s)
}

// Bytes writes bytes that have passed CheckSize, in protocol 3 or more.
func (w *Writer) Bytes(b []byte) error {
	switch {
	case len(b) <= math.MaxUint8:
		return writeData(&w.frames, opcode.ShortBinBytes, 1, b)
	case uint64(len(b)) > math.MaxUint32:
		return writeData(&w.frames, opcode.BinBytes8, 8, b)
	}
	return writeData(&w.frames, opcode.BinBytes, 4, b)
}

// ByteArray writes a bytearray, in protocol 5.
func (w *Writer) ByteArray(b []byte) error { return writeData(&w.frames, opcode.ByteArray8, 8, b) }
