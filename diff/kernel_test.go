package diff

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

var numberTypes = strings.Fields("|b1 |i1 |u1 <i2 >u2 <i4 >u4 <i8 >i8 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <f12 <f16 >f16 <c4 <c8 >c16 <c32 bfloat16 float8_e4m3fn <f1 int4")

func mustParse(t testing.TB, descr string) dtype.Type {
	t.Helper()
	dt, err := dtype.Parse(descr)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

// verdict runs a kernel over the items of both arrays.
func verdict(k kernel, a, b []byte, n int, o Options) judge {
	j := newJudge(o)
	var s scratch
	for i := 0; i < n; i += chunkItems {
		m := min(chunkItems, n-i)
		j.base = int64(i)
		k(&s, &j, a[i*(len(a)/n):][:m*(len(a)/n)], b[i*(len(b)/n):][:m*(len(b)/n)], m)
	}
	return j
}

// Every kernel of numbers gives the result of the exact kernel, which compares numbers one by one.
func FuzzKernels(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range numberTypes {
		data := make([]byte, 600)
		for j := range data {
			data[j] = byte(r.Uint32())
		}
		f.Add(uint8(i), uint8(i), data, 0.0, false)
		f.Add(uint8(i), uint8(r.IntN(64)), data, 0.5, true)
	}
	f.Add(uint8(16), uint8(16), []byte("\x01\x00\x00\x00\x00\x00\xf0\x7f\x00\x00\x00\x00\x00\x00\xf0\xff"), 0.0, false)
	f.Fuzz(func(t *testing.T, i, j uint8, data []byte, tol float64, nansDiffer bool) {
		a, b := mustParse(t, numberTypes[int(i)%len(numberTypes)]), mustParse(t, numberTypes[int(j)%len(numberTypes)])
		n := len(data) / (a.ItemSize() + b.ItemSize())
		if n == 0 {
			return
		}
		o := Options{NaNsDiffer: nansDiffer, Max: 3}
		if !isInteger(elem.KindOf(a)) || !isInteger(elem.KindOf(b)) { // the exact difference of integers is not rounded
			o.ATol = math.Abs(tol)
		}
		x, y := data[:n*a.ItemSize()], data[n*a.ItemSize():n*(a.ItemSize()+b.ItemSize())]
		kernel, reason := kernelFor(a, b)
		if reason != "" {
			t.Fatalf("%s and %s: %s", a, b, reason)
		}
		got, want := verdict(kernel, x, y, n, o), verdict(exact(a, b), x, y, n, o)
		if got.different != want.different || got.close != want.close || got.nans != want.nans {
			t.Fatalf("%s and %s: %d different, %d close, %d NaN; want %d, %d, %d", a, b,
				got.different, got.close, got.nans, want.different, want.close, want.nans)
		}
		for i, e := range want.first {
			if g := got.first[i]; g.at != e.at || math.Abs(g.abs.Float64()-e.abs.Float64()) > 1e-15*e.abs.Float64() {
				t.Fatalf("%s and %s: item %d differs by %s; want item %d, %s", a, b, g.at, g.abs, e.at, e.abs)
			}
		}
	})
}

// A field of records compares as the array of that field does.
func TestFieldsAreArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	dt := mustParse(t, "[('a', '|u1'), ('x', '>f4', (2, 3)), ('s', '|S3'), ('z', '<c8'), ('u', '>U2'), ('t', '<m8[s]'), ('n', '<i8', (2,))]")
	data := make([]byte, 9000*dt.ItemSize())
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	other := slices.Clone(data)
	for range 5000 {
		other[r.IntN(len(data))] ^= 1 << r.IntN(8)
	}
	a, err := npy.FromBytes(dt, data, 90, 100)
	if err != nil {
		t.Fatal(err)
	}
	b, err := npy.FromBytes(dt, other, 90, 100)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Compare(t.Context(), a, b, Options{Max: 7})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range all.Fields {
		x, err := a.Field(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Field(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		one, err := Compare(t.Context(), x, y, Options{Max: 7})
		if err != nil {
			t.Fatal(err)
		}
		g := one.Fields[0]
		same := f.Different == g.Different && f.NaNs == g.NaNs && f.Count == g.Count && len(f.First) == len(g.First)
		for k := range min(len(f.First), len(g.First)) {
			same = same && sameMismatch(&f.First[k], &g.First[k])
		}
		if !same || !sameMismatch(f.WorstAbs, g.WorstAbs) || !sameMismatch(f.WorstRel, g.WorstRel) || !sameMismatch(f.WorstULPs, g.WorstULPs) {
			t.Errorf("field %d: %+v\nas an array: %+v", i, f, g)
		}
	}
}

func sameMismatch(m, n *Mismatch) bool {
	if m == nil || n == nil {
		return m == n
	}
	return slices.Equal(m.Index, n.Index) && m.A == n.A && m.B == n.B && m.Abs == n.Abs && m.ULPs == n.ULPs
}
