package convert_test

import (
	"bytes"
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// Numbers too large for a float dtype are infinite in every text format, and numbers just small enough are its largest.
func TestReadInfinite(t *testing.T) {
	formats := map[convert.Format]string{convert.CSV: "%\n", convert.TSV: "%\n", convert.TXT: "%\n", convert.JSON: "[%]", convert.NDJSON: "%\n"}
	for name, f := range map[string]struct{ mantissa, exponent int }{
		"<f2": {11, 16}, ">f2": {11, 16}, "bfloat16": {8, 128}, "<f4": {24, 128}, "<f8": {53, 1024}, ">f8": {53, 1024},
		"<f16": {64, 16384}, ">f16": {64, 16384}, "<c8": {24, 128}, ">c16": {53, 1024}, "<c32": {64, 16384}, "": {53, 1024},
	} {
		d := mustParse(t, name)
		// The number half-way between the largest and 2**exponent goes to the even one, which is infinite.
		half := new(big.Int).Lsh(big.NewInt(1), uint(f.exponent))
		half.Sub(half, new(big.Int).Lsh(big.NewInt(1), uint(f.exponent-f.mantissa-1)))
		finite := new(big.Int).Sub(half, big.NewInt(1))
		for text, infinite := range map[string]bool{half.String() + ".0": true, finite.String() + ".0": false, "1e5000": true, "1e999999999999": true} {
			for format, layout := range formats {
				for _, sign := range []string{"", "-"} {
					a, report, err := convert.Read(context.Background(), strings.NewReader(strings.Replace(layout, "%", sign+text, 1)), format, convert.ReadOptions{DType: d})
					if err != nil {
						t.Errorf("%s as %q: %v", format, name, err)
						continue
					}
					if report.Inferred && !a.DType().Equal(dtype.Float64) {
						t.Errorf("%s of %s has dtype %s", format, text, a.DType())
					}
					if got := strings.Contains(a.String(), sign+"inf"); got != infinite {
						t.Errorf("%s: %s%s as %q is %v", format, sign, text, name, a)
					}
				}
			}
		}
	}
	a, _, err := convert.Read(context.Background(), strings.NewReader("1e309-1e309j\n"), convert.CSV, convert.ReadOptions{})
	if got := must(npy.As[complex128](a)).At(0); err != nil || !math.IsInf(real(got), 1) || !math.IsInf(imag(got), -1) {
		t.Errorf("a complex number is %v, %v", got, err)
	}
	for _, word := range []string{"x1e309", "1e309x", "1e", "1e309e1"} {
		if _, _, err := convert.Read(context.Background(), strings.NewReader(word), convert.CSV, convert.ReadOptions{DType: dtype.Float64}); err == nil {
			t.Errorf("%q is read as a float64", word)
		}
	}
}

// Writing .txt tells how many integers it rounded, and tells nothing if it rounded none.
func TestSavetxtNote(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, seed))
	exact := func(x *big.Int) bool {
		f, _ := new(big.Float).SetInt(x).Float64()
		back, _ := big.NewFloat(f).Int(nil)
		return back.Cmp(x) == 0
	}
	for round := range 24 {
		n := rng.IntN(10_000)
		signed, unsigned := make([]int64, n), make([]uint64, n)
		var want [2]int
		for i := range n {
			u := rng.Uint64() >> rng.IntN(64) << rng.IntN(14)
			if rng.IntN(20) == 0 {
				u = 1<<(52+rng.IntN(12)) + uint64(rng.IntN(5)) - 2
			}
			signed[i], unsigned[i] = int64(u), u
			if !exact(big.NewInt(signed[i])) {
				want[0]++
			}
			if !exact(new(big.Int).SetUint64(u)) {
				want[1]++
			}
			if round%4 == 0 { // none is beyond
				signed[i], unsigned[i], want = signed[i]>>11, unsigned[i]>>11, [2]int{}
			}
		}
		arrays := []*npy.Array{must(npy.FromSlice(signed)), must(npy.FromSlice(unsigned))}
		for i, a := range arrays {
			if round%3 == 1 {
				a = must(a.AsType(a.DType().WithByteOrder(dtype.BigEndian)))
			}
			var notes []string
			var text bytes.Buffer
			if err := convert.Write(context.Background(), &text, convert.TXT, a, convert.WriteOptions{Note: func(s string) { notes = append(notes, s) }}); err != nil {
				t.Fatal(err)
			}
			if want[i] == 0 && len(notes) == 0 {
				continue
			}
			if len(notes) != 1 || !strings.HasPrefix(notes[0], "the last digits of "+big.NewInt(int64(want[i])).String()+" integer") {
				t.Fatalf("seed %d, round %d, %s: notes %q, want %d integers", seed, round, a.DType(), notes, want[i])
			}
		}
	}
}
