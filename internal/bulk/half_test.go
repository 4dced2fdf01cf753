package bulk

import (
	"math"
	"testing"
)

// The instruction does whole groups up to the first NaN, with the values of Go's own conversion.
func TestHalves(t *testing.T) {
	const n = 100
	for _, nan := range []int{-1, 0, 15, 16, 40, n - 1} {
		halfs, floats := make([]uint16, n), make([]float32, n)
		for i := range n {
			floats[i] = float32(i-50) / 8
			halfs[i] = exactHalf(floats[i])
		}
		stop := n
		if nan >= 0 {
			halfs[nan], floats[nan], stop = 0x7c01, float32(math.NaN()), nan
		}
		wide, narrow := make([]float32, n), make([]uint16, n)
		widened, narrowed := WidenHalves(wide, halfs), NarrowHalves(narrow, floats)
		if widened > stop || narrowed != widened || widened > 0 && widened != stop/16*16 {
			t.Errorf("NaN at %d: %d widened, %d narrowed", nan, widened, narrowed)
		}
		for i := range n {
			switch {
			case i < widened && (wide[i] != floats[i] || narrow[i] != halfs[i]):
				t.Errorf("%v became %v, and back %#x, want %#x", halfs[i], wide[i], narrow[i], halfs[i])
			case i >= widened && (wide[i] != 0 || narrow[i] != 0):
				t.Errorf("NaN at %d: number %d was written", nan, i)
			}
		}
	}
}

// exactHalf returns the bits of the float16 that is equal to a small multiple of 1/8.
func exactHalf(f float32) uint16 {
	if f == 0 {
		return 0
	}
	b := math.Float32bits(f)
	return uint16(b>>16&0x8000) | uint16(b&0x7fffffff>>13-(127-15)<<10)
}
