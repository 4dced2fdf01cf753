package pickle

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/npygo/npy/internal/bounded"
)

// A machine runs the opcodes of one pickle: it has a stack of values, with marks in it, and a memo of values by number.
type machine struct {
	in    *input
	d     *Decoder
	stack []any
	marks []int // positions on the stack
	memo  memo
	boxes boxes

	start int64  // the offset of the current opcode
	op    string // the name of the current opcode

	protocol   int
	frameEnd   int64 // the offset at which the current frame ends
	nodes      int   // the number of values that may still be pushed
	allowed    int   // the number of values that may be pushed in all
	containers int   // the number of containers made so far
	hint       int   // the number of items expected in the outermost list
	maxDepth   int
	maxDigits  int
	worked     int64 // the cost of keys and calls so far, see charge
	free       int64 // the cost that even a short pickle may cause: MaxShared

	first   *List  // the first EMPTY_LIST, which gets SizeHint
	empty   *Tuple // the only tuple of no items
	globals map[Global]*Global
	raws    []*rawText // str of Python 2 that are not ASCII
	chars   [256]bool  // the strings of one character so far
	single  [256]bool  // likewise the bytes of length 1
	made    []made     // the arguments and states of the values of hooks
	unset   int        // the number of UUIDs that lack their state
}

// newMachine returns a machine with an empty stack.
func newMachine(d *Decoder, in *input) *machine {
	nodes := d.most(d.MaxNodes)
	hint := max(min(d.SizeHint, nodes), 0)
	values := hint + few // few for the values around the list
	return &machine{
		in:         in,
		d:          d,
		memo:       memo{limit: d.most(d.MaxMemo), allowed: func() int { return d.most(d.MaxMemo) }, expected: values},
		boxes:      newBoxes(values),
		nodes:      nodes,
		allowed:    nodes,
		hint:       hint,
		maxDepth:   limitOr(d.MaxDepth, 10_000),
		maxDigits:  limitOr(d.MaxDigits, 100_000),
		free:       limit64(d.MaxShared, 64<<20),
		empty:      &Tuple{},
		containers: 1, // the empty tuple
		globals:    map[Global]*Global{},
	}
}

// decode runs the pickle with the hooks of the Decoder.
func (m *machine) decode() (any, error) {
	if m.d.Begin != nil {
		m.d.Begin(m.charge)
	}
	return m.run()
}

// run executes opcodes up to STOP and returns the remaining value.
func (m *machine) run() (any, error) {
	for {
		m.quick()
		code, arg, err := m.fetch()
		if err == nil {
			err = m.step(code, &arg)
		}
		if err == errStop {
			v, err := m.result()
			return v, m.located(err)
		}
		if err != nil {
			return nil, m.located(err)
		}
	}
}

// fetch takes an opcode and its argument. On an error, the argument holds the part that was read.
func (m *machine) fetch() (code byte, arg operand, err error) {
	m.start, m.op = m.in.offset(), ""
	if code, err = m.in.code(); err != nil {
		return code, arg, err
	}
	op := &opcodes[code]
	m.op = op.name
	arg, err = m.in.operand(op.arg)
	if err == nil && m.start < m.frameEnd && m.in.offset() > m.frameEnd {
		err = fmt.Errorf("its argument goes on after the end of the frame at byte %d, which the unpicklers of CPython read differently", m.frameEnd)
	}
	return code, arg, err
}

// ahead returns the bytes of the window that belong to the current frame, or all of them outside of frames.
func (m *machine) ahead() []byte {
	w := m.in.window[m.in.pos:]
	if left := m.frameEnd - m.in.offset(); 0 < left && left < int64(len(w)) {
		return w[:left]
	}
	return w
}

// errStop ends the loop after STOP.
var errStop = errors.New("stop")

// located adds the offset and opcode to an error that lacks them.
func (m *machine) located(err error) error {
	if _, ok := err.(*Error); ok || err == nil {
		return err
	}
	return &Error{Offset: m.start, Op: m.op, Err: err}
}

