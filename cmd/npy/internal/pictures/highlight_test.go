package pictures

import (
	"math"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// The least and the greatest finite number have colours, and so have NaN and infinities; elements that are not
// numbers have none.
func TestHighlights(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for _, test := range []struct {
		name string
		a    *npy.Array
		want string
	}{
		{"floats", mustArray(t, []float64{1, nan, 3, inf, 2}), "[  min(1.)  nan(nan)   max(3.) inf(-inf)   2.]"},
		{"one value", mustArray(t, []int64{7, 7}), "[7 7]"},
		{"bools", mustArray(t, []bool{true, false}), "[ True False]"},
		{"text", mustArray(t, []string{"a", "b"}), "['a' 'b']"},
		{"nothing finite", mustArray(t, []float32{float32(nan)}), "[nan(nan)]"},
	} {
		var b strings.Builder
		if err := (npy.Printer{Mark: Highlights(test.a)}).Print(&b, test.a); err != nil {
			t.Fatal(err)
		}
		got := strings.NewReplacer(nanColor, "nan(", infColor, "inf(", minColor, "min(", maxColor, "max(", plainText, ")", "\n", "").Replace(b.String())
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
