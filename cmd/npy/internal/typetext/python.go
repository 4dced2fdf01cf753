package typetext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
)

// writePython writes a script with a numpy.dtype.
func writePython(w *writer) {
	w.printf("# %s\n", w.about())
	if w.usesML() {
		w.printf("import ml_dtypes\n")
	}
	w.printf("import numpy as np\n\n%s = np.dtype(%s)\n\n", w.typeName, pythonType(w.DType, 0))
	load := fmt.Sprintf("np.load(%s)", pythonString(w.Path))
	if w.Member != "" {
		load += "[" + pythonString(w.Member) + "]"
	}
	if mlDType(w.DType) != "" {
		if w.DType.Kind() != dtype.KindVoid {
			w.printf("# numpy.load does not know the code of this dtype; 'npy cast float32' writes what it reads.\n")
			return
		}
		load += ".view(" + w.typeName + ")" // the file has void
	}
	w.printf("data = %s\nassert data.dtype == %s\nprint(data.shape)\n", load, w.typeName)
}

// usesML reports whether the dtype has a type of ml_dtypes.
func (w *writer) usesML() bool {
	uses := func(m member) bool { return m.record == nil && mlDType(m.elem) != "" }
	return mlDType(w.DType) != "" || slices.ContainsFunc(w.records, func(r *record) bool { return slices.ContainsFunc(r.members, uses) })
}

// mlDType returns the name of a type of ml_dtypes, "" for other types.
func mlDType(t dtype.Type) string {
	switch {
	case t.Kind() == dtype.KindFloat && t.ItemSize() == 1, t.Kind() == dtype.KindComplex && t.ItemSize() == 4:
		return t.Name() // which have a code of their own
	}
	text, err := t.MarshalText()
	if err != nil || t.IsStruct() || t.IsSubarray() || string(text) == t.Descr() {
		return ""
	}
	return string(text)
}

// pythonType returns an argument of numpy.dtype: of structs a list of fields, if they leave no gaps, or else a dict.
func pythonType(t dtype.Type, depth int) string {
	switch name := mlDType(t); {
	case name != "":
		return "ml_dtypes." + name
	case t.IsSubarray():
		elem, shape := plain(t)
		return "(" + pythonType(elem, depth) + ", " + tuple(shape) + ")"
	case !t.IsStruct():
		return "'" + t.Descr() + "'"
	}
	end, packed := 0, true
	for _, f := range t.Fields() {
		packed = packed && f.Offset == end
		end = f.Offset + f.DType.ItemSize()
	}
	if packed && end == t.ItemSize() {
		return pythonFields(t, depth)
	}
	return pythonDict(t, depth)
}

// pythonFields returns the list of fields (name, dtype), one on each line, with the title beside the name.
func pythonFields(t dtype.Type, depth int) string {
	if t.NumField() == 0 {
		return "[]"
	}
	var b strings.Builder
	indent := strings.Repeat("    ", depth)
	b.WriteString("[\n")
	for _, f := range t.Fields() {
		name := pythonString(f.Name)
		if f.Title != "" {
			name = "(" + pythonString(f.Title) + ", " + name + ")"
		}
		elem, shape := plain(f.DType)
		fmt.Fprintf(&b, "%s    (%s, %s", indent, name, pythonType(elem, depth+1))
		if shape != nil {
			b.WriteString(", " + tuple(shape))
		}
		b.WriteString("),\n")
	}
	return b.String() + indent + "]"
}

// pythonDict returns a dict of names, formats, offsets, titles and item size.
func pythonDict(t dtype.Type, depth int) string {
	var names, formats, offsets, titles []string
	titled := false
	for _, f := range t.Fields() {
		names = append(names, pythonString(f.Name))
		formats = append(formats, pythonType(f.DType, depth+1))
		offsets = append(offsets, fmt.Sprint(f.Offset))
		title := "None"
		if f.Title != "" {
			title, titled = pythonString(f.Title), true
		}
		titles = append(titles, title)
	}
	indent := strings.Repeat("    ", depth)
	var b strings.Builder
	list := func(key string, items []string) {
		fmt.Fprintf(&b, "%s    '%s': [%s],\n", indent, key, strings.Join(items, ", "))
	}
	b.WriteString("{\n")
	list("names", names)
	list("formats", formats)
	list("offsets", offsets)
	if titled {
		list("titles", titles)
	}
	fmt.Fprintf(&b, "%s    'itemsize': %d,\n%s}", indent, t.ItemSize(), indent)
	return b.String()
}

// pythonString returns s as a Python literal: dtype.Type.Descr has the names of fields as such.
func pythonString(s string) string {
	t, err := dtype.Struct(-1, dtype.Field{Name: s, DType: dtype.Bool})
	if err != nil {
		return quoted(s)
	}
	return strings.TrimSuffix(strings.TrimPrefix(t.Descr(), "[("), ", '|b1')]")
}
