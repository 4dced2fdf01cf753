package npy_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
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

var (
	smallTypes = strings.Fields(`? i1 u1 i2 u2 f2 bfloat16 float8_e3m4 float8_e4m3 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz
		float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int4 uint4 int2 uint2`)
	wideTypes = strings.Fields("i4 u4 i8 u8 f4 f8 f16 c4 c8 c16 c32")
)

// everyValue returns all values of a dtype of one or two bytes.
func everyValue(t dtype.Type) *npy.Array {
	n := 1 << (8 * t.ItemSize())
	switch t.Name() {
	case "bool":
		n = 2
	case "int4", "uint4", "float4_e2m1fn":
		n = 16
	case "int2", "uint2":
		n = 4
	case "float6_e2m3fn", "float6_e3m2fn":
		n = 64
	}
	data := make([]byte, 0, 2*n)
	for i := range n {
		data = binary.LittleEndian.AppendUint16(data, uint16(i))
		data = data[:len(data)-2+t.ItemSize()]
	}
	return must(npy.FromBytes(t.WithByteOrder(dtype.LittleEndian), data, n))
}

// AsType takes the dtypes that hold every value of an array, and no others. All values of all numbers of up to 16
// bits are tried. Long doubles hold the values of both dtypes.
func TestAsTypeEveryValue(t *testing.T) {
	long := func(a *npy.Array) []scalar.LongDouble {
		return must(npy.As[scalar.LongDouble](must(a.Cast(dtype.LongDouble, npy.UnsafeCasting)))).ToSlice()
	}
	for _, from := range smallTypes {
		a := everyValue(parse(from))
		values := long(a)
		for _, to := range append(smallTypes, wideTypes...) {
			b := must(a.Cast(parse(to), npy.UnsafeCasting))
			held := b.DType().Kind() != dtype.KindBool || from == "?"
			for i, x := range long(b) {
				y := values[i]
				same := x == y || x.IsNaN() && y.IsNaN() || x.Sign() == 0 && y.Sign() == 0 && !x.IsNaN() && !y.IsNaN()
				held = held && same
			}
			if c, err := a.AsType(parse(to)); (err == nil) != held {
				t.Errorf("AsType from %s to %s: %v, every value is held: %v", from, to, err, held)
			} else if err == nil && !bytes.Equal(c.Bytes(), b.Bytes()) {
				t.Errorf("AsType from %s to %s gives other values than Cast", from, to)
			}
		}
	}
}

// Times of any unit become the times that package scalar makes of them, or an error where package scalar has one.
func TestCastSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	step := func() dtype.Step {
		nums := []int32{1, 1, 1, 2, 7, 25, 1000, math.MaxInt32}
		return dtype.Step{Num: nums[r.IntN(len(nums))], Unit: dtype.Unit(1 + r.IntN(13))}
	}
	counts := map[string]int{}
	for range oracle.Cases(t, 20_000) {
		from, to := step(), step()
		x := int64(r.Uint64()) >> r.IntN(64)
		var want int64
		var a, b *npy.Array
		var exact bool
		var wantErr, err error
		if r.IntN(2) == 0 {
			y, ok, e := scalar.Datetime64{Ticks: x}.Convert(from, to)
			want, exact, wantErr = y.Ticks, ok, e
			a = must(npy.FromSliceAs(dtype.Datetime64(from), scalar.Datetime64s(scalar.NaT, x)))
			b, err = a.Cast(dtype.Datetime64(to).WithByteOrder(dtype.BigEndian), npy.UnsafeCasting)
		} else {
			y, ok, e := scalar.Timedelta64{Ticks: x}.Convert(from, to)
			want, exact, wantErr = y.Ticks, ok, e
			a = must(npy.FromSliceAs(dtype.Timedelta64(from), scalar.Timedelta64s(scalar.NaT, x)))
			b, err = a.Cast(dtype.Timedelta64(to).WithByteOrder(dtype.BigEndian), npy.UnsafeCasting)
		}
		switch {
		case wantErr != nil:
			counts["out of range"]++
			if !errors.Is(err, scalar.ErrRange) || b != nil || !strings.HasPrefix(err.Error(), "npy: element 1: ") {
				t.Errorf("%s %d to %s: %v, %v, want %v", a.DType(), x, to, b, err, wantErr)
			}
			continue
		case err != nil:
			t.Errorf("%s %d to %s: %v, want %d", a.DType(), x, to, err, want)
			continue
		}
		counts["converted"]++
		raw := b.Bytes()
		if nat, got := int64(binary.BigEndian.Uint64(raw)), int64(binary.BigEndian.Uint64(raw[8:])); nat != scalar.NaT || got != want {
			t.Errorf("%s %d to %s: %d, want %d; NaT is %d", a.DType(), x, to, got, want, nat)
		}
		if safe, err := a.AsType(b.DType()); err == nil && (!exact || !bytes.Equal(safe.Bytes(), raw)) {
			t.Errorf("AsType takes %s %d to %s", a.DType(), x, to)
		}
	}
	t.Log(counts)
}

