package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/oracle"
)

func attribute(name string, value *npy.Array) container.Attribute {
	return container.Attribute{Name: name, Value: value}
}

func text(values ...any) *npy.Array { return must(npy.FromObjects(values)) }

func one(v any) *npy.Array { return must(npy.FromObjects([]any{v}, []int{}...)) }

// h5py finds groups of any depth and size, attributes of every kind, and names that are not ASCII.
func TestWriteGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	w := must(Create(path))
	defer w.Abort()
	begin := func(e container.Entry, attributes ...container.Attribute) {
		t.Helper()
		if _, err := w.Begin(e, attributes); err != nil {
			t.Fatal(err)
		}
	}
	begin(container.Entry{Group: true}, attribute("title", one("all of it")))
	begin(container.Entry{Path: "empty", Group: true})
	begin(container.Entry{Path: "a/b/c", Group: true}, attribute("größe", one("μm")), attribute("n", sample("'>i2'")))
	for i := range 1500 {
		if err := w.Add(fmt.Sprintf("many/%d", i*7919%1500), sample("'<i4'", i%5)); err != nil {
			t.Fatal(err)
		}
	}
	begin(container.Entry{Path: "many", Group: true}, attribute("note", one("1500 members")))
	for i := range 20 {
		if err := w.Add(fmt.Sprintf("many/sub/naïve %d/整", i), sample("'|S3'", 2)); err != nil {
			t.Fatal(err)
		}
	}
	var all []container.Attribute
	for i, descr := range sampleTypes {
		if strings.Contains(descr, "text") || strings.Contains(descr, "U") {
			continue
		}
		all = append(all, attribute(fmt.Sprint("scalar", i), sample(descr)), attribute(fmt.Sprint("array", i), sample(descr, 2, 3)),
			attribute(fmt.Sprint("none", i), sample(descr, 2, 0)))
	}
	all = append(all, attribute("str", one("é\x00")), attribute("words", text("one", "", "drei 3", strings.Repeat("long ", 3000))),
		attribute("bytes", one([]byte{0xff, 0x41})), attribute("U", sample("'<U6'", 4)), attribute("no words", text()))
	if err := w.Add("attributes", sample("'<f8'", 3), all...); err != nil {
		t.Fatal(err)
	}
	a := must(w.Begin(container.Entry{Path: "labels", DType: all[0].Value.DType(), Shape: []int{2, 2}, Dims: []string{"time", ""}}, nil))
	if err := errors.Join(a.Write(sample("'|i1'", 2, 2)), a.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	out := oracle.Module(t, "h5py", `
import h5py
f = h5py.File(sys.argv[1], 'r')
print(f.attrs['title'], list(f), list(f['empty']), dict(f['a/b/c'].attrs)['größe'], f['a/b/c'].attrs['n'].dtype)
print(len(f['many']), sorted(f['many']) == sorted([str(i) for i in range(1500)] + ['sub']), f['many'].attrs['note'], f['many/7'].shape, len(f['many/sub']))
print(f['many/sub/naïve 19/整'].shape, list(f['many/sub/naïve 3']))
a = f['attributes'].attrs
print(len(a), a['array0'].shape, a['none1'].shape, a['scalar2'], a['array20'].dtype)
print(ascii(a['str']), ascii(a['bytes']), a['words'][:3], len(a['words'][3]), a['words'].dtype, a['U'].dtype, a['no words'].shape)
print([x.label for x in f['labels'].dims])
`, path)
	want := fmt.Sprintf(`all of it ['a', 'attributes', 'empty', 'labels', 'many'] [] μm int16
1501 True 1500 members (3,) 20
(2,) ['整']
%d (2, 3) (2, 0) %s bool
'\xe9' '\udcffA' ['one' '' 'drei 3'] 15000 object object (0,)
['time', '']
`, len(all), npyText(all, "scalar2"))
	if string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func npyText(all []container.Attribute, name string) string {
	for _, a := range all {
		if a.Name == name {
			return a.Value.String()
		}
	}
	return ""
}

// A Writer refuses paths and attributes that HDF5 cannot hold, and goes on.
func TestWriteRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	w := must(Create(path))
	defer w.Abort()
	a := sample("'<f8'", 3)
	if err := w.Add("a", a); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path       string
		e          *npy.Array
		is         error
		text       string
		attributes []container.Attribute
	}{
		{"a", a, fs.ErrExist, "a", nil},
		{"a/b", a, fs.ErrExist, "a is an array", nil},
		{"", a, nil, "a name is empty", nil},
		{"/a", a, nil, "a name is empty", nil},
		{"b//c", a, nil, "a name is empty", nil},
		{"b/./c", a, nil, "stands for the group", nil},
		{"b\x00", a, nil, "NUL", nil},
		{"b\xff", a, nil, "UTF-8", nil},
		{"b", sample("'|V0'", 3), errors.ErrUnsupported, "no bytes", nil},
		{"b", sample("'<f8'", slices.Repeat([]int{1}, 33)...), errors.ErrUnsupported, "33 dimensions", nil},
		{"b", a, errors.ErrUnsupported, `attribute "x": it takes 65`, []container.Attribute{attribute("x", sample("'<f8'", 8190))}},
		{"b", a, nil, "two of this name", []container.Attribute{attribute("x", a), attribute("x", a)}},
		{"b", a, errors.ErrUnsupported, "int64", []container.Attribute{attribute("x", text("a", int64(3)))}},
		{"b", a, nil, "a name must be", []container.Attribute{attribute("", a)}},
	} {
		err := w.Add(c.path, c.e, c.attributes...)
		if err == nil || !strings.Contains(err.Error(), c.text) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("path %q: error %v, want %v with %q", c.path, err, c.is, c.text)
		}
	}
	if err := errors.Join(w.Add("b/c", a, attribute("x", sample("'<f8'", 8180))), w.Close()); err != nil {
		t.Fatal(err)
	}
}
