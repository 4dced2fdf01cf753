package pickle

import (
	"errors"
	"fmt"
)

// emptyList is EMPTY_LIST.
func (m *machine) emptyList() error {
	v := &List{}
	if m.first == nil {
		m.first = v
	}
	return m.pushContainer(v)
}

// appendTo appends the values from a position of the stack to the list below them.
func (m *machine) appendTo(at int) error {
	if at <= m.fence() {
		return errUnderflow
	}
	items := m.stack[at:]
	m.stack = m.stack[:at]
	switch v := m.stack[at-1].(type) {
	case *List:
		expected := 0
		if v == m.first {
			expected = m.hint
		}
		if cap(v.Items) == 0 && len(items) >= manyItems {
			v.Items = m.owned(items)
		} else {
			v.Items = append(grown(v.Items, len(items), expected), items...)
		}
	case *Object:
		v.Items = append(grown(v.Items, len(items), 0), items...)
	default:
		return fmt.Errorf("a %s cannot be appended to", kindOf(v))
	}
	return nil
}

// appendMarked is APPENDS.
func (m *machine) appendMarked() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	m.stack = m.stack[:len(m.stack)+len(items)]
	return m.appendTo(len(m.stack) - len(items))
}

// list is LIST: a list of the values after the mark.
func (m *machine) list() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.pushContainer(&List{Items: m.owned(items)})
}

// markedTuple is TUPLE: a tuple of the values after the mark.
func (m *machine) markedTuple() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.pushTuple(items)
}

// tuple is TUPLE1 to TUPLE3: a tuple of the last n values.
func (m *machine) tuple(n int) error {
	items, err := m.popN(n)
	if err != nil {
		return err
	}
	return m.pushTuple(items)
}

// pushTuple pushes a tuple of items from the stack.
func (m *machine) pushTuple(items []any) error {
	if len(items) == 0 {
		return m.push(m.empty)
	}
	return m.pushContainer(&Tuple{Items: m.owned(items)})
}

// dict is DICT: a dict of the keys and values after the mark.
func (m *machine) dict() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	d := &Dict{}
	if err := m.setPairs(d, items); err != nil {
		return err
	}
	return m.pushContainer(d)
}

// setMarked is SETITEMS.
func (m *machine) setMarked() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	m.stack = m.stack[:len(m.stack)+len(items)]
	return m.setItems(len(m.stack) - len(items))
}

// setItems sets the keys and values from a position of the stack on the dict below them.
func (m *machine) setItems(at int) error {
	if at <= m.fence() {
		return errUnderflow
	}
	items := m.stack[at:]
	m.stack = m.stack[:at]
	if o, ok := m.stack[at-1].(*Object); ok {
		return o.setPairs(items)
	}
	d := dictOf(m.stack[at-1])
	if d == nil {
		return fmt.Errorf("a %s has no items to set", kindOf(m.stack[at-1]))
	}
	return m.setPairs(d, items)
}

// dictOf returns the dict inside a value, or nil if the value is not a dict.
func dictOf(v any) *Dict {
	switch v := v.(type) {
	case *Dict:
		return v
	case *OrderedDict:
		return &v.Dict
	case *DefaultDict:
		return &v.Dict
	case *Counter:
		return &v.Dict
	}
	return nil
}

var errOddItems = errors.New("a key has no value")

// setPairs sets alternating keys and values.
func (m *machine) setPairs(d *Dict, items []any) error {
	if len(items)%2 != 0 {
		return errOddItems
	}
	for i := 0; i < len(items); i += 2 {
		form, err := m.key(items[i])
		if err != nil {
			return err
		}
		d.set(form, items[i], items[i+1])
	}
	return nil
}

// setPairs stores alternating keys and values.
func (o *Object) setPairs(items []any) error {
	if len(items)%2 != 0 {
		return errOddItems
	}
	for i := 0; i < len(items); i += 2 {
		o.Pairs = append(o.Pairs, Pair{items[i], items[i+1]})
	}
	return nil
}

// addItems is ADDITEMS: the values after the mark are added to the set below it.
func (m *machine) addItems() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	v, err := m.top()
	if err != nil {
		return err
	}
	s, ok := v.(*Set)
	if !ok {
		return fmt.Errorf("a %s cannot be added to", kindOf(v))
	}
	return m.addAll(s, items)
}

// frozenSet is FROZENSET: a frozenset of the values after the mark.
func (m *machine) frozenSet() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	s := &FrozenSet{}
	if err := m.addAll(&s.set, items); err != nil {
		return err
	}
	return m.pushContainer(s)
}

// addAll adds elements to a set.
func (m *machine) addAll(s *Set, items []any) error {
	for _, v := range items {
		form, err := m.key(v)
		if err != nil {
			return err
		}
		if s.elements.find(form) < 0 {
			s.elements.set(form, v, nil)
		}
	}
	return nil
}

// key returns the form by which a key is compared, and charges its cost.
func (m *machine) key(v any) (any, error) {
	switch v := v.(type) {
	case int64, bool, nil:
		return formOf(v)
	}
	var k keyer
	form, err := k.form(v)
	if err != nil {
		return nil, err
	}
	return form, m.charge(k.cost)
}
