package stats

import (
	"math"
	"testing"

	"github.com/npygo/npy/scalar"
)

func TestHalf(t *testing.T) {
	for x := range 1 << 16 {
		got, want := half(uint16(x)), scalar.Float16(x).Float64()
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("half(%#x) = %v, want %v", x, got, want)
		}
	}
}
