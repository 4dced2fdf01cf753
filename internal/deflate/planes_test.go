package deflate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// planesOf returns the planes of n elements, as shuffling makes them.
func planesOf(n, size int, element func(i int) uint64) []byte {
	data := make([]byte, n*size)
	var item [8]byte
	for i := range n {
		binary.LittleEndian.PutUint64(item[:], element(i))
		for k := range size {
			data[k*n+i] = item[k]
		}
	}
	return data
}

func inflated(t *testing.T, data []byte) []byte {
	t.Helper()
	r := bytes.NewReader(data)
	got, err := io.ReadAll(flate.NewReader(r))
	if err != nil || r.Len() > 0 {
		t.Fatalf("error %v, %d bytes after the stream", err, r.Len())
	}
	return got
}

// Planes of all kinds become streams that are not larger than with one way for all.
func TestAppendPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sum := 0.0
	for name, c := range map[string]struct {
		size    int
		element func(i int) uint64
	}{
		"noise":    {8, func(int) uint64 { return math.Float64bits(rng.NormFloat64()) }},
		"walk":     {8, func(int) uint64 { sum += rng.NormFloat64(); return math.Float64bits(sum) }},
		"rounded":  {8, func(int) uint64 { return math.Float64bits(math.Round(rng.NormFloat64()*100) / 100) }},
		"integers": {8, func(int) uint64 { return rng.Uint64N(1000) }},
		"smooth":   {4, func(i int) uint64 { return uint64(math.Float32bits(float32(math.Sin(float64(i) / 80000)))) }},
		"labels":   {4, func(i int) uint64 { return uint64(i / 5000) }},
		"counter":  {2, func(i int) uint64 { return uint64(i) }},
		"bytes":    {1, func(int) uint64 { return rng.Uint64N(1 << 40) }},
		"zeros":    {8, func(int) uint64 { return 0 }},
	} {
		for _, n := range []int{0, 1, 100, 5000, 150_000} {
			data := planesOf(n, c.size, c.element)
			z := NewCompressor(Auto)
			got := z.AppendPlanes([]byte("head"), data, c.size)[4:]
			if !bytes.Equal(inflated(t, got), data) {
				t.Errorf("%s, %d elements: other bytes", name, n)
			}
			if one := z.Append(nil, data, true); len(got) > len(one)*103/100+len(data)/1000+60*c.size {
				t.Errorf("%s, %d elements: %d bytes, and %d in one way", name, n, len(got), len(one))
			}
		}
	}
}

func FuzzAppendPlanes(f *testing.F) {
	f.Add([]byte("abcabcabc"), 3, 30_000)
	f.Add([]byte{0}, 8, 70_000)
	f.Fuzz(func(t *testing.T, data []byte, planes, n int) {
		if planes < 0 || n < 0 || n > 300_000 || len(data) == 0 {
			return
		}
		data = bytes.Repeat(data, n/len(data)+1)[:n]
		if got := inflated(t, NewCompressor(Auto).AppendPlanes(nil, data, planes)); !bytes.Equal(got, data) {
			t.Error("other bytes")
		}
	})
}
