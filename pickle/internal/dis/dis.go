package dis

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/pylit"
	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/machine"
	"github.com/npygo/npy/pickle/internal/opcode"
	"github.com/npygo/npy/pickle/internal/repr"
)

// Limits are the limits of a listing.
type Limits struct {
	Opcodes   func() int // the number of opcodes, as far as is known by now
	Memo      func() int // the number of memoised values
	MaxDigits int
}

// List writes the opcodes that s takes, one per line, exactly as Python's pickletools.dis does. Like pickletools it
// follows marks and the memo, and stops after an opcode that could not be executed. Indentation stops at 100 marks.
func List(w *bufio.Writer, s *opcode.Scanner, limits Limits) error {
	l := lister{Scanner: s, out: w, limits: limits, memo: machine.NewMemo(limits.Memo, 0), most: limits.Opcodes()}
	return l.run()
}

// maxIndent is the number of marks shown by indentation. Without it a pickle of n marks would be listed with n² spaces.
const maxIndent = 100

// A lister lists opcodes. Like pickletools it tracks the depth of the stack and the marks on it, and no values.
type lister struct {
	*opcode.Scanner
	out     *bufio.Writer
	limits  Limits
	memo    machine.Memo // of no values
	height  int          // of the stack
	stacked []int        // the places of the marks on the stack
	opened  []int64
	newest  int // the highest protocol of an opcode
	listed  int // the number of opcodes so far
	most    int // of them, as far as is known
}

// An effect is the effect of an opcode on the stack.
type effect struct {
	pops   int  // the number of values that it takes, without the values after a mark
	marked bool // it takes the last mark and the values after it
	pushes int
}

// effects holds the effect of every opcode that does not just push one value.
var effects = sync.OnceValue(func() map[byte]effect {
	return map[byte]effect{
		opcode.Put: {}, opcode.BinPut: {}, opcode.LongBinPut: {}, opcode.Proto: {}, opcode.Frame: {},
		opcode.Pop: {pops: 1}, opcode.Stop: {pops: 1}, opcode.PopMark: {marked: true},
		opcode.List: {marked: true, pushes: 1}, opcode.Tuple: {marked: true, pushes: 1}, opcode.Dict: {marked: true, pushes: 1},
		opcode.FrozenSet: {marked: true, pushes: 1}, opcode.Inst: {marked: true, pushes: 1}, opcode.Obj: {marked: true, pushes: 1},
		opcode.ReadOnlyBuffer: {pops: 1, pushes: 1}, opcode.Tuple1: {pops: 1, pushes: 1}, opcode.Memoize: {pops: 1, pushes: 1},
		opcode.BinPersID: {pops: 1, pushes: 1}, opcode.Dup: {pops: 1, pushes: 2},
		opcode.Appends: {pops: 1, marked: true, pushes: 1}, opcode.SetItems: {pops: 1, marked: true, pushes: 1},
		opcode.AddItems: {pops: 1, marked: true, pushes: 1},
		opcode.Append:   {pops: 2, pushes: 1}, opcode.Tuple2: {pops: 2, pushes: 1}, opcode.StackGlobal: {pops: 2, pushes: 1},
		opcode.Reduce: {pops: 2, pushes: 1}, opcode.Build: {pops: 2, pushes: 1}, opcode.NewObj: {pops: 2, pushes: 1},
		opcode.Tuple3: {pops: 3, pushes: 1}, opcode.SetItem: {pops: 3, pushes: 1}, opcode.NewObjEx: {pops: 3, pushes: 1},
	}
})

