package npz_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
)

// archives returns every archive that NumPy wrote for the tests.
func archives(t *testing.T) []npytest.Archive {
	t.Helper()
	var all []npytest.Archive
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		a, err := npytest.Archives(dir)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a...)
	}
	if len(all) != 9 {
		t.Fatalf("%d archives found, want 9", len(all))
	}
	return all
}

// openers lists every way to open an archive.
var openers = []struct {
	name string
	open func(t *testing.T, path string) (*npz.Reader, error)
}{
	{"file", func(_ *testing.T, path string) (*npz.Reader, error) { return npz.Open(path) }},
	{"bytes", func(t *testing.T, path string) (*npz.Reader, error) {
		data := readFile(t, path)
		return npz.NewReader(bytes.NewReader(data), int64(len(data)))
	}},
	{"read whole, with io.EOF", func(t *testing.T, path string) (*npz.Reader, error) {
		data := readFile(t, path)
		return npz.NewReader(eagerEOF(data), int64(len(data)))
	}},
}

// eagerEOF is an io.ReaderAt that returns io.EOF together with the last bytes, as it may.
type eagerEOF []byte

func (b eagerEOF) ReadAt(p []byte, offset int64) (int, error) {
	n := copy(p, b[offset:])
	if offset+int64(n) == int64(len(b)) {
		return n, io.EOF
	}
	return n, nil
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every member equals NumPy's, with every way to read it.
func TestVectors(t *testing.T) {
	for _, archive := range archives(t) {
		for _, o := range openers {
			z, err := o.open(t, archive.Path)
			if err != nil {
				t.Fatalf("%s, %s: %v", archive.Path, o.name, err)
			}
			if z.Len() != len(archive.Members) {
				t.Errorf("%s, %s: %d members, NumPy has %d", archive.Path, o.name, z.Len(), len(archive.Members))
			}
			for _, name := range z.Names() {
				v, ok := archive.Members[name]
				if !ok {
					t.Fatalf("%s: NumPy knows no %q", archive.Path, name)
				}
				checkMember(t, z, name, v)
			}
			for m, err := range z.All() {
				checkArray(t, archive.Members[m.Name], m.Array, err)
			}
			if err := z.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// checkMember reads a member in every way.
func checkMember(t *testing.T, z *npz.Reader, name string, v npytest.Vector) {
	t.Helper()
	a, err := z.Array(name)
	checkArray(t, v, a, err)
	a, err = z.Array(name + ".npy")
	checkArray(t, v, a, err)
	a, err = z.Slice(name)
	checkArray(t, v, a, err)

	raw, err := z.Bytes(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err = npy.Read(bytes.NewReader(raw))
	checkArray(t, v, a, err)
	f, err := z.Open(name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if streamed, err := io.ReadAll(f); err != nil || !bytes.Equal(streamed, raw) {
		t.Errorf("%s: Open gives other bytes than Bytes, %v", v.Path, err)
	}

	info, err := z.Info(name)
	if err != nil {
		t.Fatal(err)
	}
	if !info.Header.DType.Equal(v.DType) || !slices.Equal(info.Header.Shape, v.Shape) || info.Entry.Size != int64(len(raw)) {
		t.Errorf("%s: Info says %v %v, %d bytes", v.Path, info.Header.DType, info.Header.Shape, info.Entry.Size)
	}
	m, err := z.Map(name)
	if err == nil {
		checkArray(t, v, m.Array(), nil)
		err = m.Close()
	} else if errors.Is(err, errors.ErrUnsupported) || v.HasObject() {
		err = nil // TestMap knows where it must work
	}
	if err != nil {
		t.Errorf("%s: Map: %v", v.Path, err)
	}
}

func checkArray(t *testing.T, v npytest.Vector, a *npy.Array, err error) {
	t.Helper()
	if v.HasObject() {
		if !errors.Is(err, npy.ErrObjects) {
			t.Errorf("%s: error is %v, want ErrObjects", v.Path, err)
		}
		return
	}
	if err == nil {
		err = v.Check(a)
	}
	if err != nil {
		t.Errorf("%s: %v", v.Path, err)
	}
}
