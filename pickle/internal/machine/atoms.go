package machine

import (
	"slices"

	"github.com/npygo/npy/pickle/internal/interned"
	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// An Encoding says how a str of Python 2, which is bytes that may be text, is decoded.
type Encoding uint8

// The encodings.
const (
	ASCII  Encoding = iota // a string, or a RawText
	Latin1                 // a string, one character for each byte
	Bytes                  // a []byte
)

// A RawText is a str of Python 2 that is not ASCII, under the encoding ASCII. Decoding fails if it is not used as bytes,
// or if it is part of the result.
type RawText struct {
	Data   []byte
	Offset int64  // the offset of its opcode
	Op     string // the name of its opcode
	Used   bool
}

// atom executes an opcode that pushes a value without parts.
func (m *Machine) atom(code byte, arg *opcode.Operand) error {
	switch code {
	case opcode.None:
		return m.Push(nil)
	case opcode.NewTrue:
		return m.Push(true)
	case opcode.NewFalse:
		return m.Push(false)
	case opcode.BinInt1, opcode.BinInt2:
		return m.Push(int64(arg.N))
	case opcode.BinInt:
		return m.Push(int64(int32(arg.N)))
	case opcode.BinFloat:
		return m.Push(opcode.Float64(arg.N))
	case opcode.Long1, opcode.Long4:
		return m.pushResult(literal.Binary(arg.Data, m.config.MaxDigits))
	case opcode.Int:
		return m.pushResult(literal.Int(arg.Data, m.config.MaxDigits))
	case opcode.Long:
		return m.pushResult(literal.Long(arg.Data, m.config.MaxDigits))
	case opcode.Float:
		return m.pushResult(literal.Float(arg.Data))
	case opcode.ShortBinUnicode, opcode.BinUnicode, opcode.BinUnicode8:
		return m.text(arg.Data, opcode.CheckText(arg.Data))
	case opcode.Unicode:
		return m.text(literal.RawUnicode(arg.Data))
	case opcode.ShortBinBytes, opcode.BinBytes, opcode.BinBytes8:
		return m.Push(m.bytes(arg.Data))
	case opcode.ShortBinString, opcode.BinString:
		return m.oldString(arg.Data, nil)
	case opcode.String:
		return m.oldString(literal.Unquote(arg.Data))
	}
	return opcode.Invalid(code)
}

// pushResult is Push for the result of a function.
func (m *Machine) pushResult(v any, err error) error {
	if err != nil {
		return err
	}
	return m.Push(v)
}

// text pushes a str, with the identity by which encoders know it.
func (m *Machine) text(b []byte, err error) error {
	if err != nil {
		return err
	}
	s := string(b)
	if c, ok := interned.SingleChar(s); ok && c != interned.Empty {
		if m.chars[c] {
			s = interned.SecondChar(c)
		}
		m.chars[c] = true
	}
	return m.Push(s)
}

// bytes returns a copy of b, with the identity by which encoders know it.
func (m *Machine) bytes(b []byte) []byte {
	if len(b) != 1 {
		return slices.Clone(b)
	}
	if m.single[b[0]] {
		return interned.Apart(b[0])
	}
	m.single[b[0]] = true
	return []byte{b[0]}
}

// oldString pushes a str of Python 2.
func (m *Machine) oldString(b []byte, err error) error {
	switch {
	case err != nil:
		return err
	case m.config.Encoding == Bytes:
		return m.Push(slices.Clone(b))
	case literal.IsASCII(b):
		return m.Push(string(b))
	case m.config.Encoding == Latin1:
		return m.Push(literal.Latin1Text(b))
	}
	r := &RawText{Data: slices.Clone(b), Offset: m.Start, Op: m.Op}
	m.Raws = append(m.Raws, r)
	return m.Push(r)
}
