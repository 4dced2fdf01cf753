package answer

import (
	"context"
	"math"
	"net/url"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// listFiles answers "files". A file that has changed is opened again.
func (a *Answers) listFiles(ctx context.Context, q url.Values, w Writer) error {
	type listed struct {
		F       int    `json:"f"`
		Name    string `json:"name"`
		Kind    string `json:"kind"`
		Entries int    `json:"entries"`
		ETag    string `json:"etag"`
		Error   string `json:"error"`
	}
	all := make([]listed, len(a.files))
	states := make([]string, len(a.files))
	for i, f := range a.files {
		all[i] = listed{F: i, Name: f.Name}
		open, state, done, err := f.use(ctx, true)
		states[i], all[i].ETag = state, state
		if err != nil {
			all[i].Error = err.Error()
			states[i] += err.Error()
			continue
		}
		all[i].Kind, all[i].Entries = open.Kind, len(open.Entries)
		done()
	}
	tag, err := etag(q, states...)
	if err != nil {
		return err
	}
	return writeJSON(w, tag, map[string]any{"files": all})
}

const entriesMax = 1000 // of an answer

type listedEntry struct {
	F     int    `json:"f"`
	E     int    `json:"e"`
	Path  string `json:"path"`
	Group bool   `json:"group"`
	DType string `json:"dtype"`
	Kind  string `json:"kind"`
	Shape []int  `json:"shape"`
	Link  string `json:"link,omitempty"`
	Error string `json:"error,omitempty"`
}

// listEntries answers "entries": the entries of one file or of all whose path contains a text.
func (a *Answers) listEntries(ctx context.Context, q url.Values, w Writer) error {
	from, err := number(q, "from", 0, math.MaxInt, 0)
	if err != nil {
		return err
	}
	n, err := number(q, "n", 0, entriesMax, 200)
	if err != nil {
		return err
	}
	low, high := 0, len(a.files)
	if q.Has("f") {
		_, i, err := a.file(q)
		if err != nil {
			return err
		}
		low, high = i, i+1
	}
	text := strings.ToLower(q.Get("q"))
	found := []listedEntry{}
	var states []string
	total := 0
	for i := low; i < high; i++ {
		open, state, done, err := a.files[i].use(ctx, false)
		if err != nil {
			if q.Has("f") {
				return err
			}
			continue
		}
		states = append(states, state)
		for e := range open.Entries {
			x := &open.Entries[e]
			if !strings.Contains(strings.ToLower(x.Path), text) && !strings.Contains(strings.ToLower(a.files[i].Name), text) {
				continue
			}
			if total >= from && len(found) < n {
				found = append(found, listEntry(i, e, x))
			}
			total++
		}
		done()
	}
	tag, err := etag(q, states...)
	if err != nil {
		return err
	}
	return writeJSON(w, tag, map[string]any{"total": total, "entries": found})
}

func listEntry(f, e int, x *container.Entry) listedEntry {
	out := listedEntry{F: f, E: e, Path: x.Path, Group: x.Group, Link: x.Link, Shape: []int{}}
	if x.Err != nil {
		out.Error = x.Err.Error()
	}
	if x.DType.IsValid() {
		out.DType, out.Kind = cut(dtypeName(x.DType), 200), kindOf(x.DType)
		out.Shape = append(out.Shape, x.Shape...)
	}
	return out
}

// dtypeName returns the name of a dtype for people: NumPy's name, and of text the descr, whose number is one of characters and not
// of bits.
func dtypeName(t dtype.Type) string {
	if t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes {
		return strings.TrimPrefix(t.Descr(), "|")
	}
	return cut(t.Name(), 2000)
}

// kindOf returns the kind of elements as the page knows it.
func kindOf(t dtype.Type) string {
	switch {
	case t.HasObject() && !t.IsStruct():
		return "object"
	case t.IsStruct():
		return "record"
	}
	switch t.Kind() {
	case dtype.KindBool:
		return "bool"
	case dtype.KindInt:
		return "int"
	case dtype.KindUint:
		return "uint"
	case dtype.KindFloat:
		return "float"
	case dtype.KindComplex:
		return "complex"
	case dtype.KindDatetime:
		return "datetime"
	case dtype.KindTimedelta:
		return "timedelta"
	case dtype.KindStr:
		return "text"
	case dtype.KindBytes:
		return "bytes"
	}
	if isReal(t) {
		return "float"
	}
	return "void"
}

type describedField struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Kind  string `json:"kind"`
	Shape []int  `json:"shape"`
}

const fieldsMax = 2000 // of an answer

// fieldsOf appends the fields of a struct, nested ones with their path.
func fieldsOf(out []describedField, prefix string, t dtype.Type) []describedField {
	for i := range t.NumField() {
		f := t.Field(i)
		if len(out) >= fieldsMax {
			break
		}
		elem, shape := f.DType, []int{}
		for elem.IsSubarray() {
			shape = append(shape, elem.SubShape()...)
			elem = elem.Elem()
		}
		if elem.IsStruct() && len(shape) == 0 {
			out = fieldsOf(out, prefix+f.Name+".", elem)
			continue
		}
		out = append(out, describedField{prefix + f.Name, cut(dtypeName(elem), 200), kindOf(elem), shape})
	}
	return out
}

type describedAttribute struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// describe answers "array". A file that has changed is opened again.
func (a *Answers) describe(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.target(ctx, q, true)
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	x := s.open.Entries[s.e]
	h := npy.HeaderOf(s.storedSource())
	t := s.src.DType()
	dims := x.Dims
	if s.field != "" {
		dims = nil
	}
	attributes, means := []describedAttribute{}, meaning{}
	if s.field == "" {
		attributes = describeAttributes(s.open.attributes(s.e))
		means = meaningOf(s.open.values(s.e))
	}
	for _, note := range x.Notes {
		attributes = append(attributes, describedAttribute{"note", cut(note, 500)})
	}
	return writeJSON(w, tag, map[string]any{
		"f": s.f, "e": s.e, "path": x.Path, "file": a.files[s.f].Name, "dtype": dtypeName(t), "kind": kindOf(t), "shape": append([]int{}, s.src.Shape()...),
		"fortran": h.FortranOrder, "nbytes": h.NBytes(), "stored": x.Stored, "fields": fieldsOf([]describedField{}, "", t), "dims": append([]string{}, dims...),
		"attributes": attributes, "codec": x.Codec, "chunks": x.Chunks, "etag": s.states[0], "real": isReal(t), "packing": s.packing,
		"label": means.Label, "units": means.Units, "calendar": means.Calendar,
	})
}
