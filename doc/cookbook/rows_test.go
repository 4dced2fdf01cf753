package cookbook

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
)

// Rows that arrive on a channel become a file. Their number is not known before the end.
func Example_channel() {
	measurements := make(chan [3]float32)
	go func() {
		defer close(measurements)
		for i := range 1000 {
			measurements <- [3]float32{float32(i), float32(i) / 2, float32(i) / 4}
		}
	}()

	folder, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "measurements.npy")
	w, err := npy.CreateRows[float32](path, npy.UnknownRows, 3) // each row has 3 elements
	if err != nil {
		log.Fatal(err)
	}
	for m := range measurements {
		if err := w.Write(m[:]); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil { // writes the number of rows and gives the file its name
		log.Fatal(err)
	}

	f, err := npy.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	last, err := f.Slice(npy.At(-1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Shape(), last)
	// Output: [1000 3] [999.   499.5  249.75]
}
