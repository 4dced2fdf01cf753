package objects_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// FuzzObjects reads any file. A value that was read can be printed, and is written to a file that reads and writes the
// same.
func FuzzObjects(f *testing.F) {
	for _, v := range objectVectors(f) {
		f.Add(must(os.ReadFile(v.Path)))
	}
	for _, tt := range attacks {
		f.Add(file(tt.pickle, 1))
	}
	f.Add(file(pickled(arr(1, tup(1), pair(), false, list(tup(7, "x")))), 1))
	f.Add(file(pickled(maskedArray([]byte("12"), []byte("\x00\x01")))))
	dec := npy.Decoder{MaxBytes: 1 << 20, Objects: objects.Decoder{MaxStruct: 1 << 20, Pickle: pickle.Decoder{MaxNodes: 1 << 16}}}
	path := filepath.Join(f.TempDir(), "a.npy") // shared, since making a directory takes longer than reading a file
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := dec.Read(bytes.NewReader(data))
		if s, errStream := dec.Read(io.MultiReader(bytes.NewReader(data))); (err == nil) != (errStream == nil) {
			t.Fatalf("from memory: %v, %v, as a stream: %v, %v", a, err, s, errStream)
		}
		if werr := os.WriteFile(path, data, 0o666); werr != nil {
			t.Fatal(werr)
		}
		if _, err2 := dec.ReadFile(path); (err == nil) != (err2 == nil) {
			t.Fatalf("from memory: %v, as a file: %v", err, err2)
		}
		if err != nil {
			return
		}
		_, _ = a.String(), a.Repr(1000)
		if a.DType().Kind() == 'O' {
			_, _ = npy.As[string](a)
			_, _ = npy.As[float64](a)
		}
		var first, second bytes.Buffer
		if err := writing.Write(&first, a); err != nil {
			return // such as a dict with two equal keys
		}
		b, err := reading.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%q", err, first.Bytes())
		}
		if err := writing.Write(&second, b); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again as\n%q, before\n%q (%v)", second.Bytes(), first.Bytes(), err)
		}
	})
}
