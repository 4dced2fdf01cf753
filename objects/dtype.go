package objects

import (
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

// A DType is a numpy.dtype as an object.
type DType struct {
	// Type is the dtype. Properties that it cannot express are kept for writing only: metadata, alignment, and the
	// fields of a struct with overlapping fields, whose Type is a void of their size.
	Type dtype.Type

	// StringType is set for NumPy's StringDType. Type is |O then, the dtype of its elements in arrays of this package.
	StringType *StringType

	made   *pickle.Object // how it was stored: the call and the state; nil for one made in Go
	busy   bool           // its state is being read
	sealed bool           // its state is read, or it is in use without one
	fields []*DType       // of a struct
	base   *DType         // of a subarray
	parts  int            // the number of types inside it, each counted as often as it occurs
}

// A StringType holds the options of a StringDType.
type StringType struct {
	NoCoerce bool // coerce=False: only str becomes an element
	HasNA    bool // na_object was given; without it there is no missing value
	NA       any  // na_object, the missing value: nil for None, NaN, or another value
}

// The cost of types, in bytes of MaxShared. Nested dtypes can double with every level: n levels of 100 bytes of pickle
// each have 2**n fields, all visited when the dtype is compared or printed.
const (
	costText = 64  // of a parsed character
	costPart = 512 // of a type within another, when the outer type is made
	costUse  = 16  // of a type within another, when the outer type is used
)

// newDType constructs a dtype from its call; the state follows later.
func (r *reader) newDType(o *pickle.Object) (*DType, error) {
	items, ok := tupleOf(o.Args, 1, 3)
	if !ok {
		return nil, malformed("dtype has wrong arguments")
	}
	d := &DType{made: o}
	if g, ok := items[0].(*pickle.Global); ok {
		d.Type = typeOfClass(g)
		return d, r.charge(costText * int64(len(g.Name)))
	}
	s, ok := text(items[0])
	if !ok {
		return nil, malformed("dtype of a %T, want a str", items[0])
	}
	if err := r.charge(costText * int64(len(s))); err != nil {
		return nil, err
	}
	t, err := dtype.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("numpy dtype: %w", err)
	}
	d.Type, d.parts = t, partsOf(t)
	return d, nil
}

// partsOf counts the types within t that came from one text.
func partsOf(t dtype.Type) int {
	n := t.NumField()
	for i := range t.NumField() {
		n += partsOf(t.Field(i).DType)
	}
	if t.IsSubarray() {
		n += 1 + partsOf(t.Elem())
	}
	return n
}

// typeOfClass returns the dtype of a scalar type: numpy.float64, numpy.record, ml_dtypes.bfloat16. An unknown class
// gets only a size, from the state.
func typeOfClass(g *pickle.Global) dtype.Type {
	if g.Module == "numpy" || g.Module == "ml_dtypes" || g.Module == "builtins" {
		if t, err := dtype.Parse(g.Name); err == nil {
			return t
		}
	}
	return dtype.Void(0)
}

// newStringDType constructs a StringDType: coerce and, optionally, the object for missing values.
func newStringDType(o *pickle.Object) (*DType, error) {
	items, ok := tupleOf(o.Args, 1, 2)
	if !ok {
		return nil, malformed("StringDType has wrong arguments")
	}
	coerce, ok := truth(items[0])
	if !ok {
		return nil, malformed("StringDType has a %T for coerce, want an int", items[0])
	}
	d := &DType{Type: dtype.Object, StringType: &StringType{NoCoerce: !coerce}, made: o, sealed: true}
	if len(items) == 2 {
		d.StringType.HasNA, d.StringType.NA = true, items[1]
	}
	return d, nil
}

// use returns the type of a dtype that another value is made of, and charges for it.
func (r *reader) use(v any) (*DType, error) {
	d, err := use(v)
	if err != nil {
		return nil, err
	}
	return d, r.charge(costUse * int64(d.parts))
}

// use returns a dtype that does not change after this.
func use(v any) (*DType, error) {
	d, ok := v.(*DType)
	if !ok {
		return nil, malformed("object has a %T where a dtype belongs", v)
	}
	if d.busy {
		return nil, malformed("dtype contains itself")
	}
	d.sealed = true
	return d, nil
}

// setDType reads the state of a dtype, as dtype.__setstate__ does in its versions 0 to 4.
func (r *reader) setDType(d *DType, state any) error {
	if d.busy || d.sealed {
		return errTwice
	}
	d.busy = true
	defer func() { d.busy = false }()
	s, err := parseDTypeState(state)
	if err != nil {
		return err
	}
	t, err := r.typeWith(d, s)
	if err != nil {
		return err
	}
	d.Type, d.sealed = t, true
	d.made.State, d.made.HasState = state, true
	return nil
}

