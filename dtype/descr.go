package dtype

import (
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/internal/pylit"
)

// ParseDescr reads a descr as it stands in the header of a file, a Python literal (numpy.lib.format.descr_to_dtype,
// numpy 2.x): a quoted string that [Parse] accepts, a list of fields, or a tuple of a descr and a shape. A field is
// (name, descr) or (name, descr, shape), where the name may be a tuple (title, name). Unnamed void fields are padding
// and become gaps between offsets. Errors are of type [*Error].
func ParseDescr(literal string) (Type, error) {
	v, err := pylit.Options{Long: true}.Parse(literal)
	if err != nil {
		e := err.(*pylit.Error)
		return Type{}, invalid(e.Offset, "", "not a Python literal: %s", e.Msg)
	}
	return fromLiteral(v)
}

// fromLiteral converts a parsed descr to a Type. The nesting limit of pylit bounds the recursion.
func fromLiteral(v pylit.Value) (Type, error) {
	switch v.Kind {
	case pylit.String:
		return fromString(v)
	case pylit.List:
		return fromFields(v)
	case pylit.Dict:
		if len(v.Items) == 0 { // numpy.dtype iterates whatever it gets: {} is a list of no fields
			return newStruct(0, nil), nil
		}
	case pylit.Tuple:
		return fromTuple(v)
	}
	return Type{}, notADescr(v)
}

func notADescr(v pylit.Value) error {
	return invalid(v.Start, "", "%s is not a dtype descriptor, want a string, a list of fields or (descr, shape)", v.Repr(echo))
}

// fromString parses the text of a string literal. If the literal has no prefix, escapes or pieces, error offsets point
// into it.
func fromString(v pylit.Value) (Type, error) {
	if isLiteral(v.Str) {
		return Type{}, notADescr(v) // a descr within quotes: Parse takes it, NumPy does not
	}
	t, err := Parse(v.Str)
	if err != nil {
		offset := v.Start + 1
		if v.End-v.Start != len(v.Str)+2 { // a prefix, an escape or several pieces: point at the literal
			return Type{}, &Error{Offset: v.Start, Err: err.(*Error).Err}
		}
		return Type{}, moved(err, offset, "")
	}
	return t, nil
}

// fromTuple reads (descr, shape).
func fromTuple(v pylit.Value) (Type, error) {
	if len(v.Items) < 2 {
		return Type{}, invalid(v.Start, "", "tuple of %d items, want (descr, shape)", len(v.Items))
	}
	base, err := fromLiteral(v.Items[0])
	if err != nil {
		return Type{}, moved(err, 0, ".base")
	}
	return withSecond(base, v.Items[1])
}

// withSecond applies the second item of a tuple (descr, shape or fields). NumPy 1.18 to 1.24 wrote metadata in this
// place and could not read it back: metadata is dropped.
func withSecond(base Type, v pylit.Value) (Type, error) {
	if isMetadata(v) {
		return base, nil
	}
	if v.Kind == pylit.List && (len(v.Items) == 0 || v.Items[0].Kind != pylit.Int) {
		return fromBase(base, v)
	}
	t, err := withShape(base, v)
	if err != nil {
		return Type{}, moved(err, 0, ".shape")
	}
	return t, nil
}

// isMetadata distinguishes metadata from a dict of fields, whose values are tuples.
func isMetadata(v pylit.Value) bool {
	for i := 1; i < len(v.Items); i += 2 {
		if v.Items[i].Kind == pylit.Tuple || v.Items[i].Kind == pylit.List {
			return false
		}
	}
	return v.Kind == pylit.Dict && len(v.Items) > 0
}

// fromBase reads ('<i4', [fields]): fields laid over a base type, which NumPy stores as the plain struct. NumPy accepts
// only tuples as these fields, and would name fields that have no name.
func fromBase(base Type, fields pylit.Value) (Type, error) {
	for _, f := range fields.Items {
		if f.Kind != pylit.Tuple || len(f.Items) == 0 || f.Items[0].Kind == pylit.String && f.Items[0].Str == "" {
			return Type{}, invalid(f.Start, "", "%s is not a named field", f.Repr(echo))
		}
	}
	t, err := fromFields(fields)
	switch {
	case err != nil:
		return Type{}, err
	case t.size != base.size && base.size != 0:
		return Type{}, invalid(fields.Start, "", "fields of %d bytes do not fit a base type of %d bytes", t.size, base.size)
	case t.HasObject() || base.HasObject():
		return Type{}, invalid(fields.Start, "", "fields over a base type cannot contain Python objects")
	}
	return t, nil
}

