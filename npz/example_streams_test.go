package npz_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// A slice is a member by one call, in C order and with a shape of its own.
func ExampleAdd() {
	var out bytes.Buffer
	w, err := npz.NewWriter(&out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(npz.Add(w, "x", []int32{1, 2, 3, 4, 5, 6}, 2, 3))
	fmt.Println(npz.Add(w, "x", []int32{1})) // names are unique
	fmt.Println(w.Close())
	// Output:
	// <nil>
	// npz: the archive already has a member "x.npy"
	// <nil>
}

// An archive in memory, as a server sends it.
func ExampleNewWriter() {
	var out bytes.Buffer
	w, err := npz.NewWriter(&out) // a response of HTTP, for example
	if err != nil {
		log.Fatal(err)
	}
	if err := npz.Add(w, "loss", []float64{0.5, 0.25}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", out.Bytes()[:2])
	// Output: PK
}

// An archive in memory, as an upload brings it.
func ExampleNewReader() {
	data, err := os.ReadFile("../testdata/numpy-2.3.5/deflated.npz")
	if err != nil {
		log.Fatal(err)
	}
	z, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	x, shape, err := npz.Load[float64](z, "x")
	fmt.Println(x, shape, err)
	// Output: [0 1 2 3 4 5] [2 3] <nil>
}

// The members are in the order of their names.
func ExampleSaveMap() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, err := npy.FromSlice([]uint8{1, 2})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "a.npz")
	if err := npz.SaveMap(path, map[string]*npy.Array{"w": a, "b": a}); err != nil {
		log.Fatal(err)
	}
	z, err := npz.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	fmt.Println(z.Names())
	// Output: [b w]
}

// Names that Windows does not allow, or that differ only in case, become paths for every system.
func ExamplePortableNames() {
	fmt.Println(npz.PortableNames([]string{"a:b.npy", "w.npy", "W.npy"}))
	// Output: [a%3Ab.npy w.npy W~2.npy]
}