// Files are cast to the same bytes as arrays, in blocks.
func TestCopierCastRandom(t *testing.T) {
	g := castGenerator{rand.New(rand.NewPCG(13, 3)), true}
	same := 0
	for range oracle.Cases(t, 600) {
		q := g.question()
		from, to := parse(q.From), parse(q.To)
		if hasNamed(from) {
			continue // no descr names the dtype
		}
		n := 1 + g.IntN(3000)
		data := bytes.Repeat(g.elements(from, 7, g.IntN(6)), n)
		a := must(npy.FromBytes(from, data, n, 7))
		if g.IntN(3) == 0 {
			a = a.Fortran()
		}
		var file, whole, copied bytes.Buffer
		if err := npy.Write(&file, a); err != nil {
			t.Fatal(err)
		}
		casting := npy.Casting(g.IntN(3))
		b, err := a.Cast(to, casting)
		f := must(npy.OpenReaderAt(bytes.NewReader(file.Bytes()), int64(file.Len())))
		copyErr := npy.Copier{DType: to, Casting: casting, Memory: 32 << 20}.Write(context.Background(), &copied, f)
		if (err == nil) != (copyErr == nil) {
			t.Errorf("%s to %s by %s casting: %v, of a file %v", from, to, casting, err, copyErr)
		}
		if err != nil || copyErr != nil {
			continue
		}
		if err := npy.Write(&whole, b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(whole.Bytes(), copied.Bytes()) {
			t.Errorf("%s to %s by %s casting: the copy of a file differs", from, to, casting)
		}
		same++
	}
	t.Logf("%d files are the same", same)
}

// An error comes without an array.
func TestCastErrorAlone(t *testing.T) {
	for _, a := range []*npy.Array{
		must(npy.FromSlice([]float64{1, 1e300})), must(npy.FromSlice([]float64{1, 2, 1e300, 4}, 2, 2)).Fortran(), must(npy.FromSlice([]string{"1", "x"})),
	} {
		for _, to := range []dtype.Type{dtype.Float32, parse("f2"), parse("U1"), parse("[('a', 'f4')]")} {
			if b, err := a.Cast(to, npy.SameKindCasting); err == nil || b != nil {
				if a.DType().Kind() != dtype.KindStr || to.Kind() != dtype.KindStr {
					t.Errorf("%s to %s: %v beside %v", a.DType(), to, b, err)
				}
			}
		}
		if b, err := a.Cast(parse("M8[ns]"), npy.SameKindCasting); err == nil || b != nil {
			t.Errorf("%v beside %v", b, err)
		}
	}
}

// askSmall casts every value of a dtype of up to two bytes, or the float64 that are given, to all dtypes.
const askSmall = `
import ml_dtypes
print(json.dumps(np.__version__))
np.seterr(all='ignore')
dtype = lambda text: np.dtype(getattr(ml_dtypes, text, None) or text)
for line in sys.stdin:
    q = json.loads(line)
    f = dtype(q['from'])
    if q['data']:
        x = np.frombuffer(bytes.fromhex(q['data']), '<f8')
        if f.kind in 'iu':
            x = x[np.isfinite(x) & (x >= float(np.iinfo(f).min)) & (x < float(np.iinfo(f).max))]
        x = x.astype(f)
    else:
        x = np.arange(0, q['n'], q['step'], dtype='u%d' % f.itemsize).view(f)
    outs = []
    for to in q['to']:
        try:
            outs.append(x.astype(dtype(to)).tobytes().hex())
        except TypeError: # no cast between most types of ml_dtypes
            outs.append('')
    print(json.dumps({'data': x.tobytes().hex(), 'outs': outs}))
`

type smallQuestion struct {
	From string   `json:"from"`
	Data string   `json:"data"`
	N    int      `json:"n"`
	Step int      `json:"step"`
	To   []string `json:"to"`
}

type smallAnswer struct {
	Data string
	Outs []string
}

// Every number of up to 16 bits, and numbers of other dtypes at and next to every value, every midpoint and the limits of
// the targets, become the small floats that ml_dtypes makes of them.
func TestCastSmallFloatsLive(t *testing.T) {
	oracle.MLDtypes(t, "", nil)
	var floats []string // the targets
	for _, name := range smallTypes {
		if k := parse(name).Kind(); k == dtype.KindFloat || strings.Contains(name, "float") {
			floats = append(floats, name)
		}
	}
	var questions []smallQuestion
	step := oracle.Step(t)
	for _, from := range smallTypes {
		q := smallQuestion{From: from, N: everyValue(parse(from)).Size(), Step: 1, To: floats}
		if q.N == 1<<16 {
			q.Step = step
		}
		questions = append(questions, q)
	}
	for _, to := range floats {
		xs := around(parse(to))
		if n := len(xs); n > 50_000/step { // of bfloat16 and float16
			sample := xs[:0]
			for i := 0; i < n; i += 1 + n*step/50_000 {
				sample = append(sample, xs[i])
			}
			xs = sample
		}
		data := hex.EncodeToString(must(npy.FromSlice(xs)).Bytes())
		for _, from := range []string{"i4", "u4", "i8", "u8", "f4", "f8", "f16", "c8", "c16"} {
			questions = append(questions, smallQuestion{From: from, Data: data, To: []string{to}})
		}
	}
	numpy, answers := oracle.Ask[smallQuestion, smallAnswer](t, askSmall, questions)
	counts := map[string]int{}
	for i, q := range questions {
		raw, from := must(hex.DecodeString(answers[i].Data)), parse(q.From)
		a := must(npy.FromBytes(from, raw, len(raw)/from.ItemSize()))
		for j, to := range q.To {
			compareSmall(t, a, parse(to), must(hex.DecodeString(answers[i].Outs[j])), counts)
		}
	}
	t.Logf("NumPy %s: %v", numpy, counts)
	if counts["same"] < 1_000_000 {
		t.Errorf("only %d casts were compared", counts["same"])
	}
}

// compareSmall casts all elements of a, and compares the results with the results of ml_dtypes.
func compareSmall(t *testing.T, a *npy.Array, to dtype.Type, want []byte, counts map[string]int) {
	t.Helper()
	b := must(a.Cast(to, npy.UnsafeCasting))
	if len(want) == 0 {
		counts["only here"] += a.Size()
		return
	}
	got, failed, size := b.Bytes(), 0, to.ItemSize()
	for i := range a.Size() {
		x, y := got[i*size:(i+1)*size], want[i*size:(i+1)*size]
		if string(x) == string(y) {
			counts["same"]++
			continue
		}
		f := real(must(npy.As[complex128](must(must(a.Slice(npy.At(i))).Cast(dtype.Complex128, npy.UnsafeCasting)))).At())
		canon(to, x)
		canon(to, y)
		switch {
		case string(x) == string(y):
			counts["same"]++
		case to.Name() == "float8_e8m0fnu" && x[0] == 0 && y[0] == 1 && 0x1p-127 < f && f < 1.5*0x1p-127:
			counts["subnormal as float8_e8m0fnu"]++ // which ml_dtypes rounds up
		default:
			if failed++; failed < 4 {
				t.Errorf("%v %v (% x) to %v: % x, ml_dtypes % x", a.DType(), must(a.Slice(npy.At(i))), a.Item(i), to, x, y)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%v to %v: %d elements differ", a.DType(), to, failed)
	}
}

// around returns numbers at all values of a float dtype and half-way between, and the float32 and float64 next to them,
// the limits of float32, and special values.
func around(t dtype.Type) []float64 {
	all := must(npy.As[float64](must(everyValue(t).Cast(dtype.Float64, npy.UnsafeCasting)))).ToSlice()
	all = slices.DeleteFunc(all, func(x float64) bool { return x != x || math.IsInf(x, 0) })
	slices.Sort(all)
	if t.ItemSize() == 2 {
		kept := all[:0]
		for i, x := range all { // some of each exponent, and all at the ends
			if i%37 < 2 || i < 300 || i > len(all)-300 || math.Abs(x) < 0x1p-120 && i%7 < 2 {
				kept = append(kept, x)
			}
		}
		all = kept
	}
	last := all[len(all)-1]
	step := last - all[len(all)-2]
	all = append(all, last+step, last+2*step)
	xs := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat32, math.MaxFloat64, 0x1p128, 0x1p-149, 0x1p-150,
		1.25 * 0x1p-127, 1.25 * 0x1p-126, 5e-324, 24_999_999, 25_165_823, 1<<53 + 1, 1 << 62, 3 << 61}
	for i, x := range all[1:] {
		mid := (x + all[i]) / 2
		for _, v := range []float64{x, mid, -mid} {
			single := float32(v)
			xs = append(xs, v, math.Nextafter(v, -1e300), math.Nextafter(v, 1e300), float64(math.Nextafter32(single, -math.MaxFloat32)),
				float64(math.Nextafter32(single, math.MaxFloat32)), math.Floor(v), math.Ceil(v), math.Floor(v)-1, math.Ceil(v)+1)
		}
	}
	return xs
}

// askRules asks for the castings that allow a conversion of dtypes.
const askRules = `
print(json.dumps(np.__version__))
for line in sys.stdin:
    f, t = [np.dtype(eval(s) if s[0] in '[{' else s) for s in json.loads(line)]
    print(json.dumps([bool(np.can_cast(f, t, c)) for c in ('safe', 'same_kind', 'unsafe')]))
`

// The castings of records go by the positions of the fields. A time without a unit takes any unit. A field may be a text
// without a length, which holds no other text.
func TestCastRulesLive(t *testing.T) {
	records := []string{
		"i4", "i8", ">i4", "[('a','i4')]", "[('b','i4')]", "[('b','>i4')]", "[('b','i8')]", "[('b','i2')]", "[(('t','c'),'i4')]",
		"[('a','i4'),('b','i4')]", "[('b','i4'),('a','i4')]", "[('c','i4'),('d','i8')]", "[('a','i4'),('b','i4'),('c','i4')]",
		"[('a',[('x','i4')])]", "[('b',[('y','i8')])]", "[('b',[('y','i8'),('z','i8')])]", "[('a',[('x',[('q','i4')])])]",
		"[('a','i4',(3,))]", "[('b','i8',(3,))]", "[('b','i8',(2,))]", "[('a','i4',(1,))]", "[('b','i8',(2,2))]",
		"[('a','f4')]", "[('b','f16')]", "[('b','?')]", "[('b','c8')]",
	}
	questions := castPairs(records, records)
	spans := []string{"m8", ">m8", "[('a','m8')]", "[('b','>m8')]"}
	questions = append(questions, castPairs(spans, append(spans, "m8[s]", "m8[7s]", ">m8[D]", "m8[W]", "m8[Y]", "m8[3M]", "m8[as]", "[('b','m8[s]')]", "[('b','>m8[Y]')]",
		"[('b','m8',(2,))]", "[('b','m8[25s]',(2,))]"))...)
	dates := []string{"M8", ">M8", "[('a','M8')]", "[('b','>M8')]"}
	questions = append(questions, castPairs(dates, append(dates, "M8[s]", "M8[7s]", ">M8[D]", "M8[W]", "M8[as]", "[('b','M8[s]')]", "[('b','>M8[3W]')]"))...)
	questions = append(questions, castPairs([]string{"[('a','?')]", "[('a','i4')]", "[('a','>f8')]", "[('a','c8')]", "[('a','U3')]", "[('a','m8[s]')]", "[('a','M8[s]')]"},
		[]string{"[('a','S0')]", "[('b','S0')]"})...)
	questions = append(questions, castPairs([]string{"[('a','?')]", "[('a','>i8')]", "[('a','f2')]", "[('a','m8[s]')]", "[('a','M8[s]')]"}, []string{"[('a','U0')]", "[('b','>U0')]"})...)
	version, answers := oracle.Ask[[2]string, []bool](t, askRules, questions)
	for i, q := range questions {
		here := make([]bool, 3)
		for c := range here {
			_, err := must(npy.New(parse(q[0]), 0)).Cast(parse(q[1]), npy.Casting(c))
			here[c] = err == nil
		}
		if !slices.Equal(here, answers[i]) {
			t.Errorf("%s to %s by safe, same_kind, unsafe casting: %v, NumPy %v", q[0], q[1], here, answers[i])
		}
	}
	t.Logf("NumPy %s: %d pairs of dtypes", version, len(questions))
}

// castPairs returns each of some dtypes with each of others.
func castPairs(sources, targets []string) (pairs [][2]string) {
	for _, from := range sources {
		for _, to := range targets {
			pairs = append(pairs, [2]string{from, to})
		}
	}
	return pairs
}
