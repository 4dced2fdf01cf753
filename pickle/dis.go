package pickle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

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
	m := newMachine(&Decoder{MaxNodes: -1, MaxMemo: d.MaxMemo, Compressed: d.Compressed, MaxDigits: d.MaxDigits, Encoding: Latin1}, newInput(r, limit64(d.MaxBytes, 1<<30)))
	allowed := func() int { return d.most(d.MaxNodes) }
	l := lister{machine: m, out: out, allowed: allowed, most: allowed()}
	err := l.run()
	if err == nil {
		err = l.in.close()
	}
	return errors.Join(err, out.Flush())
}

// maxIndent is the number of marks shown by indentation. Without it a pickle of n marks would be listed with n² spaces.
const maxIndent = 100

// A lister lists opcodes. The stack of its machine is used to read arguments only. Like pickletools it tracks the depth
// of the stack and the marks on it, and no values.
type lister struct {
	*machine
	out     *bufio.Writer
	height  int   // of the stack
	stacked []int // the places of the marks on the stack
	opened  []int64
	newest  int // the highest protocol of an opcode
	listed  int // the number of opcodes so far
	most    int // of them, as far as is known
	allowed func() int
}

// An effect is what an opcode does to the stack.
type effect struct {
	pops   int  // the number of values that it takes, without the values after a mark
	marked bool // it takes the last mark and the values after it
	pushes int
}

// effects holds the effect of every opcode that does not just push one value.
var effects = sync.OnceValue(func() map[byte]effect {
	return map[byte]effect{
		opPut: {}, opBinPut: {}, opLongBinPut: {}, opProto: {}, opFrame: {},
		opPop: {pops: 1}, opStop: {pops: 1}, opPopMark: {marked: true},
		opList: {marked: true, pushes: 1}, opTuple: {marked: true, pushes: 1}, opDict: {marked: true, pushes: 1},
		opFrozenSet: {marked: true, pushes: 1}, opInst: {marked: true, pushes: 1}, opObj: {marked: true, pushes: 1},
		opReadOnlyBuffer: {pops: 1, pushes: 1}, opTuple1: {pops: 1, pushes: 1}, opMemoize: {pops: 1, pushes: 1},
		opBinPersID: {pops: 1, pushes: 1}, opDup: {pops: 1, pushes: 2},
		opAppends: {pops: 1, marked: true, pushes: 1}, opSetItems: {pops: 1, marked: true, pushes: 1},
		opAddItems: {pops: 1, marked: true, pushes: 1},
		opAppend:   {pops: 2, pushes: 1}, opTuple2: {pops: 2, pushes: 1}, opStackGlobal: {pops: 2, pushes: 1},
		opReduce: {pops: 2, pushes: 1}, opBuild: {pops: 2, pushes: 1}, opNewObj: {pops: 2, pushes: 1},
		opTuple3: {pops: 3, pushes: 1}, opSetItem: {pops: 3, pushes: 1}, opNewObjEx: {pops: 3, pushes: 1},
	}
})

// run lists the opcodes up to STOP.
func (l *lister) run() error {
	for code := byte(0); code != opStop; {
		var arg operand
		var err error
		if code, arg, err = l.fetch(); err == nil && l.op == "" {
			err = l.step(code, nil) // the error says where
		}
		if err == nil {
			err = l.list(code, &arg)
		}
		if err != nil {
			return l.located(endIsUnexpected(err))
		}
	}
	fmt.Fprintln(l.out, "highest protocol among opcodes =", l.newest)
	if l.height > 0 {
		return l.located(fmt.Errorf("%d values are left on the stack", l.height))
	}
	return nil
}

