package pickle

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

// FuzzDecode checks for any input that nothing panics, that memory stays in proportion to it, and that reading from
// memory and from streams gives the same value or error and takes the same bytes.
func FuzzDecode(f *testing.F) {
	for _, h := range hostiles {
		if data := h.good + h.bad; len(data) < 1000 {
			f.Add([]byte(data))
		}
	}
	files, err := filepath.Glob("../testdata/*/object-*.npy")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if i := bytes.IndexByte(data, '\x80'); i >= 0 && len(data) < 2000 {
			f.Add(data[i:])
		}
	}
	d := Decoder{
		Construct:      newState,
		PersistentLoad: func(id any) (any, error) { return id, nil },
		NextBuffer:     func() ([]byte, error) { return nil, errRefused },
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		strict := d
		strict.MaxShared = 1
		if took := allocated(func() { _, _, _ = strict.DecodeBytes(data) }); took > memoryLimit(len(data)) {
			t.Errorf("%d bytes allocated, want at most %d", took, memoryLimit(len(data)))
		}
		v, rest, err := d.DecodeBytes(data)
		if err == nil {
			_ = (&Printer{MaxBytes: 1000}).Repr(v)
		}
		for name, r := range map[string]io.Reader{
			"one byte":     iotest.OneByteReader(bytes.NewReader(data)),
			"plain":        io.MultiReader(bytes.NewReader(data)),
			"small buffer": bufio.NewReaderSize(bytes.NewReader(data), 16),
			"buffer":       bufio.NewReader(bytes.NewReader(data)),
		} {
			again, errAgain := d.Decode(r)
			if fmt.Sprint(err) != fmt.Sprint(errAgain) {
				t.Fatalf("from a %s reader the error is %v, from memory %v", name, errAgain, err)
			}
			if err != nil {
				continue
			}
			if a, b := describe(again), describe(v); a != b {
				t.Fatalf("from a %s reader the value is %.1000s, from memory %.1000s", name, a, b)
			}
			if left, err := io.ReadAll(r); !bytes.Equal(left, rest) || err != nil {
				t.Fatalf("a %s reader has %q left, memory %q", name, left, rest)
			}
		}
	})
}
