package numbers

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

func arrayOf[T npy.Element](t *testing.T, data []T) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(data)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestOf(t *testing.T) {
	for name, test := range map[string]struct {
		a    *npy.Array
		want []float64
	}{
		"int8":    {arrayOf(t, []int8{-1, 2}), []float64{-1, 2}},
		"uint64":  {arrayOf(t, []uint64{math.MaxUint64}), []float64{1 << 64}},
		"bool":    {arrayOf(t, []bool{false, true}), []float64{0, 1}},
		"complex": {arrayOf(t, []complex64{3 + 4i}), []float64{5}},
		"half":    {arrayOf(t, []scalar.Float16{{Bits: 0x3e00}}), []float64{1.5}},
		"none":    {arrayOf(t, []float32{}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Of(test.a); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%v, %v, want %v", got, err, test.want)
			}
		})
	}
}

// The error for elements that are not numbers names the dtype and the way out.
func TestNotNumeric(t *testing.T) {
	for descr, want := range map[string]string{"<U3": "str of 3 characters", "|O": "npy convert", "|V2": "--as", "i4,i4": "['f0']"} {
		parsed, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		if Numeric(parsed) || !strings.Contains(NotNumeric(parsed).Error(), want) {
			t.Errorf("%s: %v, want %q in it", descr, NotNumeric(parsed), want)
		}
	}
}
