package typetext

import (
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// writeGo writes a program that loads the file, structs with package record and other elements with package npy.
func writeGo(w *writer) {
	body := &writer{Array: w.Array, typeName: w.typeName, records: w.records}
	uses := map[string]bool{}
	body.goTypes(uses)
	body.goLoad(uses)
	body.printf(`
func main() {
	data, shape, err := load()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("shape:", shape)
	if len(data) > 0 {
		fmt.Printf("first: %%+v\n", data[0])
	}
}
`)
	w.printf("package main\n\nimport (\n\"fmt\"\n\"log\"\n\n")
	for _, path := range []string{"npy", "npy/npz", "npy/record", "npy/scalar"} {
		if uses[path] {
			w.printf("%q\n", "github.com/npygo/"+path)
		}
	}
	w.printf(")\n\n")
	w.out = append(w.out, body.out...)
	if text, err := format.Source(w.out); err == nil {
		w.out = text
	}
}

// goTypes writes the types, the outermost first.
func (w *writer) goTypes(uses map[string]bool) {
	w.printf("// %s is an element of %s.\n", w.typeName, w.about())
	if !w.DType.IsStruct() {
		w.printf("type %s = %s%s\n\n", w.typeName, goType(w.DType, uses), goNote(w.DType))
		return
	}
	for i, r := range slices.Backward(w.records) {
		if i < len(w.records)-1 {
			w.printf("// %s is an inner struct.\n", r.name)
		} else if r.hasGaps() {
			w.printf("//\n// Its fields have gaps between them in the file, which record.Save does not write.\n")
		}
		w.printf("type %s struct {\n", r.name)
		for _, m := range r.members {
			if m.gap {
				continue
			}
			elem := ""
			if m.record != nil {
				elem = m.record.name
			} else {
				elem = goType(m.elem, uses)
			}
			dims := ""
			for _, n := range m.shape {
				dims += fmt.Sprintf("[%d]", n)
			}
			w.printf("%s %s%s %s%s\n", m.name, dims, elem, goTag(m), goNote(m.elem))
		}
		w.printf("}\n\n")
	}
}

// goType returns the Go type that holds exactly the values of t.
func goType(t dtype.Type, uses map[string]bool) string {
	types := npy.GoTypes(t)
	if len(types) == 0 {
		return "[]byte"
	}
	name := types[0].String()
	if name == "[]uint8" {
		name = "[]byte"
	}
	if strings.HasPrefix(name, "scalar.") {
		uses["npy/scalar"] = true
	}
	return name
}

// goNote describes properties that the Go type lacks, as a comment.
func goNote(t dtype.Type) string {
	switch k := t.Kind(); {
	case k == dtype.KindDatetime:
		return " // ticks of " + t.Step().String() + " since 1970; a time.Time if none is NaT"
	case k == dtype.KindTimedelta:
		return " // ticks of " + t.Step().String()
	case k == dtype.KindFloat && t.ItemSize() == 16:
		return " // as x87; a scalar.Float128 for binary128"
	}
	return ""
}

// goTag returns the tag of a field: its name, its title, and its dtype if the Go type does not determine it.
func goTag(m member) string {
	text := tagText(m.field.Name)
	if m.record == nil && !goDetermines(m.elem) {
		text += "," + tagDescr(m)
	}
	if m.field.Title != "" {
		text += ",title=" + tagText(m.field.Title)
	}
	tag := "npy:" + strconv.Quote(text)
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// goDetermines reports whether the Go type of t has the dtype t, on little-endian machines.
func goDetermines(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindComplex:
		return t.ByteOrder() != dtype.BigEndian && t.ItemSize() != 12 && t.ItemSize() != 24
	}
	return false
}

func tagDescr(m member) string {
	if m.shape == nil {
		return m.elem.Descr()
	}
	return strings.ReplaceAll(tuple(m.shape), " ", "") + m.elem.Descr()
}

// tagText returns a name for a tag, in quotes if it needs them.
func tagText(s string) string {
	if s == "-" || s != strings.TrimSpace(s) || strings.ContainsAny(s, ",'()[]") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

// goLoad writes the function that reads the file.
func (w *writer) goLoad(uses map[string]bool) {
	w.printf("// load reads the elements in C order.\nfunc load() (data []%s, shape []int, err error) {\n", w.typeName)
	from := "npy"
	if w.DType.IsStruct() {
		from = "npy/record"
	}
	switch name := from[strings.LastIndexByte(from, '/')+1:]; {
	case w.Member == "":
		uses[from] = true
		w.printf("return %s.Load[%s](%q)\n", name, w.typeName, w.Path)
	default:
		uses["npy/npz"] = true
		w.printf("z, err := npz.Open(%q)\nif err != nil {\nreturn nil, nil, err\n}\ndefer z.Close()\n", w.Path)
		if name == "npy" {
			w.printf("return npz.Load[%s](z, %q)\n", w.typeName, w.Member)
			break
		}
		uses[from] = true
		w.printf("a, err := z.Array(%q)\nif err != nil {\nreturn nil, nil, err\n}\n", w.Member)
		w.printf("data, err = record.ToSlice[%s](a)\nreturn data, a.Shape(), err\n", w.typeName)
	}
	w.printf("}\n")
}
