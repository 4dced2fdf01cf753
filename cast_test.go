package npy_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

var castTypes = strings.Fields("|b1 |i1 |u1 <i2 >u2 <i4 >i4 <u4 <i8 <u8 <f2 >f2 <f4 <f8 >f8 <c8 >c16")

// castValues are cast from each dtype to each other dtype that has them. Floats beyond the integers are left out,
// because NumPy has no answer of its own for them.
const castValues = `
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    f, t = np.dtype(q['from']), np.dtype(q['to'])
    if f.kind in 'biu':
        x = np.array([0, 1, 2, 3, 100, 127, -1, -2, 128, 255, 256, -129, 70000, 16777217, -2**31, 2**53+1, 2**63-1, 2049], dtype='i8').astype(f)
    else:
        x = np.array([0, 1, -0.0, 0.5, 1.5, 2.75, 100.9, 127, 3, 0.1, 65519, 1e-7, 1e30, 1e300, np.inf, -np.inf, np.nan, 5e-324]).astype(f)
        if f.kind == 'c':
            x.imag = 7
        if t.kind in 'iu':
            x = x[np.abs(x) < 128]
    kind = bool(np.can_cast(f, t, 'same_kind'))
    print(json.dumps({'in': x.tobytes().hex(), 'out': x.astype(t).tobytes().hex(), 'kind': kind}))
`

func TestCastLive(t *testing.T) {
	type question struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	var questions []question
	for _, from := range castTypes {
		for _, to := range castTypes {
			questions = append(questions, question{from, to})
		}
	}
	version, answers := oracle.Ask[question, struct {
		In, Out string
		Kind    bool
	}](t, castValues, questions)
	t.Logf("NumPy %s, %d pairs of dtypes", version, len(questions))
	for i, q := range questions {
		from, to := parse(q.From), parse(q.To)
		in, want := must(hex.DecodeString(answers[i].In)), must(hex.DecodeString(answers[i].Out))
		a := must(npy.FromBytes(from, in, len(in)/from.ItemSize()))
		b, err := a.Cast(to, npy.UnsafeCasting)
		if err != nil {
			t.Errorf("%s to %s: %v", from, to, err)
			continue
		}
		if got := b.Bytes(); !bytes.Equal(got, want) && !sameNaNs(b, must(npy.FromBytes(to, want, b.Size()))) {
			t.Errorf("%s to %s: %v to %v, NumPy %v", from, to, a, b, must(npy.FromBytes(to, want, b.Size())))
		}
		few := must(a.Slice(npy.Span(0, 2))) // 0 and 1 are in every range
		if _, err := few.Cast(to, npy.SameKindCasting); (err == nil) != answers[i].Kind {
			t.Errorf("%s to %s: %v, NumPy has it of the same kind: %v", from, to, err, answers[i].Kind)
		}
	}
}

// sameNaNs compares text, because the bits of a NaN are not guaranteed.
func sameNaNs(a, b *npy.Array) bool {
	return strings.Contains(a.String(), "nan") && a.String() == b.String()
}

func TestCast(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		in   *npy.Array
		to   string
		want string // of unsafe casting
		kind string // its error by the same kind, or "" for the same
	}{
		{must(npy.FromSlice([]float64{nan, 300.7, -inf, -5.9})), "i1", "[   0  127 -128   -5]", "same_kind casting does not convert dtype <f8 to |i1; unsafe casting allows it"},
		{must(npy.FromSlice([]float64{nan, -1, inf})), "u8", "[                   0                    0 18446744073709551615]", "same_kind casting does not"},
		{must(npy.FromSlice([]float64{1e19, -1e19})), "i8", "[ 9223372036854775807 -9223372036854775808]", "same_kind casting does not"},
		{must(npy.FromSlice([]float64{1e300, 1})), "f4", "[inf  1.]", "npy: element 0: 1e+300 is out of the range of dtype <f4; unsafe casting allows it"},
		{must(npy.FromSlice([]float64{inf, 1e-300, nan})), "f4", "[inf  0. nan]", ""},
		{must(npy.FromSlice([]int32{70000, 1})), "f2", "[inf  1.]", "70000 is out of the range of dtype <f2"},
		{must(npy.FromSlice([]int32{300, -1})), "i1", "[44 -1]", "300 is out of the range of dtype |i1"},
		{must(npy.FromSlice([]uint64{1 << 63})), "i8", "[-9223372036854775808]", "9223372036854775808 is out of the range"},
		{must(npy.FromSlice([]int8{-1})), "u1", "[255]", "same_kind casting does not"},
		{must(npy.FromSlice([]complex128{2 + 1i, 1e300})), "c8", "[ 2.+1.j inf+0.j]", "element 1: 1e+300 is out of the range of dtype <c8"},
		{must(npy.FromSlice([]complex128{2.5 + 1i})), "i4", "[2]", "same_kind casting does not"},
		{must(npy.FromSlice([]complex128{1i, 0, 2})), "?", "[ True False  True]", "same_kind casting does not"},
		{must(npy.FromSlice([]scalar.Float16{scalar.Float16FromFloat64(2.5)})), "c16", "[2.5+0.j]", ""},
	} {
		to := parse(tt.to).WithByteOrder(dtype.LittleEndian)
		in := tt.in
		b, err := in.Cast(to, npy.UnsafeCasting)
		if err != nil || b.String() != tt.want {
			t.Errorf("%v to %s: %v, %v, want %s", in, to, b, err, tt.want)
		}
		b, err = in.Cast(to, npy.SameKindCasting)
		switch {
		case tt.kind == "" && (err != nil || b.String() != tt.want):
			t.Errorf("%v to %s by the same kind: %v, %v, want %s", in, to, b, err, tt.want)
		case tt.kind != "" && (err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), ">", "<"), tt.kind)):
			t.Errorf("%v to %s by the same kind: %v, want %q", in, to, err, tt.kind)
		}
		if b, err := in.Cast(to, npy.SafeCasting); err == nil && b.String() != tt.want {
			t.Errorf("%v to %s, safe: %v", in, to, b)
		}
	}
	grid := must(npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)).Fortran()
	if b := must(grid.Cast(dtype.Int8, npy.UnsafeCasting)); !b.IsFortran() || b.String() != "[[1 2 3]\n [4 5 6]]" {
		t.Errorf("Fortran order becomes %v, Fortran %v", b, b.IsFortran())
	}
	for _, c := range []npy.Casting{npy.SafeCasting, npy.SameKindCasting, npy.UnsafeCasting} {
		if got, err := npy.ParseCasting(c.String()); err != nil || got != c {
			t.Errorf("ParseCasting(%q): %v, %v", c, got, err)
		}
	}
	if _, err := npy.ParseCasting("no"); err == nil || !strings.Contains(fmt.Sprint(npy.Casting(7)), "7") {
		t.Errorf("ParseCasting takes another word: %v", err)
	}
}

