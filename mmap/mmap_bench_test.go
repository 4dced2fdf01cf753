package mmap_test

import (
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
)

// Opening costs the same for any size: here a sparse file of 100 GB.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.npy")
	f, err := mmap.Create(path, dtype.Float64, 12_500, 1_000_000)
	if err != nil {
		b.Skip(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := must(mmap.Open(path)).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSum maps 256 MB in the page cache and adds up the elements.
func BenchmarkSum(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.npy")
	if err := npy.Save(path, make([]float64, 32<<20)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(256 << 20)
	for b.Loop() {
		f := must(mmap.Open(path))
		err := f.Do(func(a *npy.Array) error {
			v, err := npy.As[float64](a)
			if err != nil {
				return err
			}
			data, _ := v.ViewSlice()
			sum := 0.0
			for _, x := range data {
				sum += x
			}
			if sum != 0 {
				b.Errorf("the sum is %v", sum)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
