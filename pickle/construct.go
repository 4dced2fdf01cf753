package pickle

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/machine"
	"github.com/npygo/npy/pickle/internal/python2"
)

// global pushes a global: a name in a module. read says that module and name are strings of the pickle, with an
// identity there.
func (m *decoding) global(module, name string, read bool) error {
	g, err := m.named(module, name)
	if err != nil {
		return err
	}
	g.read = g.read || read
	return m.Push(singletonOr(g))
}

// named returns the Global of a name; each name has one. As Python does, it translates names of Python 2 in pickles
// that may come from it.
func (m *decoding) named(module, name string) (*Global, error) {
	if err := m.Charge(int64(len(module) + len(name))); err != nil {
		return nil, err
	}
	if !utf8.ValidString(module) || !utf8.ValidString(name) {
		return nil, errors.New("the name of a global is not UTF-8")
	}
	if m.Protocol < 3 {
		module, name = python2.ToPython3(module, name)
	}
	key := Global{Module: module, Name: name}
	g := m.globals[key]
	if g == nil {
		g = &Global{Module: module, Name: name}
		m.globals[key] = g
	}
	return g, nil
}

// singletonOr returns the singleton that g names, or g.
func singletonOr(g *Global) any {
	if g.Module == "builtins" && (g.Name == string(Ellipsis) || g.Name == string(NotImplemented)) {
		return Singleton(g.Name)
	}
	return g
}

// stackGlobal is STACK_GLOBAL: the module and the name are the last two values.
func (m *decoding) stackGlobal() error {
	names, err := m.PopN(2)
	if err != nil {
		return err
	}
	module, ok1 := names[0].(string)
	name, ok2 := names[1].(string)
	if !ok1 || !ok2 {
		return fmt.Errorf("the name of a global consists of a %s and a %s, not of two strings", kindOf(names[0]), kindOf(names[1]))
	}
	return m.global(module, name, true)
}

// reduce is REDUCE: the last value is a tuple of arguments, the value before it is called with them.
func (m *decoding) reduce() error {
	v, err := m.PopN(2)
	if err != nil {
		return err
	}
	args, ok := v[1].(*Tuple)
	if !ok {
		return fmt.Errorf("the arguments are a %s, not a tuple", kindOf(v[1]))
	}
	return m.construct(&Object{Class: v[0], How: Call, Args: args})
}

// newObj is NEWOBJ: a class, and a tuple of the arguments of its __new__.
func (m *decoding) newObj() error {
	v, err := m.PopN(2)
	if err != nil {
		return err
	}
	args, ok := v[1].(*Tuple)
	if !ok {
		return fmt.Errorf("the arguments are a %s, not a tuple", kindOf(v[1]))
	}
	return m.construct(&Object{Class: v[0], How: NewObj, Args: args})
}

// newObjEx is NEWOBJ_EX: a class, a tuple and a dict of named arguments.
func (m *decoding) newObjEx() error {
	v, err := m.PopN(3)
	if err != nil {
		return err
	}
	args, ok1 := v[1].(*Tuple)
	kwargs, ok2 := v[2].(*Dict)
	if !ok1 || !ok2 {
		return fmt.Errorf("the arguments are a %s and a %s, not a tuple and a dict", kindOf(v[1]), kindOf(v[2]))
	}
	return m.construct(&Object{Class: v[0], How: NewObjEx, Args: args, Kwargs: kwargs})
}

// inst is INST: a class by name and, after the mark, the arguments.
func (m *decoding) inst(module, name string) error {
	g, err := m.named(module, name)
	if err != nil {
		return err
	}
	args, err := m.PopMark()
	if err != nil {
		return err
	}
	return m.construct(&Object{Class: g, How: Instance, Args: m.argsOf(args)})
}

// obj is OBJ: after the mark a class and the arguments.
func (m *decoding) obj() error {
	v, err := m.PopMark()
	if err != nil {
		return err
	}
	if len(v) == 0 {
		return machine.ErrUnderflow
	}
	return m.construct(&Object{Class: v[0], How: Instance, Args: m.argsOf(v[1:])})
}

// argsOf returns a tuple of values from the stack.
func (m *decoding) argsOf(items []any) *Tuple {
	if len(items) == 0 {
		return m.empty
	}
	m.containers++
	return &Tuple{Items: append([]any(nil), items...)}
}

// construct pushes the result of a call: the Go value of a known class, the result of the hook, or else the call itself
// as an Object. Nothing is called.
func (m *decoding) construct(o *Object) error {
	g, ok := o.Class.(*Global)
	if !ok {
		if err := callable(o.Class); err != nil {
			return err
		}
		return m.pushContainer(o)
	}
	v, err := m.known(g, o)
	if err != nil {
		return err
	}
	if v != nil {
		return m.pushContainer(v)
	}
	if m.d.Construct == nil {
		return m.pushContainer(o)
	}
	v, ok, err = m.d.Construct(o)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", kindOf(g), err)
	case !ok:
		return m.pushContainer(o)
	}
	m.made = append(m.made, made{v, o.Args})
	return m.pushContainer(v)
}

// build is BUILD: the last value is the state of the value before it.
func (m *decoding) build() error {
	below, v, err := m.Last(1)
	if err != nil {
		return err
	}
	state := v[0]
	switch inst := below.(type) {
	case *Object:
		if inst.HasState {
			return errors.New("the object has a state already")
		}
		inst.State, inst.HasState = state, true
		return nil
	case *OrderedDict:
		return inst.setState(state)
	case *UUID:
		m.unset--
		return inst.setState(state)
	case StateSetter:
		m.made = append(m.made, made{inst, state})
		return inst.SetState(state)
	}
	if m.d.SetState != nil {
		m.made = append(m.made, made{below, state})
		return m.d.SetState(below, state)
	}
	return fmt.Errorf("a %s takes no state", kindOf(below))
}

// persistentLine is PERSID: the id is text.
func (m *decoding) persistentLine(line []byte) error {
	if !literal.IsASCII(line) {
		return fmt.Errorf("the persistent id %s is not ASCII", literal.Quoted(line))
	}
	return m.load(string(line))
}

// persistent is BINPERSID: the id is the last value.
func (m *decoding) persistent() error {
	id, err := m.Pop()
	if err != nil {
		return err
	}
	return m.load(id)
}

// load pushes the hook's value for a persistent id.
func (m *decoding) load(id any) error {
	if m.d.PersistentLoad == nil {
		return errors.New("the object is kept outside of the pickle: give the Decoder a PersistentLoad")
	}
	v, err := m.d.PersistentLoad(id)
	if err != nil {
		return err
	}
	return m.Push(v)
}

// nextBuffer pushes the next out-of-band buffer.
func (m *decoding) nextBuffer() error {
	if m.d.NextBuffer == nil {
		return errors.New("a buffer is kept outside of the pickle: give the Decoder a NextBuffer")
	}
	b, err := m.d.NextBuffer()
	if err != nil {
		return err
	}
	return m.Push(&ByteArray{b})
}

// readOnlyBuffer replaces the buffer on top of the stack by bytes.
func (m *decoding) readOnlyBuffer() error {
	v, err := m.Pop()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *ByteArray:
		return m.Push(v.Bytes)
	case []byte:
		return m.Push(v)
	}
	return fmt.Errorf("a %s is not a buffer", kindOf(v))
}