// step executes one opcode.
func (m *machine) step(code byte, arg *operand) error {
	switch code {
	case opNone:
		return m.push(nil)
	case opNewTrue:
		return m.push(true)
	case opNewFalse:
		return m.push(false)
	case opBinInt1, opBinInt2:
		return m.push(int64(arg.n))
	case opBinInt:
		return m.push(int64(int32(arg.n)))
	case opLong1, opLong4:
		return m.binaryInt(arg.data)
	case opInt:
		return m.textInt(arg.data)
	case opLong:
		return m.textLong(arg.data)
	case opBinFloat:
		return m.push(math.Float64frombits(bits.ReverseBytes64(arg.n)))
	case opFloat:
		return m.textFloat(arg.data)

	case opShortBinUnicode, opBinUnicode, opBinUnicode8:
		return m.text(arg.data)
	case opUnicode:
		return m.escapedText(arg.data)
	case opShortBinBytes, opBinBytes, opBinBytes8:
		return m.push(m.bytes(arg.data))
	case opByteArray8:
		return m.push(&ByteArray{slices.Clone(arg.data)})
	case opShortBinString, opBinString:
		return m.oldString(arg.data)
	case opString:
		return m.quotedString(arg.data)

	case opMark:
		m.marks = append(m.marks, len(m.stack))
		return m.count()
	case opPop:
		return m.popOne()
	case opPopMark:
		_, err := m.popMark()
		return err
	case opDup:
		return m.dup()
	case opMemoize:
		return m.memoize(m.memo.next())
	case opPut:
		return m.memoText(arg.data, m.memoize)
	case opBinPut, opLongBinPut:
		return m.memoize(arg.n)
	case opGet:
		return m.memoText(arg.data, m.recall)
	case opBinGet, opLongBinGet:
		return m.recall(arg.n)

	case opEmptyList:
		return m.emptyList()
	case opAppend:
		return m.appendTo(len(m.stack) - 1)
	case opAppends:
		return m.appendMarked()
	case opList:
		return m.list()
	case opEmptyTuple:
		return m.push(m.empty)
	case opTuple:
		return m.markedTuple()
	case opTuple1, opTuple2, opTuple3:
		return m.tuple(int(code-opTuple1) + 1)
	case opEmptyDict:
		return m.pushContainer(&Dict{})
	case opDict:
		return m.dict()
	case opSetItem:
		return m.setItems(len(m.stack) - 2)
	case opSetItems:
		return m.setMarked()
	case opEmptySet:
		return m.pushContainer(&Set{})
	case opAddItems:
		return m.addItems()
	case opFrozenSet:
		return m.frozenSet()

	case opGlobal:
		return m.global(arg.lines[0], arg.lines[1], false)
	case opStackGlobal:
		return m.stackGlobal()
	case opReduce:
		return m.reduce()
	case opNewObj:
		return m.newObj()
	case opNewObjEx:
		return m.newObjEx()
	case opInst:
		return m.inst(arg.lines[0], arg.lines[1])
	case opObj:
		return m.obj()
	case opBuild:
		return m.build()
	case opPersID:
		return m.persistentLine(arg.data)
	case opBinPersID:
		return m.persistent()
	case opExt1, opExt2, opExt4:
		return fmt.Errorf("extension code %d stands for a class in the registry of the program that wrote it: write it without copyreg.add_extension", int32(arg.n))
	case opNextBuffer:
		return m.nextBuffer()
	case opReadOnlyBuffer:
		return m.readOnlyBuffer()

	case opProto:
		return m.proto(arg.n)
	case opFrame:
		return m.frame(arg.n)
	case opStop:
		return errStop
	}
	return fmt.Errorf("%#02x is not an opcode: this is not a pickle, or it is damaged", code)
}

// proto sets the protocol of the pickle.
func (m *machine) proto(n uint64) error {
	if n > maxProtocol {
		return fmt.Errorf("protocol %d is newer than the newest known, %d", n, maxProtocol)
	}
	m.protocol = int(n)
	return nil
}

// frame begins a frame, which must be complete. CPython's unpickler in C reads the frame into a buffer, unless it has
// already read that far. If an opcode or argument crosses the end of the frame, it drops the rest of that buffer or
// keeps it, depending on its read-ahead. Picklers write no such frames, and fetch refuses them.
func (m *machine) frame(n uint64) error {
	at := m.in.offset()
	if at < m.frameEnd {
		return fmt.Errorf("a frame begins inside another one, which goes up to byte %d", m.frameEnd)
	}
	if err := m.in.need(n); err != nil {
		return fmt.Errorf("a frame of %d bytes: %w", n, err)
	}
	m.frameEnd = at + int64(n)
	return nil
}

