package objects_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/objects"
)

var (
	reading = npy.Decoder{Objects: objects.Decoder{}}
	writing = npy.Encoder{Objects: objects.Encoder{}}
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// objectVectors returns the files with objects of both generations of NumPy.
func objectVectors(t testing.TB) []npytest.Vector {
	t.Helper()
	var all []npytest.Vector
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		for _, v := range must(npytest.Vectors(dir)) {
			if v.HasObject() {
				all = append(all, v)
			}
		}
	}
	if len(all) < 25 {
		t.Fatalf("only %d vectors found", len(all))
	}
	return all
}

// ways lists every way to read an array.
var ways = map[string]func(path string, data []byte) (*npy.Array, error){
	"file":  func(path string, _ []byte) (*npy.Array, error) { return reading.ReadFile(path) },
	"bytes": func(_ string, data []byte) (*npy.Array, error) { return reading.Read(bytes.NewReader(data)) },
	"one byte at a time": func(_ string, data []byte) (*npy.Array, error) {
		return reading.Read(iotest.OneByteReader(bytes.NewReader(data)))
	},
	"data with the error": func(_ string, data []byte) (*npy.Array, error) {
		return reading.Read(iotest.DataErrReader(bytes.NewReader(data)))
	},
	"with a limit": func(_ string, data []byte) (*npy.Array, error) {
		d := reading
		d.MaxBytes = int64(len(data)) - 128
		return d.Read(bytes.NewReader(data))
	},
}

// Every file of objects reads to NumPy's values, and is written again byte for byte.
func TestVectors(t *testing.T) {
	for _, v := range objectVectors(t) {
		data := must(os.ReadFile(v.Path))
		for name, read := range ways {
			a, err := read(v.Path, data)
			if err != nil {
				t.Errorf("%s, %s: %v", v.Path, name, err)
				continue
			}
			if err := v.CheckObjects(a, plain); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var buf bytes.Buffer
			if err := writing.Write(&buf, a); err != nil {
				t.Errorf("%s: %v", v.Path, err)
			}
			if sum := sha256.Sum256(buf.Bytes()); hex.EncodeToString(sum[:]) != v.SHA256 {
				t.Errorf("%s, %s: written bytes differ:\n%q\n%q", v.Path, name, buf.Bytes(), data)
			}
		}
		path := filepath.Join(t.TempDir(), "out.npy")
		if err := writing.WriteFile(path, must(reading.ReadFile(v.Path))); err != nil {
			t.Error(err)
		} else if !bytes.Equal(must(os.ReadFile(path)), data) {
			t.Errorf("%s: WriteFile gives other bytes", v.Path)
		}
	}
}

// Consecutive arrays in one stream or file are read one by one, whatever they hold.
func TestOneStream(t *testing.T) {
	var stream bytes.Buffer
	var want [][]byte
	number := must(npy.FromSlice([]float64{1.5, 2.5}))
	for _, v := range objectVectors(t) {
		data := must(os.ReadFile(v.Path))
		var plain bytes.Buffer
		if err := npy.Write(&plain, number); err != nil {
			t.Fatal(err)
		}
		want = append(want, data, plain.Bytes())
		stream.Write(data)
		stream.Write(plain.Bytes())
	}
	path := filepath.Join(t.TempDir(), "all.npy")
	if err := os.WriteFile(path, stream.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	f := must(os.Open(path))
	defer f.Close()
	for name, r := range map[string]io.Reader{
		"bytes": bytes.NewReader(stream.Bytes()), "bytes one by one": iotest.OneByteReader(bytes.NewReader(stream.Bytes())), "file": f,
	} {
		for i, w := range want {
			a, err := reading.Read(r)
			if err != nil {
				t.Fatalf("%s: array %d: %v", name, i, err)
			}
			var buf bytes.Buffer
			if err := writing.Write(&buf, a); err != nil || !bytes.Equal(buf.Bytes(), w) {
				t.Errorf("%s: array %d is another (%v)", name, i, err)
			}
		}
		if _, err := reading.Read(r); err != io.EOF {
			t.Errorf("%s: at the end Read gives %v, want io.EOF", name, err)
		}
	}
}

func parse(descr string) dtype.Type { return must(dtype.Parse(descr)) }
