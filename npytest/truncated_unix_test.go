//go:build unix

package npytest_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/mmap"
)

// Every consumer of a mapped file that has been truncated gets an error, with one goroutine and with several.
func TestConsumersOfTruncated(t *testing.T) {
	if oracle.Emulated {
		t.Skip("the emulator has signals of its own")
	}
	const n = 1 << 20
	for _, fortran := range []bool{false, true} {
		path := saved(t, nil)
		f := must(mmap.Options{Replace: true, Fortran: fortran}.Create(path, dtype.Int64, n/64, 64))
		defer f.Close()
		size := must(os.Stat(path)).Size()
		if err := os.Truncate(path, size/2); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 4} {
			for what, consume := range consumers() {
				if what == "convert.Write, png" {
					continue // it has no images of int64
				}
				t.Run(fmt.Sprint(what, "/", workers, fortran), func(t *testing.T) {
					defer npy.SetWorkers(npy.SetWorkers(workers))
					src := f.Source()
					if what == "Printer" { // it reads the edges alone
						src = must(src.Select(npy.SpanFrom(n/128 + 2000)))
					}
					_, err := consume(t.Context(), src)
					var fault *mmap.FaultError
					if !errors.As(err, &fault) || !errors.Is(err, mmap.ErrTruncated) || fault.Path != path || fault.Offset < size/2-4096 {
						t.Errorf("error %v, want %v", err, mmap.ErrTruncated)
					}
				})
			}
		}
	}
}
