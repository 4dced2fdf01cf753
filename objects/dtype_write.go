package objects

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle"
)

// NewDType returns the dtype object for a type.
func NewDType(t dtype.Type) *DType { return &DType{Type: t} }

// typed returns the dtype object for a type in this pickle. Python has one object for each simple type in native byte
// order; every other dtype is a new object.
func (w *writer) typed(t dtype.Type) *DType {
	if !isSimple(t) || !t.IsNative() {
		return NewDType(t)
	}
	w.remember(NewDType(t))
	return w.plain[t]
}

// remember makes d the object for its type, if Python has one object for it and none is set yet.
func (w *writer) remember(d *DType) {
	if t := d.Type; w.plain[t] == nil && isSimple(t) && t.IsNative() && d.StringType == nil {
		w.plain[t] = d
	}
}

func isSimple(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindComplex, dtype.KindObject:
		return true
	}
	return false
}

// dtype is the reduction of a dtype: dtype('i4', False, True) and its state (arraydescr_reduce).
func (w *writer) dtype(d *DType) (*pickle.Object, error) {
	if d.made != nil {
		w.remember(d)
		if d.StringType == nil {
			return w.again(d.made, w.gen.inGeneration(d, d.made.State)), nil
		}
	}
	if d.StringType != nil {
		return w.stringType(d)
	}
	t := d.Type
	if !t.IsValid() {
		return nil, diag.Errorf("objects", "DType without a Type")
	}
	size := t.ItemSize()
	if t.Kind() == dtype.KindStr {
		size /= 4
	}
	o := &pickle.Object{Class: dtypeClass, Args: tuple(fmt.Sprintf("%c%d", t.Kind(), size), false, true), HasState: true}
	state := []any{int64(3), orderText(t), nil, nil, nil, int64(-1), int64(-1), int64(flags(t))}
	switch t.Kind() {
	case dtype.KindDatetime, dtype.KindTimedelta:
		state[0] = int64(4)
		state = append(state, w.times(t.Step()))
	case dtype.KindBytes, dtype.KindStr, dtype.KindVoid:
		state[5], state[6] = int64(t.ItemSize()), int64(alignment(t))
	}
	switch {
	case t.IsSubarray():
		state[2] = tuple(w.typed(t.Elem()), intTuple(t.SubShape()))
	case t.IsStruct():
		state[3], state[4] = w.fields(t)
	}
	o.State = tuple(state...)
	return o, nil
}

// fields returns the names of a struct and the dict from names and titles to (dtype, offset) or (dtype, offset, title).
func (w *writer) fields(t dtype.Type) (names *pickle.Tuple, fields *pickle.Dict) {
	names, fields = tuple(), new(pickle.Dict)
	for _, f := range t.Fields() {
		name := strings.Clone(f.Name) // one str for both places
		names.Items = append(names.Items, name)
		value := tuple(w.typed(f.DType), int64(f.Offset))
		if f.Title != "" {
			title := strings.Clone(f.Title)
			value.Items = append(value.Items, title)
			_ = fields.Set(name, value) // a str can always be a key
			_ = fields.Set(title, value)
			continue
		}
		_ = fields.Set(name, value)
	}
	return names, fields
}

// times returns the ninth item of the state of a time: metadata, for which NumPy 2 writes None if there is none, and
// the unit.
func (w *writer) times(step dtype.Step) *pickle.Tuple {
	var metadata any
	if w.gen.version == 1 {
		metadata = new(pickle.Dict)
	}
	return tuple(metadata, tuple([]byte(step.Unit.String()), int64(max(step.Num, 1)), int64(1), int64(1)))
}

// stringType is the reduction of a StringDType.
func (w *writer) stringType(d *DType) (*pickle.Object, error) {
	if w.gen.version == 1 {
		return nil, errors.New("NumPy 1 has no StringDType; write it for NumPy 2, or leave it out")
	}
	if d.made != nil {
		return w.again(d.made, nil), nil
	}
	s := d.StringType
	coerce := int64(1)
	if s.NoCoerce {
		coerce = 0
	}
	args := tuple(coerce)
	if s.HasNA {
		args.Items = append(args.Items, s.NA)
	}
	return &pickle.Object{Class: w.gen.stringType, Args: args}, nil
}

// orderText returns the byte order of a type as written in its state.
func orderText(t dtype.Type) string { return t.ByteOrder().String() }

// Flags of a dtype (numpy/ndarraytypes.h).
const (
	needsInit   = 0x08
	objectFlags = 0x3f // facts about objects for NumPy
	getItem     = 0x10 // of structs, besides the flags of their fields
	inherited   = 0x1b // of the fields of a struct
)

// flags returns the flags of a type.
func flags(t dtype.Type) int {
	switch {
	case t.Kind() == dtype.KindObject:
		return objectFlags
	case t.Kind() == dtype.KindStr:
		return needsInit
	case t.IsSubarray():
		return flags(t.Elem())
	case t.IsStruct():
		all := getItem
		for _, f := range t.Fields() {
			all |= flags(f.DType) & inherited
		}
		return all
	}
	return 0
}

// alignment returns the alignment of a sized type in memory. It is 1 for structs: a type does not record whether a
// struct is aligned.
func alignment(t dtype.Type) int {
	switch {
	case t.IsSubarray():
		return alignment(t.Elem())
	case t.Kind() == dtype.KindBytes, t.Kind() == dtype.KindVoid:
		return 1
	case t.Kind() == dtype.KindStr:
		return 4
	case t.Kind() == dtype.KindComplex:
		return t.ItemSize() / 2
	}
	return t.ItemSize()
}

func intTuple(shape []int) *pickle.Tuple {
	items := make([]any, len(shape))
	for i, n := range shape {
		items[i] = int64(n)
	}
	return tuple(items...)
}
