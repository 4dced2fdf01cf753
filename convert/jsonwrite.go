package convert

import (
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/jsontext"
)

func jsonConverter() Converter {
	return Converter{
		Format: JSON, Endings: []string{".json"},
		Kept:  "all values, any number of dimensions, records with the names of their fields, nested ones too",
		Lost:  []Loss{dtypeLoss(jsonDType), emptyShapeLoss(), detailLoss()},
		Write: textWriter(writeJSON),
		Read:  readWhole(readJSON),
	}
}

func ndjsonConverter() Converter {
	c := jsonConverter()
	c.Format, c.Endings = NDJSON, []string{".ndjson", ".jsonl"}
	c.Lost = append(c.Lost, Loss{"that there is no axis", func(_ dtype.Type, shape []int) bool { return len(shape) == 0 }})
	c.Write, c.Read = textWriter(writeNDJSON), readNDJSON
	return c
}

// writeJSON writes nested lists, a line for each list of values and for each record.
func writeJSON(out *output, a Content, o WriteOptions) error {
	if err := writeLists(out, a, newObjectWriter(o), 0, len(a.shape)); err != nil {
		return err
	}
	out.buf = append(out.buf, '\n')
	return nil
}

// writeNDJSON writes a line for everything along the first axis.
func writeNDJSON(out *output, a Content, o WriteOptions) error {
	if len(a.shape) == 0 {
		a.shape = []int{1}
	}
	return writeLists(out, a, newObjectWriter(o), 1, 0)
}

// A jsonState writes the elements of an array of some dimensions with the brackets and line breaks around them.
type jsonState struct {
	*output
	format elem.FormatFunc
	shape  []int
	index  []int // of the next element
	first  int   // axis of the outermost list; the axis before it, if any, is lines
	breaks int   // how many axes have a line break between their items
}

// writeLists writes a as lists, from those of axis first on, and breaks lines between the items of so many of the outer
// axes.
func writeLists(out *output, a Content, w *objectWriter, first, breaks int) error {
	f, err := formatsOf(a, w.texts, w.json)
	if err != nil {
		return err
	}
	format, err := f.json(a.dtype)
	if err != nil {
		return err
	}
	j := &jsonState{output: out, format: format, shape: a.shape, index: make([]int, len(a.shape)), first: first, breaks: breaks - 1}
	if a.dtype.IsStruct() && breaks > 0 {
		j.breaks++
	}
	if a.size() == 0 {
		j.empty(0)
		return nil
	}
	return eachItem(a, j.item)
}

// item writes one element, the brackets that open before it and those that close behind it.
func (j *jsonState) item(item []byte) error {
	open := len(j.index) // the outermost axis whose list begins here
	for open > 0 && j.index[open-1] == 0 {
		open--
	}
	for axis := max(open, j.first); axis < len(j.index); axis++ {
		j.buf = append(j.buf, '[')
	}
	var err error
	if j.buf, err = j.format(j.buf, item); err != nil {
		return err
	}
	for axis := len(j.index) - 1; axis >= 0; axis-- {
		if j.index[axis]++; j.index[axis] < j.shape[axis] {
			j.separate(axis)
			break
		}
		j.index[axis] = 0
		j.close(axis)
	}
	return j.pass()
}

// separate stands between two items of an axis.
func (j *jsonState) separate(axis int) {
	if axis < j.first {
		j.buf = append(j.buf, '\n')
		return
	}
	j.buf = append(j.buf, ',')
	if axis < j.breaks {
		j.buf = append(j.buf, '\n')
		for range axis + 1 {
			j.buf = append(j.buf, ' ')
		}
	}
}

func (j *jsonState) close(axis int) {
	if axis < j.first {
		j.buf = append(j.buf, '\n')
		return
	}
	j.buf = append(j.buf, ']')
}

// empty writes the lists of an array without elements. checkVolume has counted them.
func (j *jsonState) empty(axis int) {
	if axis == len(j.shape) {
		return
	}
	if axis >= j.first {
		j.buf = append(j.buf, '[')
	}
	for i := range j.shape[axis] {
		if i > 0 {
			j.separate(axis)
		}
		j.empty(axis + 1)
	}
	if axis >= j.first || j.shape[axis] > 0 {
		j.close(axis)
	}
}

// json returns the function that writes an element of any dtype.
func (f *formats) json(t dtype.Type) (elem.FormatFunc, error) {
	switch {
	case t.IsSubarray():
		return f.jsonSubarray(t.SubShape(), t.Elem())
	case t.IsStruct():
		return f.jsonObject(t)
	}
	format, err := f.at(t, f.next)
	f.next++
	switch {
	case err != nil:
		return nil, fmt.Errorf("convert: %w", err)
	case t.Kind() == dtype.KindBool, t.Kind() == dtype.KindObject:
		return format, nil
	case jsonNumber(t):
		return numberFormat(format), nil
	}
	return stringFormat(format), nil
}

// jsonNumber reports whether the values of t are JSON numbers.
func jsonNumber(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindTimedelta:
		return true
	case dtype.KindDatetime:
		return t.Step().Unit == dtype.Generic
	case dtype.KindVoid:
		return elem.IsNamedNumber(t)
	}
	return false
}

// numberFormat replaces what JSON has no number for. Alone those texts end in a letter.
func numberFormat(format elem.FormatFunc) elem.FormatFunc {
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		dst, err := format(dst, item)
		if err != nil {
			return dst, err
		}
		return jsontext.CloseNumber(dst, start), nil
	}
}

func stringFormat(format elem.FormatFunc) elem.FormatFunc {
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		dst, err := format(append(dst, '"'), item)
		if err != nil {
			return dst[:start], err
		}
		return jsontext.CloseString(dst, start), nil
	}
}

// A member is a field of an object with its key as it is written.
type member struct {
	key        []byte // {"a": or ,"b":
	start, end int
	format     elem.FormatFunc
}

func (f *formats) jsonObject(t dtype.Type) (elem.FormatFunc, error) {
	var members []member
	for i, field := range t.Fields() {
		if !utf8.ValidString(field.Name) {
			return nil, fmt.Errorf("convert: field name %q is not Unicode text; rename it", field.Name)
		}
		format, err := f.json(field.DType)
		if err != nil {
			return nil, err
		}
		key := append(jsontext.AppendString([]byte{"{,"[min(i, 1)]}, field.Name), ':')
		members = append(members, member{key, field.Offset, field.Offset + field.DType.ItemSize(), format})
	}
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		if len(members) == 0 {
			dst = append(dst, '{')
		}
		for i := range members {
			m := &members[i]
			var err error
			if dst, err = m.format(append(dst, m.key...), item[m.start:m.end]); err != nil {
				return dst[:start], fmt.Errorf("field %s: %w", t.Field(i).Name, err)
			}
		}
		return append(dst, '}'), nil
	}, nil
}

// jsonSubarray returns the function that writes nested lists of elements.
func (f *formats) jsonSubarray(shape []int, t dtype.Type) (elem.FormatFunc, error) {
	if len(shape) == 0 {
		return f.json(t)
	}
	format, err := f.jsonSubarray(shape[1:], t)
	if err != nil {
		return nil, err
	}
	size := t.ItemSize()
	for _, n := range shape[1:] {
		size *= n
	}
	return func(dst, item []byte) ([]byte, error) {
		dst = append(dst, '[')
		for i := range shape[0] {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = format(dst, item[i*size:(i+1)*size]); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}, nil
}