// run lists the opcodes up to STOP.
func (l *lister) run() error {
	for code := byte(0); code != opcode.Stop; {
		var err error
		if code, err = l.Next(); err == nil && l.Op == "" {
			err = opcode.Invalid(code)
		}
		if err == nil {
			err = l.list(code, &l.Arg)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(l.out, "highest protocol among opcodes =", l.newest)
	if l.height > 0 {
		return fmt.Errorf("%d values are left on the stack", l.height)
	}
	return nil
}

// list lists one opcode and applies its effect.
func (l *lister) list(code byte, arg *opcode.Operand) error {
	if l.listed++; l.listed > l.most {
		if l.most = l.limits.Opcodes(); l.listed > l.most {
			return bounded.Over("MaxNodes", l.most, 0, "the number of opcodes is over MaxNodes %d", l.most)
		}
	}
	text, err := l.printed(code, arg)
	if err != nil {
		return err
	}
	depth := len(l.opened)
	e, ok := effects()[code]
	if !ok {
		e = effect{pushes: 1}
	}
	note, fault := "", error(nil)
	if e.marked || code == opcode.Pop && l.atMark() {
		if note, fault = l.popMarked(); fault == nil && code == opcode.Pop {
			e.pops = 0
		}
		if note == "" {
			return fault
		}
	}
	memoNote, memoFault := l.memoized(code, arg)
	if memoFault != nil {
		fault = memoFault
	}
	l.line(code, depth, text, memoNote+note)
	if fault != nil {
		return fault
	}
	return l.effect(code, e)
}

// line prints a line.
func (l *lister) line(code byte, depth int, text, note string) {
	name := opcode.Name(code)
	l.newest = max(l.newest, opcode.Protocol(code))
	shown := string(rune(code))
	if code >= 0x80 {
		shown = fmt.Sprintf(`\x%02x`, code)
	}
	line := fmt.Sprintf("%5d: %-4s %s%s", l.Start, shown, strings.Repeat("    ", min(depth, maxIndent)), name)
	if text != "" || note != "" {
		line += strings.Repeat(" ", max(0, 10-len(name)))
	}
	if text != "" {
		line += " " + text
	}
	if note != "" {
		line += " " + note
	}
	l.out.WriteString(line)
	l.out.WriteByte('\n')
}

// popMarked takes the last mark and the values after it.
func (l *lister) popMarked() (note string, err error) {
	last := len(l.opened) - 1
	if last < 0 {
		return "no MARK exists on stack", machine.ErrNoMark
	}
	note = fmt.Sprintf("(MARK at %d)", l.opened[last])
	l.opened = l.opened[:last]
	if len(l.stacked) == 0 {
		return "", machine.ErrUnderflow // the mark itself was popped as a value
	}
	l.pop(l.height - l.stacked[len(l.stacked)-1])
	return note, nil
}

// atMark reports whether a mark is the last on the stack.
func (l *lister) atMark() bool {
	n := len(l.stacked)
	return n > 0 && l.stacked[n-1] == l.height-1
}

// pop takes the last n values and marks.
func (l *lister) pop(n int) {
	l.height -= n
	for len(l.stacked) > 0 && l.stacked[len(l.stacked)-1] >= l.height {
		l.stacked = l.stacked[:len(l.stacked)-1]
	}
}

// memoized applies an opcode to the memo.
func (l *lister) memoized(code byte, arg *opcode.Operand) (note string, err error) {
	n, err := l.memo.Number(code, arg)
	if err != nil {
		return "", err
	}
	if code == opcode.Memoize {
		note = fmt.Sprintf("(as %d)", n)
	}
	switch code {
	case opcode.Get, opcode.BinGet, opcode.LongBinGet:
		_, err = l.memo.Get(n)
	case opcode.Memoize, opcode.Put, opcode.BinPut, opcode.LongBinPut:
		if _, missing := l.memo.Get(n); missing == nil {
			return note, fmt.Errorf("number %d of the memo is taken", n)
		}
		if l.height == 0 || l.atMark() {
			return note, machine.ErrUnderflow
		}
		err = l.memo.Put(n, nil)
	}
	return note, err
}

// effect applies an opcode to the stack.
func (l *lister) effect(code byte, e effect) error {
	if l.height < e.pops {
		return machine.ErrUnderflow
	}
	l.pop(e.pops)
	if code == opcode.Mark {
		l.opened = append(l.opened, l.Start)
		l.stacked = append(l.stacked, l.height)
	}
	l.height += e.pushes
	return nil
}

// printed returns the argument of an opcode as Python prints it, or "" if it has none.
func (l *lister) printed(code byte, arg *opcode.Operand) (string, error) {
	switch code {
	case opcode.Proto, opcode.Frame:
		return strconv.FormatUint(arg.N, 10), nil
	case opcode.Global, opcode.Inst:
		return lines(arg.Lines[0], arg.Lines[1])
	case opcode.PersID:
		return lines(string(arg.Data))
	case opcode.Get, opcode.Put, opcode.Int:
		return printedValue(literal.Decimal(arg.Data, l.limits.MaxDigits))
	case opcode.Long:
		return printedValue(literal.Decimal(bytes.TrimSuffix(arg.Data, []byte("L")), l.limits.MaxDigits))
	case opcode.Float:
		return printedValue(literal.FloatWide(arg.Data))
	case opcode.ByteArray8:
		return string(repr.AppendByteArray(nil, arg.Data)), nil
	}
	if !opcode.HasArgument(code) {
		return "", nil
	}
	return printedValue(l.Value(code, l.limits.MaxDigits))
}

// printedValue returns an argument as Python prints it.
func printedValue(v any, err error) (string, error) {
	if err != nil {
		return "", err
	}
	b, _ := repr.AppendAtom(nil, v)
	return string(b), nil
}

// lines returns lines of text as Python prints them: with their escapes undone, which no unpickler does.
func lines(lines ...string) (string, error) {
	for i, line := range lines {
		b, err := literal.Unescape([]byte(line))
		if err != nil {
			return "", err
		}
		lines[i] = string(b)
	}
	return string(pylit.AppendRepr(nil, strings.Join(lines, " "))), nil
}
