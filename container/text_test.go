package container_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npz"
)

// texts are arrays of Python objects. Those with a dtype can be written without an encoder of objects, as that dtype.
func texts(t *testing.T) map[string]struct {
	a    *npy.Array
	want string
} {
	t.Helper()
	of := func(shape []int, values ...any) *npy.Array {
		a, err := npy.FromObjects(values, shape...)
		must(t, err)
		return a
	}
	fields, err := dtype.ParseDescr("[('n', '<i4'), ('s', '|O', (2,))]")
	must(t, err)
	records, err := npy.NewObjects(fields, 2)
	must(t, err)
	column, err := records.Field("s")
	must(t, err)
	for i, text := range []string{"a", "longer", "", "ö"} {
		column.SetObject(text, i/2, i%2)
	}
	uneven := make([]any, 2000)
	for i := range uneven {
		uneven[i] = "x"
	}
	uneven[7] = strings.Repeat("y", 100_000)
	return map[string]struct {
		a    *npy.Array
		want string
	}{
		"plain":   {of([]int{3}, "one", "zwei", "三"), "<U4"},
		"square":  {of([]int{2, 2}, "a", "", "bc", "d"), "<U2"},
		"scalar":  {of([]int{}, "text"), "<U4"},
		"none":    {of([]int{0}), "<U1"},
		"records": {records, "[('n', '<i4'), ('s', '<U6', (2,))]"},
		"mixed":   {of([]int{2}, "a", int64(1)), ""},
		"missing": {of([]int{2}, "a", nil), ""},
		"nul":     {of([]int{1}, "a\x00"), ""},
		"uneven":  {of([]int{2000}, uneven...), ""},
	}
}

// Texts of any length become str where no encoder of Python objects was passed in. An array that cannot be written is
// left out by itself.
func TestCopyTexts(t *testing.T) {
	ctx := context.Background()
	ints, err := npy.FromSlice([]int64{1, 2, 3})
	must(t, err)
	dir := t.TempDir()
	from := filepath.Join(dir, "from.npz")
	must(t, formats.Create(from, container.WriteOptions{}, func(w container.Writer) error {
		for name, x := range texts(t) {
			must(t, container.Put(ctx, w, container.Entry{Path: name}, nil, x.a))
		}
		return container.Put(ctx, w, container.Entry{Path: "zz"}, nil, ints)
	}))
	f, err := formats.Open(from)
	must(t, err)
	defer f.Close()
	plain := container.NPZ(npz.Decoder{}, npz.Encoder{})
	to := filepath.Join(dir, "to.npz")
	lost, skipped := map[string]string{}, map[string]error{}
	o := container.WriteOptions{Lost: func(l container.Loss) { lost[l.Path] = l.String() }}
	must(t, plain.Create(to, o, func(w container.Writer) error {
		return container.Copy(ctx, w, f, func(e container.Entry, err error) error { skipped[e.Path] = err; return nil })
	}))
	copied, err := container.Formats{plain}.Open(to)
	must(t, err)
	defer copied.Close()
	for name, x := range texts(t) {
		if x.want == "" {
			if skipped[name] == nil || lost[name] != "" {
				t.Errorf("%s: skipped with error %v, and lost %q", name, skipped[name], lost[name])
			}
			continue
		}
		src, err := copied.Source(name)
		must(t, err)
		a, err := src.ReadAll(ctx)
		must(t, err)
		native := strings.NewReplacer(">U", "<U") // texts have the byte order of the machine
		if got := native.Replace(a.DType().Descr()); got != x.want && native.Replace(a.DType().String()) != x.want || !slices.Equal(a.Shape(), x.a.Shape()) || lost[name] == "" || skipped[name] != nil {
			t.Errorf("%s: dtype %s, shape %v, want %s; lost %q, skipped %v", name, got, a.Shape(), x.want, lost[name], skipped[name])
		}
		var p npy.Printer
		if got, want := p.Str(a), p.Str(x.a); name != "scalar" && got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if src, err := copied.Source("zz"); err != nil || !slices.Equal(src.Shape(), []int{3}) {
		t.Errorf("the array after them: %v", err)
	}
	for _, name := range []string{"mixed", "missing"} {
		if !errors.Is(skipped[name], npy.ErrObjects) {
			t.Errorf("%s: error %v", name, skipped[name])
		}
	}
}

// Every format leaves an array out that it cannot hold, and takes the next one of the same path.
func TestUnfit(t *testing.T) {
	ctx := context.Background()
	bad, err := npy.FromObjects([]any{int64(1), "a"})
	must(t, err)
	good, err := npy.FromObjects([]any{"a", "b"})
	must(t, err)
	kinds := map[string]container.Format{"npy": container.NPY(npy.Decoder{}, npy.Encoder{})}
	for kind, f := range targets {
		kinds[kind] = f
	}
	for kind, f := range kinds {
		path := filepath.Join(t.TempDir(), "a."+kind)
		must(t, f.Create(path, container.WriteOptions{}, func(w container.Writer) error {
			err := container.Put(ctx, w, container.Entry{Path: "x"}, nil, bad)
			var we *container.WriteError
			var unfit *container.UnfitError
			if !errors.As(err, &we) || we.Begun || !errors.As(err, &unfit) {
				t.Errorf("%s: error %v", kind, err)
			}
			return container.Put(ctx, w, container.Entry{Path: "x"}, nil, good)
		}))
		c, err := f.Open(opened(t, path))
		must(t, err)
		if names := container.Names(c); len(names) != 1 && (kind != "mat" || !slices.Equal(names, []string{"x/0", "x/1"})) {
			t.Errorf("%s has %q", kind, names)
		}
	}
}

// An attribute that cannot be read is left to skip, and the others are copied.
func TestCopyAttributes(t *testing.T) {
	c := broken{hdf5File(t)}
	var skipped []string
	path := filepath.Join(t.TempDir(), "a.h5")
	must(t, targets["h5"].Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Copy(context.Background(), w, c, func(e container.Entry, err error) error {
			skipped = append(skipped, e.Path+": "+err.Error())
			return nil
		})
	}))
	if want := []string{`: attribute "bad": it is broken`, `x: attribute "bad": it is broken`}; !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	r, err := hdf5.Open(path)
	must(t, err)
	defer r.Close()
	if all, err := r.Attributes("x"); err != nil || len(all) != 1 || all[0].Name != "good" {
		t.Errorf("attributes %v, error %v", all, err)
	}
}

// A broken is a Container whose objects have another attribute, which cannot be read.
type broken struct{ container.Container }

// Attributes implements [container.Container].
func (b broken) Attributes(path string) ([]container.Attribute, error) {
	all, err := b.Container.Attributes(path)
	return append([]container.Attribute{{Name: "bad", Err: errors.New("it is broken")}}, all...), err
}

// hdf5File returns a file with an array that has an attribute.
func hdf5File(t *testing.T) *hdf5.Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.h5")
	w, err := hdf5.Create(path)
	must(t, err)
	a, err := npy.FromSlice([]int8{1})
	must(t, err)
	must(t, w.Add("x", a, container.Attribute{Name: "good", Value: a}))
	must(t, w.Close())
	r, err := hdf5.Open(path)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// opened returns a file in memory, for Format.Open.
func opened(t *testing.T, path string) (*bytes.Reader, int64) {
	t.Helper()
	data := readFile(t, path)
	return bytes.NewReader(data), int64(len(data))
}