// A dtypeState is the state of a dtype: its tuple with the items that all versions have in the same places.
type dtypeState struct {
	order                   dtype.ByteOrder
	subarray, names, fields any
	size                    int
	times                   any // the metadata of a datetime64 or timedelta64
}

// parseDTypeState takes the tuples of 5 to 9 items that NumPy has written (arraydescr_setstate).
func parseDTypeState(state any) (s dtypeState, err error) {
	items, ok := tupleOf(state, 5, 9)
	if !ok {
		return s, malformed("dtype has no state of 5 to 9 items")
	}
	version := 0
	if len(items) > 5 {
		if version, ok = integer(items[0]); !ok || version < 0 || version > 4 {
			return s, malformed("dtype has a state of version %v, want 0 to 4", items[0])
		}
		items = items[1:]
	}
	if s.order, ok = orderOf(items[0]); !ok {
		return s, malformed("dtype has the byte order %v, want one of < > | =", items[0])
	}
	s.subarray, items = items[1], items[2:]
	if len(items) > 3 { // version 2 and on
		s.names, items = items[0], items[1:]
	}
	s.fields = items[0]
	if s.size, ok = integer(items[1]); !ok {
		return s, malformed("dtype has a size of %T, want an int", items[1])
	}
	if version < 2 {
		err = s.oldNames()
	}
	if len(items) == 5 {
		s.times = items[4]
	}
	return s, err
}

// oldNames takes the names of versions 0 and 1: they are under the key -1 of the fields.
func (s *dtypeState) oldNames() error {
	fields, ok := s.fields.(*pickle.Dict)
	if !ok {
		return nil
	}
	names, ok := fields.Get(int64(-1))
	if !ok {
		return malformed("dtype of version 0 or 1 has no names of its fields")
	}
	if list, ok := names.(*pickle.List); ok {
		names = tuple(list.Items...)
	}
	s.names = names
	return nil
}

// orderOf returns the byte order for a character.
func orderOf(v any) (dtype.ByteOrder, bool) {
	s, ok := text(v)
	if !ok || len(s) != 1 || !strings.Contains("<>|=", s) {
		return 0, false
	}
	switch s {
	case "<":
		return dtype.LittleEndian, true
	case ">":
		return dtype.BigEndian, true
	}
	return dtype.NativeEndian, true
}

// typeWith returns the type of d with a state.
func (r *reader) typeWith(d *DType, s dtypeState) (dtype.Type, error) {
	switch {
	case s.subarray != nil:
		return r.subarray(d, s.subarray)
	case s.names != nil:
		return r.structure(d, s)
	}
	t := d.Type.WithByteOrder(s.order)
	switch t.Kind() {
	case dtype.KindDatetime, dtype.KindTimedelta:
		return timeType(t, s.times)
	case dtype.KindBytes, dtype.KindStr, dtype.KindVoid:
		return resized(t, s.size)
	}
	return t, nil
}

// resized returns a type whose size is in the state.
func resized(t dtype.Type, size int) (dtype.Type, error) {
	switch {
	case size == t.ItemSize():
		return t, nil
	case size < 0 || size > dtype.MaxItemSize || t.Kind() == dtype.KindStr && size%4 != 0:
		return t, malformed("dtype has %d bytes, which kind %s cannot have", size, t.Kind())
	case t.Kind() == dtype.KindBytes:
		return dtype.Bytes(size), nil
	case t.Kind() == dtype.KindStr:
		return dtype.Str(size / 4).WithByteOrder(t.ByteOrder()), nil
	}
	return dtype.Void(size), nil
}

// contain counts a type as part of d.
func (r *reader) contain(d, inner *DType) error {
	d.parts += 1 + inner.parts
	return r.charge(costPart * int64(1+inner.parts))
}

// subarray reads (base, shape).
func (r *reader) subarray(d *DType, v any) (dtype.Type, error) {
	items, ok := tupleOf(v, 2, 2)
	if !ok {
		return dtype.Type{}, malformed("dtype has a subarray of %T, want a tuple of base and shape", v)
	}
	base, err := use(items[0])
	if err != nil {
		return dtype.Type{}, err
	}
	shape, err := shapeOf(items[1])
	if err != nil {
		return dtype.Type{}, err
	}
	if err := r.contain(d, base); err != nil {
		return dtype.Type{}, err
	}
	d.base = base
	return dtype.Subarray(base.Type, shape...)
}

