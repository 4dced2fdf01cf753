package stats_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

// inFile writes an array to memory and opens it as a seekable file.
func inFile(t testing.TB, a *npy.Array) *npy.File {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	f, err := npy.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A file and its parts have the same summary as the array, bit for bit.
func TestOfFile(t *testing.T) {
	const rows = 90_001 // several blocks and a partial one
	grid, err := npy.FromSlice(randomFloats(rows*3), rows, 3)
	if err != nil {
		t.Fatal(err)
	}
	long := parse(t, "[('a', '<f4', (1000, 1000)), ('b', '|u1')]")
	for name, a := range map[string]*npy.Array{
		"C order":       grid,
		"Fortran order": grid.Fortran(),
		"records":       mustBytes(t, parse(t, "[('x', '>i2'), ('s', '|S3')]"), bytes.Repeat([]byte("ab\x00c\x00"), 70_000)),
		"long elements": mustBytes(t, long, make([]byte, 3*long.ItemSize())),
		"no bytes":      mustBytes(t, parse(t, "|S0"), nil),
		"no elements":   array[float64](t),
		"one element":   array(t, 2.5),
	} {
		got, err := stats.Of(context.Background(), inFile(t, a))
		if want := of(t, a); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	index := []npy.Index{npy.Span(5, 80_000), npy.At(1)}
	part, err := grid.Slice(index...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := stats.Of(context.Background(), must(inFile(t, grid).Select(index...)))
	if want := of(t, part.Contiguous()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("part: %v, %v, want %v", got, err, want)
	}
}

// Blocks that are read with ReadAt follow the data added before, wherever that data ended.
func TestAddAtFollowsAdd(t *testing.T) {
	a := array(t, randomFloats(200_000)...)
	want := of(t, a)
	for _, first := range []int{0, 3, 8, 300_000, len(a.Bytes()) - 1} {
		acc, err := stats.New(a.DType())
		if err != nil {
			t.Fatal(err)
		}
		acc.Add(a.Bytes()[:first])
		if err := acc.AddAt(context.Background(), bytes.NewReader(a.Bytes()), int64(first), int64(len(a.Bytes())-first)); err != nil {
			t.Fatal(err)
		}
		if got, err := acc.Result(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes first: %v, %v, want %v", first, got, err, want)
		}
	}
}

// A file that was shortened, or cannot be read, gives an error wherever the failure occurs.
func TestAddAtEndsEarly(t *testing.T) {
	for _, have := range []int{0, 5, 1 << 20, 3<<20 + 1} {
		acc, err := stats.New(parse(t, "<f8"))
		if err != nil {
			t.Fatal(err)
		}
		if err := acc.AddAt(context.Background(), bytes.NewReader(make([]byte, have)), 0, 4<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of 4 MiB: %v, want io.ErrUnexpectedEOF", have, err)
		}
	}
}

// Along an axis a file has the same results as the array, in both orders and for parts.
func TestAxisOfFile(t *testing.T) {
	a, err := npy.FromSlice(randomFloats(24), 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	for name, index := range map[string][]npy.Index{"whole": nil, "part": {npy.All(), npy.Span(1, 3)}} {
		part, err := a.Slice(index...)
		if err != nil {
			t.Fatal(err)
		}
		for axis := -3; axis < 3; axis++ {
			along, err := stats.AxisOf(context.Background(), part, axis)
			mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
			if err != nil {
				t.Fatal(err)
			}
			want := [4]string{mean.String(), std.String(), lo.String(), hi.String()}
			for order, f := range map[string]*npy.File{"C": inFile(t, a), "Fortran": inFile(t, a.Fortran())} {
				along, err := stats.AxisOf(context.Background(), must(f.Select(index...)), axis)
				mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
				if err != nil {
					t.Fatal(err)
				}
				if got := [4]string{mean.String(), std.String(), lo.String(), hi.String()}; got != want {
					t.Errorf("%s in %s order along %d: %v, want %v", name, order, axis, got, want)
				}
			}
		}
	}
}
