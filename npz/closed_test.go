package npz_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
)

// afterClose has every method of a Reader that reads the file, with its error after Close. The methods that need only
// the directory are in directoryMethods.
var afterClose = map[string]func(z *npz.Reader, name string) error{
	"Array":      func(z *npz.Reader, name string) error { _, err := z.Array(name); return err },
	"Bytes":      func(z *npz.Reader, name string) error { _, err := z.Bytes(name); return err },
	"BuildIndex": func(z *npz.Reader, name string) error { return z.BuildIndex(name) },
	"Info":       func(z *npz.Reader, name string) error { _, err := z.Info(name); return err },
	"Map":        func(z *npz.Reader, name string) error { _, err := z.Map(name); return err },
	"Open":       func(z *npz.Reader, name string) error { _, err := z.Open(name + ".npy"); return err },
	"OpenMember": func(z *npz.Reader, name string) error {
		r, err := z.OpenMember(name)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		return err
	},
	"ReadFile": func(z *npz.Reader, name string) error { _, err := z.ReadFile(name + ".npy"); return err },
	"Slice":    func(z *npz.Reader, name string) error { _, err := z.Slice(name); return err },
	"All": func(z *npz.Reader, name string) error {
		for m, err := range z.All() {
			if m.Name == name {
				return err
			}
		}
		return errors.New("the member does not come")
	},
	"Source":    func(z *npz.Reader, name string) error { _, err := z.Source(name); return err },
	"Unclaimed": func(z *npz.Reader, _ string) error { _, err := z.Unclaimed(); return err },
	"Load":      func(z *npz.Reader, name string) error { _, _, err := npz.Load[float64](z, name); return err },
	"Rewrite": func(z *npz.Reader, _ string) error {
		return npz.Encoder{}.Rewrite(filepath.Join(os.TempDir(), "none.npz"), z, nil)
	},
}

var directoryMethods = []string{"Names", "Members", "Entry", "PortableNames", "Len", "Has", "Entries", "Stat", "ReadDir", "Close"}

// After Close nothing reads any more: not an archive that was read whole when it was opened, not a member without
// elements, and not a file that belongs to the caller and is still open.
func TestReaderClosed(t *testing.T) {
	reader := reflect.TypeFor[*npz.Reader]()
	for i := range reader.NumMethod() {
		m := reader.Method(i)
		if afterClose[m.Name] == nil && !slices.Contains(directoryMethods, m.Name) {
			t.Errorf("Reader.%s: what it does after Close is not tested", m.Name)
		}
	}
	for _, e := range []npz.Encoder{{}, {Store: true}, {Zstd: true}} {
		data := writeStream(t, e, []npz.Member{
			{Name: "small", Array: array("<f8", []float64{1, 2, 3}, 3)},
			{Name: "empty", Array: array("<f8", []float64{}, 0)},
			{Name: "large", Array: array("<f8", make([]float64, 1<<18), 1<<18)},
		})
		path := filepath.Join(t.TempDir(), "a.npz")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for how, z := range map[string]*npz.Reader{
			"Open":      must(npz.Open(path)),
			"NewReader": must(npz.NewReader(bytes.NewReader(data), int64(len(data)))),
		} {
			opened := must(z.Open("large.npy"))
			if _, err := opened.Read(make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(z.Close(), z.Close()); err != nil {
				t.Errorf("%+v, %s: closing twice: %v", e, how, err)
			}
			for method, use := range afterClose {
				for _, name := range []string{"small", "empty", "large"} {
					if err := use(z, name); !errors.Is(err, fs.ErrClosed) {
						t.Errorf("%+v, %s: %s of %s after Close: error %v, want fs.ErrClosed", e, how, method, name, err)
					}
				}
			}
			if _, err := io.ReadAll(opened); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%+v, %s: a member that was opened before: error %v, want fs.ErrClosed", e, how, err)
			}
			if names := z.Names(); len(names) != 3 || !z.Has("empty") || z.Len() != 3 || len(z.Entries()) != 3 {
				t.Errorf("%+v, %s: after Close the directory has %q", e, how, names)
			}
		}
	}
}

// Opened members and folders are files of their own: after their Close, reading is an error.
func TestMemberClosed(t *testing.T) {
	for _, e := range []npz.Encoder{{}, {Store: true}, {Zstd: true}} {
		z := open(t, writeStream(t, e, []npz.Member{{Name: "d/a", Array: array("<f8", make([]float64, 1000), 1000)}}))
		f := must(z.Open("d/a.npy"))
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Errorf("%+v: closing twice: %v", e, err)
		}
		if _, err := f.Read(make([]byte, 10)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%+v: a read of a closed member: error %v", e, err)
		}
		d := must(z.Open("d"))
		if err := errors.Join(d.Close(), d.Close()); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		if _, err := d.(fs.ReadDirFile).ReadDir(-1); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("a list of a closed folder: error %v", err)
		}
	}
}

// A Writer that is closed or aborted, and an Editor after its Edit, accept no more members.
func TestWriterClosed(t *testing.T) {
	a := array("<f8", []float64{1}, 1)
	for _, end := range []func(w *npz.Writer){func(w *npz.Writer) { w.Close() }, func(w *npz.Writer) { w.Abort() }} {
		w, err := npz.NewWriter(new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		end(w)
		for what, err := range map[string]error{
			"Add": w.Add("a", a), "AddBytes": w.AddBytes("b", nil), "AddFrom": w.AddFrom("c", bytes.NewReader(nil)), "Close": w.Close(),
			"Start": w.Start("e").Close(), "a large Start": w.Start("f").WriteCopies(make([]byte, 1000), 10_000),
			"a large Add": w.Add("d", array("<f8", make([]float64, 1<<18), 1<<18)),
		} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s after the end: error %v, want fs.ErrClosed", what, err)
			}
		}
		w.Abort()
	}
	path := abc(t, npz.Encoder{})
	var kept *npz.Editor
	if err := npz.Edit(path, func(ed *npz.Editor) error { kept = ed; return nil }); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"Add": kept.Add("x", a), "AddBytes": kept.AddBytes("x", nil), "Replace": kept.Replace("a", a), "Delete": kept.Delete("a"), "Rename": kept.Rename("a", "x"),
		"AddFunc": kept.AddFunc("x", func(io.Writer) error { return nil }), "Recompress": kept.Recompress(npz.Decoder{}, nil),
	} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Editor.%s after its edit: error %v, want fs.ErrClosed", what, err)
		}
	}
	for _, m := range []struct {
		of     reflect.Type
		tested []string
	}{
		{reflect.TypeFor[*npz.Writer](), []string{"Add", "AddBytes", "AddFrom", "Start", "CopiesCost", "Close", "Abort"}},
		{reflect.TypeFor[*npz.Editor](), []string{"Add", "AddBytes", "AddFunc", "Replace", "Delete", "Rename", "Recompress", "Names", "Has"}},
	} {
		for i := range m.of.NumMethod() {
			method := m.of.Method(i)
			if !slices.Contains(m.tested, method.Name) {
				t.Errorf("%s.%s: what it does afterwards is not tested", m.of, method.Name)
			}
		}
	}
}

func TestAbortedWriter(t *testing.T) {
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.npz")
		w, err := npz.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		write := func() error {
			n++
			return w.Add(fmt.Sprint(n), array("<f8", []float64{1}, 1))
		}
		return w, write, func() bool {
			_, err := os.Lstat(path)
			return err == nil
		}
	})
}