// withShape makes a subarray of t. The shape () returns t. For an unsized string or void, an integer is the size, as in
// numpy.dtype(('S', 4)). The shape 1 means (1,), as in NumPy 2.5; older versions drop it and warn.
func withShape(t Type, v pylit.Value) (Type, error) {
	dims := []pylit.Value{v}
	switch v.Kind {
	case pylit.Tuple, pylit.List:
		dims = v.Items
	case pylit.Int:
		if t.size == 0 && t.ext == nil && v.Big == nil {
			return sizeFrom(t, v)
		}
	}
	shape := make([]int, 0, min(len(dims), MaxDims))
	for _, d := range dims {
		switch {
		case d.Kind != pylit.Int:
			return Type{}, invalid(d.Start, "", "invalid shape %s in a subarray, want integers", v.Repr(echo))
		case d.Int < 0 || d.Big != nil && d.Big.Sign() < 0:
			return Type{}, invalid(d.Start, "", "negative dimension %s in a subarray", d.Repr(echo))
		case d.Big != nil || d.Int > MaxItemSize:
			return Type{}, invalid(d.Start, "", "dimension %s in a subarray is over %d", d.Repr(echo), MaxItemSize)
		}
		shape = append(shape, int(d.Int))
	}
	t, err := subarray(t, shape)
	if err != nil {
		return Type{}, &Error{Offset: v.Start, Err: err}
	}
	return t, nil
}

func sizeFrom(t Type, v pylit.Value) (Type, error) {
	sized, err := sizedType(byte(t.kind), v.Int)
	if err != nil {
		return Type{}, invalid(v.Start, "", "%w: %d", err, v.Int)
	}
	return sized.WithByteOrder(t.order), nil
}

// fromFields reads a list of fields. The size of the struct is the sum of its parts, padding included.
func fromFields(v pylit.Value) (Type, error) {
	fields := make([]Field, 0, len(v.Items))
	items := make([]int, 0, len(v.Items)) // the position of each field in the list
	size := 0
	for i, item := range v.Items {
		f, err := fromField(item)
		if err != nil {
			return Type{}, moved(err, 0, "["+strconv.Itoa(i)+"]")
		}
		if size > MaxItemSize-f.DType.ItemSize() {
			return Type{}, invalid(item.Start, "["+strconv.Itoa(i)+"]", "struct is larger than %d bytes", MaxItemSize)
		}
		f.Offset = size
		size += f.DType.ItemSize()
		if !isPadding(f) {
			fields, items = append(fields, f), append(items, i)
		}
	}
	if i, err := checkNames(fields); err != nil {
		at := items[i]
		return Type{}, &Error{Offset: v.Items[at].Start, Path: "[" + strconv.Itoa(at) + "]", Err: err}
	}
	return newStruct(size, fields), nil
}

// isPadding reports whether f is padding, as in descr_to_dtype: an unnamed void without fields of its own. A real field
// like this one is lost when NumPy reads its own file back.
func isPadding(f Field) bool {
	named := f.Name != "" || f.Title != "" || f.titleText != ""
	return !named && f.DType.kind == KindVoid && !f.DType.IsStruct() && (f.DType.ext == nil || f.DType.ext.name == "")
}

// fromField reads (name, descr) or (name, descr, shape). Like NumPy, which unpacks any sequence, it also accepts a list
// or a string of two characters.
func fromField(v pylit.Value) (Field, error) {
	parts := v.Items
	switch {
	case v.Kind == pylit.String && utf8.RuneCountInString(v.Str) == 2:
		_, n := utf8.DecodeRuneInString(v.Str)
		t, err := Parse(v.Str[n:])
		if err != nil {
			return Field{}, &Error{Offset: v.Start, Err: err.(*Error).Err}
		}
		return Field{Name: v.Str[:n], DType: t}, nil
	case v.Kind != pylit.Tuple && v.Kind != pylit.List, len(parts) < 2, len(parts) > 3:
		return Field{}, invalid(v.Start, "", "field %s is not (name, descr) or (name, descr, shape)", v.Repr(echo))
	}
	f, err := fieldName(parts[0])
	if err != nil {
		return Field{}, err
	}
	if f.DType, err = fromLiteral(parts[1]); err != nil {
		return Field{}, err
	}
	if len(parts) == 3 {
		if f.DType, err = withSecond(f.DType, parts[2]); err != nil {
			return Field{}, err
		}
	}
	return f, nil
}

