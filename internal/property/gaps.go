package property

import "github.com/npygo/npy/dtype"

// WithoutGaps returns a copy of elements of t with zeros in the padding: the bytes between the fields of structs and at
// the end of long doubles. NumPy leaves the old contents of the memory there, wherever it moves elements by value.
func WithoutGaps(t dtype.Type, data []byte) []byte {
	size := t.ItemSize()
	if size == 0 || !hasGaps(t) {
		return data
	}
	means := make([]bool, size)
	mark(t, means)
	out := make([]byte, len(data))
	for i, b := range data {
		if means[i%size] {
			out[i] = b
		}
	}
	return out
}

// hasGaps reports whether there may be padding.
func hasGaps(t dtype.Type) bool {
	t = t.Elem()
	return t.IsStruct() || t.Name() == "float128" || t.Name() == "complex256"
}

// mark sets the bytes that are not padding.
func mark(t dtype.Type, means []bool) {
	switch {
	case t.IsSubarray():
		for size := t.Elem().ItemSize(); len(means) >= size && size > 0; means = means[size:] {
			mark(t.Elem(), means[:size])
		}
		return
	case t.IsStruct():
		for _, f := range t.Fields() {
			mark(f.DType, means[f.Offset:f.Offset+f.DType.ItemSize()])
		}
		return
	}
	for i := range means {
		at := i % 16
		if t.ByteOrder() == dtype.BigEndian {
			at = 15 - at
		}
		means[i] = at < 10 || t.Name() != "float128" && t.Name() != "complex256"
	}
}
