package container_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/npz"
)

// Arrays are written to a container by the ending of its name, and every entry is read back.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	weights, err := npy.FromSlice([]uint8{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}

	formats := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{}), container.NPY(npy.Decoder{}, npy.Encoder{})}
	err = formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Put(context.Background(), w, container.Entry{Path: "layer1/w"}, nil, weights)
	})
	if err != nil {
		log.Fatal(err)
	}

	f, err := formats.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		fmt.Println(e.Path, e.DType.Name(), e.Shape, e.Err)
	}
	fmt.Println(container.Names(f))
	// Output:
	// layer1/w uint8 [2 2] <nil>
	// [layer1/w]
}
