package npy_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

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