// result checks the final state, and returns the value.
func (m *machine) result() (any, error) {
	v, err := m.pop()
	switch {
	case err != nil:
		return nil, err
	case len(m.stack) > 0 || len(m.marks) > 0:
		return nil, fmt.Errorf("%d values and %d marks are left on the stack", len(m.stack), len(m.marks))
	case m.unset > 0:
		return nil, errors.New("a uuid.UUID has no state")
	}
	if err := m.checkFrameEnd(); err != nil {
		return nil, err
	}
	for _, r := range m.raws {
		if !r.used {
			return nil, r.err()
		}
	}
	if m.containers > m.maxDepth || len(m.raws) > 0 {
		return v, m.check(v)
	}
	return v, nil
}

// maxValues is the default of MaxNodes and MaxMemo.
const maxValues = 64 << 20

// most returns the limit that MaxNodes or MaxMemo sets, as far as is known by now.
func (d *Decoder) most(field int) int {
	if field == 0 && d.Compressed != nil {
		return bounded.Values(d.Compressed(), maxValues)
	}
	return limitOr(field, maxValues)
}

// count counts a value or a mark.
func (m *machine) count() error {
	if m.nodes--; m.nodes >= 0 {
		return nil
	}
	most := m.d.most(m.d.MaxNodes) // for compressed bytes that have been read since
	if most <= m.allowed {
		return over("the number of values is", int64(m.allowed), "MaxNodes")
	}
	m.nodes += most - m.allowed
	m.allowed = most
	return nil
}

// push puts a value onto the stack.
func (m *machine) push(v any) error {
	if err := m.count(); err != nil {
		return err
	}
	m.reserve(1)
	m.stack = append(m.stack, v)
	return nil
}

// pushContainer is push for containers.
func (m *machine) pushContainer(v any) error {
	m.containers++
	return m.push(v)
}

// fence is the height below which the stack must not be popped: the position of the last mark.
func (m *machine) fence() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

// pop takes the last value.
func (m *machine) pop() (any, error) {
	items, err := m.popN(1)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// popN takes the last n values. They are valid until the next push.
func (m *machine) popN(n int) ([]any, error) {
	at := len(m.stack) - n
	if at < m.fence() {
		return nil, errUnderflow
	}
	items := m.stack[at:]
	m.stack = m.stack[:at]
	return items, nil
}

// popMark takes the last mark and the values after it. The values are valid until the next push.
func (m *machine) popMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, errNoMark
	}
	at := m.fence()
	m.marks = m.marks[:len(m.marks)-1]
	items := m.stack[at:]
	m.stack = m.stack[:at]
	return items, nil
}

// top returns the last value without taking it.
func (m *machine) top() (any, error) {
	if len(m.stack) <= m.fence() {
		return nil, errUnderflow
	}
	return m.stack[len(m.stack)-1], nil
}

// popOne drops the last value, or the mark if that is on top, as Python does.
func (m *machine) popOne() error {
	if len(m.marks) > 0 && m.fence() == len(m.stack) {
		m.marks = m.marks[:len(m.marks)-1]
		return nil
	}
	v, err := m.pop()
	if err != nil {
		return err
	}
	return m.dropped(v)
}

// dropped refuses to drop a call that sets the state of the object below it: the state would be lost. Python writes
// such calls for classes with a function that sets the state of their instances.
func (m *machine) dropped(v any) error {
	o, ok := v.(*Object)
	if !ok || o.How != Call || len(o.Args.Items) != 2 || len(m.stack) <= m.fence() {
		return nil
	}
	if target, ok := o.Args.Items[0].(*Object); ok && m.stack[len(m.stack)-1] == any(target) {
		return fmt.Errorf("the state of an object is set by the call of a %s, which is not supported", kindOf(o.Class))
	}
	return nil
}

// dup pushes the last value again.
func (m *machine) dup() error {
	v, err := m.top()
	if err != nil {
		return err
	}
	return m.push(v)
}

// charge counts the work of an opcode that its own length does not bound, as for a long key from the memo. The total
// must stay in proportion to the length of the pickle.
func (m *machine) charge(n int64) error {
	m.worked += n
	if m.worked-64*m.in.offset() > m.free {
		return bounded.Over("MaxShared", m.free, m.worked, "keys and arguments that are used again cost %d bytes, over MaxShared %d and 64 for each byte of the pickle", m.worked, m.free)
	}
	return nil
}
