package codec

import (
	"math"
	"testing"

	"github.com/npygo/npy/scalar"
)

func TestFloat16(t *testing.T) {
	for x := range 1 << 16 {
		got, want := float16(uint16(x)), scalar.Float16{Bits: uint16(x)}.Float64()
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("float16(%#x) = %v, want %v", x, got, want)
		}
	}
}
