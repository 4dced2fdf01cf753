package bulk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// shufflePlain is Shuffle, one byte at a time, and its oracle.
func shufflePlain(dst, src []byte, size int) {
	n := len(src) / size
	for i := range n {
		for p := range size {
			dst[p*n+i] = src[i*size+p]
		}
	}
	copy(dst[n*size:], src[n*size:])
}

// shuffleBitsPlain puts bit k of element i to bit i%8 of byte i/8 of row k.
func shuffleBitsPlain(dst, src []byte, size int) {
	n := len(src) / size
	clear(dst)
	for i := range n {
		for k := range 8 * size {
			bit := src[i*size+k/8] >> (k % 8) & 1
			dst[k*(n/8)+i/8] |= bit << (i % 8)
		}
	}
}

func checkShuffle(t *testing.T, src []byte, size int) {
	t.Helper()
	want, got, back := make([]byte, len(src)), make([]byte, len(src)), make([]byte, len(src))
	shufflePlain(want, src, size)
	if Shuffle(got, src, size); !bytes.Equal(got, want) {
		t.Fatalf("Shuffle of %d bytes, elements of %d: other bytes", len(src), size)
	}
	if Unshuffle(back, want, size); !bytes.Equal(back, src) {
		t.Fatalf("Unshuffle of %d bytes, elements of %d: other bytes", len(src), size)
	}
	src = src[:len(src)/size&^7*size]
	bits := make([]byte, len(src))
	shuffleBitsPlain(bits, src, size)
	shufflePlain(want[:len(src)], src, size)
	if GatherBits(got[:len(src)], bits, size); !bytes.Equal(got[:len(src)], want[:len(src)]) {
		t.Fatalf("GatherBits of %d bytes, elements of %d: other bytes", len(src), size)
	}
}

func TestShuffle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 100, 3000, 20000} {
		for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000, 2500} {
			src := make([]byte, min(n*size+r.IntN(size), 1<<20))
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			checkShuffle(t, src, size)
		}
	}
}

func FuzzShuffle(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789"), uint16(4))
	f.Add(bytes.Repeat([]byte("0123456789abcdef!"), 40), uint16(16))
	f.Fuzz(func(t *testing.T, src []byte, size uint16) {
		checkShuffle(t, src, int(size)+1)
	})
}

func BenchmarkShuffle(b *testing.B) {
	for _, size := range []int{2, 4, 8, 16} {
		src, dst := make([]byte, 1<<20), make([]byte, 1<<20)
		for i := range src {
			src[i] = byte(i * 7 >> 3)
		}
		for name, f := range map[string]func(dst, src []byte, size int){"shuffle": Shuffle, "unshuffle": Unshuffle, "bits": GatherBits} {
			b.Run(fmt.Sprint(name, size), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					f(dst, src, size)
				}
			})
		}
	}
}
