package machine

import (
	"fmt"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// A Config has the limits of a Machine, and how it reads a str of Python 2.
type Config struct {
	Encoding  Encoding
	SizeHint  int        // the number of items expected in the outermost list
	Nodes     func() int // the number of values that may be pushed, as far as is known by now
	Memo      func() int // the number of values that may be memoised
	MaxDigits int
	MaxShared int64 // the cost that even a short pickle may cause
}

// A Machine is a stack of values, with marks on it, and a memo of values by number. It executes the opcodes of atoms, of
// the stack and of the memo.
type Machine struct {
	*opcode.Scanner
	Raws []*RawText // str of Python 2 that are not ASCII

	stack
	memo    Memo
	boxes   boxes
	config  Config
	nodes   int       // the number of values that may still be pushed
	allowed int       // the number of values that may be pushed in all
	worked  int64     // the cost of keys and calls so far, see Charge
	chars   [256]bool // the strings of one character so far
	single  [256]bool // likewise the bytes of length 1
}

// New returns a machine with an empty stack.
func New(s *opcode.Scanner, config Config) *Machine {
	nodes := config.Nodes()
	hint := max(min(config.SizeHint, nodes), 0)
	values := hint + Few // Few for the values around the list
	return &Machine{
		Scanner: s,
		stack:   stack{hint: hint},
		memo:    NewMemo(config.Memo, values),
		boxes:   newBoxes(values),
		config:  config,
		nodes:   nodes,
		allowed: nodes,
	}
}

// Expected returns the number of items that are expected in the outermost list.
func (m *Machine) Expected() int { return m.hint }

// MaxDigits returns the limit for the length of ints.
func (m *Machine) MaxDigits() int { return m.config.MaxDigits }

// A Builder executes opcodes. It makes containers and objects itself, and passes other opcodes to [Machine.Step]. The argument
// of the opcode is in the Scanner.
type Builder interface {
	Step(code byte) error
}

// Run executes opcodes up to STOP and returns the remaining value.
func (m *Machine) Run(b Builder) (any, error) {
	for {
		m.quick()
		code, err := m.Next()
		if err != nil {
			return nil, err
		}
		if code == opcode.Stop {
			return m.result()
		}
		if err := b.Step(code); err != nil {
			return nil, err
		}
	}
}

// Step executes an opcode of the stack, of the memo, or of an atom.
func (m *Machine) Step(code byte) error {
	switch code {
	case opcode.Mark:
		m.marks = append(m.marks, len(m.values))
		return m.count()
	case opcode.PopMark:
		_, err := m.PopMark()
		return err
	case opcode.Dup:
		return m.dup()
	case opcode.Memoize, opcode.Put, opcode.BinPut, opcode.LongBinPut:
		return m.memoize(m.memo.Number(code, &m.Arg))
	case opcode.Get, opcode.BinGet, opcode.LongBinGet:
		return m.recall(m.memo.Number(code, &m.Arg))
	case opcode.Proto:
		return m.SetProtocol(m.Arg.N)
	case opcode.Frame:
		return m.OpenFrame(m.Arg.N)
	}
	return m.atom(code, &m.Arg)
}

// result checks the final state, and returns the value.
func (m *Machine) result() (any, error) {
	v, err := m.Pop()
	switch {
	case err != nil:
		return nil, err
	case len(m.values) > 0 || len(m.marks) > 0:
		return nil, fmt.Errorf("%d values and %d marks are left on the stack", len(m.values), len(m.marks))
	}
	return v, m.CheckEnd()
}

// count counts a value or a mark.
func (m *Machine) count() error {
	if m.nodes--; m.nodes >= 0 {
		return nil
	}
	most := m.config.Nodes() // for compressed bytes that have been read since
	if most <= m.allowed {
		return bounded.Over("MaxNodes", m.allowed, 0, "the number of values is over MaxNodes %d", m.allowed)
	}
	m.nodes += most - m.allowed
	m.allowed = most
	return nil
}

// Push puts a value onto the stack.
func (m *Machine) Push(v any) error {
	if err := m.count(); err != nil {
		return err
	}
	m.reserve(1, m.nodes)
	m.values = append(m.values, v)
	return nil
}

// dup pushes the last value again.
func (m *Machine) dup() error {
	v, err := m.Top()
	if err != nil {
		return err
	}
	return m.Push(v)
}

// memoize puts the last value under a number.
func (m *Machine) memoize(n uint64, err error) error {
	if err != nil {
		return err
	}
	v, err := m.Top()
	if err != nil {
		return err
	}
	return m.memo.Put(n, v)
}

// recall pushes the value of a number.
func (m *Machine) recall(n uint64, err error) error {
	if err != nil {
		return err
	}
	v, err := m.memo.Get(n)
	if err != nil {
		return err
	}
	return m.Push(v)
}

// Charge counts the work of an opcode that its own length does not bound, as for a long key from the memo. The total must
// stay in proportion to the length of the pickle.
func (m *Machine) Charge(n int64) error {
	m.worked += n
	if free := m.config.MaxShared; m.worked-64*m.Offset() > free {
		return bounded.Over("MaxShared", free, m.worked, "keys and arguments that are used again cost %d bytes, over MaxShared %d and 64 for each byte of the pickle", m.worked, free)
	}
	return nil
}
