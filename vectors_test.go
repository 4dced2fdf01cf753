package npy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npytest"
)

// vectors returns every .npy file that NumPy wrote for the tests, of both NumPy generations.
func vectors(t testing.TB) []npytest.Vector {
	t.Helper()
	var all []npytest.Vector
	for _, dir := range []string{"testdata/numpy-1.24.2", "testdata/numpy-2.3.5", "testdata/numpy-2.5.2"} {
		v, err := npytest.Vectors(dir)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v...)
	}
	if len(all) < 180 {
		t.Fatalf("only %d vectors found", len(all))
	}
	return all
}

// paths lists every way to read an array whole. Each must give the same array.
var paths = []struct {
	name string
	read func(path string, data []byte) (*npy.Array, error)
}{
	{"file", func(path string, _ []byte) (*npy.Array, error) { return npy.ReadFile(path) }},
	{"open file", func(path string, _ []byte) (*npy.Array, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return npy.Read(f)
	}},
	{"bytes", func(_ string, data []byte) (*npy.Array, error) { return npy.Read(bytes.NewReader(data)) }},
	{"stream", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(struct{ io.Reader }{bytes.NewReader(data)})
	}},
	{"one byte at a time", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(iotest.OneByteReader(bytes.NewReader(data)))
	}},
	{"data with the error", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(iotest.DataErrReader(bytes.NewReader(data)))
	}},
}

func TestVectorsReadAndWrite(t *testing.T) {
	for _, v := range vectors(t) {
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != v.SHA256 {
			t.Errorf("%s is not the file of the manifest", v.Path)
		}
		if v.HasObject() {
			checkRefused(t, v, data)
			continue
		}
		for _, p := range paths {
			a, err := p.read(v.Path, data)
			if err != nil {
				t.Errorf("%s, %s: %v", v.Path, p.name, err)
				continue
			}
			if err := v.Check(a); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
			checkWritten(t, v, a, data)
		}
	}
}

// checkRefused checks that arrays of objects give their header and nothing else.
func checkRefused(t *testing.T, v npytest.Vector, data []byte) {
	t.Helper()
	for _, p := range paths {
		if _, err := p.read(v.Path, data); !strings.Contains(errText(err), npy.ErrObjects.Error()) {
			t.Errorf("%s, %s: error is %v, want ErrObjects", v.Path, p.name, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// checkWritten writes the array in every way and compares with NumPy's bytes.
func checkWritten(t *testing.T, v npytest.Vector, a *npy.Array, want []byte) {
	t.Helper()
	h, err := format.ParseHeader(want)
	if err != nil {
		t.Fatal(err)
	}
	e := npy.Encoder{}
	if h.Version != format.V1 && !strings.Contains(v.Path, "unicode") {
		e.Version = h.Version // these two were written with an explicit version
	}
	if v.MLDType.IsValid() { // the file does not name the dtype
		a = must(npy.FromBytes(v.MLDType, a.Bytes(), v.Shape...))
	}
	var buf bytes.Buffer
	if err := e.Write(&buf, a); err != nil || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("%s: written bytes differ (%v)", v.Path, err)
	}
	path := filepath.Join(t.TempDir(), "out.npy")
	if err := e.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("%s: WriteFile gives other bytes", v.Path)
	}
}

func TestVectorsInOneStream(t *testing.T) {
	var stream bytes.Buffer
	var order []npytest.Vector
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(data)
		order = append(order, v)
	}
	path := filepath.Join(t.TempDir(), "all.npy")
	if err := os.WriteFile(path, stream.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, r := range map[string]io.Reader{"stream": &stream, "file": f} {
		for _, v := range order {
			a, err := npy.Read(r)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, v.Path, err)
			}
			if err := v.Check(a); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if a, err := npy.Read(r); err != io.EOF {
			t.Errorf("%s: at the end Read gives %v, %v, want io.EOF", name, a, err)
		}
	}
}

func TestVectorsCutShort(t *testing.T) {
	for _, v := range vectors(t) {
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if v.HasObject() {
			continue
		}
		for _, cut := range []int{1, len(data) / 2, len(data) - 1} {
			path := filepath.Join(t.TempDir(), "cut.npy")
			short := data[:len(data)-cut]
			if err := os.WriteFile(path, short, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, p := range paths {
				_, err := p.read(path, short)
				if err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
					t.Errorf("%s without its last %d bytes, %s: error is %v", v.Path, cut, p.name, err)
				}
			}
		}
	}
}
