// Package typetext writes the type of an array's elements as source code: a Go, C or Rust program or a Python script that declares
// the type and reads the file. Names of fields become valid, unique identifiers, and text of the file appears only in
// quotes, escaped, so that it cannot end a comment or a string.
package typetext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
)

// An Array is an array in a file, for which code is written.
type Array struct {
	Path         string // of the file that the code reads
	Member       string // of the archive Path, "" if Path is an .npy file
	DType        dtype.Type
	Shape        []int
	FortranOrder bool
	Name         string // of the type; "" for one after the file or the member
}

// A language writes the code of one programming language.
type language struct {
	names naming
	write func(*writer)
}

var languages = map[string]language{
	"go":     {goNames, writeGo},
	"c":      {cNames, writeC},
	"rust":   {rustNames, writeRust},
	"python": {pythonNames, writePython},
}

// Languages returns the names of the languages, the default first.
func Languages() []string { return []string{"go", "c", "rust", "python"} }

// CheckName returns an error if a type of the language cannot have this name.
func CheckName(lang, name string) error {
	if n := languages[lang].names; !n.valid(name) {
		return fmt.Errorf("%q cannot be the name of a type in %s", name, n.language)
	}
	return nil
}

// Code returns the source code for an array in one of the [Languages]. Types that contain Python objects are an error.
func Code(lang string, a Array) ([]byte, error) {
	if a.DType.HasObject() {
		return nil, fmt.Errorf("dtype %s has Python objects, which are a pickle in the file and no type; 'npy pickle' and 'npy show' read them", a.DType)
	}
	l := languages[lang]
	w := &writer{Array: a, names: l.names, types: unique{reserved: l.names.reserved}}
	w.typeName = w.types.add(cmp.Or(a.Name, cut(l.names.typeName(w.stem()))))
	if a.DType.IsStruct() {
		w.collect(w.typeName, a.DType)
	}
	l.write(w)
	return w.out, nil
}

// A writer holds the code so far.
type writer struct {
	Array
	names    naming
	types    unique
	typeName string
	records  []*record // inner structs before outer structs
	out      []byte
}

func (w *writer) printf(format string, args ...any) { w.out = fmt.Appendf(w.out, format, args...) }

// stem returns the name of the array: the member, or the file without folder and ending.
func (w *writer) stem() string {
	name := w.Member
	if name == "" {
		name = w.Path[strings.LastIndexAny(w.Path, `/\`)+1:]
	}
	return strings.TrimSuffix(name, ".npy")
}

// about describes the array in one line, for a comment.
func (w *writer) about() string {
	return fmt.Sprintf("%s: shape %s, %s order, item size %d", quoted(w.source()), tuple(w.Shape), w.order(), w.DType.ItemSize())
}

func (w *writer) order() string {
	if w.FortranOrder {
		return "Fortran"
	}
	return "C"
}

// source is the array as the command names it.
func (w *writer) source() string {
	if w.Member == "" {
		return w.Path
	}
	return w.Path + ":" + w.Member
}

// size returns the number of elements.
func (w *writer) size() uint64 {
	n := uint64(1)
	for _, d := range w.Shape {
		n *= uint64(d)
	}
	return n
}

// A record is a struct of the code.
type record struct {
	name    string
	dtype   dtype.Type
	members []member
}

// A member is one field of a record, or the bytes between two fields.
type member struct {
	name   string // the identifier
	field  dtype.Field
	elem   dtype.Type // of the field, or of its subarray
	shape  []int      // of the subarray
	record *record    // the type of elem, if that is a struct
	gap    bool       // the bytes have no name in the dtype
}

// end is the offset of the byte after the member.
func (m member) end() int { return m.field.Offset + m.field.DType.ItemSize() }

// collect appends the records of a struct, inner ones first, and returns its own.
func (w *writer) collect(name string, t dtype.Type) *record {
	r := &record{name: name, dtype: t}
	used := unique{reserved: w.names.reserved}
	end := 0
	for _, f := range t.Fields() {
		m := member{name: used.add(cut(w.names.fieldName(f.Name))), field: f}
		m.elem, m.shape = plain(f.DType)
		if m.elem.IsStruct() {
			m.record = w.collect(w.types.add(cut(w.names.nested(name, m.name))), m.elem)
		}
		if f.Offset > end {
			r.members = append(r.members, gap(end, f.Offset))
		}
		r.members = append(r.members, m)
		end = m.end()
	}
	if end < t.ItemSize() {
		r.members = append(r.members, gap(end, t.ItemSize()))
	}
	for i := range r.members {
		if m := &r.members[i]; m.gap {
			m.name = used.add(fmt.Sprintf("pad_%d", m.field.Offset))
		}
	}
	w.records = append(w.records, r)
	return r
}

// cut shortens an identifier: C needs to distinguish no more than 63 bytes, and the names of structs in structs in
// structs would grow with their depth.
func cut(name string) string {
	const most = 50
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "")
}

// plain returns the type of the elements of a subarray and its dimensions; t itself and none for other types.
func plain(t dtype.Type) (elem dtype.Type, shape []int) {
	for t.IsSubarray() {
		shape = append(shape, t.SubShape()...)
		t = t.Elem()
	}
	return t, shape
}

func gap(from, to int) member {
	t := dtype.Void(to - from)
	return member{field: dtype.Field{DType: t, Offset: from}, elem: t, gap: true}
}

// hasGaps reports whether a record has bytes without a name.
func (r *record) hasGaps() bool {
	return slices.ContainsFunc(r.members, func(m member) bool { return m.gap || m.record != nil && m.record.hasGaps() })
}

// tuple prints a shape as Python does.
func tuple(shape []int) string {
	if len(shape) == 1 {
		return fmt.Sprintf("(%d,)", shape[0])
	}
	return "(" + joined(shape, ", ") + ")"
}

func joined(shape []int, separator string) string {
	var b strings.Builder
	for i, n := range shape {
		if i > 0 {
			b.WriteString(separator)
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}
