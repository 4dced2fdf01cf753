package pickle

import (
	"io"
	"math"
	"strings"
)

// An Import is a global that a pickle names, and what Python does with it when it loads the pickle.
type Import struct {
	Module, Name string // as Python 3 has it; "?" both if the pickle computes the names, or takes them from elsewhere
	Offset       int64  // of the opcode that names it
	Op           string // that opcode's name in Python's pickletools
	Uses         Use
	Verdict      Verdict
}

// A Use is a set of ways in which the global is used, directly or through what it made.
type Use uint8

// The ways in which pickles use globals.
const (
	Called   Use = 1 << iota // it is called: REDUCE, INST, OBJ
	Created                  // its __new__ is called: NEWOBJ, NEWOBJ_EX
	Built                    // it, or what it made, is given a state: BUILD calls __setstate__ or sets attributes
	Modified                 // it, or what it made, is given items: APPEND, SETITEM, ADDITEMS and their like
	Passed                   // it is passed to a call, or kept in a state, and may be called there
)

// useNames are the names of the uses, in the order of their bits.
var useNames = [...]string{"called", "created", "built", "modified", "passed"}

// String returns the uses with commas between them.
func (u Use) String() string {
	var names []string
	for i, name := range useNames {
		if u>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// A Verdict says what may happen when Python loads a pickle that names a global.
type Verdict uint8

// The verdicts, the worst last.
const (
	DataOnly    Verdict = iota // it is known to make nothing but data
	ImportsOnly                // its module is imported, which runs the module's code, and nothing is called
	RunsCode                   // code runs of which nothing is known, with arguments from the pickle
)

// String returns the name of the verdict.
func (v Verdict) String() string {
	return [...]string{"DataOnly", "ImportsOnly", "RunsCode"}[v]
}

// Imports returns the globals that a pickle names, in order, and what Python would do with them. It reads one pickle
// from r, with the same care not to read on as [Decoder.Decode], and holds nothing against it: no limits apply, so that
// memory is in proportion to the pickle only. If the pickle is broken it returns what it names up to there, and an
// [*Error].
//
// A pickle all of whose verdicts are DataOnly makes data, if Python's own classes and NumPy's are as they should be;
// what that data would do in the hands of a program, such as a pickle inside of it, is not looked at. The other two are
// cautious: not every RunsCode does harm, but whatever could is one.
func Imports(r io.Reader) ([]Import, error) {
	d := &Decoder{MaxBytes: -1, MaxNodes: -1, MaxMemo: -1}
	t := tracer{machine: newMachine(d, newInput(r, math.MaxInt64))}
	err := t.run()
	t.judge()
	if err == nil {
		err = t.in.close()
	}
	return t.imports, err
}

// A tracer follows a pickle without making its values. On its stack there are strings, which may be names; *origin for
// what has to do with globals; and nil for anything else.
type tracer struct {
	*machine
	imports []Import
	traced  []trust // of each import, what is known of it
	passed  []handed
}

// An origin says where a value comes from and which others are in it.
type origin struct {
	source int  // the number of the global that it is, or that made it, plus 1; 0 for a container
	is     bool // it is the global
	parts  []*origin
	reach  reach // how far it was passed, see tracer.judge
}

// A reach says to whom a value was passed.
type reach uint8

const (
	toData reach = 1 + iota // to what is known to make data, of instances of the classes it is given
	toCode                  // to what is not known
)

// handed is a value that was passed.
type handed struct {
	*origin
	reach reach
}

// run follows the opcodes up to STOP.
func (t *tracer) run() error {
	for {
		t.start, t.op = t.in.offset(), ""
		code, err := t.in.code()
		if err != nil {
			return t.located(endIsUnexpected(err))
		}
		t.op = opcodes[code].name
		arg, err := t.in.operand(opcodes[code].arg)
		if err == nil {
			err = t.step(code, &arg)
		} else if arg.lines[0] != "" {
			t.note(arg.lines[0], "?") // CPython imports the module even if the name lacks its newline
		}
		if err == errStop {
			return nil
		}
		if err != nil {
			return t.located(err)
		}
	}
}

// step follows one opcode.
func (t *tracer) step(code byte, arg *operand) error {
	switch code {
	case opShortBinUnicode, opBinUnicode, opBinUnicode8, opUnicode, opShortBinString, opBinString, opString,
		opMark, opPop, opPopMark, opDup, opMemoize, opPut, opBinPut, opLongBinPut, opGet, opBinGet, opLongBinGet,
		opProto, opStop:
		return t.machine.step(code, arg)
	case opFrame:
		return nil
	case opEmptyList, opEmptyDict, opEmptySet:
		return t.push(&origin{})
	case opTuple1, opTuple2, opTuple3:
		return t.gather(t.popN(int(code-opTuple1) + 1))
	case opTuple, opFrozenSet:
		return t.gather(t.popMark())
	case opList, opDict:
		items, err := t.popMark()
		o := &origin{}
		o.add(items)
		if err != nil {
			return err
		}
		return t.push(o)
	case opAppend:
		return t.fill(t.popN(1))
	case opSetItem:
		return t.fill(t.popN(2))
	case opAppends, opSetItems, opAddItems:
		return t.fill(t.popMark())
	case opBuild:
		return t.build()
	case opBinPersID:
		if _, err := t.pop(); err != nil {
			return err
		}
		return t.unknown()
	case opReadOnlyBuffer:
		return nil
	case opPersID, opExt1, opExt2, opExt4:
		return t.unknown()
	case opGlobal, opInst, opStackGlobal:
		return t.name(code, arg)
	case opReduce, opNewObj, opNewObjEx, opObj:
		return t.make(code)
	}
	if opcodes[code].name == "" {
		return t.machine.step(code, arg) // which says so
	}
	return t.push(nil)
}

// gather pushes a container of items to which none is added later.
func (t *tracer) gather(items []any, err error) error {
	if err != nil {
		return err
	}
	o := &origin{}
	if o.add(items); len(o.parts) == 0 {
		return t.push(nil)
	}
	return t.push(o)
}

// add puts items into a container.
func (o *origin) add(items []any) {
	for _, item := range items {
		if part, ok := item.(*origin); ok {
			o.parts = append(o.parts, part)
		}
	}
}

// fill puts items into the last value.
func (t *tracer) fill(items []any, err error) error {
	if err != nil {
		return err
	}
	v, err := t.top()
	if err != nil {
		return err
	}
	if o, ok := v.(*origin); ok {
		t.use(o, Modified)
		o.add(items)
		if o.source > 0 && t.traced[o.source-1] < makesData {
			t.hand(toCode, items...)
		}
	}
	return nil
}

// build gives the value before last the state that is last.
func (t *tracer) build() error {
	v, err := t.popN(2)
	if err != nil {
		return err
	}
	if o, ok := v[0].(*origin); ok {
		t.use(o, Built)
		o.add(v[1:])
		if o.source > 0 && (o.is || t.traced[o.source-1] < keepsState) {
			t.hand(toCode, v[1])
		}
	}
	return t.push(v[0])
}

// name pushes a global by its name, or with INST what it makes of the values after the mark.
func (t *tracer) name(code byte, arg *operand) error {
	if code == opStackGlobal {
		names, err := t.popN(2)
		if err != nil {
			return err
		}
		module, ok1 := names[0].(string)
		name, ok2 := names[1].(string)
		if !ok1 || !ok2 {
			return t.unknown()
		}
		arg.lines = [2]string{module, name}
	}
	g, err := t.named(arg.lines[0], arg.lines[1])
	if err != nil {
		return err
	}
	o := t.note(g.Module, g.Name)
	if code != opInst {
		return t.push(o)
	}
	args, err := t.popMark()
	if err != nil {
		return err
	}
	return t.call(o, Called, args)
}

// note adds a global to the imports.
func (t *tracer) note(module, name string) *origin {
	t.imports = append(t.imports, Import{Module: module, Name: name, Offset: t.start, Op: t.op})
	t.traced = append(t.traced, trusted()[Global{Module: module, Name: name}])
	return &origin{source: len(t.imports), is: true}
}

// unknown pushes what comes from elsewhere, or a global under a name that cannot be followed.
func (t *tracer) unknown() error { return t.push(t.note("?", "?")) }

// make follows the opcodes that call what is on the stack.
func (t *tracer) make(code byte) error {
	var values []any
	var err error
	use := Called
	switch code {
	case opObj:
		values, err = t.popMark()
	case opNewObjEx:
		use = Created
		values, err = t.popN(3)
	case opNewObj:
		use = Created
		values, err = t.popN(2)
	default:
		values, err = t.popN(2)
	}
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return errUnderflow
	}
	return t.call(values[0], use, values[1:])
}

// call pushes what a call makes.
func (t *tracer) call(callee any, use Use, args []any) error {
	made := &origin{}
	made.add(args)
	if o, ok := callee.(*origin); ok {
		made.source = o.source
		t.use(o, use)
		t.pass(o, args)
	}
	return t.push(made)
}

// use notes that a global, or what it made, is used. That a class is changed is worse than anything it could be.
func (t *tracer) use(o *origin, use Use) {
	if o.source == 0 {
		return
	}
	t.imports[o.source-1].Uses |= use
	if o.is && use&(Built|Modified) != 0 {
		t.traced[o.source-1] = untrusted
	}
}

// pass notes that arguments are passed to a global. If what is called is a value that was made, what is in it may be
// what is called.
func (t *tracer) pass(o *origin, args []any) {
	switch {
	case !o.is:
		t.hand(toCode, o)
		t.hand(toCode, args...)
	case t.traced[o.source-1] < makesData:
		t.hand(toCode, args...)
	case t.traced[o.source-1] > makesData:
		t.hand(toData, args...)
	}
}

// hand notes how far values are passed.
func (t *tracer) hand(to reach, values ...any) {
	for _, v := range values {
		if o, ok := v.(*origin); ok {
			t.passed = append(t.passed, handed{o, to})
		}
	}
}

// judge gives the verdicts, now that all is known. What is in a value that was passed was passed as well, even if it was
// put there later.
func (t *tracer) judge() {
	far := make([]reach, len(t.imports)) // how far each of them was passed
	for len(t.passed) > 0 {
		last := len(t.passed) - 1
		h := t.passed[last]
		t.passed = t.passed[:last]
		if h.origin.reach >= h.reach {
			continue
		}
		h.origin.reach = h.reach
		if h.is {
			far[h.source-1] = max(far[h.source-1], h.reach)
		}
		for _, part := range h.parts {
			t.passed = append(t.passed, handed{part, h.reach})
		}
	}
	for i := range t.imports {
		if far[i] > 0 {
			t.imports[i].Uses |= Passed
		}
		t.imports[i].Verdict = t.verdict(i, far[i])
	}
}

// verdict gives the verdict on one import.
func (t *tracer) verdict(i int, far reach) Verdict {
	m := &t.imports[i]
	switch trust := t.traced[i]; {
	case m.Name == "?":
		return RunsCode
	case trust > onlyNamed:
		return DataOnly
	case trust == onlyNamed && far < toCode && m.Uses&^Passed == 0:
		return DataOnly
	case m.Uses != 0 || trust == onlyNamed:
		return RunsCode
	}
	return ImportsOnly
}
