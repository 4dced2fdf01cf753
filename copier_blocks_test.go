package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/plumbing"
)

// testFile returns a file with counted elements, and the array in it.
func testFile(t *testing.T, dt dtype.Type, fortran bool, shape ...int) (*npy.File, *npy.Array) {
	t.Helper()
	h := format.Header{DType: dt, Shape: shape, FortranOrder: fortran}
	file, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int(h.NBytes()) {
		k := byte(i*7+i>>8) & 0x3f
		if dt.Kind() == dtype.KindStr && i%4 > 0 { // characters, little-endian
			k = 0
		}
		file = append(file, k)
	}
	f, err := npy.OpenReaderAt(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f, a
}

// wanted returns the bytes of np.save for a.astype(t, order=order).
func wanted(t *testing.T, a *npy.Array, dt dtype.Type, order npy.Order) []byte {
	t.Helper()
	if !a.DType().Equal(dt) {
		b, err := a.AsType(dt)
		if err != nil {
			t.Fatal(err)
		}
		a = b
	}
	switch order {
	case npy.COrder:
		a = a.Contiguous()
	case npy.FortranOrder:
		a = a.Fortran()
	}
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func typeOf(t *testing.T, text string) dtype.Type {
	t.Helper()
	dt, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

// With any amount of memory, the copy has the bytes of the array converted as a whole.
func TestCopying(t *testing.T) {
	leastMemory(t, 1)
	r := rand.New(rand.NewPCG(5, 6))
	path := filepath.Join(t.TempDir(), "copy.npy")
	types := [][2]string{{"<f4", "<f8"}, {">i4", "<i4"}, {">c8", "<c8"}, {"<M8[s]", ">M8[s]"}, {">f16", "<f16"}, {"|u1", "|u1"}, {"<U3", "<U5"}, {"|S5", "|S5"}, {"[('a', '<i2'), ('b', '>f8', (2,))]", "[('a', '>i2'), ('b', '<f8', (2,))]"}, {"|V0", "|V0"}}
	for range 2000 {
		pair := types[r.IntN(len(types))]
		from, to := typeOf(t, pair[0]), typeOf(t, pair[r.IntN(2)])
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(9)
		}
		f, a := testFile(t, from, r.IntN(2) == 0, shape...)
		var index []npy.Index
		if len(shape) > 0 && r.IntN(2) == 0 {
			index = []npy.Index{npy.Ellipsis(), npy.SpanFrom(r.IntN(3)).By([]int{1, 2, -1}[r.IntN(3)])}
		}
		part, err := a.Slice(index...)
		if err != nil {
			t.Fatal(err)
		}
		c := npy.Copier{DType: to, Order: npy.Order(r.IntN(3))}
		done := int64(-1)
		c.Progress = func(n, total int64) {
			if n <= done || n > total {
				t.Fatalf("progress %d of %d after %d", n, total, done)
			}
			done = n
		}
		c.Memory = 1 + int64(r.IntN(1500))
		what := fmt.Sprintf("%v to %v, shape %v%v, order %d, memory %d", from, to, shape, index, c.Order, c.Memory)
		want := wanted(t, part, to, c.Order)
		if err := c.WriteFile(context.Background(), path, must(f.Select(index...))); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s: other bytes, %v", what, err)
		}
		var stream bytes.Buffer
		done = -1
		if err := c.Write(context.Background(), &stream, must(f.Select(index...))); err != nil || !bytes.Equal(stream.Bytes(), want) {
			t.Fatalf("%s: other bytes in sequence, %v", what, err)
		}
		checkBlocks(t, what, f, index, part)
	}
}

// checkBlocks compares the pieces of a file with the array.
func checkBlocks(t *testing.T, what string, f *npy.File, index []npy.Index, want *npy.Array) {
	t.Helper()
	var got []byte
	for a, err := range must(f.Select(index...)).Blocks(context.Background(), 0) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got = append(got, a.Bytes()...)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%s: the pieces are another array", what)
	}
}

// Arrays are joined along each axis, in little memory.
func TestConcatenating(t *testing.T) {
	leastMemory(t, 1)
	r := rand.New(rand.NewPCG(7, 8))
	path := filepath.Join(t.TempDir(), "copy.npy")
	for range 500 {
		shape := make([]int, 1+r.IntN(3))
		for i := range shape {
			shape[i] = 1 + r.IntN(6)
		}
		axis := r.IntN(len(shape))
		c := npy.Copier{Order: npy.Order(r.IntN(3)), DType: dtype.Float64}
		var files []npy.Source
		var arrays []*npy.Array
		for range 1 + r.IntN(3) {
			shape := slices.Clone(shape)
			shape[axis] = r.IntN(5)
			fortran := r.IntN(2) == 0
			f, a := testFile(t, []dtype.Type{dtype.Float64, dtype.Float32, dtype.Int16}[r.IntN(3)], fortran, shape...)
			b, err := a.AsType(dtype.Float64)
			if err != nil {
				t.Fatal(err)
			}
			files, arrays = append(files, f), append(arrays, b)
			shape[axis] = 0
		}
		c.Memory = 1 + int64(r.IntN(500))
		if err := c.Concat(context.Background(), path, axis-r.IntN(2)*len(shape), files...); err != nil {
			t.Fatal(err)
		}
		got, err := npy.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; len(arrays) > 0; arrays = arrays[1:] {
			index := slices.Repeat([]npy.Index{npy.All()}, len(shape))
			n := arrays[0].Shape()[axis]
			index[axis] = npy.Span(at, at+n)
			part, err := got.Slice(index...)
			if err != nil || !bytes.Equal(part.Bytes(), arrays[0].Bytes()) {
				t.Fatalf("shape %v axis %d order %d: other elements from %d on, %v", shape, axis, c.Order, at, err)
			}
			at += n
		}
		if c.Order != npy.KeepOrder && (c.Order == npy.FortranOrder) != npy.HeaderOf(got).FortranOrder && !got.IsC() {
			t.Fatalf("order %d: in Fortran order %v", c.Order, npy.HeaderOf(got).FortranOrder)
		}
	}
}

// leastMemory lets Copiers have less memory for the time of a test.
func leastMemory(t *testing.T, bytes int64) {
	before := plumbing.MinMemory
	plumbing.MinMemory = bytes
	t.Cleanup(func() { plumbing.MinMemory = before })
}

// A fullDisk fails after a number of writes.
type fullDisk struct{ writes int }

func (d *fullDisk) WriteAt(b []byte, _ int64) (int, error) {
	if d.writes--; d.writes < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

// No write fails unnoticed, and after a failed write nothing is reported as written.
func TestCopyingToAFullDisk(t *testing.T) {
	leastMemory(t, 1)
	disk := &fullDisk{}
	before := plumbing.CopyTo
	plumbing.CopyTo = func(io.WriterAt) io.WriterAt { return disk }
	t.Cleanup(func() { plumbing.CopyTo = before })
	path := filepath.Join(t.TempDir(), "copy.npy")
	f, a := testFile(t, dtype.Int64, true, 30, 40)
	failed := 0
	for writes := range 100 {
		disk.writes = writes
		done := int64(0)
		c := npy.Copier{Order: npy.COrder, Memory: 100_000, Progress: func(n, _ int64) { done = n }}
		err := c.WriteFile(context.Background(), path, f)
		if full := disk.writes < 0; full != (err != nil) || full == (done == int64(a.NBytes())) {
			t.Fatalf("room for %d writes: %v, %d bytes reported", writes, err, done)
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 || failed == 100 {
		t.Errorf("%d of 100 copies failed", failed)
	}
}
