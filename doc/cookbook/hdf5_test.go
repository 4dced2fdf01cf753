package cookbook

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/stats"
)

// A dataset of an HDF5 file is a Source: statistics of a part read only the chunks that hold it.
func Example_hdf5() {
	folder, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "run.h5")
	if err := writeSpeeds(path); err != nil {
		log.Fatal(err)
	}

	file, err := hdf5.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	speed, err := file.Source("run1/speed")
	if err != nil {
		log.Fatal(err)
	}
	left, err := speed.Select(npy.All(), npy.At(0)) // the first column
	if err != nil {
		log.Fatal(err)
	}
	summary, err := stats.Of(context.Background(), left)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(speed.DType().Name(), speed.Shape())
	fmt.Println(summary[0].Count, summary[0].Min, summary[0].Max, summary[0].Mean)
	attributes, err := file.Attributes("run1/speed")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range attributes {
		fmt.Println(a.Name, a.Value)
	}
	// Output:
	// float64 [3 2]
	// 3 3.5 4.5 4.0
	// unit m/s
}

// writeSpeeds writes an HDF5 file with one array, whose attribute says its unit.
func writeSpeeds(path string) error {
	speed, err := npy.FromSlice([]float64{3.5, 0, 4, 0, 4.5, 0}, 3, 2)
	if err != nil {
		return err
	}
	unit, err := npy.FromObjects([]any{"m/s"}, []int{}...)
	if err != nil {
		return err
	}
	w, err := hdf5.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Add("run1/speed", speed, container.Attribute{Name: "unit", Value: unit}); err != nil {
		return err
	}
	return w.Close()
}