// Files of any size are cast in blocks.
func TestCopierCasting(t *testing.T) {
	xs := make([]float64, 100_000)
	for i := range xs {
		xs[i] = float64(i) / 3
	}
	a := must(npy.FromSlice(xs, 100, 1000))
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.npy"), filepath.Join(dir, "out.npy")
	if err := npy.WriteFile(in, a); err != nil {
		t.Fatal(err)
	}
	f := must(npy.Open(in))
	defer f.Close()
	if err := (npy.Copier{DType: dtype.Float32, Casting: npy.SameKindCasting}).WriteFile(context.Background(), out, f); err != nil {
		t.Fatal(err)
	}
	if got := must(npy.ReadFile(out)); !bytes.Equal(got.Bytes(), must(a.Cast(dtype.Float32, npy.SameKindCasting)).Bytes()) {
		t.Error("the file has other numbers than the array")
	}
	err := npy.Copier{DType: dtype.Int16, Casting: npy.SameKindCasting}.WriteFile(context.Background(), out, f)
	if err == nil || !strings.Contains(err.Error(), "same_kind") {
		t.Errorf("to int16: %v", err)
	}
	if err := (npy.Copier{DType: dtype.Float32}).WriteFile(context.Background(), out, f); err == nil {
		t.Error("the zero Copier rounds")
	}
}

// The error of a refused conversion says which casting would allow it.
func TestCastError(t *testing.T) {
	a := must(npy.FromSlice([]float64{1}))
	_, err := a.AsType(dtype.Float32)
	var refused *npy.CastError
	if !errors.As(err, &refused) {
		t.Fatalf("error %v", err)
	}
	want := npy.CastError{From: dtype.Float64, To: dtype.Float32, Casting: npy.SafeCasting, Needs: npy.SameKindCasting,
		Reason: "no conversion from dtype " + dtype.Float64.String() + " to " + dtype.Float32.String() + " keeps every value"}
	if fmt.Sprint(*refused) != fmt.Sprint(want) || err.Error() != "npy: "+want.Reason+"; same_kind casting allows it" {
		t.Errorf("got %+v, %v", *refused, err)
	}
	_, err = must(npy.FromBytes(dtype.Void(2), make([]byte, 2))).Cast(dtype.Float32, npy.UnsafeCasting)
	if !errors.As(err, &refused) || refused.Needs != refused.Casting || refused.Hint == "" {
		t.Errorf("void: %+v, %v", refused, err)
	}
	if err := (npy.Copier{DType: dtype.Int8}).Write(context.Background(), io.Discard, a); !errors.As(err, &refused) || refused.Needs != npy.UnsafeCasting {
		t.Errorf("a copy: %+v, %v", refused, err)
	}
}

// A field that is a text without a length holds no other text: casting='same_kind' names the element, unsafe casting cuts it.
func TestCastTextWithoutLength(t *testing.T) {
	for _, tt := range []struct{ from, to string }{
		{"[('a','S2')]", "[('b','S0')]"}, {"[('a','U2')]", "[('b','>U0')]"}, {"[('a','S2')]", "[('b','U0')]"}, {"[('a','i4')]", "[('b','S0')]"},
	} {
		from, to := parse(tt.from), parse(tt.to)
		a := must(npy.FromBytes(from, bytes.Repeat([]byte{'1', 0, 0, 0}, 3*from.ItemSize())[:3*from.ItemSize()], 3))
		if b, err := a.Cast(to, npy.SameKindCasting); err == nil || !strings.Contains(err.Error(), "element 0") {
			t.Errorf("%s to %s: %v, %v", tt.from, tt.to, b, err)
		}
		if b, err := a.Cast(to, npy.UnsafeCasting); err != nil || !b.DType().Equal(to) || b.Size() != 3 {
			t.Errorf("%s to %s by unsafe casting: %v, %v", tt.from, tt.to, b, err)
		}
	}
}
