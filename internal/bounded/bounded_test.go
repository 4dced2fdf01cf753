package bounded_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy/internal/bounded"
)

func TestMul(t *testing.T) {
	for _, tt := range []struct {
		a, b, want int
		ok         bool
	}{
		{0, 0, 0, true},
		{0, math.MaxInt, 0, true},
		{math.MaxInt, 0, 0, true},
		{1, math.MaxInt, math.MaxInt, true},
		{math.MaxInt, 1, math.MaxInt, true},
		{math.MaxInt, 2, 0, false}, // fits a uint
		{math.MaxInt, math.MaxInt, 0, false},
		{math.MaxInt/2 + 1, 2, 0, false}, // MaxInt+1
		{math.MaxInt / 2, 2, math.MaxInt - 1, true},
		{1 << 15, 1 << 15, 1 << 30, true},
		{math.MaxInt/4 + 1, 8, 0, false}, // wraps a uint to 0
	} {
		got, ok := bounded.Mul(tt.a, tt.b)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("bounded.Mul(%d, %d) = %d, %v, want %d, %v", tt.a, tt.b, got, ok, tt.want, tt.ok)
		}
	}
}

func TestCount(t *testing.T) {
	const half = math.MaxInt/2 + 1
	for _, tt := range []struct {
		name  string
		shape []int
		size  int
		want  int
		ok    bool
	}{
		{"no dimensions", nil, 8, 1, true},
		{"no dimensions, no bytes", nil, 0, 1, true},
		{"plain", []int{3, 4, 5}, 8, 60, true},
		{"zero", []int{3, 0, 5}, 8, 0, true},
		{"all zero", []int{0, 0}, 8, 0, true},
		{"largest", []int{math.MaxInt}, 1, math.MaxInt, true},
		{"largest of no bytes", []int{math.MaxInt}, 0, math.MaxInt, true},
		{"one byte too many", []int{half, 2}, 1, 0, false},
		{"item size makes it too large", []int{half}, 2, 0, false},
		{"just fits", []int{math.MaxInt / 8}, 8, math.MaxInt / 8, true},
		{"too many elements of no bytes", []int{math.MaxInt, 2}, 0, 0, false},
		{"zero does not excuse the rest", []int{0, math.MaxInt, 2}, 1, 0, false},
		{"zero behind", []int{math.MaxInt, 2, 0}, 1, 0, false},
		{"zero and largest", []int{0, math.MaxInt}, 1, 0, true},
		{"wraps to 0", []int{math.MaxInt/4 + 1, 8}, 1, 0, false},
		{"ones", []int{1, 1, 1}, math.MaxInt, 1, true},
	} {
		got, ok := bounded.Count(tt.shape, tt.size)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: bounded.Count(%v, %d) = %d, %v, want %d, %v", tt.name, tt.shape, tt.size, got, ok, tt.want, tt.ok)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, n := range []int{0, 1, 7, 8, 9, 100, bounded.First - 1, bounded.First, bounded.First + 1, 8 * bounded.First, 8*bounded.First + 1, 1 << 30, math.MaxInt} {
		f.Add(n, bounded.First)
		f.Add(n, 1)
	}
	f.Fuzz(func(t *testing.T, n, first int) {
		if n < 0 || first < 1 {
			return
		}
		sizes := bounded.Sizes(n, first)
		if sizes[len(sizes)-1] != n {
			t.Fatalf("bounded.Sizes(%d, %d) = %v, want %d at the end", n, first, sizes, n)
		}
		if sizes[0] > first || sizes[0] < 0 {
			t.Fatalf("bounded.Sizes(%d, %d) = %v does not start between 0 and %d", n, first, sizes, first)
		}
		copied := 0.0
		for i := 1; i < len(sizes); i++ {
			if sizes[i] <= sizes[i-1] || (sizes[i]-1)/bounded.Growth+1 > sizes[i-1] {
				t.Fatalf("bounded.Sizes(%d, %d) = %v: step %d does not grow, or grows too much", n, first, sizes, i)
			}
			copied += float64(sizes[i-1])
		}
		if copied > 0.15*float64(n)+float64(2*len(sizes)) {
			t.Fatalf("bounded.Sizes(%d, %d) = %v copies %g units", n, first, sizes, copied)
		}
	})
}

var errBroken = errors.New("broken")

func TestReadAll(t *testing.T) {
	data := bytes.Repeat([]byte("abcdefg"), bounded.First/2) // goes through several sizes
	readers := map[string]func([]byte) io.Reader{
		"whole":    func(b []byte) io.Reader { return bytes.NewReader(b) },
		"halves":   func(b []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(b)) },
		"with EOF": func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
	}
	for name, reader := range readers {
		for _, n := range []int{0, 1, 10, bounded.First - 1, bounded.First, bounded.First + 1, len(data)} {
			got, err := bounded.ReadAll(reader(data), n)
			if err != nil || !bytes.Equal(got, data[:n]) {
				t.Errorf("%s: bounded.ReadAll of %d bytes: %d bytes, error %v", name, n, len(got), err)
			}
		}
		for _, have := range []int{0, 1, bounded.First - 1, bounded.First, bounded.First + 5} {
			got, err := bounded.ReadAll(reader(data[:have]), have+1)
			if err != io.ErrUnexpectedEOF || !bytes.Equal(got, data[:have]) {
				t.Errorf("%s: bounded.ReadAll of %d bytes where there are %d: %d bytes, error %v, want %v", name, have+1, have, len(got), err, io.ErrUnexpectedEOF)
			}
		}
	}
	got, err := bounded.ReadAll(iotest.OneByteReader(bytes.NewReader(data)), 100)
	if err != nil || !bytes.Equal(got, data[:100]) {
		t.Errorf("bounded.ReadAll byte by byte: %d bytes, error %v", len(got), err)
	}
	for _, have := range []int{0, 3, bounded.First, bounded.First + 3} {
		r := io.MultiReader(bytes.NewReader(data[:have]), iotest.ErrReader(errBroken))
		got, err := bounded.ReadAll(r, have+10)
		if !errors.Is(err, errBroken) || !bytes.Equal(got, data[:have]) {
			t.Errorf("bounded.ReadAll of a reader that breaks after %d bytes: %d bytes, error %v", have, len(got), err)
		}
	}
	r := bytes.NewReader(data)
	if _, err := bounded.ReadAll(r, bounded.First+9); err != nil || r.Len() != len(data)-bounded.First-9 {
		t.Errorf("bounded.ReadAll took %d bytes too many, error %v", len(data)-bounded.First-9-r.Len(), err)
	}
}

// TestReadAllDistrustsLength announces far more bytes than the source has.
func TestReadAllDistrustsLength(t *testing.T) {
	for _, have := range []int{0, 100, bounded.First, 3 * bounded.First} {
		data := make([]byte, have)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := bounded.ReadAll(bytes.NewReader(data), math.MaxInt)
		runtime.ReadMemStats(&after)
		if err != io.ErrUnexpectedEOF || len(got) != have {
			t.Errorf("bounded.ReadAll of MaxInt bytes where there are %d: %d bytes, error %v", have, len(got), err)
		}
		limit := uint64(2*bounded.First + 2*bounded.Growth*have + 1<<20)
		if took := after.TotalAlloc - before.TotalAlloc; took > limit {
			t.Errorf("bounded.ReadAll of MaxInt bytes where there are %d allocated %d, want at most %d", have, took, limit)
		}
	}
}
