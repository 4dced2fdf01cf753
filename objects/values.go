package objects

import (
	"errors"
	"fmt"
	"math"

	"github.com/npygo/npy/pickle"
)

// A malformed error says what is wrong with the NumPy part of a pickle.
func malformed(text string, args ...any) error { return fmt.Errorf(text, args...) }

var errTwice = errors.New("NumPy object is given a state twice, or after it was used")

// integer returns a Python int, or a bool, which is one, as an int.
func integer(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), int64(int(v)) == v
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// truth returns a flag that is a bool or, in old pickles, an int.
func truth(v any) (bool, bool) {
	n, ok := integer(v)
	return n != 0, ok
}

// tupleOf returns the items of a tuple whose length is in a range.
func tupleOf(v any, least, most int) ([]any, bool) {
	t, ok := v.(*pickle.Tuple)
	if !ok || len(t.Items) < least || len(t.Items) > most {
		return nil, false
	}
	return t.Items, true
}

// shapeOf returns a shape: a tuple of ints, or one int for a single dimension.
func shapeOf(v any) ([]int, error) {
	if n, ok := integer(v); ok {
		return []int{n}, nil
	}
	items, ok := tupleOf(v, 0, math.MaxInt)
	if !ok {
		return nil, malformed("shape is %T, want a tuple", v)
	}
	shape := make([]int, len(items))
	for i, item := range items {
		if shape[i], ok = integer(item); !ok {
			return nil, malformed("shape has a %T for a dimension, want an int", item)
		}
	}
	return shape, nil
}

// text returns a str, or the bytes that Python 2 wrote for it.
func text(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	b, ok := pickle.RawBytes(v)
	return string(b), ok
}

// tuple returns a tuple of items.
func tuple(items ...any) *pickle.Tuple { return &pickle.Tuple{Items: items} }
