package pickle

import (
	"fmt"
	"io"
	"iter"
	"math"
)

// An Op is one instruction of a pickle.
type Op struct {
	Offset int64  // offset from the first byte of the pickle
	Code   byte   // the opcode
	Name   string // its name in Python's pickletools

	// Arg is the argument: an int64, *big.Int or float64, a string, a []byte that is only valid until the next Op, or,
	// for GLOBAL and INST, a [2]string of the module and the name as written in the pickle. INT may have a bool. Arg is
	// nil for opcodes without an argument. A str of Python 2 is a string of its bytes read as Latin-1.
	Arg any
}

// Ops returns the instructions of one pickle up to STOP, as Python's pickletools.genops does. It executes none of them,
// but checks the protocol and the frames as [Decode] does. An error is an [*Error]; it comes last, with the part of the
// instruction that was read. An int is limited to 100,000 digits or bytes; no other limit applies, so memory is in
// proportion to the longest argument. Like [Decoder.Decode], Ops takes no byte after the pickle from r.
func Ops(r io.Reader) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		d := &Decoder{MaxBytes: -1, MaxNodes: -1, MaxMemo: -1, Encoding: Latin1}
		m := newMachine(d, newInput(r, math.MaxInt64))
		for {
			op, err := m.next()
			if err != nil {
				yield(op, m.located(endIsUnexpected(err)))
				return
			}
			if op.Code == opStop {
				if err := m.in.close(); err != nil {
					yield(op, err)
					return
				}
			}
			if !yield(op, nil) || op.Code == opStop {
				return
			}
		}
	}
}

// next takes an instruction.
func (m *machine) next() (op Op, err error) {
	code, arg, err := m.fetch()
	op = Op{Offset: m.start, Code: code, Name: m.op}
	switch {
	case err != nil:
		if arg.lines[0] != "" {
			op.Arg = arg.lines
		}
		return op, err
	case m.op == "":
		return op, m.step(code, &arg) // the error says where
	case code == opStop:
		return op, m.checkFrameEnd()
	}
	op.Arg, err = m.argument(code, &arg)
	return op, err
}

// argument returns the argument of an opcode as a value. The argument of a bytes opcode is valid until more is taken.
func (m *machine) argument(code byte, arg *operand) (v any, err error) {
	switch code {
	case opProto:
		return int64(arg.n), m.proto(arg.n)
	case opFrame:
		return int64(arg.n), m.frame(arg.n)
	case opBinGet, opLongBinGet, opBinPut, opLongBinPut, opExt1, opExt2:
		return int64(arg.n), nil
	case opExt4:
		return int64(int32(arg.n)), nil
	case opGlobal, opInst:
		return arg.lines, nil
	case opPersID:
		return string(arg.data), nil
	case opGet, opPut:
		err = m.memoText(arg.data, func(n uint64) error { v = int64(n); return nil })
		return v, err
	case opBinBytes, opShortBinBytes, opBinBytes8, opByteArray8:
		return arg.data, nil
	}
	if opcodes[code].arg == argNone {
		return nil, nil
	}
	if err := m.step(code, arg); err != nil {
		return nil, err
	}
	return m.pop()
}

// checkFrameEnd refuses a pickle that ends before its frame does.
func (m *machine) checkFrameEnd() error {
	if m.in.offset() < m.frameEnd {
		return fmt.Errorf("the frame goes on to byte %d", m.frameEnd)
	}
	return nil
}
