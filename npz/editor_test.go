package npz_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// numbered returns array number which: element i is i modulo 1000, plus which<<16.
func numbered(n, which int) *npy.Array {
	data := make([]int32, n)
	for i := range data {
		data[i] = int32(i%1000 + which<<16)
	}
	return array("<i4", data)
}

// which returns the number of the array that numbered made, and checks its other elements.
func which(t testing.TB, z *npz.Reader, name string) int {
	t.Helper()
	data, _, err := npz.Load[int32](z, name)
	if err != nil {
		t.Fatal(err)
	}
	n := int(data[0] >> 16)
	if want := must(npy.As[int32](numbered(len(data), n))).ToSlice(); !slices.Equal(data, want) {
		t.Fatalf("%s is not an array of this test", name)
	}
	return n
}

// contents returns the names in an archive and the array of each.
func contents(t testing.TB, path string) string {
	t.Helper()
	z := must(npz.Open(path))
	defer z.Close()
	var b strings.Builder
	for _, name := range z.Names() {
		fmt.Fprintf(&b, "%s=%d ", name, which(t, z, name))
	}
	return strings.TrimSpace(b.String())
}

// abc writes an archive with the members a, b and c; b is large.
func abc(t testing.TB, e npz.Encoder) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "abc.npz")
	if err := e.Save(path, npz.Member{Name: "a", Array: numbered(10, 1)}, npz.Member{Name: "b", Array: numbered(1_000_000, 2)},
		npz.Member{Name: "c", Array: numbered(30, 3)}); err != nil {
		t.Fatal(err)
	}
	return path
}

var edits = []struct {
	name string
	do   func(e *npz.Editor) error
	want string
}{
	{"nothing", func(e *npz.Editor) error { return nil }, "a=1 b=2 c=3"},
	{"add", func(e *npz.Editor) error { return e.Add("d", numbered(5, 4)) }, "a=1 b=2 c=3 d=4"},
	{"add large", func(e *npz.Editor) error { return e.Add("d", numbered(700_000, 4)) }, "a=1 b=2 c=3 d=4"},
	{"replace small", func(e *npz.Editor) error { return e.Replace("a", numbered(5, 4)) }, "a=4 b=2 c=3"},
	{"replace large", func(e *npz.Editor) error { return e.Replace("b.npy", numbered(500_000, 5)) }, "a=1 b=5 c=3"},
	{"replace twice", func(e *npz.Editor) error {
		return errors.Join(e.Replace("c", numbered(5, 4)), e.Replace("c", numbered(5, 6)))
	}, "a=1 b=2 c=6"},
	{"delete first", func(e *npz.Editor) error { return e.Delete("a") }, "b=2 c=3"},
	{"delete all", func(e *npz.Editor) error { return errors.Join(e.Delete("a"), e.Delete("b"), e.Delete("c")) }, ""},
	{"delete and add", func(e *npz.Editor) error { return errors.Join(e.Delete("a"), e.Add("a", numbered(5, 7))) }, "b=2 c=3 a=7"},
	{"rename", func(e *npz.Editor) error { return e.Rename("b", "a name that is longer") }, "a=1 a name that is longer=2 c=3"},
	{"rename é", func(e *npz.Editor) error { return e.Rename("b", "é") }, "a=1 é=2 c=3"},
	{"rename to itself", func(e *npz.Editor) error { return e.Rename("b", "b") }, "a=1 b=2 c=3"},
	{"swap", func(e *npz.Editor) error {
		return errors.Join(e.Rename("a", "x"), e.Rename("c", "a"), e.Rename("x", "c"))
	}, "c=1 b=2 a=3"},
	{"rename what is new", func(e *npz.Editor) error { return errors.Join(e.Add("d", numbered(5, 4)), e.Rename("d", "e")) }, "a=1 b=2 c=3 e=4"},
	{"rename what is replaced", func(e *npz.Editor) error { return errors.Join(e.Replace("a", numbered(5, 4)), e.Rename("a", "e")) }, "e=4 b=2 c=3"},
}

