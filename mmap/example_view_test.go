//go:build !purego

package mmap_test

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/mmap"
)

func ExampleOpenRW() {
	inFolder(func(path string) error {
		f, err := mmap.OpenRW(path)
		if err != nil {
			return err
		}
		defer f.Close()
		v, err := mmap.ViewOf[float64](f)
		if err != nil {
			return err
		}
		v.Set(100, 1, 2)
		if err := f.FlushRows(1, 2); err != nil {
			return err
		}
		data, _, err := npy.Load[float64](path)
		fmt.Println(data)
		return err
	})
	// Output: [0 1 2 3 4 100]
}

func ExampleOpenCopy() {
	inFolder(func(path string) error {
		f, err := mmap.OpenCopy(path)
		if err != nil {
			return err
		}
		defer f.Close()
		v, err := mmap.ViewOf[float64](f)
		if err != nil {
			return err
		}
		v.Set(100, 0, 0)
		data, _, err := npy.Load[float64](path)
		fmt.Println(v.At(0, 0), data[0])
		return err
	})
	// Output: 100 0
}

// The elements are the memory of the file: nothing is read before they are used, and Close ends them.
func ExampleViewOf() {
	inFolder(func(path string) error {
		f, err := mmap.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		v, err := mmap.ViewOf[float64](f)
		if err != nil {
			return err
		}
		fmt.Println(v.At(1, 2), v.Shared())
		return nil
	})
	// Output: 5 true
}

func ExampleFile_Flush() {
	inFolder(func(path string) error {
		f, err := mmap.OpenRW(path)
		if err != nil {
			return err
		}
		defer f.Close()
		err = f.Do(func(a *npy.Array) error {
			v, err := npy.As[float64](a)
			if err == nil {
				v.Set(-1, 0, 0)
			}
			return err
		})
		if err != nil {
			return err
		}
		fmt.Println(f.Flush()) // from here on the change survives a power failure
		return nil
	})
	// Output: <nil>
}
