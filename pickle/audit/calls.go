package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/pickle"
)

// A callable is what is known of a class or function.
type callable struct {
	call   maker // by REDUCE; nil for what is only known as an argument
	create maker // by NEWOBJ, which calls __new__; nil if pickles do not do that
	class  class // for the functions that are passed classes
}

// A maker makes the value of a call of what is known, or says why it is not known what the call does.
type maker func(t *tracer, args []any) (any, error)

// A class is one of those that functions are passed.
type class uint8

const (
	noClass      class = iota
	factory            // of Python's own values, for defaultdict
	objectClass        // builtins.object
	uuidClass          // uuid.UUID
	pyArray            // array.array
	ndarray            // numpy.ndarray
	subarray           // a subclass of ndarray with the same state, which calls nothing when an empty one is made
	matrix             // numpy.matrix, another one
	maskedArray        // numpy.ma.MaskedArray
	recordScalar       // numpy.record
)

// classOf returns the class that a value is, noClass if it is none of those that are known.
func classOf(v any) class {
	if g, ok := v.(*global); ok && g.known != nil {
		return g.known.class
	}
	return noClass
}

// errArguments says that arguments are not among those that are known.
var errArguments = errors.New("its arguments are not among those that are known to make data only")

// name pushes a global by its name, or what comes from outside of the pickle.
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
			t.push(t.note(module, name))
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
	if t.protocol >= 4 && strings.Contains(name, ".") { // ctypes has libraries for attributes
		last := len(t.spoiled) - 1
		t.spoiled[last], t.report.Imports[last].Reason = true, "it is looked up through attributes, which may run code"
	}
	return &global{index: len(t.report.Imports) - 1, known: knownAs(g.Module, g.Name)}
}

// make follows the opcodes that call what is on the stack.
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
	default: // REDUCE, NEWOBJ: of those alone are known calls
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
	t.push(t.callUnknown(callee, use, newTuple(slices.Clone(args)), errors.New("pickles do not call it by "+t.op.Name)))
	return nil
}

// call returns what a call makes.
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

// callUnknown returns what a call makes of which nothing is known, for a reason.
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

// use notes that a global, or what it made, is used.
func (t *tracer) use(index int, use Use) {
	if index >= 0 {
		t.report.Imports[index].Uses |= use
	}
}

// spoil notes that a global, or what it made, is used in a way that is not known.
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

// hand notes that values are passed to code that is not known.
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
			t.hand(v)
		}
	}
}

// build gives the value before last the state that is last.
func (t *tracer) build() error {
	v, err := t.popN(2)
	if err != nil {
		return err
	}
	inst, state := v[0], v[1]
	t.push(inst)
	switch o := inst.(type) {
	case *global:
		t.spoil(o.index, Built, errors.New("the pickle changes it"))
		t.hand(state)
	case *object:
		t.use(o.by, Built)
		o.parts = append(o.parts, state)
		if o.kind == unknown {
			t.hand(state)
			break
		}
		if err := t.setState(o, state); err != nil {
			t.spoil(o.by, Built, err)
			t.hand(state)
			o.kind = unknown
		}
	default:
		t.fault(fmt.Errorf("%s is given a state", describe(inst)))
		t.hand(state)
	}
	return nil
}

// setState checks the state of an object of a known kind.
func (t *tracer) setState(o *object, state any) error {
	if o.stated {
		return errors.New("it is given a state twice, or after it was used")
	}
	o.stated = true
	switch o.kind {
	case dtypeKind:
		return t.setDType(o.dtype, state)
	case arrayKind:
		return t.setArray(o, state)
	case masked:
		return t.setMasked(o, state)
	case uuidKind:
		return t.attributes(state, uuidAttributes)
	case exception:
		return t.attributes(state, exceptionAttributes)
	}
	return errors.New("it is given attributes")
}

// attributes checks a state that is a dict of attributes with known names and plain values.
func (t *tracer) attributes(state any, names map[string]func(any) bool) error {
	d, ok := state.(*dict)
	if !ok {
		return errors.New("its state is no dict")
	}
	if err := t.charge(int64(len(d.items))); err != nil {
		return err
	}
	for i := 0; i < len(d.items); i += 2 {
		name, ok := nameOf(d.items[i])
		if allowed := names[name]; !ok || allowed == nil || !allowed(d.items[i+1]) {
			return fmt.Errorf("it is given the attribute %.40q", word(d.items[i]))
		}
	}
	return nil
}

// fill puts items into the value before them.
func (t *tracer) fill() (err error) {
	var items []any
	switch t.op.Name {
	case "APPEND":
		items, err = t.popN(1)
	case "SETITEM":
		items, err = t.popN(2)
	default:
		items, err = t.popMark()
	}
	if err != nil {
		return err
	}
	setting := t.op.Name == "SETITEM" || t.op.Name == "SETITEMS"
	if setting && len(items)%2 != 0 {
		return errors.New("a key has no value")
	}
	adding := t.op.Name == "ADDITEMS"
	return t.withTop(func(v any) {
		switch c := v.(type) {
		case *list:
			if !setting && !adding {
				c.items = append(c.items, items...)
				return
			}
		case *dict:
			if setting {
				if err := t.setItems(c, items); err != nil {
					t.fault(err)
				}
				return
			}
		case *set:
			if adding {
				t.hash(items...)
				c.items = append(c.items, items...)
				return
			}
		case *object:
			t.fillObject(c, items, setting, adding)
			return
		case *global:
			t.spoil(c.index, Modified, errors.New("the pickle changes it"))
			t.hand(items...)
			return
		}
		t.fault(fmt.Errorf("%s is given items by %s", describe(v), t.op.Name))
		t.hand(items...)
	})
}

// fillObject puts items into what a call made.
func (t *tracer) fillObject(o *object, items []any, setting, adding bool) {
	t.use(o.by, Modified)
	o.parts = append(o.parts, items...)
	switch {
	case o.kind == unknown:
		t.hand(items...)
	case o.kind == deque && !setting && !adding:
	case o.kind == mapping && setting:
		for i := 0; i < len(items); i += 2 {
			t.hash(items[i])
		}
	default:
		t.spoil(o.by, Modified, fmt.Errorf("it is given items by %s", t.op.Name))
		t.hand(items...)
		o.kind = unknown
	}
}

// setItems sets keys and values of a dict.
func (t *tracer) setItems(d *dict, items []any) error {
	if len(items)%2 != 0 {
		return errors.New("a key has no value")
	}
	if d.frozen && len(items) > 0 {
		return errors.New("a dict is changed that is part of a dtype")
	}
	for i := 0; i < len(items); i += 2 {
		t.hash(items[i])
	}
	d.items = append(d.items, items...)
	return nil
}

// charge counts the work of a check, all of which must stay in proportion to the length of the pickle.
func (t *tracer) charge(n int64) error {
	t.work += n
	if t.work > 1<<20+8*t.op.Offset {
		return errors.New("it takes more work to check than the pickle has bytes for")
	}
	return nil
}
