package pickle

import (
	"errors"
	"fmt"
)

// emptyList is EMPTY_LIST.
func (m *decoding) emptyList() error {
	v := &List{}
	if m.first == nil {
		m.first = v
	}
	return m.pushContainer(v)
}

// appendItems is APPEND and APPENDS: items are appended to the list below them.
func (m *decoding) appendItems(below any, items []any, err error) error {
	if err != nil {
		return err
	}
	switch v := below.(type) {
	case *List:
		expected := 0
		if v == m.first {
			expected = m.Expected()
		}
		v.Items = m.Append(v.Items, items, expected)
	case *Object:
		v.Items = m.Append(v.Items, items, 0)
	default:
		return fmt.Errorf("a %s cannot be appended to", kindOf(v))
	}
	return nil
}

// list is LIST: a list of the values after the mark.
func (m *decoding) list() error {
	items, err := m.PopMark()
	if err != nil {
		return err
	}
	return m.pushContainer(&List{Items: m.Owned(items)})
}

// markedTuple is TUPLE: a tuple of the values after the mark.
func (m *decoding) markedTuple() error {
	items, err := m.PopMark()
	if err != nil {
		return err
	}
	return m.pushTuple(items)
}

// tuple is TUPLE1 to TUPLE3: a tuple of the last n values.
func (m *decoding) tuple(n int) error {
	items, err := m.PopN(n)
	if err != nil {
		return err
	}
	return m.pushTuple(items)
}

// pushTuple pushes a tuple of items from the stack.
func (m *decoding) pushTuple(items []any) error {
	if len(items) == 0 {
		return m.Push(m.empty)
	}
	return m.pushContainer(&Tuple{Items: m.Owned(items)})
}

// dict is DICT: a dict of the keys and values after the mark.
func (m *decoding) dict() error {
	items, err := m.PopMark()
	if err != nil {
		return err
	}
	d := &Dict{}
	if err := m.setPairs(d, items); err != nil {
		return err
	}
	return m.pushContainer(d)
}

// setItems is SETITEM and SETITEMS: keys and values are set on the dict below them.
func (m *decoding) setItems(below any, items []any, err error) error {
	if err != nil {
		return err
	}
	if o, ok := below.(*Object); ok {
		return o.setPairs(items)
	}
	d := dictOf(below)
	if d == nil {
		return fmt.Errorf("a %s has no items to set", kindOf(below))
	}
	return m.setPairs(d, items)
}

var errOddItems = errors.New("a key has no value")

// setPairs sets alternating keys and values.
func (m *decoding) setPairs(d *Dict, items []any) error {
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

// addItems is ADDITEMS: items are added to the set below them.
func (m *decoding) addItems(below any, items []any, err error) error {
	if err != nil {
		return err
	}
	s, ok := below.(*Set)
	if !ok {
		return fmt.Errorf("a %s cannot be added to", kindOf(below))
	}
	return m.addAll(s, items)
}

// frozenSet is FROZENSET: a frozenset of the values after the mark.
func (m *decoding) frozenSet() error {
	items, err := m.PopMark()
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
func (m *decoding) addAll(s *Set, items []any) error {
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
func (m *decoding) key(v any) (any, error) {
	switch v := v.(type) {
	case int64, bool, nil:
		return formOf(v)
	}
	var k keyer
	form, err := k.form(v)
	if err != nil {
		return nil, err
	}
	return form, m.Charge(k.cost)
}
