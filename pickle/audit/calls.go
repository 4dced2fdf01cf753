package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/pickle"
)

// A callable is a known class or function.
type callable struct {
	call   maker // for REDUCE; nil for classes that are known as arguments only
	create maker // for NEWOBJ, which calls __new__; nil where picklers do not write it
	class  class // for functions that take classes as arguments
}

// A maker returns the value of a call, or an error if the effect of the call with these arguments is not known.
type maker func(t *tracer, args []any) (any, error)

// A class is a class that some known function takes as an argument.
type class uint8

const (
	noClass      class = iota
	factory            // a class of Python's own values, for defaultdict
	objectClass        // builtins.object
	uuidClass          // uuid.UUID
	pyArray            // array.array
	ndarray            // numpy.ndarray
	subarray           // a subclass of ndarray with the state of ndarray
	matrix             // numpy.matrix, which may be the base of masked arrays
	maskedArray        // numpy.ma.MaskedArray
	recordScalar       // numpy.record
)

// classOf returns the known class in a value, else noClass.
func classOf(v any) class {
	if g, ok := v.(*global); ok && g.known != nil {
		return g.known.class
	}
	return noClass
}

// errArguments is the reason for arguments that picklers do not write.
var errArguments = errors.New("its arguments are not among those that are known to make data only")

// name pushes a global by its name, or a value from outside of the pickle.
func (t *tracer) name() error {
	switch t.op.Name {
	case "GLOBAL":
		lines, _ := t.op.Arg.([2]string)
		t.push(t.note(lines[0], lines[1]))
		return nil
	case "STACK_GLOBAL":
		names, err := t.popN(2)
		if err != nil {
			return err
		}
		module, ok1 := nameOf(names[0])
		name, ok2 := nameOf(names[1])
		if ok1 && ok2 {
			g := t.note(module, name)
			if isOldText(names[0]) || isOldText(names[1]) {
				t.doubt(g, "its name is a str of Python 2, which each encoding of a reader may spell in another way")
			}
			t.push(g)
			return nil
		}
	case "BINPERSID":
		if _, err := t.pop(); err != nil {
			return err
		}
	}
	t.push(t.note("?", "?"))
	return nil
}

// nameOf returns a short str, of Python 2 or 3.
func nameOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case oldText:
		return string(v), true
	}
	return "", false
}

// note adds a global to the imports.
func (t *tracer) note(module, name string) *global {
	g := pickle.Global{Module: module, Name: name}
	if !utf8.ValidString(module) || !utf8.ValidString(name) {
		t.fault(errors.New("the name of a global is not UTF-8"))
	}
	if t.protocol < 3 {
		g = pickle.FromPython2(g)
	}
	t.report.Imports = append(t.report.Imports, Import{Module: g.Module, Name: g.Name, Offset: t.op.Offset, Op: t.op.Name})
	t.spoiled = append(t.spoiled, false)
	made := &global{index: len(t.report.Imports) - 1, known: knownAs(g.Module, g.Name)}
	if t.protocol >= 4 && strings.Contains(name, ".") { // ctypes loads libraries as attributes
		t.doubt(made, "it is looked up through attributes, which may run code")
	}
	return made
}

// doubt notes that looking up a global may run code, and why.
func (t *tracer) doubt(g *global, reason string) {
	t.spoiled[g.index], t.report.Imports[g.index].Reason = true, reason
}

// make follows the opcodes that call a value on the stack.
func (t *tracer) make() (err error) {
	var callee any
	var args []any
	use := Called
	switch t.op.Name {
	case "INST":
		lines, _ := t.op.Arg.([2]string)
		callee = t.note(lines[0], lines[1])
		args, err = t.popMark()
	case "OBJ":
		if args, err = t.popMark(); err == nil && len(args) == 0 {
			err = errUnderflow
		}
		if err == nil {
			callee, args = args[0], args[1:]
		}
	case "NEWOBJ_EX":
		use = Created
		if args, err = t.popN(3); err == nil {
			callee, args = args[0], args[1:]
		}
	default: // picklers write only REDUCE and NEWOBJ for known classes
		if t.op.Name == "NEWOBJ" {
			use = Created
		}
		if args, err = t.popN(2); err == nil {
			t.push(t.call(args[0], use, args[1]))
			return nil
		}
	}
	if err != nil {
		return err
	}
	t.push(t.callUnknown(callee, use, newTuple(slices.Clone(args)), errors.New("picklers do not call it by "+t.op.Name)))
	return nil
}

// call returns the result of a call.
func (t *tracer) call(callee any, use Use, args any) any {
	g, ok := callee.(*global)
	tup, isTuple := args.(*tuple)
	if !ok || !isTuple || g.known == nil {
		return t.callUnknown(callee, use, args, errArguments)
	}
	do := g.known.call
	if use == Created {
		do = g.known.create
	}
	if do == nil {
		return t.callUnknown(callee, use, args, errors.New("it is known as an argument of other calls only"))
	}
	v, err := any(nil), t.charge(int64(len(tup.items)))
	if err == nil {
		v, err = do(t, tup.items)
	}
	if err != nil {
		return t.callUnknown(callee, use, args, err)
	}
	t.use(g.index, use)
	for _, arg := range tup.items {
		if g, ok := arg.(*global); ok {
			t.use(g.index, Passed)
		}
	}
	if o, ok := v.(*object); ok {
		o.by, o.parts = g.index, []any{tup}
	}
	return v
}

// callUnknown returns the result of a call that is not known, with the reason.
func (t *tracer) callUnknown(callee any, use Use, args any, reason error) any {
	made := &object{by: -1, parts: []any{args}}
	t.hand(args)
	switch c := callee.(type) {
	case *global:
		made.by = c.index
		t.spoil(c.index, use, reason)
	case *object:
		made.by = c.by
		if c.kind == unknown {
			t.use(c.by, use)
		} else {
			t.fault(errors.New("an instance is called"))
		}
		t.hand(c)
	default:
		t.fault(fmt.Errorf("%s is called", describe(c)))
	}
	return made
}

// describe names the type of a value that is neither a global nor an object.
func describe(v any) string {
	switch v.(type) {
	case *list:
		return "a list"
	case *tuple:
		return "a tuple"
	case *dict:
		return "a dict"
	case *set, *frozenSet:
		return "a set"
	case *buffer:
		return "a buffer"
	}
	return "a plain value"
}

// use notes a use of a global, or of a value that it made.
func (t *tracer) use(index int, use Use) {
	if index >= 0 {
		t.report.Imports[index].Uses |= use
	}
}

// spoil notes a use that is not known of a global, or of a value that it made.
func (t *tracer) spoil(index int, use Use, reason error) {
	if index < 0 {
		return
	}
	t.use(index, use)
	t.spoiled[index] = true
	if m := &t.report.Imports[index]; m.Reason == "" && knownAs(m.Module, m.Name) != nil {
		m.Reason = reason.Error()
	}
}

// hand notes that values are passed to unknown code.
func (t *tracer) hand(values ...any) {
	for _, v := range values {
		if !isLeaf(v) {
			t.handed = append(t.handed, v)
		}
	}
}

// hash notes that the hashes of values are taken.
func (t *tracer) hash(values ...any) {
	for _, v := range values {
		if !isPlain(v) {
			t.asked = append(t.asked, v)
		}
	}
}

// charge counts the work of a check. The total must stay in proportion to the length of the pickle.
func (t *tracer) charge(n int64) error {
	t.work += n
	if t.work > 1<<20+8*t.op.Offset {
		return errors.New("it takes more work to check than the pickle has bytes for")
	}
	return nil
}
