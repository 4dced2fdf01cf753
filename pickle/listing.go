package pickle

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"math"

	"github.com/npygo/npy/pickle/internal/dis"
	"github.com/npygo/npy/pickle/internal/opcode"
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
		s := opcode.NewScanner(r, math.MaxInt64)
		maxDigits := (&Decoder{}).maxDigits()
		for {
			op, err := nextOp(s, maxDigits)
			if err == nil && op.Code == opcode.Stop {
				err = s.Close()
			}
			if err != nil {
				yield(op, located(s, err))
				return
			}
			if !yield(op, nil) || op.Code == opcode.Stop {
				return
			}
		}
	}
}

// nextOp takes an instruction.
func nextOp(s *opcode.Scanner, maxDigits int) (op Op, err error) {
	code, err := s.Next()
	op = Op{Offset: s.Start, Code: code, Name: s.Op}
	switch {
	case err != nil:
		if s.Arg.Lines[0] != "" {
			op.Arg = s.Arg.Lines
		}
		return op, err
	case s.Op == "":
		return op, opcode.Invalid(code)
	case code == opcode.Stop:
		return op, s.CheckEnd()
	}
	op.Arg, err = s.Value(code, maxDigits)
	return op, err
}

// Disassemble writes the opcodes of one pickle, one per line, exactly as Python's pickletools.dis does. Like
// pickletools it follows marks and the memo, and stops after an opcode that could not be executed. The error is an
// [*Error], or an error of w. Ints of more than 100,000 digits or bytes are errors too, and indentation stops at 100
// marks. Like [Decoder.Decode] it takes no byte after the pickle from r.
func Disassemble(w io.Writer, r io.Reader) error {
	return Decoder{MaxBytes: -1, MaxNodes: -1, MaxMemo: -1}.Disassemble(w, r)
}

// Disassemble is [Disassemble] with limits of d: MaxBytes, MaxMemo, MaxDigits, and MaxNodes for the number of opcodes.
func (d Decoder) Disassemble(w io.Writer, r io.Reader) error {
	out := bufio.NewWriter(w)
	s := opcode.NewScanner(r, limit64(d.MaxBytes, 1<<30))
	err := located(s, dis.List(out, s, dis.Limits{
		Opcodes:   func() int { return d.most(d.MaxNodes) },
		Memo:      func() int { return d.most(d.MaxMemo) },
		MaxDigits: d.maxDigits(),
	}))
	if err == nil {
		err = s.Close()
	}
	return errors.Join(err, out.Flush())
}
