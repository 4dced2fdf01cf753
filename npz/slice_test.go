package npz_test

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// A meter counts the bytes that are read.
type meter struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (m *meter) ReadAt(b []byte, at int64) (int, error) {
	m.bytes.Add(int64(len(b)))
	return m.ReaderAt.ReadAt(b, at)
}

// A column of a stored member takes what is in it, not all between its ends.
func TestSliceOfStored(t *testing.T) {
	values := make([]int64, 200*3000)
	for i := range values {
		values[i] = int64(i)
	}
	a, err := npy.FromSlice(values, 200, 3000)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := npz.Encoder{Store: true}.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add("a", a); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m := &meter{ReaderAt: bytes.NewReader(file.Bytes())}
	z, err := npz.NewReader(m, int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m.bytes.Store(0)
	b, err := z.Slice("a", npy.Span(0, 3), npy.At(-1))
	if err != nil || fmt.Sprint(b) != "[2999 5999 8999]" {
		t.Errorf("%v, %v", b, err)
	}
	if n := m.bytes.Load(); n > 8<<10 {
		t.Errorf("%d bytes read for a column of 3", n)
	}
}
