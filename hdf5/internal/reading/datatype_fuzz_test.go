package reading

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/closable"
)

// No datatype message makes the reader panic, and elements of every datatype can be converted.
func FuzzDatatype(f *testing.F) {
	l := Limits{Bytes: 1 << 20, Entries: 1 << 10, Header: 1 << 16}
	var first []byte
	for _, name := range []string{"types-earliest.h5", "types-latest.h5"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		file, err := Open(closable.New(bytes.NewReader(data), nil), int64(len(data)), l)
		if err != nil {
			f.Fatal(err)
		}
		file.walk(func(o object) bool {
			if m, ok := o.h.Find(structure.DatatypeMessage); ok && !m.Shared {
				f.Add(m.Data, []byte("\x01\x00\x02some elements of this type, more than one"))
			}
			return true
		})
		if first == nil {
			first = data
		}
	}
	f.Fuzz(func(t *testing.T, message, elements []byte) {
		file, err := Open(closable.New(bytes.NewReader(first), nil), int64(len(first)), l)
		if err != nil {
			t.Fatal(err)
		}
		x, err := structure.ReadDatatype(&storage.Cursor{In: file.Input, What: "datatype message", Data: message})
		if err != nil {
			if located := new(fault.Error); !errors.As(err, &located) || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Fatalf("error %v", err)
			}
			return
		}
		c, err := codingOf(x, file)
		if err != nil || c.DType.ItemSize() > 1<<20 || c.size > len(elements) {
			return
		}
		if x.Size != c.size {
			t.Fatalf("elements of %d bytes are decoded as %d", x.Size, c.size)
		}
		n := len(elements) / c.size
		a, err := c.Array(context.Background(), file.Reading(), elements[:n*c.size], []int{n})
		if err == nil && a.Len() != n {
			t.Fatalf("%d elements of %d", a.Len(), n)
		}
	})
}
