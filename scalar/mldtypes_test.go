package scalar

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// mlFloats are the floats of ml_dtypes by name.
var mlFloats = map[string]layout{
	"bfloat16": bfloat16Layout, "float8_e3m4": float8E3M4Layout, "float8_e4m3": float8E4M3Layout, "float8_e5m2": float8E5M2Layout,
	"float8_e4m3fn": float8E4M3FNLayout, "float8_e4m3fnuz": float8E4M3FNUZLayout, "float8_e4m3b11fnuz": float8E4M3B11FNUZLayout,
	"float8_e5m2fnuz": float8E5M2FNUZLayout, "float8_e8m0fnu": float8E8M0FNULayout,
	"float6_e2m3fn": float6E2M3FNLayout, "float6_e3m2fn": float6E3M2FNLayout, "float4_e2m1fn": float4E2M1FNLayout,
}

// Every code of every float has the value that ml_dtypes gives, and numbers convert to the same codes.
func TestFloatsBesideMLDtypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	numbers := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 448, 464, 465, 57344, 61440, 65504, 0x1p-6, 0x1p-9, 0x1p-10, 0x1p-16, 0x1p-17, 0x1p-18, 0x1p-127, 1.25 * 0x1p-127, 1.5 * 0x1p-127, 0x1p-149, 6, 7, 28, 30, 7.5, 7.75}
	for range 20_000 {
		numbers = append(numbers, math.Float32frombits(rng.Uint32()), float32(rng.NormFloat64()*math.Exp2(float64(rng.IntN(36)-20))),
			float32(math.Ldexp(float64(rng.IntN(64)-32), rng.IntN(24)-16))) // includes ties
	}
	type answer struct {
		Values, Codes []int64
	}
	var answers map[string]answer
	err := json.Unmarshal(oracle.MLDtypes(t, `
x = np.frombuffer(sys.stdin.buffer.read(), '<f4')
np.seterr(all='ignore')
answers = {}
for name in sys.argv[1:]:
    d = np.dtype(getattr(ml_dtypes, name))
    code = 'u%d' % d.itemsize
    bits = {'float6': 64, 'float4': 16}.get(name[:6], 256 ** d.itemsize)
    answers[name] = {'values': np.arange(bits, dtype=code).view(d).astype('f8').view('i8').tolist(), 'codes': x.astype(d).view(code).tolist()}
print(json.dumps(answers))`, packed(t, numbers), keys(mlFloats)...), &answers)
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range mlFloats {
		m := mismatches{t: t}
		for x, want := range answers[name].Values {
			got, w := math.Float64frombits(l.widen(uint16(x))), math.Float64frombits(uint64(want))
			if got != w && !(got != got && w != w) || math.Signbit(got) != math.Signbit(w) && got == got {
				t.Fatalf("%s %#x is %g, ml_dtypes %g", name, x, got, w)
			}
		}
		for i, f := range numbers {
			if f != f { // NaNs have many codes
				continue
			}
			got := l.narrow(float32To64bits(f), 0)
			want := uint16(answers[name].Codes[i])
			if l.unsigned() && 0x1p-127 < f && f < 1.5*0x1p-127 {
				want-- // ml_dtypes rounds subnormal numbers up
			}
			if got != want && !(l.isNaN(got) && l.isNaN(want)) {
				m.check(name, f, string(l.append(nil, got, true)), string(l.append(nil, want, true)))
			}
		}
	}
}

func keys[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

// Every byte has the integer value that ml_dtypes gives.
func TestIntsBesideMLDtypes(t *testing.T) {
	var answers map[string][]int
	err := json.Unmarshal(oracle.MLDtypes(t, `
print(json.dumps({n: np.arange(256, dtype='u1').view(getattr(ml_dtypes, n)).astype('i8').tolist() for n in sys.argv[1:]}))`,
		nil, "int4", "uint4", "int2", "uint2"), &answers)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 256 {
		got := [...]int{int(Int4{Bits: uint8(x)}.Int8()), int(Uint4{Bits: uint8(x)}.Uint8()), int(Int2{Bits: uint8(x)}.Int8()), int(Uint2{Bits: uint8(x)}.Uint8())}
		want := [...]int{answers["int4"][x], answers["uint4"][x], answers["int2"][x], answers["uint2"][x]}
		if got != want {
			t.Fatalf("byte %#x: int4, uint4, int2 and uint2 are %v, ml_dtypes %v", x, got, want)
		}
	}
}
