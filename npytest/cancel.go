package npytest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// largeVector writes an array of 2 MB and returns it as a vector.
func largeVector(t *testing.T) (Vector, *npy.Array) {
	t.Helper()
	data := make([]float64, 64*4096)
	for i := range data {
		data[i] = float64(i)
	}
	a, err := npy.FromSlice(data, 64, 4096)
	if err != nil {
		t.Fatal(err)
	}
	v := Vector{Path: filepath.Join(t.TempDir(), "large.npy"), DType: a.DType(), Shape: a.Shape()}
	if err := npy.WriteFile(v.Path, a); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(v.Path)
	if err != nil {
		t.Fatal(err)
	}
	v.Size = info.Size()
	return v, a
}

// derived are Sources that the package makes of another one.
var derived = map[string]func(src npy.Source) (npy.Source, error){
	"":              func(src npy.Source) (npy.Source, error) { return src, nil },
	"[..., ::-1]":   func(src npy.Source) (npy.Source, error) { return src.Select(npy.Ellipsis(), npy.All().By(-1)) },
	"[1:]":          func(src npy.Source) (npy.Source, error) { return src.Select(npy.SpanFrom(1)) },
	"[:, :2000:2]":  func(src npy.Source) (npy.Source, error) { return src.Select(npy.All(), npy.SpanTo(2000).By(2)) },
	"[[0] * 64]":    func(src npy.Source) (npy.Source, error) { return src.Select(npy.List(make([]int, 64)...)) },
	"transposed":    func(src npy.Source) (npy.Source, error) { return npy.Transposed(src), nil },
	"transposed[1]": func(src npy.Source) (npy.Source, error) { return npy.Transposed(src).Select(npy.SpanFrom(1)) },
	"concatenated":  func(src npy.Source) (npy.Source, error) { return npy.Concat(0, src, src) },
	"side by side":  func(src npy.Source) (npy.Source, error) { return npy.Concat(1, src, src) },
	"concatenated[1:-1]": func(src npy.Source) (npy.Source, error) {
		s, err := npy.Concat(0, src, src)
		if err != nil {
			return nil, err
		}
		return s.Select(npy.Span(1, -1))
	},
	"Whole": func(src npy.Source) (npy.Source, error) {
		return source.Whole(src.DType(), src.Shape(), src.ReadAll), nil
	},
}

// TestCancelledSource checks that a read of a Source whose context is cancelled before neither reads nor allocates: of an array
// of 2 MB that open returns, of parts of it, and of Sources that package npy makes of it. Nothing is lost of a Source that can
// be read only once. open is as for [TestSource], which calls TestCancelledSource.
func TestCancelledSource(t *testing.T, open func(t *testing.T, v Vector) npy.Source) {
	t.Helper()
	v, want := largeVector(t)
	if open(t, v) == nil {
		return
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for name, derive := range derived {
		whole := open(t, v)
		src, err := derive(whole)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for what, read := range map[string]func() error{
			"ReadAll": func() error { _, err := src.ReadAll(gone); return err },
			"Blocks": func() (err error) {
				for _, err = range src.Blocks(gone, 0) {
					break
				}
				return err
			},
			"Take": func() error { _, err := npy.Take(gone, src, make([]int, 64)); return err },
		} {
			err, cost := costOf(read)
			if !errors.Is(err, context.Canceled) || cost != nil {
				t.Errorf("an array of 2 MB, %s: %s with a cancelled context: error %v, %v", name, what, err, cost)
			}
		}
		if name == "" {
			if a, err := whole.ReadAll(context.Background()); err != nil || sameArray(a, want) != nil {
				t.Errorf("an array of 2 MB after reads with a cancelled context: error %v, or another array", err)
			}
		}
	}
}

// costOf calls read and returns its error, and an error if it took more than a little memory or read more than a
// little. Other work of the program counts, so the cheapest of some calls is taken.
func costOf(read func() error) (err, cost error) {
	const little = 128 << 10
	for range 5 {
		allocated, readBefore := allocatedBytes(), bytesRead()
		err = read()
		allocated, readBefore = allocatedBytes()-allocated, bytesRead()-readBefore
		if allocated < little && readBefore < little {
			return err, nil
		}
		cost = fmt.Errorf("%d bytes were allocated and %d read", allocated, readBefore)
	}
	return err, cost
}

func allocatedBytes() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}

// bytesRead returns the number of bytes that the program has read from files, where the system counts it.
func bytesRead() (n int64) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	_, err = fmt.Sscanf(string(text), "rchar: %d", &n)
	if err != nil {
		return 0
	}
	return n
}
