package pickle

import "iter"

// A Dict is Python's dict: pairs in the order in which their keys were first set. Keys compare as in Python: 1, 1.0 and
// True are one key, and tuples and frozensets compare by their contents. The zero Dict is empty and ready to use.
type Dict struct {
	pairs []Pair
	index map[any]int // the position in pairs by the form of the key; nil for a small dict
	node
}

// A Pair is a key of a dict with its value.
type Pair struct {
	Key, Value any // as the package comment maps values of Python to Go; nil for None
}

// fewPairs is the largest number of pairs without an index. Up to it, comparing with each plain key is faster than a
// map and takes much less memory.
const fewPairs = 8

// Set sets key to value: in place if d has the key, else at the end. The error is a [*KeyError] for a value that cannot
// be a key.
func (d *Dict) Set(key, value any) error {
	form, err := formOf(key)
	if err != nil {
		return err
	}
	d.set(form, key, value)
	return nil
}

// set is Set for a key with a known form.
func (d *Dict) set(form, key, value any) {
	if i := d.find(form); i >= 0 {
		d.pairs[i].Value = value
		return
	}
	if d.index == nil && (len(d.pairs) == fewPairs || !isPlain(key)) {
		d.index = make(map[any]int, len(d.pairs)+1)
		for i, p := range d.pairs {
			form, _ := formOf(p.Key) // the key cannot fail: it has been a key before
			d.index[form] = i
		}
	}
	if d.index != nil {
		d.index[form] = len(d.pairs)
	}
	d.pairs = append(d.pairs, Pair{key, value})
}

// find returns the position of a key in pairs, or -1.
func (d *Dict) find(form any) int {
	if d.index != nil {
		if i, ok := d.index[form]; ok {
			return i
		}
		return -1
	}
	for i, p := range d.pairs {
		if other, _ := formOf(p.Key); other == form {
			return i
		}
	}
	return -1
}

// Get returns the value of a key, and whether d has the key.
func (d *Dict) Get(key any) (value any, ok bool) {
	form, err := formOf(key)
	if err != nil {
		return nil, false
	}
	i := d.find(form)
	if i < 0 {
		return nil, false
	}
	return d.pairs[i].Value, true
}

// Len returns the number of pairs.
func (d *Dict) Len() int { return len(d.pairs) }

// All returns the pairs in the order in which their keys were first set.
func (d *Dict) All() iter.Seq2[any, any] {
	return func(yield func(any, any) bool) {
		for _, p := range d.pairs {
			if !yield(p.Key, p.Value) {
				return
			}
		}
	}
}

// An OrderedDict is Python's collections.OrderedDict.
type OrderedDict struct {
	Dict
	Attributes *Dict   // attributes set on it besides its items, as PyTorch sets _metadata; nil if there are none
	class      *Global // the class as it was read; nil for an OrderedDict made in Go
}

// A DefaultDict is Python's collections.defaultdict.
type DefaultDict struct {
	Dict
	Factory any // the class or function that makes missing values, usually a *Global; or nil
	class   *Global
}

// A Counter is Python's collections.Counter.
type Counter struct {
	Dict
	class *Global
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

// A Set is Python's set, in the order in which its elements were added. The zero Set is empty and ready to use.
type Set struct{ elements Dict }

// Add adds an element if s does not have it. The error is a [*KeyError] for a value that cannot be an element of a set.
func (s *Set) Add(v any) error {
	form, err := formOf(v)
	if err == nil && s.elements.find(form) < 0 {
		s.elements.set(form, v, nil)
	}
	return err
}

// Has reports whether v is an element.
func (s *Set) Has(v any) bool { _, ok := s.elements.Get(v); return ok }

// Len returns the number of elements.
func (s *Set) Len() int { return s.elements.Len() }

// All returns the elements in the order in which they were added.
func (s *Set) All() iter.Seq[any] {
	return func(yield func(any) bool) {
		for v := range s.elements.All() {
			if !yield(v) {
				return
			}
		}
	}
}

// A FrozenSet is Python's frozenset: a set that cannot be changed. The zero FrozenSet is empty.
type FrozenSet struct{ set Set }

// NewFrozenSet returns a frozenset of elements, in their order. The error is a [*KeyError] for a value that cannot be
// an element of a set.
func NewFrozenSet(elements ...any) (*FrozenSet, error) {
	s := &FrozenSet{}
	for _, v := range elements {
		if err := s.set.Add(v); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Has reports whether v is an element.
func (s *FrozenSet) Has(v any) bool { return s.set.Has(v) }

// Len returns the number of elements.
func (s *FrozenSet) Len() int { return s.set.Len() }

// All returns the elements in the order in which they were added.
func (s *FrozenSet) All() iter.Seq[any] { return s.set.All() }