// structure reads names and fields: a dict from each name, and each title, to (dtype, offset) or (dtype, offset, title).
func (r *reader) structure(d *DType, s dtypeState) (dtype.Type, error) {
	names, ok := tupleOf(s.names, 0, dtype.MaxItemSize)
	fields, isDict := s.fields.(*pickle.Dict)
	if !ok || !isDict && len(names) > 0 {
		return dtype.Type{}, malformed("dtype has names of %T and fields of %T, want a tuple and a dict", s.names, s.fields)
	}
	if err := r.charge(costPart * int64(len(names))); err != nil {
		return dtype.Type{}, err
	}
	d.parts = 0
	list := make([]dtype.Field, len(names))
	d.fields = make([]*DType, len(names))
	hasObject := false
	for i, name := range names {
		value, _ := fields.Get(name)
		var err error
		if list[i].Name, ok = text(name); !ok {
			return dtype.Type{}, malformed("dtype has a %T for the name of a field, want a str", name)
		}
		if d.fields[i], err = readField(&list[i], value); err != nil {
			return dtype.Type{}, fmt.Errorf("%w, in field %q", err, list[i].Name)
		}
		if err := r.contain(d, d.fields[i]); err != nil {
			return dtype.Type{}, err
		}
		hasObject = hasObject || list[i].DType.HasObject()
	}
	t, err := dtype.Struct(s.size, list...)
	if err != nil && !hasObject && s.size >= 0 && s.size <= dtype.MaxItemSize { // out of order or overlapping
		d.fields, d.parts = nil, 0
		return dtype.Void(s.size), nil
	}
	return t, err
}

// readField fills in a field, except its name.
func readField(f *dtype.Field, v any) (*DType, error) {
	items, ok := tupleOf(v, 2, 3)
	if !ok {
		return nil, malformed("dtype has a field of %T, want a tuple of dtype and offset", v)
	}
	d, err := use(items[0])
	if err != nil {
		return nil, err
	}
	if f.Offset, ok = integer(items[1]); !ok || f.Offset < 0 {
		return nil, malformed("dtype has the offset %v", items[1])
	}
	if len(items) == 3 {
		f.Title, _ = text(items[2]) // titles may be of any type; a Type holds only str
	}
	f.DType = d.Type
	return d, nil
}

// timeType reads (metadata, (unit, num, den, event)).
func timeType(t dtype.Type, v any) (dtype.Type, error) {
	if v == nil {
		return t, nil
	}
	pair, ok := tupleOf(v, 2, 2)
	if !ok {
		return t, malformed("dtype has %T for the unit of a time, want a tuple", v)
	}
	items, ok := tupleOf(pair[1], 2, 4)
	if !ok {
		return t, malformed("dtype has %T for the unit of a time, want a tuple", pair[1])
	}
	unit, ok := text(items[0])
	num, isInt := integer(items[1])
	den := 1
	if len(items) > 2 {
		den, _ = integer(items[2])
	}
	if !ok || !isInt || den < 1 {
		return t, malformed("dtype has the unit of a time as (%v, %v, …)", items[0], items[1])
	}
	spec := fmt.Sprintf("%c8[%d%s/%d]", t.Kind(), num, unit, den)
	switch {
	case unit == "generic":
		spec = string(t.Kind()) + "8"
	case den == 1:
		spec = fmt.Sprintf("%c8[%d%s]", t.Kind(), num, unit)
	}
	parsed, err := dtype.Parse(spec)
	if err != nil || parsed.Kind() != t.Kind() {
		return t, malformed("dtype has the unit of a time as %d%s/%d", num, unit, den)
	}
	return parsed.WithByteOrder(t.ByteOrder()), nil
}

// at returns the dtype of the i-th field.
func (d *DType) at(i int) *DType {
	if i < len(d.fields) {
		return d.fields[i]
	}
	return nil
}

// ofClass returns d with the scalar class of another dtype, if both were read: dtype((class, d)).
func (d *DType) ofClass(other *DType) *DType {
	if d.made == nil || other.made == nil {
		return d
	}
	class, ok := other.made.Args.Items[0].(*pickle.Global)
	if !ok {
		return d
	}
	c, made := *d, *d.made
	made.Args = tuple(append([]any{class}, made.Args.Items[1:]...)...)
	if items, ok := tupleOf(made.State, stateFlags+1, stateMetadata+1); ok { // an aligned struct would have another
		items = append([]any(nil), items...)
		items[stateAlignment] = int64(1)
		made.State = tuple(items...)
	}
	c.made = &made
	return &c
}

// field returns the dtype of the elements of a field; for subarrays, of their elements.
func (d *DType) field(name string) *DType {
	for i := range d.fields {
		if d.Type.Field(i).Name != name {
			continue
		}
		f := d.fields[i]
		for f != nil && f.Type.IsSubarray() {
			f = f.base
		}
		return f
	}
	return nil
}
