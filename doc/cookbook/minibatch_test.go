package cookbook

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/npygo/npy"
)

// Minibatches of a training set that need not fit into memory: rows in random order, read into the same memory each time.
func Example_minibatches() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := writeImages(filepath.Join(dir, "images.npy"), 10); err != nil {
		log.Fatal(err)
	}

	images, err := npy.Open(filepath.Join(dir, "images.npy"))
	if err != nil {
		log.Fatal(err)
	}
	defer images.Close()
	order := rand.New(rand.NewPCG(1, 2)).Perm(images.Shape()[0]) // an epoch
	size := images.Shape()[1] * images.Shape()[2]

	var buf []float32 // from the second batch on nothing is allocated for elements
	for batch := range slices.Chunk(order, 4) {
		if buf, err = npy.TakeInto(context.Background(), buf, images, batch); err != nil {
			log.Fatal(err)
		}
		for i, image := range batch {
			if pixels := buf[i*size : (i+1)*size]; pixels[0] != float32(image) {
				log.Fatalf("image %d has pixels %v", image, pixels)
			}
		}
		fmt.Println(len(batch), "images,", len(buf), "pixels")
	}
	// Output:
	// 4 images, 3136 pixels
	// 4 images, 3136 pixels
	// 2 images, 1568 pixels
}

// writeImages writes n images of 28x28 pixels, each with its number as the value of its pixels.
func writeImages(path string, n int) error {
	w, err := npy.CreateRows[float32](path, n, 28, 28)
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range n {
		if err := w.Write(slices.Repeat([]float32{float32(i)}, 28*28)); err != nil {
			return err
		}
	}
	return w.Close()
}
