package elem

import (
	"errors"
	"math/big"
	"regexp"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

var decimalNumber = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?$`)

// An integer is read from a decimal number if and only if big.Rat says that it is whole, and it fits.
func FuzzWhole(f *testing.F) {
	for _, s := range []string{"1.000000000000000000e+00", "-1.50e+01", "9.223372036854775808e+18", "-9.223372036854775808e+18", "1.5", "0e999", "-0.0", "-0", "1e-1", "10e-1",
		"1e19", "00012.000", ".5e1", "+3.", "1e", "", ".", "nan", "inf", "1_0.0", "0x1p3", "--1.0", "1.0.0", "1e0005", "1e00005"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []dtype.Type{dtype.Int8, dtype.Int64, dtype.Uint64} {
			parse, err := (Texts{Decimals: true}).Parser(d)
			if err != nil {
				t.Fatal(err)
			}
			item := make([]byte, d.ItemSize())
			err = parse(item, text)
			format, _ := (Texts{}).Formatter(d)
			got, _ := format(nil, item)
			if !decimalNumber.MatchString(text) {
				if err == nil {
					t.Errorf("%q is read as %s %s", text, d, got)
				}
				continue
			}
			r, _ := new(big.Rat).SetString(text)
			want, bits := r.Num(), 8*d.ItemSize()
			low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(bits))
			if d.Kind() == dtype.KindInt {
				high.Rsh(high, 1)
				low.Neg(high)
			}
			fits := r.IsInt() && want.Cmp(low) >= 0 && want.Cmp(high) < 0
			if fits != (err == nil) || fits && string(got) != want.String() {
				t.Errorf("%q is read as %s %s, %v, want %s", text, d, got, err, r)
			}
			if err != nil && !errors.Is(err, ErrFraction) && !errors.Is(err, scalar.ErrRange) {
				t.Errorf("%q as %s: %v, want ErrFraction or ErrRange", text, d, err)
			}
		}
	})
}