func TestEdit(t *testing.T) {
	for _, edit := range edits {
		for name, e := range settings() {
			path := abc(t, e)
			if err := e.Edit(path, edit.do); err != nil {
				t.Errorf("%s, %s: %v", edit.name, name, err)
				continue
			}
			if got := contents(t, path); got != edit.want {
				t.Errorf("%s, %s: %s, want %s", edit.name, name, got, edit.want)
			}
			if left := must(os.ReadDir(filepath.Dir(path))); len(left) != 1 {
				t.Errorf("%s, %s: %v was left behind", edit.name, name, left)
			}
		}
	}
}

func TestEditorNames(t *testing.T) {
	path := abc(t, npz.Encoder{})
	err := npz.Edit(path, func(e *npz.Editor) error {
		if err := errors.Join(e.Delete("a"), e.Rename("c", "d"), e.AddBytes("README", []byte("text"))); err != nil {
			return err
		}
		if got := e.Names(); !slices.Equal(got, []string{"b", "d", "README"}) {
			t.Errorf("names are %q", got)
		}
		if e.Has("a") || !e.Has("d.npy") || !e.Has("b") || e.Has("c") {
			t.Error("Has is wrong")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An impossible change is an error, and the archive is unchanged.
func TestEditErrors(t *testing.T) {
	path := abc(t, npz.Encoder{})
	old := must(os.ReadFile(path))
	mine := errors.New("changed my mind")
	for _, c := range []struct {
		do   func(e *npz.Editor) error
		want string
		is   error
	}{
		{func(e *npz.Editor) error { return e.Delete("x") }, `npz: member "x": not in the archive: file does not exist`, fs.ErrNotExist},
		{func(e *npz.Editor) error { return e.Replace("x", numbered(1, 1)) }, `npz: member "x": not in the archive: file does not exist`, fs.ErrNotExist},
		{func(e *npz.Editor) error { return e.Rename("x", "y") }, `npz: member "x": not in the archive: file does not exist`, fs.ErrNotExist},
		{func(e *npz.Editor) error { return e.Rename("a", "b") }, `npz: the archive already has a member "b.npy": file already exists`, fs.ErrExist},
		{func(e *npz.Editor) error { return e.Add("a", numbered(1, 1)) }, `npz: the archive already has a member "a.npy": file already exists`, fs.ErrExist},
		{func(e *npz.Editor) error { return e.AddBytes("a.npy", nil) }, `npz: the archive already has a member "a.npy": file already exists`, fs.ErrExist},
		{func(e *npz.Editor) error { return e.Add("a\x00", numbered(1, 1)) }, `npz: member "a\x00.npy": a name in ZIP cannot contain NUL characters`, nil},
		{func(e *npz.Editor) error { return e.Rename("a", "\xff") }, `npz: member "\xff.npy": names must be UTF-8`, nil},
		{func(e *npz.Editor) error { return errors.Join(e.Delete("a"), mine) }, "changed my mind", mine},
	} {
		err := npz.Edit(path, c.do)
		if want := "edit " + path + ": " + c.want; err == nil || err.Error() != want || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("error %v, want %s", err, want)
		}
		if !bytes.Equal(must(os.ReadFile(path)), old) {
			t.Fatal("the archive has changed")
		}
	}
	if err := npz.Edit(path+"x", func(*npz.Editor) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an archive that is not there: %v", err)
	}
	if err := (npz.Encoder{Align: 3}).Edit(path, func(*npz.Editor) error { return nil }); err == nil {
		t.Error("an alignment of 3 is accepted")
	}
	if left := must(os.ReadDir(filepath.Dir(path))); len(left) != 1 {
		t.Errorf("%v was left behind", left)
	}
}

// A damaged member that cannot be copied is an error, but can be deleted.
func TestEditDamaged(t *testing.T) {
	path := abc(t, npz.Encoder{Store: true})
	data := must(os.ReadFile(path))
	data[0] = 'X' // the local header of a
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	err := npz.Edit(path, func(e *npz.Editor) error { return e.Delete("b") })
	if want := `npz: member "a.npy" at byte 0: its local header is missing: found "XK\x03\x04"`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	if !bytes.Equal(must(os.ReadFile(path)), data) {
		t.Error("the archive has changed")
	}
	if err := npz.Edit(path, func(e *npz.Editor) error { return e.Delete("a") }); err != nil {
		t.Error(err)
	}
	if got := contents(t, path); got != "b=2 c=3" {
		t.Errorf("%s is left", got)
	}
}

// raw returns the directory entry of each member, and its data as stored.
func raw(t testing.TB, path string) map[string]string {
	t.Helper()
	r := must(zip.OpenReader(path))
	defer r.Close()
	members := map[string]string{}
	for _, f := range r.File {
		members[f.Name] = fmt.Sprint(f.CreatorVersion, max(f.ReaderVersion, 45), f.Flags, f.Method, f.ModifiedDate, f.ModifiedTime, f.CRC32,
			f.UncompressedSize64, f.ExternalAttrs, []byte(f.Comment), must(io.ReadAll(must(f.OpenRaw()))))
	}
	return members
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// foreign returns an archive as other tools write them: with dates, comments, descriptors, extra fields, folders, a
// prefix, and unknown compression methods.
func foreign(t testing.TB) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "foreign.npz")
	f := must(os.Create(path))
	defer f.Close()
	must(f.WriteString("#!/bin/sh in front\n"))
	w := zip.NewWriter(f)
	w.SetOffset(19)
	w.RegisterCompressor(14, func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil })
	for i, h := range []zip.FileHeader{
		{Name: "folder/"},
		{Name: "first.npy", Method: 8, Comment: "of the first", ModifiedDate: 0x5a21, ModifiedTime: 0x6000, ExternalAttrs: 0o644 << 16},
		{Name: "stored.bin", Method: 0, Extra: []byte{0x75, 0x70, 6, 0, 1, 2, 3, 4, 5, 6}},
		{Name: "caf\x82", NonUTF8: true, Method: 8, Comment: "\xff"},
		{Name: "lzma.bin", Method: 14},
		{Name: "twice", Method: 8}, {Name: "twice", Method: 0},
	} {
		out := must(w.CreateHeader(&h))
		if !strings.HasSuffix(h.Name, "/") {
			must(fmt.Fprintf(out, "the content of member %d %s", i, strings.Repeat("and so on ", i*5000)))
		}
	}
	rawHeader := &zip.FileHeader{Name: "raw", Method: 95, UncompressedSize64: 1 << 33, CompressedSize64: 4, CRC32: 7}
	must(must(w.CreateRaw(rawHeader)).Write([]byte("data")))
	if err := errors.Join(w.SetComment("of the archive"), w.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEditKeepsForeignMembers(t *testing.T) {
	path := foreign(t)
	before := raw(t, path)
	err := npz.Edit(path, func(e *npz.Editor) error {
		return errors.Join(e.Add("new", numbered(10, 1)), e.Rename("stored.bin", "é.bin"), e.Delete("lzma.bin"))
	})
	if err != nil {
		t.Fatal(err)
	}
	after := raw(t, path)
	for _, name := range []string{"folder/", "first.npy", "caf\x82", "twice", "raw"} {
		if before[name] != after[name] {
			t.Errorf("%s: %.300s, was %.300s", name, after[name], before[name])
		}
	}
	r := must(zip.OpenReader(path))
	defer r.Close()
	if r.Comment != "of the archive" || len(r.File) != len(before)+1 { // one name occurs twice
		t.Errorf("comment %q, %d members", r.Comment, len(r.File))
	}
	data := must(os.ReadFile(path))
	if !bytes.HasPrefix(data, []byte("#!/bin/sh in front\n")) {
		t.Errorf("in front stands %q", data[:20])
	}
	for _, f := range r.File {
		if f.Method != 0 && f.Method != 8 || f.Name == "raw" {
			continue
		}
		if got := must(io.ReadAll(must(f.Open()))); f.Name == "é.bin" && !strings.HasPrefix(string(got), "the content of member 2") {
			t.Errorf("%s: %.50q", f.Name, got)
		}
		if bytes.Contains(f.Extra, []byte("up")) {
			t.Errorf("%s still has its old name in an extra field", f.Name)
		}
	}
}

// Python finds its own archive unchanged after an edit, except for the edited members.
func TestEditKeepsPythonMembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "python.npz")
	const script = `
import sys, zipfile, json, hashlib, os, random
path = sys.argv[1]
if not os.path.exists(path):
    class Pipe:
        def __init__(s, f): s.f = f
        def write(s, b): return s.f.write(b)
        def flush(s): pass
    with open(path, 'wb') as f, zipfile.ZipFile(Pipe(f), 'w') as z:
        z.comment = b'a comment'
        for i, m in enumerate([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]):
            info = zipfile.ZipInfo('member %d é' % i, (2020, 2, 3, 4, 5, 6))
            info.compress_type, info.comment, info.extra = m, b'c%d' % i, b'\xfe\xca\2\0xy'
            z.writestr(info, random.Random(i).getrandbits(800000).to_bytes(100000, 'little') + bytes(100000))
with zipfile.ZipFile(path) as z:
    assert z.testzip() is None
    print(json.dumps([z.comment.hex()] + [[i.filename, i.date_time, i.compress_type, i.comment.hex(), i.extra.hex(), i.flag_bits, i.external_attr, i.CRC, i.compress_size, hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))
`
	before := bytes.TrimSpace(oracle.Python(t, script, nil, path))
	for range 2 {
		if err := npz.Edit(path, func(e *npz.Editor) error { return e.AddBytes("x", []byte("new")) }); err != nil {
			t.Fatal(err)
		}
		with := oracle.Python(t, script, nil, path)
		var list []json.RawMessage
		if err := json.Unmarshal(with, &list); err != nil || len(list) != 6 || !bytes.HasPrefix(with, before[:len(before)-1]) {
			t.Errorf("Python finds\n%s, was\n%s", with, before)
		}
		if err := npz.Edit(path, func(e *npz.Editor) error { return e.Delete("x") }); err != nil {
			t.Fatal(err)
		}
		if after := bytes.TrimSpace(oracle.Python(t, script, nil, path)); !bytes.Equal(after, before) {
			t.Errorf("Python finds\n%s, was\n%s", after, before)
		}
	}
}

// Stored members that move keep their alignment or get a larger one.
func TestEditAligns(t *testing.T) {
	for _, c := range []struct{ from, to, want int64 }{{-1, 0, 64}, {4096, 0, 4096}, {64, 4096, 4096}, {4096, -1, 4096}} {
		path := abc(t, npz.Encoder{Store: true, Align: int(c.from)})
		e := npz.Encoder{Store: true, Align: int(c.to)}
		for _, name := range []string{"a much longer name", "b", "xyz"} {
			if err := e.Edit(path, func(e *npz.Editor) error { return e.Rename(e.Names()[0], name+"1") }); err != nil {
				t.Fatal(err)
			}
			z := must(npz.Open(path))
			for _, name := range z.Names() {
				if info := must(z.Info(name)); info.DataOffset%c.want != 0 {
					t.Errorf("from %d to %d: %s begins at byte %d", c.from, c.to, name, info.DataOffset)
				}
			}
			z.Close()
		}
	}
}

// The index of pieces is copied with its member.
func TestEditKeepsPieces(t *testing.T) {
	path := abc(t, npz.Encoder{})
	if err := npz.Edit(path, func(e *npz.Editor) error { return errors.Join(e.Delete("a"), e.Rename("b", "renamed")) }); err != nil {
		t.Fatal(err)
	}
	z := must(npz.Open(path))
	defer z.Close()
	if info := must(z.Info("renamed")); info.Entry.Pieces != 4 {
		t.Errorf("%d pieces are known, want 4", info.Entry.Pieces)
	}
}

// FuzzEdit makes an archive and changes it and a model as the input says.
func FuzzEdit(f *testing.F) {
	f.Add([]byte{0, 3, 1, 1, 2, 2, 3, 3, 4, 0, 5})
	f.Add([]byte{1, 0, 0, 9, 0, 0, 1, 2, 1, 3, 3, 2, 2, 1})
	f.Add([]byte{3, 8, 2, 7, 2, 2, 2, 3, 1, 1, 0, 1})
	type member struct {
		name  string
		which int
		size  int
	}
	names := []string{"a", "b", "c", "long " + strings.Repeat("name", 100), "é", "a.npy", "", "x/y"}
	encoders := []npz.Encoder{{}, {Store: true}, {Zstd: true}, {Store: true, Align: 4096}, {Store: true, Align: -1}}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 2 || len(script) > 200 {
			return
		}
		next := func(n int) int {
			if len(script) == 0 {
				return 0
			}
			b := int(script[0])
			script = script[1:]
			return b % n
		}
		e, now := encoders[next(len(encoders))], encoders[next(len(encoders))]
		var model []member
		find := func(name string) int { return slices.IndexFunc(model, func(m member) bool { return m.name == name }) }
		count := 0
		fresh := func(name string) (member, *npy.Array) {
			count++
			m := member{name, count, 1 + next(20)*next(20)*next(20)*10}
			return m, numbered(m.size, m.which)
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		w := must(e.Create(path))
		for range next(6) {
			m, a := fresh(names[next(len(names))])
			if find(m.name) < 0 {
				model = append(model, m)
				if err := w.Add(m.name, a); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		before, untouched := raw(t, path), slices.Clone(model)
		err := now.Edit(path, func(e *npz.Editor) error {
			for len(script) > 0 {
				name := names[next(len(names))]
				at := find(name)
				switch op := next(4); {
				case at < 0:
					m, a := fresh(name)
					model = append(model, m)
					if err := e.Add(name, a); err != nil {
						return err
					}
				case op == 0:
					model = slices.Delete(model, at, at+1)
					if err := e.Delete(name + ".npy"); err != nil {
						return err
					}
				case op == 1:
					m, a := fresh(name)
					model[at] = m
					if err := e.Replace(name+".npy", a); err != nil {
						return err
					}
				default:
					to := names[next(len(names))]
					if find(to) >= 0 {
						continue
					}
					model[at].name = to
					if err := e.Rename(name+".npy", to+".npy"); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		after := raw(t, path)
		z := must(npz.Open(path))
		defer z.Close()
		entries := z.Entries()
		if len(entries) != len(model) {
			t.Fatalf("%d members, want %d", len(entries), len(model))
		}
		for i, m := range model {
			if got := which(t, z, entries[i].Name); entries[i].Name != m.name+".npy" || got != m.which {
				t.Errorf("member %d is %s with %d, want %+v", i, entries[i].Name, got, m)
			}
			if name := m.name + ".npy"; slices.Contains(untouched, m) && before[name] != after[name] {
				t.Errorf("%s: %.300s, was %.300s", name, after[name], before[name])
			}
		}
	})
}

func ExampleEdit() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	old := must(npy.FromSlice([]int64{1, 2, 3}))
	if err := npz.Save(path, npz.Member{Name: "w", Array: old}, npz.Member{Name: "b", Array: old}, npz.Member{Name: "tmp", Array: old}); err != nil {
		fmt.Println(err)
		return
	}
	err := npz.Edit(path, func(e *npz.Editor) error {
		if err := e.Delete("tmp"); err != nil {
			return err
		}
		if err := e.Rename("w", "weights"); err != nil {
			return err
		}
		return e.Replace("b", must(npy.FromSlice([]float64{0.5})))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := npz.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z.Close()
	fmt.Println(z.Names())
	// Output: [weights b]
}

// Edits of one archive at the same time, of this process and of others, wait for each other: no change is lost, whether the archive
// was there or not.
func TestEditTogether(t *testing.T) {
	for _, exists := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "a.npz")
		if exists {
			path = abc(t, npz.Encoder{})
		}
		const n = 24
		errs := make(chan error, n)
		for i := range n {
			go func() {
				errs <- npz.Extend(path, func(ed *npz.Editor) error {
					if exists && i == n/2 {
						if err := ed.Recompress(npz.Decoder{}, nil); err != nil {
							return err
						}
					}
					return ed.Add(fmt.Sprintf("new%d", i), numbered(100, i))
				})
			}()
		}
		for range n {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		got := contents(t, path)
		for i := range n {
			if !strings.Contains(got, fmt.Sprintf("new%d=%d", i, i)) {
				t.Errorf("member %d of an archive that existed: %t is lost: %s", i, exists, got)
			}
		}
	}
}

// An Extend that fails leaves no archive, unless there was one.
func TestExtendFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	fault := errors.New("fault")
	if err := npz.Extend(path, func(*npz.Editor) error { return fault }); !errors.Is(err, fault) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is an archive: %v", err)
	}
	path = abc(t, npz.Encoder{})
	want := contents(t, path)
	err := npz.Extend(path, func(ed *npz.Editor) error {
		return ed.AddFunc("x", func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 40<<20))
			return fault
		})
	})
	if got := contents(t, path); !errors.Is(err, fault) || got != want {
		t.Errorf("error %v, the archive holds %s, want %s", err, got, want)
	}
}
