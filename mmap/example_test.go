package mmap_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/stats"
)

// inFolder runs an example with the path of a file in a folder of its own that holds 0 to 5 in shape (2, 3).
func inFolder(example func(path string) error) {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	err = npy.Save(path, []float64{0, 1, 2, 3, 4, 5}, 2, 3)
	if err == nil {
		err = example(path)
	}
	if err != nil {
		fmt.Println(err)
	}
}

func ExampleOpen() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Do(func(a *npy.Array) error {
			v, err := npy.As[float64](a) // no copy
			if err != nil {
				return err
			}
			sum := 0.0
			for x := range v.Values() {
				sum += x
			}
			fmt.Println(f.Shape(), sum)
			return nil
		})
	})
	// Output: [2 3] 15
}

func ExampleLoad() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		row, _, err := mmap.Load[float64](f, npy.At(-1))
		fmt.Println(row)
		return err
	})
	// Output: [3 4 5]
}

func ExampleFile_Source() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		all, err := stats.Of(context.Background(), f.Source())
		if err != nil {
			return err
		}
		fmt.Println(all[0].Min, all[0].Max, all[0].Mean)
		return nil
	})
	// Output: 0.0 5.0 2.5
}

func ExampleFile_Close() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		_, _, err = mmap.Load[float64](f)
		fmt.Println(errors.Is(err, mmap.ErrClosed))
		return nil
	})
	// Output: true
}

// A file that several processes fill begins as zeros, which take no room on most file systems.
func ExampleCreate() {
	inFolder(func(path string) error {
		f, err := mmap.Create(path+".new", dtype.Int32, 1000, 1000)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Do(func(a *npy.Array) error {
			binary.NativeEndian.PutUint32(a.Item(500, 3), 7) // the bytes in the file
			row, err := a.Slice(npy.At(500), npy.Span(0, 5))
			fmt.Println(f.Shape(), row)
			return err
		})
	})
	// Output: [1000 1000] [0 0 0 7 0]
}

func ExampleOptions_Create() {
	inFolder(func(path string) error {
		_, err := mmap.Create(path, dtype.Int32, 5)
		fmt.Println("there is a file:", errors.Is(err, os.ErrExist))
		f, err := mmap.Options{Replace: true}.Create(path, dtype.Int32, 5)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Println(f.Shape(), f.DType().Name())
		return nil
	})
	// Output:
	// there is a file: true
	// [5] int32
}

func ExampleFile_Advise() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.Advise(mmap.Random); err != nil { // a few elements here and there: do not read ahead
			return err
		}
		corner, _, err := mmap.Load[float64](f, npy.At(-1), npy.At(-1))
		fmt.Println(corner)
		return err
	})
	// Output: [5]
}
