package input

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
)

// Blocks in C order of a long compressed array in Fortran order come from a temporary file, which is removed.
func TestReordered(t *testing.T) {
	const rows, columns = wholeMax/16 + 100, 4
	a, err := npy.New(dtype.Uint32, rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range rows * columns {
		binary.NativeEndian.PutUint32(data[4*i:], uint32(i/1000))
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a.npz")
	if err := npz.Save(path, npz.Member{Name: "a", Array: a.Fortran()}); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	o := Opener{Temporary: func(func()) (done func()) { return func() {} }, Tell: func(string, ...any) {}}
	target, err := Parse(path + ":a")
	if err != nil {
		t.Fatal(err)
	}
	x, err := o.Once(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, ok := x.Source.(*reordered); !ok {
		t.Fatalf("the source is a %T", x.Source)
	}
	if _, reversed := npy.StoredOrder(x.Source); !reversed || !npy.HeaderOf(x.Source).FortranOrder {
		t.Error("the array is not in Fortran order")
	}
	at := 0
	for block, err := range x.Blocks(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		data, ok := block.ViewBytes()
		if !ok {
			t.Fatal("a block is not in C order")
		}
		for ; len(data) > 0; data = data[4:] {
			if got := binary.NativeEndian.Uint32(data); got != uint32(at/1000) {
				t.Fatalf("element %d is %d, want %d", at, got, at/1000)
			}
			at++
		}
	}
	if at != rows*columns {
		t.Errorf("%d elements, want %d", at, rows*columns)
	}
	for i := range 2 * maxDirect { // the first come from the array, the next ones from the copy
		row := i * 1000
		part, err := x.Select(npy.At(row), npy.Span(1, 3))
		if err != nil {
			t.Fatal(err)
		}
		got, err := part.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		values, err := npy.As[uint32](got)
		if err != nil {
			t.Fatal(err)
		}
		if first := row*columns + 1; values.Len() != 2 || values.At(0) != uint32(first/1000) || values.At(1) != uint32((first+1)/1000) {
			t.Errorf("row %d: %v", row, got)
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v left, %v", left, err)
	}
}
