// Package dtypetext prints dtypes as Python does: str and repr of a numpy.dtype (numpy/_core/_dtype.py, numpy 2.5).
// They differ from the descr in a file.
package dtypetext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/pylit"
)

// A Note holds the properties of a struct that a dtype.Type lacks. nil holds none.
type Note struct {
	Aligned bool    // made with align=True
	Class   string  // the class of its scalars: numpy.record; "" for numpy.void
	Fields  []*Note // of the fields
	Base    *Note   // of the elements of a subarray
}

// Str returns str(dtype).
func Str(t dtype.Type, n *Note) string {
	switch {
	case t.IsStruct():
		return structText(t, n, true)
	case t.IsSubarray():
		return subarray(t, n)
	case isFlexible(t), !t.IsNative():
		return t.Descr()
	}
	return t.Name()
}

// Repr returns repr(dtype).
func Repr(t dtype.Type, n *Note) string {
	text := construction(t, n, false)
	if n != nil && n.Aligned {
		text += ", align=True"
	}
	return "dtype(" + text + ")"
}

// isFlexible reports whether a dtype has a size that its name does not show.
func isFlexible(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindBytes, dtype.KindStr, dtype.KindVoid:
		return true
	}
	return false
}

// construction returns the arguments with which numpy.dtype makes the dtype (_construction_repr).
func construction(t dtype.Type, n *Note, short bool) string {
	switch {
	case t.IsStruct():
		return structText(t, n, false)
	case t.IsSubarray():
		return subarray(t, n)
	}
	return simple(t, short)
}

// simple returns the text of a dtype without parts (_scalar_str).
func simple(t dtype.Type, short bool) string {
	order := ""
	if t.ItemSize() > 1 && t.Kind() != dtype.KindBytes && t.Kind() != dtype.KindVoid && t.Kind() != dtype.KindObject {
		order = t.ByteOrder().String()
	}
	size := t.ItemSize()
	if name := t.Name(); !strings.HasPrefix(name, t.Kind().String()) { // one of ml_dtypes
		return name
	}
	switch t.Kind() {
	case dtype.KindBool:
		if short {
			return "'?'"
		}
		return "'bool'"
	case dtype.KindObject:
		return "'O'"
	case dtype.KindStr:
		return "'" + t.ByteOrder().String() + "U" + count(size/4) + "'"
	case dtype.KindBytes, dtype.KindVoid:
		return fmt.Sprintf("'%c%s'", t.Kind(), count(size))
	case dtype.KindDatetime, dtype.KindTimedelta:
		return "'" + t.Descr() + "'"
	}
	if short || !t.IsNative() {
		return fmt.Sprintf("'%s%c%d'", order, t.Kind(), size)
	}
	return "'" + t.Name() + "'"
}

// count returns a number, and nothing for 0.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// subarray returns the base and the shape (_subarray_str).
func subarray(t dtype.Type, n *Note) string {
	var base *Note
	if n != nil {
		base = n.Base
	}
	return "(" + construction(t.Elem(), base, true) + ", " + shape(t) + ")"
}

func shape(t dtype.Type) string { return string(pylit.AppendInts(nil, t.SubShape())) }

// structText returns the text of a struct (_struct_str): a list of its fields, or a dict if a list would give them
// other offsets.
func structText(t dtype.Type, n *Note, includeAlign bool) string {
	aligned := n != nil && n.Aligned
	text := ""
	if !(includeAlign && aligned) && isPacked(t, n) {
		text = list(t, n)
	} else {
		text = dict(t, n, includeAlign && aligned)
	}
	if n != nil && n.Class != "" {
		return "(" + n.Class + ", " + text + ")"
	}
	return text
}

// isPacked reports whether a list of the fields makes the same struct (_is_packed).
func isPacked(t dtype.Type, n *Note) bool {
	aligned := n != nil && n.Aligned
	end, most := 0, 1
	for i := range t.NumField() {
		f := t.Field(i)
		if aligned {
			step := alignment(f.DType, n.field(i))
			end, most = roundUp(end, step), max(most, step)
		}
		if f.Offset != end {
			return false
		}
		end += f.DType.ItemSize()
	}
	if aligned {
		end = roundUp(end, most)
	}
	return end == t.ItemSize()
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// alignment returns the alignment of a dtype in memory, as in C on 64 bits.
func alignment(t dtype.Type, n *Note) int {
	switch {
	case t.IsSubarray():
		if n != nil {
			return alignment(t.Elem(), n.Base)
		}
		return alignment(t.Elem(), nil)
	case t.IsStruct():
		most := 1
		for i := 0; n != nil && n.Aligned && i < t.NumField(); i++ {
			most = max(most, alignment(t.Field(i).DType, n.field(i)))
		}
		return most
	case t.Kind() == dtype.KindStr:
		return 4
	case isFlexible(t):
		return 1
	case t.Kind() == dtype.KindComplex:
		return max(t.ItemSize()/2, 1)
	}
	return max(t.ItemSize(), 1)
}

// field returns the note of the i-th field.
func (n *Note) field(i int) *Note {
	if n == nil || i >= len(n.Fields) {
		return nil
	}
	return n.Fields[i]
}

// list returns a struct as a list of tuples (_struct_list_str).
func list(t dtype.Type, n *Note) string {
	items := make([]string, t.NumField())
	for i := range items {
		f := t.Field(i)
		name := quote(f.Name)
		if f.Title != "" {
			name = "(" + quote(f.Title) + ", " + name + ")"
		}
		items[i] = "(" + name + ", " + construction(f.DType, n.field(i), true) + ")"
		if f.DType.IsSubarray() {
			items[i] = "(" + name + ", " + strings.TrimPrefix(construction(f.DType, n.field(i), true), "(")
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// dict returns a struct as a dict of lists (_struct_dict_str).
func dict(t dtype.Type, n *Note, aligned bool) string {
	var names, formats, offsets, titles []string
	hasTitles := false
	for i := range t.NumField() {
		f := t.Field(i)
		names = append(names, quote(f.Name))
		formats = append(formats, construction(f.DType, n.field(i), true))
		offsets = append(offsets, strconv.Itoa(f.Offset))
		title := "None"
		if f.Title != "" {
			title, hasTitles = quote(f.Title), true
		}
		titles = append(titles, title)
	}
	text := "{'names': [" + strings.Join(names, ", ") + "], 'formats': [" + strings.Join(formats, ", ") + "], 'offsets': [" + strings.Join(offsets, ", ")
	if hasTitles {
		text += "], 'titles': [" + strings.Join(titles, ", ")
	}
	text += "], 'itemsize': " + strconv.Itoa(t.ItemSize())
	if aligned {
		text += ", 'aligned': True"
	}
	return text + "}"
}

// quote returns Python's repr of a name.
func quote(s string) string { return string(pylit.AppendRepr(nil, s)) }
