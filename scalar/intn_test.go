package scalar

import (
	"strconv"
	"testing"
)

func TestSmallInts(t *testing.T) {
	for _, tt := range []struct {
		name      string
		low, high int
		from      func(int) (uint8, bool)
		value     func(uint8) int
		text      func(uint8) string
	}{
		{"Int4", -8, 7, func(i int) (uint8, bool) { x, ok := Int4FromInt(i); return x.Bits, ok }, func(x uint8) int { return int(Int4{Bits: x}.Int8()) }, func(x uint8) string { return Int4{Bits: x}.String() }},
		{"Int2", -2, 1, func(i int) (uint8, bool) { x, ok := Int2FromInt(i); return x.Bits, ok }, func(x uint8) int { return int(Int2{Bits: x}.Int8()) }, func(x uint8) string { return Int2{Bits: x}.String() }},
		{"Uint4", 0, 15, func(i int) (uint8, bool) { x, ok := Uint4FromInt(i); return x.Bits, ok }, func(x uint8) int { return int(Uint4{Bits: x}.Uint8()) }, func(x uint8) string { return Uint4{Bits: x}.String() }},
		{"Uint2", 0, 3, func(i int) (uint8, bool) { x, ok := Uint2FromInt(i); return x.Bits, ok }, func(x uint8) int { return int(Uint2{Bits: x}.Uint8()) }, func(x uint8) string { return Uint2{Bits: x}.String() }},
	} {
		n := tt.high - tt.low + 1
		for i := -300; i <= 300; i++ {
			x, ok := tt.from(i)
			if ok != (tt.low <= i && i <= tt.high) || int(x) != ((i%n)+n)%n {
				t.Errorf("%sFromInt(%d) = %#x, %v", tt.name, i, x, ok)
			}
			if ok && tt.text(x) != strconv.Itoa(i) {
				t.Errorf("%s %d prints as %s", tt.name, i, tt.text(x))
			}
			if ok && (tt.value(x) != i || tt.value(x|^uint8(n-1)) != i) {
				t.Errorf("%s %#x is %d, want %d whatever the bits above", tt.name, x, tt.value(x), i)
			}
		}
	}
}
