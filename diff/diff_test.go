package diff_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
)

func parse(t testing.TB, descr string) dtype.Type {
	t.Helper()
	dt, err := dtype.Parse(descr)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

// arrayAs returns numbers as an array of another dtype, which must hold them exactly.
func arrayAs[T npy.Element](t testing.TB, descr string, xs ...T) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(xs)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = a.AsType(parse(t, descr)); err != nil {
		t.Fatal(err)
	}
	return a
}

// bytesAs returns bytes as an array. Without a shape the array has one dimension.
func bytesAs(t testing.TB, descr string, data string, shape ...int) *npy.Array {
	t.Helper()
	dt := parse(t, descr)
	if len(shape) == 0 {
		shape = []int{len(data) / dt.ItemSize()}
	}
	a, err := npy.FromBytes(dt, []byte(data), shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func arrays(t testing.TB, a, b *npy.Array, o diff.Options) *diff.Result {
	t.Helper()
	r, err := diff.Compare(context.Background(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// summary returns a short text for a field.
func summary(f diff.Field) string {
	s := fmt.Sprintf("%d of %d", f.Different, f.Count)
	if f.Close > 0 {
		s += fmt.Sprintf(", %d close", f.Close)
	}
	if f.NaNs > 0 {
		s += fmt.Sprintf(", %d NaN", f.NaNs)
	}
	if f.Incomparable != "" {
		s = f.Incomparable
	}
	if len(f.First) > 0 {
		m := f.First[0]
		s += fmt.Sprintf("; first %v %s %s", m.Index, m.A, m.B)
	}
	if m := f.WorstAbs; m != nil {
		s += fmt.Sprintf("; abs %s at %v", m.Abs, m.Index)
	}
	if m := f.WorstRel; m != nil {
		s += fmt.Sprintf("; rel %g at %v", m.Rel, m.Index)
	}
	if m := f.WorstULPs; m != nil {
		s += fmt.Sprintf("; ulps %d at %v", m.ULPs, m.Index)
	}
	return s
}

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func TestArrays(t *testing.T) {
	next := math.Nextafter(1, 2)
	big := int64(1) << 53
	for _, test := range []struct {
		name string
		a, b *npy.Array
		o    diff.Options
		want string
	}{
		{"equal", arrayAs(t, "<f8", 1.0, 2), arrayAs(t, "<f8", 1.0, 2), diff.Options{}, "0 of 2"},
		{"byte orders", arrayAs(t, "<f8", 1.0, 2), arrayAs(t, ">f8", 1.0, 3), diff.Options{}, "1 of 2; first [1] 2.0 3.0; abs 1 at [1]; rel 0.3333333333333333 at [1]; ulps 2251799813685248 at [1]"},
		{"zeros are equal", arrayAs(t, "<f8", 0.0), arrayAs(t, "<f8", math.Copysign(0, -1)), diff.Options{}, "0 of 1"},
		{"NaN equals NaN", arrayAs(t, "<f8", nan), arrayAs(t, "<f8", -nan), diff.Options{}, "0 of 1"},
		{"NaN differs if wanted", arrayAs(t, "<f8", nan), arrayAs(t, "<f8", nan), diff.Options{NaNsDiffer: true}, "1 of 1; first [0] nan nan"},
		{"NaN and a number", arrayAs(t, "<f8", 1, nan), arrayAs(t, "<f8", nan, 1), diff.Options{ATol: 9}, "2 of 2, 2 NaN; first [0] 1.0 nan"},
		{"infinities", arrayAs(t, "<f8", inf, inf, -inf), arrayAs(t, "<f8", inf, -inf, 1), diff.Options{ATol: 9, RTol: 1}, "2 of 3; first [1] inf -inf; abs +Inf at [1]; rel +Inf at [1]"},
		{"one step", arrayAs(t, "<f8", 1.0), arrayAs(t, "<f8", next), diff.Options{}, "1 of 1; first [0] 1.0 1.0000000000000002; abs 2.220446049250313e-16 at [0]; rel 2.2204460492503126e-16 at [0]; ulps 1 at [0]"},
		{"one step allowed", arrayAs(t, "<f8", 1.0), arrayAs(t, "<f8", next), diff.Options{ULPs: 1}, "0 of 1, 1 close"},
		{"steps around zero", arrayAs(t, "<f8", 5e-324), arrayAs(t, "<f8", -5e-324), diff.Options{}, "1 of 1; first [0] 5e-324 -5e-324; abs 1e-323 at [0]; rel 2 at [0]; ulps 2 at [0]"},
		{"more steps than fit", arrayAs(t, "<f8", math.MaxFloat64), arrayAs(t, "<f8", -math.MaxFloat64), diff.Options{}, "1 of 1; first [0] 1.7976931348623157e+308 -1.7976931348623157e+308; abs +Inf at [0]; rel +Inf at [0]; ulps 9223372036854775807 at [0]"},
		{"by zero", arrayAs(t, "<f8", 1.0), arrayAs(t, "<f8", 0.0), diff.Options{RTol: 1}, "1 of 1; first [0] 1.0 0.0; abs 1 at [0]; rel +Inf at [0]; ulps 4607182418800017408 at [0]"},
		{"tolerances", arrayAs(t, "<f8", 1.5, 11, 2), arrayAs(t, "<f8", 1.0, 10, 4), diff.Options{ATol: 0.5, RTol: 0.1}, "1 of 3, 2 close; first [2] 2.0 4.0; abs 2 at [2]; rel 0.5 at [2]; ulps 4503599627370496 at [2]"},
		{"float16 steps", bytesAs(t, "<f2", "\x00\x3c"), bytesAs(t, ">f2", "\x3c\x01"), diff.Options{}, "1 of 1; first [0] 1.0 1.001; abs 0.0009765625 at [0]; rel 0.000975609756097561 at [0]; ulps 1 at [0]"},
		{"wider floats", arrayAs(t, "<f4", float32(0.1)), arrayAs(t, "<f8", 0.1), diff.Options{}, "1 of 1; first [0] 0.1 0.1; abs 1.4901161138336505e-09 at [0]; rel 1.4901161138336505e-08 at [0]; ulps 0 at [0]"},
		{"wider floats that round to the same", arrayAs(t, "<f4", float32(0.1)), arrayAs(t, "<f8", 0.1), diff.Options{ULPs: 1}, "0 of 1, 1 close"},
		{"integers over 2**53", arrayAs(t, "<i8", big+1), arrayAs(t, "<i8", big), diff.Options{}, "1 of 1; first [0] 9007199254740993 9007199254740992; abs 1 at [0]; rel 1.1102230246251565e-16 at [0]"},
		{"integers with floats over 2**53", arrayAs(t, "<i8", big+1, big), arrayAs(t, "<f8", float64(big), float64(big)), diff.Options{}, "1 of 2; first [0] 9007199254740993 9007199254740992.0; abs 1 at [0]; rel 1.1102230246251565e-16 at [0]"},
		{"the largest difference", arrayAs(t, "<i8", int64(math.MinInt64)), arrayAs(t, "<u8", uint64(math.MaxUint64)), diff.Options{}, "1 of 1; first [0] -9223372036854775808 18446744073709551615; abs 27670116110564327423 at [0]; rel 1.5 at [0]"},
		{"the same bits with and without a sign", arrayAs(t, "<i8", int64(-1)), arrayAs(t, "<u8", uint64(math.MaxUint64)), diff.Options{}, "1 of 1; first [0] -1 18446744073709551615; abs 18446744073709551616 at [0]; rel 1 at [0]"},
		{"bools", bytesAs(t, "|b1", "\x01\x02\x00"), bytesAs(t, "|b1", "\x01\x01\x01"), diff.Options{}, "1 of 3; first [2] false true; abs 1 at [2]; rel 1 at [2]"},
		{"bools and integers", bytesAs(t, "|b1", "\x00\x01"), arrayAs(t, "<i2", int16(0), 1), diff.Options{}, "0 of 2"},
		{"complex", arrayAs(t, "<c16", 1+2i, complex(nan, 1)), arrayAs(t, "<c8", complex64(4-2i), complex(1, float32(nan))), diff.Options{}, "1 of 2; first [0] 1+2j 4-2j; abs 5 at [0]; rel 1.118033988749895 at [0]; ulps 2147483648 at [0]"},
		{"complex and real", arrayAs(t, "<c16", 1+0i, 1+1i), arrayAs(t, "<f8", 1.0, 1), diff.Options{}, "1 of 2; first [1] 1+1j 1.0; abs 1 at [1]; rel 1 at [1]; ulps 4607182418800017408 at [1]"},
		{"strings of other lengths", bytesAs(t, "|S3", "abcab\x00"), bytesAs(t, "|S2", "abab"), diff.Options{}, "1 of 2; first [0] abc ab"},
		{"strings of other byte orders", bytesAs(t, "<U1", "a\x00\x00\x00b\x00\x00\x00"), bytesAs(t, ">U2", "\x00\x00\x00a\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00c"), diff.Options{}, "1 of 2; first [1] b bc"},
		{"strings without room", bytesAs(t, "|S0", "", 2), bytesAs(t, "|S2", "\x00\x00ab"), diff.Options{}, "1 of 2; first [1]  ab"},
		{"nothing in nothing", bytesAs(t, "|S0", "", 1e9), bytesAs(t, "|S0", "", 1e9), diff.Options{}, "0 of 1000000000"},
		{"void", bytesAs(t, "|V2", "abcd"), bytesAs(t, "|V2", "abce"), diff.Options{}, "1 of 2; first [1] 6364 6365"},
		{"void of other sizes", bytesAs(t, "|V2", "ab"), bytesAs(t, "|V1", "a"), diff.Options{}, "|V2 and |V1 have no values in common"},
		{"text and bytes", bytesAs(t, "|S1", "a"), bytesAs(t, "<U1", "a\x00\x00\x00"), diff.Options{}, "|S1 and <U1 have no values in common"},
		{"seconds and milliseconds", times(t, "<M8[s]", 1, 2, math.MinInt64), times(t, "<M8[ms]", 1000, 1, math.MinInt64), diff.Options{}, "1 of 3; first [1] 1970-01-01T00:00:02 1970-01-01T00:00:00.001; abs 1999 at [1]"},
		{"no tolerance relative to 1970", times(t, "<M8[s]", 1000), times(t, "<M8[s]", 1001), diff.Options{RTol: 1}, "1 of 1; first [0] 1970-01-01T00:16:40 1970-01-01T00:16:41; abs 1 at [0]"},
		{"ticks", times(t, "<m8[s]", 1000, 5), times(t, "<m8[25s]", 40, 1), diff.Options{ATol: 1}, "1 of 2; first [1] 5 1; abs 20 at [1]; rel 0.8 at [1]"},
		{"2 hours and 10 days", times(t, "<m8[2h]", 120, 360), times(t, "<m8[10D]", 1, 1), diff.Options{ATol: 200}, "1 of 2; first [1] 360 1; abs 240 at [1]; rel 2 at [1]"},
		{"2 hours and 3 hours", times(t, "<m8[2h]", 3, 4), times(t, "<m8[3h]", 2, 3), diff.Options{}, "1 of 2; first [1] 4 3; abs 1 at [1]; rel 0.1111111111111111 at [1]"},
		{"NaT and a time", times(t, "<M8[s]", math.MinInt64), times(t, "<M8[s]", 0), diff.Options{}, "1 of 1, 1 NaN; first [0] NaT 1970-01-01T00:00:00"},
		{"years and months", times(t, "<M8[Y]", 1), times(t, "<M8[M]", 12), diff.Options{}, "0 of 1"},
		{"years and days", times(t, "<M8[Y]", 1), times(t, "<M8[D]", 365), diff.Options{}, "<M8[Y] and <M8[D] have no values in common"},
		{"weeks and attoseconds", times(t, "<M8[W]", 0), times(t, "<M8[as]", 1), diff.Options{}, "<M8[W] and <M8[as] have no values in common"},
		{"long double", longDouble(t, 1), longDouble(t, 1<<63|1), diff.Options{}, "1 of 1; first [0] 4e-4951 3.3621031431120935066e-4932; abs 0 at [0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := arrays(t, test.a, test.b, test.o)
			if got := summary(r.Fields[0]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func times(t testing.TB, descr string, ticks ...int64) *npy.Array {
	a := arrayAs(t, "<i8", ticks...)
	return bytesAs(t, descr, string(a.Bytes()), len(ticks))
}

// longDouble returns a long double with a small exponent and the given mantissa.
func longDouble(t testing.TB, mantissa uint64) *npy.Array {
	b := make([]byte, 16)
	for i := range 8 {
		b[i] = byte(mantissa >> (8 * i))
	}
	return bytesAs(t, "<f16", string(b), 1)
}

func TestFirstAndMax(t *testing.T) {
	xs := make([]int32, 1_000_000)
	ys := slices.Clone(xs)
	for _, i := range []int{999_999, 70_000, 3, 500_000} {
		ys[i] = int32(i)
	}
	a, err := npy.FromSlice(xs, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	b, err := npy.FromSlice(ys, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, views := range [][2]*npy.Array{{a, b}, {a.Fortran(), b}, {a.Fortran(), b.Fortran()}} {
		f := arrays(t, views[0], views[1], diff.Options{Max: 3}).Fields[0]
		got := fmt.Sprint(f.Different, f.First[0].Index, f.First[1].Index, f.First[2].Index, len(f.First), f.WorstAbs.Index, f.WorstRel.Index)
		if want := "4 [0 3] [70 0] [500 0] 3 [999 999] [0 3]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if f := arrays(t, a, b, diff.Options{Max: -1}).Fields[0]; len(f.First) > 0 || f.Different != 4 {
		t.Errorf("Max -1: %d listed of %d", len(f.First), f.Different)
	}
}
