package diff_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/format"
)

func ExampleCompare() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	b, err := npy.FromSlice([]float64{1, 2, 3.5, 4.0000001}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	r, err := diff.Compare(context.Background(), a, b, diff.Options{RTol: 1e-5})
	if err != nil {
		log.Fatal(err)
	}
	f := r.Fields[0]
	fmt.Println(r.Equal(), f.Different, "of", f.Count, "differ,", f.Close, "close")
	m := f.First[0]
	fmt.Println(m.Index, m.A, m.B, "by", m.Abs)
	// Output:
	// false 1 of 4 differ, 1 close
	// [1 0] 3.0 3.5 by 0.5
}

func ExampleCompare_files() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	open := func(name string, xs ...int32) *npy.File {
		path := filepath.Join(dir, name)
		if err := npy.Save(path, xs); err != nil {
			log.Fatal(err)
		}
		f, err := npy.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		return f
	}
	f, g := open("f.npy", 1, 2, 3), open("g.npy", 1, 2, 7)
	defer f.Close()
	defer g.Close()

	r, err := diff.Compare(context.Background(), f, g, diff.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Fields[0].Different, "of", r.Fields[0].Count)
	x, err := f.Select(npy.SpanTo(2))
	if err != nil {
		log.Fatal(err)
	}
	y, err := g.Select(npy.SpanTo(2))
	if err != nil {
		log.Fatal(err)
	}
	r, err = diff.Compare(context.Background(), x, y, diff.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Fields[0].Different, "of", r.Fields[0].Count)
	// Output:
	// 1 of 3
	// 0 of 2
}

// Compares a stream with an array in memory of another dtype.
func ExampleCompare_stream() {
	floats, err := npy.FromSlice([]float32{0.5, 1.5})
	if err != nil {
		log.Fatal(err)
	}
	var stream bytes.Buffer
	if err := npy.Write(&stream, floats); err != nil {
		log.Fatal(err)
	}
	h, err := format.ReadHeader(&stream)
	if err != nil {
		log.Fatal(err)
	}
	side, err := npy.NewStream(h, &stream)
	if err != nil {
		log.Fatal(err)
	}
	doubles, err := npy.FromSlice([]float64{0.5, 1.5})
	if err != nil {
		log.Fatal(err)
	}
	r, err := diff.Compare(context.Background(), side, doubles, diff.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c := r.Changed[0]
	fmt.Println("another", c.What, "but", r.Fields[0].Different, "values differ")
	// Output: another dtype but 0 values differ
}
