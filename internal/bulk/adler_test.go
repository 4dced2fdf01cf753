package bulk

import (
	"bytes"
	"hash/adler32"
	"math/rand/v2"
	"testing"
)

func FuzzAdler32(f *testing.F) {
	f.Add([]byte(""), 1)
	f.Add([]byte("0123456789abcdef0123456789abcdef!"), 1000)
	f.Fuzz(func(t *testing.T, b []byte, times int) {
		b = bytes.Repeat(b, min(max(times, 1), 1+(1<<17)/(len(b)+1)))
		if got, want := Adler32(b), adler32.Checksum(b); got != want {
			t.Fatalf("%d bytes: %08x, want %08x", len(b), got, want)
		}
	})
}

func TestAdler32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 31, 32, 33, 63, 64, 5552, 1<<14 - 1, 1 << 14, 1<<14 + 1, 1<<14 + 33, 1 << 20} {
		random, ones := make([]byte, n), bytes.Repeat([]byte{0xff}, n)
		for i := range random {
			random[i] = byte(r.Uint32())
		}
		for _, b := range [][]byte{random, ones, make([]byte, n)} {
			if got, want := Adler32(b), adler32.Checksum(b); got != want {
				t.Fatalf("%d bytes: %08x, want %08x", n, got, want)
			}
		}
	}
}

func BenchmarkAdler32(b *testing.B) {
	data := make([]byte, 1<<16)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Adler32(data)
	}
}
