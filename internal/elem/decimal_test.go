package elem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// agree compares the fast path with strconv, for a text that either may reject.
func agree(t *testing.T, text string) (quick bool) {
	t.Helper()
	got, ok := quickFloat(text)
	if !ok {
		return false
	}
	want, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("quickFloat(%q) = %v, strconv says %v, %v", text, got, want, err)
	}
	return true
}

func TestQuickFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	quick := 0
	const n = 300_000
	for range n {
		f := math.Float64frombits(r.Uint64())
		for _, digits := range []int{-1, 16, 18} {
			agree(t, strconv.FormatFloat(f, 'e', digits, 64))
		}
		if agree(t, fmt.Sprintf("%de%d", r.Uint64()>>r.IntN(64), r.IntN(700)-350)) {
			quick++
		}
		agree(t, strconv.FormatFloat(r.NormFloat64(), 'f', r.IntN(18), 64))
	}
	if quick < n/2 {
		t.Errorf("the quick way took %d numbers of %d", quick, n)
	}
}

// Numbers in the middle of two floats, at the ends of the range, and texts that are none.
func TestQuickFloatEdges(t *testing.T) {
	for _, text := range []string{"0", "-0", "0e999", "9007199254740993", "9007199254740992.5", "1e22", "1e23", "8.5e22", "5e-324", "2.2250738585072011e-308", "2.2250738585072014e-308",
		"1.7976931348623157e308", "1.7976931348623159e308", "9223372036854775807", "18446744073709551615", "9999999999999999999", "1.", ".5", "+.5e+0", "1e0005", "1e00005",
		"", "-", ".", "e5", "1e", "1e+", "1_0", "0x1p4", "inf", "nan", "1.2.3", "1e5x", "1 ", "12345678901234567890", "0.00000000000000000000000000000000000000000001"} {
		agree(t, text)
	}
	for _, text := range []string{"", "-", ".", "e5", "1e", "1e+", "1_0", "0x1p4", "inf", "nan", "1.2.3", "1e5x", "1 ", "1e5 "} {
		if f, ok := quickFloat(text); ok {
			t.Errorf("quickFloat(%q) = %v, want none", text, f)
		}
	}
}

func FuzzQuickFloat(f *testing.F) {
	for _, s := range []string{"1.5", "-2e-308", "9007199254740993", "1e23", "1e+", "0.1e1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { agree(t, text) })
}

func BenchmarkParseFloat(b *testing.B) {
	const text = "1.234567890123456789e-01"
	b.Run("quick", func(b *testing.B) {
		for b.Loop() {
			quickFloat(text)
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for b.Loop() {
			strconv.ParseFloat(text, 64)
		}
	})
}
