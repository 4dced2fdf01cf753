package audit

import (
	"errors"
	"fmt"
)

// build gives the last value to the value below it as its state.
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

// attributes checks a state: it must be a dict of attributes with known names and plain values.
func (t *tracer) attributes(state any, names map[string]func(any) bool) error {
	d, ok := state.(*dict)
	if !ok {
		return errors.New("its state is not a dict")
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

// fill puts items into the value below them.
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
	if t.sets() && len(items)%2 != 0 {
		return errOdd
	}
	return t.withTop(func(v any) {
		switch c := v.(type) {
		case *object:
			t.fillObject(c, items)
		case *global:
			t.spoil(c.index, Modified, errors.New("the pickle changes it"))
			t.hand(items...)
		default:
			if err := t.fillContainer(v, items); err != nil {
				t.fault(err)
				t.hand(items...)
			}
		}
	})
}

// sets reports whether the opcode sets keys, and adds whether it adds elements to a set. Otherwise it appends.
func (t *tracer) sets() bool { return t.op.Name == "SETITEM" || t.op.Name == "SETITEMS" }
func (t *tracer) adds() bool { return t.op.Name == "ADDITEMS" }

// fillContainer puts items into one of Python's containers.
func (t *tracer) fillContainer(v any, items []any) error {
	switch c := v.(type) {
	case *list:
		if !t.sets() && !t.adds() {
			c.items = append(c.items, items...)
			return nil
		}
	case *dict:
		if t.sets() {
			return t.setItems(c, items)
		}
	case *set:
		if t.adds() {
			t.hash(items...)
			c.items = append(c.items, items...)
			return nil
		}
	}
	return fmt.Errorf("%s is given items by %s", describe(v), t.op.Name)
}

// fillObject puts items into the result of a call.
func (t *tracer) fillObject(o *object, items []any) {
	t.use(o.by, Modified)
	o.parts = append(o.parts, items...)
	switch {
	case o.kind == unknown:
		t.hand(items...)
	case o.kind == deque && !t.sets() && !t.adds():
	case o.kind == mapping && t.sets():
		for i := 0; i < len(items); i += 2 {
			t.hash(items[i])
		}
	default:
		t.spoil(o.by, Modified, fmt.Errorf("it is given items by %s", t.op.Name))
		t.hand(items...)
		o.kind = unknown
	}
}

var errOdd = errors.New("a key has no value")

// setItems sets keys and values of a dict.
func (t *tracer) setItems(d *dict, items []any) error {
	if len(items)%2 != 0 {
		return errOdd
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
