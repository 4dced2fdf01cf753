package order

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// Rows with numbers are sorted as all rows are, in memory and in a temporary file, and written with holes for zeros.
func TestCountedSort(t *testing.T) {
	rng := oracle.Rand(t)
	ctx := context.Background()
	dir := t.TempDir()
	for i := range oracle.Cases(t, 10) {
		dt, keys := must(dtype.Parse("i2,i2,S4")), []sortkey.Key{{Field: "f0"}}
		if i%2 == 0 {
			dt, keys = dtype.Int16, nil
		}
		n := (5 << 18) / dt.ItemSize()
		a := must(npy.New(dt, n))
		data, _ := a.ViewBytes()
		for at := 0; at < n; {
			value := make([]byte, dt.ItemSize())
			value[0], value[len(value)-1] = byte(rng.IntN(3)), byte(rng.IntN(2))
			for end := min(at+1+rng.IntN(n), n); at < end; at++ {
				copy(data[at*len(value):], value)
			}
		}
		for range rng.IntN(4) {
			at := rng.IntN(len(data) - 4000)
			for i := range data[at : at+rng.IntN(4000)] {
				data[at+i] = byte(rng.IntN(3))
			}
		}
		src := npytest.Regioned(a, 1<<62)
		if must(source.Runs(ctx, src, source.RunOptions{})) == nil {
			continue
		}
		s := Sort{By: keys, Descending: rng.IntN(2) == 0, rowsInMemory: []int{0, 50}[rng.IntN(2)], Temp: filepath.Join(dir, "temp")}
		sorted := must(s.Open(ctx, src))
		want := must(Sort{By: keys, Descending: s.Descending}.Array(ctx, a)).Bytes()
		var blocks []byte
		for b, err := range sorted.Blocks(ctx, 0) {
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, b.Bytes()...)
		}
		path := filepath.Join(dir, "a.npy")
		var stream bytes.Buffer
		if err := errors.Join(sorted.WriteFile(ctx, path), sorted.Write(ctx, &stream)); err != nil {
			t.Fatal(err)
		}
		file := must(npy.ReadFile(path)).Bytes()
		for what, got := range map[string][]byte{
			"ReadAll": must(sorted.ReadAll(ctx)).Bytes(), "Blocks": blocks, "WriteFile": file, "Write": must(npy.Read(&stream)).Bytes(),
			"a part": must(must(sorted.Select(npy.All())).ReadAll(ctx)).Bytes(),
		} {
			if !bytes.Equal(got, want) {
				t.Fatalf("case %d: %s of %+v gives other rows", i, what, s)
			}
		}
		sorted.Close()
	}
	if left, _ := os.ReadDir(dir); len(left) > 1 {
		t.Errorf("%v is left", left)
	}
}

// Copies of zeros cost nothing in a file. The limits of the source apply to all other copies.
func TestCountedLimits(t *testing.T) {
	values := make([]float64, 1<<18)
	values[77] = 5
	src := npytest.Regioned(must(npy.FromSlice(values)), 1<<20)
	path := filepath.Join(t.TempDir(), "a.npy")
	ctx := context.Background()
	sorted := must(Sort{}.Open(ctx, src))
	defer sorted.Close()
	if err := sorted.WriteFile(ctx, path); err != nil {
		t.Fatal(err)
	}
	if got := must(npy.As[float64](must(npy.ReadFile(path)))); got.At(1<<18-1) != 5 || got.At(0) != 0 || got.Size() != 1<<18 {
		t.Error("other elements")
	}
	var over *npy.LimitError
	_, err := sorted.ReadAll(ctx)
	if !errors.As(err, &over) {
		t.Errorf("ReadAll: error %v", err)
	}
	if err := sorted.Write(ctx, new(bytes.Buffer)); !errors.As(err, &over) {
		t.Errorf("Write: error %v", err)
	}
}