// list lists one opcode and applies its effect.
func (l *lister) list(code byte, arg *operand) error {
	if l.listed++; l.listed > l.most {
		if l.most = l.allowed(); l.listed > l.most {
			return over("the number of opcodes is", int64(l.most), "MaxNodes")
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
	if e.marked || code == opPop && l.atMark() {
		if note, fault = l.popMarked(); fault == nil && code == opPop {
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
	op := &opcodes[code]
	l.newest = max(l.newest, op.protocol)
	shown := string(rune(code))
	if code >= 0x80 {
		shown = fmt.Sprintf(`\x%02x`, code)
	}
	line := fmt.Sprintf("%5d: %-4s %s%s", l.start, shown, strings.Repeat("    ", min(depth, maxIndent)), op.name)
	if text != "" || note != "" {
		line += strings.Repeat(" ", max(0, 10-len(op.name)))
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
		return "no MARK exists on stack", errNoMark
	}
	note = fmt.Sprintf("(MARK at %d)", l.opened[last])
	l.opened = l.opened[:last]
	if len(l.stacked) == 0 {
		return "", errUnderflow // the mark itself was popped as a value
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
func (l *lister) memoized(code byte, arg *operand) (note string, err error) {
	n := arg.n
	switch code {
	case opMemoize:
		n = l.memo.next()
		note = fmt.Sprintf("(as %d)", n)
	case opPut, opGet:
		if err := l.memoText(arg.data, func(number uint64) error { n = number; return nil }); err != nil {
			return "", err
		}
	}
	switch code {
	case opGet, opBinGet, opLongBinGet:
		_, err = l.memo.get(n)
	case opMemoize, opPut, opBinPut, opLongBinPut:
		if _, missing := l.memo.get(n); missing == nil {
			return note, fmt.Errorf("number %d of the memo is taken", n)
		}
		if l.height == 0 || l.atMark() {
			return note, errUnderflow
		}
		err = l.memo.put(n, nil)
	}
	return note, err
}

// effect applies an opcode to the stack.
func (l *lister) effect(code byte, e effect) error {
	if l.height < e.pops {
		return errUnderflow
	}
	l.pop(e.pops)
	if code == opMark {
		l.opened = append(l.opened, l.start)
		l.stacked = append(l.stacked, l.height)
	}
	l.height += e.pushes
	return nil
}

// printed returns the argument of an opcode as Python prints it, or "" if it has none.
func (l *lister) printed(code byte, arg *operand) (string, error) {
	var v any
	switch code {
	case opProto, opFrame:
		v = arg.n
	case opGlobal, opInst:
		return l.lines(arg.lines[0], arg.lines[1])
	case opPersID:
		return l.lines(string(arg.data))
	case opGet, opPut, opInt:
		return l.decimal(arg.data)
	case opLong:
		return l.decimal(bytes.TrimSuffix(arg.data, []byte("L")))
	case opFloat:
		f, ok := parseFloatWide(string(arg.data))
		if !ok {
			return "", fmt.Errorf("%s is not a float", quoted(arg.data))
		}
		v = f
	default:
		if opcodes[code].arg == argNone {
			return "", nil
		}
		var err error
		if v, err = l.argument(code, arg); err != nil {
			return "", err
		}
		if code == opByteArray8 {
			v = &ByteArray{arg.data}
		}
	}
	return (&Printer{MaxBytes: -1}).Repr(v), nil
}

// decimal returns a number in text as Python prints it. pickletools reads every number as decimal.
func (l *lister) decimal(line []byte) (string, error) {
	switch string(line) {
	case "00":
		return "False", nil
	case "01":
		return "True", nil
	}
	if len(line) > l.maxDigits {
		return "", l.textNumber(line) // the error says where
	}
	n, ok := parseNumber(string(line), 10)
	if !ok {
		return "", fmt.Errorf("%s is not a decimal number", quoted(line))
	}
	return (&Printer{MaxBytes: -1}).Repr(n), nil
}

// lines returns lines of text as Python prints them: with their escapes undone, which no unpickler does.
func (l *lister) lines(lines ...string) (string, error) {
	for i, line := range lines {
		b, err := unescape([]byte(line))
		if err != nil {
			return "", err
		}
		lines[i] = string(b)
	}
	return Repr(strings.Join(lines, " ")), nil
}