// fieldName reads a name or a tuple (title, name). A title can be any literal that Python prints as one literal; None
// means no title.
func fieldName(v pylit.Value) (Field, error) {
	name, f := v, Field{}
	if v.Kind == pylit.Tuple && len(v.Items) == 2 {
		title := v.Items[0]
		name = v.Items[1]
		switch {
		case title.Kind == pylit.None:
		case title.Kind == pylit.String && title.Str != "":
			f.Title = title.Str
		default:
			f.titleText = title.Repr(0)
			if _, err := pylit.Parse(f.titleText); err != nil { // the repr of Ellipsis or inf is not a literal
				return Field{}, invalid(title.Start, ".title", "title %s is not a literal and could not be read back", title.Repr(echo))
			}
		}
	}
	if name.Kind != pylit.String {
		return Field{}, invalid(name.Start, ".name", "field name %s is not a string", name.Repr(echo))
	}
	f.Name = name.Str
	return f, nil
}

// Descr returns the type as NumPy spells it in a file: dtype.str for plain types, the list of dtype.descr for structs,
// in which unnamed voids fill the gaps, and a tuple for subarrays:
//
//	<f8
//	[('x', '<f8'), ('', '|V4')]
//	('<i4', (2, 3))
//
// [Parse] reads each of these back. Types of ml_dtypes have NumPy's code ("<V2" for bfloat16), so a file does not keep
// their name.
func (t Type) Descr() string {
	if t.ext != nil && t.ext.name == "" {
		return string(t.AppendDescr(nil))
	}
	return string(t.appendCode(nil))
}

// AppendDescr appends the Python literal of t as it appears in a header: [Type.Descr], in quotes if it is a string.
func (t Type) AppendDescr(dst []byte) []byte { return t.appendLiteral(dst, Type.appendCode) }

// appendLiteral appends the descr of t. The function code appends the code of each plain type.
func (t Type) appendLiteral(dst []byte, code func(Type, []byte) []byte) []byte {
	switch {
	case t.IsStruct():
		return t.appendFields(dst, code)
	case t.IsSubarray():
		dst = append(dst, '(')
		dst = t.ext.base.appendLiteral(dst, code)
		dst = append(dst, ", "...)
		dst = pylit.AppendInts(dst, t.ext.shape)
		return append(dst, ')')
	}
	dst = append(dst, '\'')
	dst = code(t, dst)
	return append(dst, '\'')
}

// appendCode appends dtype.str: byte order, letter, size and step.
func (t Type) appendCode(dst []byte) []byte {
	dst = append(dst, byte(t.order), byte(t.kind))
	switch t.kind {
	case KindObject:
		return dst
	case KindStr:
		dst = strconv.AppendInt(dst, int64(t.size)/4, 10)
	default:
		dst = strconv.AppendInt(dst, int64(t.size), 10)
	}
	if t.step.Unit != Generic {
		dst = append(dst, '[')
		dst = append(dst, t.step.String()...)
		dst = append(dst, ']')
	}
	return dst
}

// appendFields writes gaps between fields as unnamed voids, which restores the offsets when the file is read.
func (t Type) appendFields(dst []byte, code func(Type, []byte) []byte) []byte {
	dst = append(dst, '[')
	end := 0
	for _, f := range t.ext.fields {
		dst = appendGap(dst, f.Offset-end)
		dst = f.appendTo(dst, code)
		dst = append(dst, ", "...)
		end = f.Offset + f.DType.ItemSize()
	}
	dst = appendGap(dst, int(t.size)-end)
	if dst[len(dst)-1] != '[' {
		dst = dst[:len(dst)-2]
	}
	return append(dst, ']')
}

func appendGap(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	dst = append(dst, "('', '|V"...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, "'), "...)
}

func (f Field) appendTo(dst []byte, code func(Type, []byte) []byte) []byte {
	dst = append(dst, '(')
	dst = f.appendName(dst)
	dst = append(dst, ", "...)
	dst = f.DType.Elem().appendLiteral(dst, code)
	if f.DType.IsSubarray() {
		dst = append(dst, ", "...)
		dst = pylit.AppendInts(dst, f.DType.ext.shape)
	}
	return append(dst, ')')
}

func (f Field) appendName(dst []byte) []byte {
	if f.Title == "" && f.titleText == "" {
		return pylit.AppendRepr(dst, f.Name)
	}
	dst = append(dst, '(')
	if f.Title != "" {
		dst = pylit.AppendRepr(dst, f.Title)
	} else {
		dst = append(dst, f.titleText...)
	}
	dst = append(dst, ", "...)
	dst = pylit.AppendRepr(dst, f.Name)
	return append(dst, ')')
}
