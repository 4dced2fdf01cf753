package container_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// facts describe the entries of a file: a value for each "path|feature".
type facts map[string]string

// add adds a fact that holds.
func (f facts) add(path, feature string, holds bool, value any) {
	if holds {
		b, _ := json.Marshal(value)
		f[path+"|"+feature] = string(b)
	}
}

// factsOf returns the facts in a Container, of a file that was converted to a kind.
func factsOf(t *testing.T, path, kind string) facts {
	t.Helper()
	c, err := allFormats.Open(path)
	must(t, err)
	defer c.Close()
	f := facts{}
	alias := aliases(c)
	describe := func(e container.Entry) {
		name := alias(e.Path)
		f.add(e.Path, "link", e.LinkKind == container.SoftLink || e.LinkKind == container.ExternalLink, []string{string(e.LinkKind), e.LinkTarget, e.LinkFile})
		if e.Err != nil || e.LinkKind == container.SoftLink || e.LinkKind == container.ExternalLink {
			return
		}
		f.add(e.Path, "link", name != e.Path || e.LinkKind == container.HardLink, "hard "+name)
		f.add(e.Path, "group", e.Group && e.Path != "" && e.LinkKind == "", true)
		all, err := c.Attributes(e.Path)
		must(t, err)
		for _, a := range all {
			f.add(name, "attribute "+a.Name, a.Err == nil, attributeFact(t, a, alias))
			f.add(name, "attribute "+a.Name+" enum", a.Meaning.HasEnum(), a.Meaning)
			f.add(name, "attribute "+a.Name+" charset", a.Meaning.HasUTF8(), true)
		}
		for i, dim := range e.Dims {
			if e.Group {
				unlimited := i < len(e.MaxShape) && e.MaxShape[i] == container.Unlimited
				f.add(name, "dimension "+dim, true, []any{e.Shape[i], unlimited})
			}
		}
		if e.Group {
			return
		}
		f.add(name, "dims", hasName(e.Dims), e.Dims)
		f.add(name, "maxshape", e.MaxShape != nil, e.MaxShape)
		f.add(name, "fill", e.Fill != nil, valueFact(t, e.Fill, nil, nil))
		f.add(name, "checksum", e.Fletcher32, true)
		f.add(name, "null", e.Null, true)
		f.add(name, "enum", e.Meaning.HasEnum(), e.Meaning)
		f.add(name, "charset", e.Meaning.HasUTF8(), true)
		f.add(name, "references", e.Meaning.Refers(container.ObjectReference), elementsFact(t, c, e, alias))
		f.add(name, "regions", e.Meaning.Refers(container.RegionReference), true)
		f.add(name, "scale", e.IsScale, e.ScaleName)
		f.add(name, "labels", hasName(e.Labels), e.Labels)
		f.add(name, "scales", len(e.Scales) > 0, scalesFact(e.Scales, alias))
		f.add(name, "textdim", e.TextDim != "", e.TextDim)
		f.add(name, "order", e.FortranOrder && len(e.Shape) > 1, true)
	}
	describe(container.RootOf(c))
	for e := range c.Entries() {
		describe(e)
		if separator := map[string]string{"nc": ".", "npz": "/"}[kind]; separator != "" { // names make groups
			for i := range e.Path {
				f.add(e.Path[:i], "group", strings.HasPrefix(e.Path[i:], separator), true)
			}
		}
	}
	return f
}

// aliases returns a function that gives all hard links to an object the same path: the shortest.
func aliases(c container.Container) func(string) string {
	of, least := map[string]string{}, map[string]string{}
	for e := range c.Entries() {
		if e.LinkKind != container.HardLink {
			continue
		}
		to := strings.Trim(e.Link, "/")
		of[e.Path] = to
		if old, ok := least[to]; !ok && shorter(e.Path, to) || ok && shorter(e.Path, old) {
			least[to] = e.Path
		}
	}
	return func(path string) string {
		if to, ok := of[path]; ok {
			path = to
		}
		if short, ok := least[path]; ok {
			return short
		}
		return path
	}
}

func hasName(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" })
}

func shorter(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

func scalesFact(scales [][]string, alias func(string) string) [][]string {
	var all [][]string
	for _, axis := range scales {
		named := []string{}
		for _, p := range axis {
			named = append(named, alias(p))
		}
		slices.Sort(named)
		all = append(all, named)
	}
	return all
}

// attributeFact returns the value of an attribute: the same for a single value with and without an axis, and for all kinds of text.
func attributeFact(t *testing.T, a container.Attribute, alias func(string) string) any {
	if a.Err != nil {
		return nil
	}
	if text, ok := a.Value.Object, a.Value.DType().HasObject(); a.Null && (a.Value.DType().Kind() == dtype.KindBytes || ok && a.Value.NDim() == 0 && text() == "") {
		return []string{""} // as netCDF has an empty text in HDF5
	}
	if a.Null {
		return "null"
	}
	return valueFact(t, a.Value, a.Meaning, alias)
}

// valueFact returns the elements of an array as text.
func valueFact(t *testing.T, a *npy.Array, m *container.Meaning, alias func(string) string) any {
	t.Helper()
	if a == nil {
		return nil
	}
	values := []string{}
	switch k := a.DType().Kind(); {
	case k == dtype.KindObject:
		objects, err := a.Objects()
		must(t, err)
		for _, x := range objects {
			if text, ok := x.(string); ok && m != nil && m.Reference != "" {
				x = "/" + alias(strings.Trim(text, "/"))
			}
			values = append(values, fmt.Sprint(x))
		}
	case k == dtype.KindBytes || k == dtype.KindStr:
		v, err := npy.As[string](a)
		must(t, err)
		values = v.ToSlice()
	case a.DType().HasObject():
		values = []string{npy.Printer{Threshold: -1}.Str(a)}
	case k == dtype.KindInt || k == dtype.KindUint || k == dtype.KindFloat || k == dtype.KindBool:
		wide, err := a.Cast(dtype.Float64, npy.UnsafeCasting)
		must(t, err)
		v, err := npy.As[float64](wide)
		must(t, err)
		for _, x := range v.ToSlice() {
			values = append(values, fmt.Sprint(x))
		}
	default:
		values = []string{npy.Printer{Threshold: -1}.Str(a)}
	}
	return values
}

// elementsFact returns the paths that references lead to.
func elementsFact(t *testing.T, c container.Container, e container.Entry, alias func(string) string) any {
	t.Helper()
	if !e.Meaning.Refers(container.ObjectReference) {
		return nil
	}
	src, err := c.Source(e.Path)
	must(t, err)
	a, err := src.ReadAll(context.Background())
	must(t, err)
	if !e.DType.IsStruct() {
		return valueFact(t, a, e.Meaning, alias)
	}
	var all []any
	for _, name := range slices.Sorted(maps.Keys(e.Meaning.Fields)) {
		if m := e.Meaning.Fields[name]; m.Reference == container.ObjectReference {
			field, err := a.Field(name)
			must(t, err)
			all = append(all, valueFact(t, field, m, alias))
		}
	}
	return all
}
