package answer

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
)

// root stands for the file itself where an entry is expected: its attributes are the global ones.
const root = -1

const attributesMax = 500 // of an answer

// attributes returns the attributes of an entry, or of the file for root.
func (f *File) attributes(e int) []container.Attribute {
	switch {
	case e == root && f.Global != nil:
		return f.Global()
	case e != root && f.Attributes != nil:
		return f.Attributes(e)
	}
	return nil
}

// values returns the readable attributes of an entry by name.
func (f *File) values(e int) map[string]*npy.Array {
	out := map[string]*npy.Array{}
	for _, a := range f.attributes(e) {
		if a.Err == nil && a.Value != nil {
			out[a.Name] = a.Value
		}
	}
	return out
}

// listAttributes answers "attributes": the attributes of a group, or of the file without the parameter e.
func (a *Answers) listAttributes(ctx context.Context, q url.Values, w Writer) error {
	f, i, err := a.file(q)
	if err != nil {
		return err
	}
	open, state, done, err := f.use(ctx, false)
	if err != nil {
		return err
	}
	defer done()
	e, err := number(q, "e", 0, len(open.Entries)-1, root)
	if err != nil {
		return &Error{404, err}
	}
	tag, err := etag(q, state)
	if err != nil {
		return err
	}
	name := ""
	if e != root {
		name = open.Entries[e].Path
	}
	return writeJSON(w, tag, map[string]any{"f": i, "path": name, "file": f.Name, "kind": open.Kind, "attributes": describeAttributes(open.attributes(e))})
}

// describeAttributes returns attributes as the page shows them.
func describeAttributes(all []container.Attribute) []describedAttribute {
	out := []describedAttribute{}
	for _, at := range all[:min(len(all), attributesMax)] {
		value := ""
		switch {
		case at.Err != nil:
			value = at.Err.Error()
		case at.Value != nil && at.Value.Size() == 1 && textOf(at.Value) != "":
			value = cut(textOf(at.Value), 500)
		case at.Value != nil:
			value = cut(arrayText(at.Value), 500)
		}
		out = append(out, describedAttribute{cut(at.Name, 200), value})
	}
	return out
}

const textsMax = 1000 // of an attribute

// textsOf returns the texts of an attribute, none of other values.
func textsOf(a *npy.Array) (out []string) {
	if a == nil {
		return nil
	}
	n := min(a.Size(), textsMax)
	switch a.DType().Kind() {
	case dtype.KindObject:
		all, err := a.Objects()
		if err != nil {
			return nil
		}
		for _, x := range all[:n] {
			text, ok := x.(string)
			if !ok {
				return nil
			}
			out = append(out, text)
		}
	case dtype.KindBytes:
		data, size := a.Contiguous().Bytes(), a.DType().ItemSize()
		for i := range n {
			out = append(out, strings.ToValidUTF8(strings.TrimRight(string(data[i*size:(i+1)*size]), "\x00"), "\ufffd"))
		}
	case dtype.KindStr:
		text := texts(a, wholeMax)
		for i := range n {
			one, _ := text(i)
			out = append(out, one)
		}
	}
	return out
}

// textOf returns the only text of an attribute, or "".
func textOf(a *npy.Array) string {
	if all := textsOf(a); len(all) == 1 {
		return all[0]
	}
	return ""
}

// realsOf returns the numbers of an attribute, none of other values.
func realsOf(a *npy.Array) []float64 {
	if a == nil {
		return nil
	}
	read := codec.RealsOf(a.DType())
	if read == nil {
		return nil
	}
	var buf codec.Buffer
	return append([]float64{}, read(&buf, a.Contiguous().Bytes())...)
}

// A meaning is what attributes say of the elements of an array, for people.
type meaning struct {
	Label    string `json:"label"` // long_name, or standard_name
	Units    string `json:"units"`
	Calendar string `json:"calendar"`
}

// meaningOf returns the meaning of the elements of an array with some attributes.
func meaningOf(at map[string]*npy.Array) meaning {
	m := meaning{Label: textOf(at["long_name"]), Units: cut(textOf(at["units"]), 100), Calendar: cut(textOf(at["calendar"]), 40)}
	if m.Label == "" {
		m.Label = strings.ReplaceAll(textOf(at["standard_name"]), "_", " ")
	}
	m.Label = cut(m.Label, 200)
	return m
}

// paths returns the entries by path.
func (f *File) paths() map[string]int {
	out := make(map[string]int, len(f.Entries))
	for i, e := range f.Entries {
		if _, ok := out[e.Path]; !ok {
			out[e.Path] = i
		}
	}
	return out
}

// parentOf returns the path of the group of an entry, "" for the root.
func parentOf(name string) string {
	if dir := path.Dir(name); dir != "." && dir != "/" {
		return dir
	}
	return ""
}

// find returns the entry that a name in a group stands for, as netCDF has it: in the group, or else in the nearest group around it.
func find(paths map[string]int, group, name string) (int, bool) {
	if strings.HasPrefix(name, "/") {
		group = ""
	}
	for {
		if i, ok := paths[strings.TrimPrefix(path.Join(group, name), "/")]; ok {
			return i, true
		}
		if group == "" {
			return 0, false
		}
		group = parentOf(group)
	}
}
