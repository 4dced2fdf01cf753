package cookbook

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// The weights of a model lie in an archive, each layer under its name. One layer is read without the others.
func Example_weights() {
	folder, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.npz")

	weights, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	bias, err := npy.FromSlice([]float32{0.5, -0.5})
	if err != nil {
		log.Fatal(err)
	}
	err = npz.Save(path, npz.Member{Name: "layer1/w", Array: weights}, npz.Member{Name: "layer1/b", Array: bias})
	if err != nil {
		log.Fatal(err)
	}

	model, err := npz.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	w, shape, err := npz.Load[float32](model, "layer1/w")
	if err != nil {
		log.Fatal(err)
	}
	b, _, err := npz.Load[float32](model, "layer1/b")
	if err != nil {
		log.Fatal(err)
	}
	for i := range shape[0] {
		sum := b[i]
		for _, x := range w[i*shape[1] : (i+1)*shape[1]] {
			sum += x
		}
		fmt.Println(sum)
	}
	// Output:
	// 6.5
	// 14.5
}
