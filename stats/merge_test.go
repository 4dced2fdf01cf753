package stats_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats"
)

// mergedTypes are dtypes of all kinds.
var mergedTypes = []string{
	"<f8", ">f8", "<f4", "<f2", "<f16", "<c16", ">c8", "|b1", "|i1", "<i4", ">i8", "<u8", "<M8[D]", "<m8[25s]", "<U3", "|S5", "|V3", "bfloat16", "int4",
	"[('x', '<f8'), ('v', '<i2', (3,)), ('t', '<M8[s]'), ('none', '|S0'), ('z', '<c8', (2,)), ('s', '|S3')]",
}

// mergedItems returns random elements: floats of all magnitudes, of both signs and special ones.
func mergedItems(r *rand.Rand, dt dtype.Type, n int) []byte {
	data := make([]byte, n*dt.ItemSize())
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	if size := dt.ItemSize(); dt.Kind() == dtype.KindFloat && size == 8 {
		scale, special := r.IntN(5), r.IntN(4)
		for i := range n {
			x := r.NormFloat64()
			switch {
			case scale == 0:
				x += 1e9
			case scale == 1:
				x *= math.Exp2(float64(r.IntN(600) - 300))
			case scale == 2:
				x = math.Copysign(math.MaxFloat64/(1+float64(r.IntN(4))), x)
			case scale == 3:
				x = math.Float64frombits(r.Uint64() >> (r.IntN(60) + 4)) // subnormal and small numbers
			}
			if special == 0 && r.IntN(1000) == 0 {
				x = []float64{math.NaN(), math.Copysign(0, -1), 0, math.Inf(1), math.Inf(-1)}[r.IntN(5)]
			} else if special == 1 {
				x = math.Copysign(0, x)
			}
			order := binary.ByteOrder(binary.LittleEndian)
			if dt.ByteOrder() == dtype.BigEndian {
				order = binary.BigEndian
			}
			order.PutUint64(data[i*size:], math.Float64bits(x))
		}
	}
	return data
}

// text returns a result with all its digits.
func text(t testing.TB, acc *stats.Accumulator) string {
	t.Helper()
	all, err := acc.Result()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func newAcc(t testing.TB, dt dtype.Type) *stats.Accumulator {
	t.Helper()
	return must(stats.New(dt))
}

func added(t testing.TB, dt dtype.Type, data []byte) *stats.Accumulator {
	t.Helper()
	acc := newAcc(t, dt)
	acc.Add(data)
	return acc
}

// Pieces of an array, summarised anywhere, sent as bytes and merged in any order and groups, give the bits of the whole.
func TestMergeAnyWay(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for round := range oracle.Cases(t, 1000) {
		dt := parse(t, mergedTypes[round%len(mergedTypes)])
		block := stats.BlockElements(dt)
		data := mergedItems(r, dt, block*(1+r.IntN(4))+r.IntN(block))
		want := text(t, added(t, dt, data))
		accs := pieces(t, r, dt, data)
		for len(accs) > 1 {
			i := r.IntN(len(accs))
			one := accs[i]
			accs = slices.Delete(accs, i, i+1)
			into := r.IntN(len(accs))
			if r.IntN(2) == 0 {
				one = sent(t, one)
			}
			if err := accs[into].Merge(one); err != nil {
				t.Fatal(err)
			}
		}
		if state := must(accs[0].MarshalBinary()); len(state) > 2000 {
			t.Errorf("%s: a state of %d bytes", dt, len(state))
		}
		if got := text(t, sent(t, accs[0])); got != want {
			t.Fatalf("round %d, %s: merged\n%s\nwhole\n%s", round, dt, got, want)
		}
	}
}

// pieces cuts data at blocks and gives the pieces to some Accumulators.
func pieces(t *testing.T, r *rand.Rand, dt dtype.Type, data []byte) []*stats.Accumulator {
	t.Helper()
	accs := make([]*stats.Accumulator, 1+r.IntN(5))
	for i := range accs {
		accs[i] = newAcc(t, dt)
	}
	block := stats.BlockElements(dt) * dt.ItemSize()
	blocks := (len(data) + block - 1) / block
	for _, i := range r.Perm(blocks) {
		acc := accs[r.IntN(len(accs))]
		if err := acc.StartAt(int64(i) * int64(block/dt.ItemSize())); err != nil {
			t.Fatal(err)
		}
		piece := data[i*block : min((i+1)*block, len(data))]
		cut := r.IntN(len(piece) + 1)
		acc.Add(piece[:cut])
		acc.Add(piece[cut:])
	}
	return accs
}

// sent returns an Accumulator as another machine receives it.
func sent(t testing.TB, acc *stats.Accumulator) *stats.Accumulator {
	t.Helper()
	data, err := acc.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	out := new(stats.Accumulator)
	if err := out.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if again, err := out.MarshalBinary(); err != nil || string(again) != string(data) {
		t.Errorf("%x comes back as %x, %v", data, again, err)
	}
	return out
}

// Data added after a state was sent or merged counts, and follows the data added before.
func TestMergeGoesOn(t *testing.T) {
	first := added(t, dtype.Uint8, []byte{5, 3})
	if err := first.Merge(added(t, dtype.Uint8, []byte{9, 1})); err != nil {
		t.Fatal(err)
	}
	first.Add([]byte{0})
	back := sent(t, first)
	back.Add([]byte{77})
	if err := back.Merge(back); err != nil {
		t.Fatal(err)
	}
	all := must(back.Result())
	if got := line(all[0]) + fmt.Sprint(all[0].ArgMin, all[0].ArgMax); got != "n=12 zeros=2 min=0 max=77 sum=190 mean=15.833333333333334 std=27.510099155683818[2] [3]" {
		t.Error(got)
	}
}

func TestMergeErrors(t *testing.T) {
	acc := added(t, dtype.Int16, []byte{1, 2, 3, 4})
	before := text(t, acc)
	if err := acc.Merge(newAcc(t, dtype.Uint16)); err == nil || !strings.Contains(err.Error(), "dtype") {
		t.Errorf("another dtype: %v", err)
	}
	half := added(t, dtype.Int16, []byte{1, 2, 3})
	if err := acc.Merge(half); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half an element: %v", err)
	}
	if _, err := half.MarshalBinary(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half an element as bytes: %v", err)
	}
	if err := half.StartAt(7); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half an element before another position: %v", err)
	}
	for _, element := range []int64{-1, math.MaxInt64} {
		if err := acc.StartAt(element); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("position %d: %v", element, err)
		}
	}
	zero := new(stats.Accumulator)
	if _, err := zero.MarshalBinary(); err == nil || !strings.Contains(err.Error(), "New") {
		t.Errorf("the zero Accumulator: %v", err)
	}
	if err := zero.Merge(zero); err == nil {
		t.Error("the zero Accumulator merges")
	}
	many := newAcc(t, parse(t, "|S0"))
	many.AddEmpty(math.MaxInt64)
	if err := many.Merge(sent(t, many)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("2**64 elements: %v", err)
	}
	if after := text(t, acc); after != before {
		t.Errorf("after errors: %s, want %s", after, before)
	}
}

// Sums and deviations of several blocks equal exact arithmetic: also where the mean is 10**12 deviations, where
// sums cancel or overflow on the way, and among the smallest numbers.
func TestMergedIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	const n = 100_001
	for _, tt := range []struct {
		name string
		x    func(i int) float64
		std  float64 // the largest error
	}{
		{"normal", func(int) float64 { return r.NormFloat64() }, 1e-15},
		{"mean of 1e9 deviations", func(int) float64 { return 1e9 + r.NormFloat64() }, 1e-14},
		{"mean of 1e12 deviations", func(int) float64 { return 1e12 + math.Round(4*r.NormFloat64()) }, 1e-14},
		{"two means", func(i int) float64 { return 1e15 + float64(i/50_000*2) }, 1e-14},
		{"a constant", func(int) float64 { return 0.1 }, 0},
		{"a constant but for one", func(i int) float64 {
			if i == 70_000 {
				return math.Nextafter(0.1, 1)
			}
			return 0.1
		}, 1e-12},
		{"sums that cancel", func(i int) float64 { return math.Copysign(1e300, float64(i%2)-0.5) * float64(1+i/2%3) }, 1e-15},
		{"sums that overflow", func(i int) float64 { return math.Copysign(1e307*r.Float64(), float64(n/2-i)) }, 1e-15},
		{"subnormal", func(int) float64 { return 5e-324 * float64(r.IntN(1000)-300) }, 1e-15},
		{"small", func(int) float64 { return 1e-150 * r.NormFloat64() }, 1e-15},
		{"all magnitudes", func(int) float64 { return r.NormFloat64() * math.Exp2(float64(r.IntN(900)-450)) }, 1e-15},
	} {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = tt.x(i)
		}
		sum, mean, std := exactFloats(xs)
		s := of(t, array(t, xs...))[0]
		if s.Sum.Float64() != sum || s.Mean.Float64() != mean {
			t.Errorf("%s: sum %v, mean %v, want %v, %v", tt.name, s.Sum, s.Mean, sum, mean)
		}
		if got := s.Std.Float64(); tt.std >= 0 && !(math.Abs(got-std) <= tt.std*std) {
			t.Errorf("%s: std %v, want %v: error %g", tt.name, got, std, math.Abs(got-std)/std)
		}
	}
}

// exactFloats returns the sum, the mean and the standard deviation, each rounded once.
func exactFloats(xs []float64) (sum, mean, std float64) {
	const bits = 6000
	s, q := new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
	for _, x := range xs {
		f := new(big.Float).SetPrec(bits).SetFloat64(x)
		s.Add(s, f)
		q.Add(q, f.Mul(f, f))
	}
	n := new(big.Float).SetPrec(bits).SetInt64(int64(len(xs)))
	sum, _ = s.Float64()
	mean, _ = new(big.Float).SetPrec(bits).Quo(s, n).Float64()
	square := new(big.Float).SetPrec(bits).Mul(s, s)
	q.Sub(q, square.Quo(square, n))
	std, _ = q.Sqrt(q.Quo(q, n)).Float64()
	return sum, mean, std
}

// Sums of several blocks equal math.fsum.
func TestMergedBesideFsum(t *testing.T) {
	out := oracle.NumPy(t, `
import math
r = np.random.default_rng(17)
arrays = [r.normal(m, s, 115_000) for m, s in ((0, 1), (1e6, 1e-3), (-1e300, 1e290), (1e-300, 1e-310))]
arrays += [np.concatenate([a, -a[::-1][:119_999]]) for a in arrays]
print(json.dumps([[float(math.fsum(a)).hex(), [x.hex() for x in a.tolist()]] for a in arrays]))
`, nil)
	var answers [][2]any
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		var xs []float64
		for _, x := range answer[1].([]any) {
			xs = append(xs, number(x.(string)))
		}
		if got, want := of(t, array(t, xs...))[0].Sum.Float64(), number(answer[0].(string)); got != want {
			t.Errorf("array %d: sum %v, math.fsum %v", i, got, want)
		}
	}
}

// Bytes that are damaged are an error or the state of another array, and never a panic.
func FuzzUnmarshalBinary(f *testing.F) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, descr := range mergedTypes {
		dt := parse(f, descr)
		for _, n := range []int{0, 1, 50} {
			data, err := added(f, dt, mergedItems(r, dt, n)).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		acc := newAcc(t, dtype.Int8)
		if err := acc.UnmarshalBinary(data); err != nil {
			if got := text(t, acc); !strings.Contains(got, "i1") {
				t.Errorf("after an error: %s", got)
			}
			return
		}
		back := sent(t, acc)
		for range 3 {
			_ = acc.Merge(back)
			acc.Add(make([]byte, 64))
			if all, err := acc.Result(); err == nil {
				if _, err := json.Marshal(all); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// Every shortened and every changed state is read without a panic, and states that contradict themselves are errors.
func TestUnmarshalBinaryDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for _, descr := range mergedTypes {
		dt := parse(t, descr)
		data, err := added(t, dt, mergedItems(r, dt, 100)).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for n := range data {
			if err := new(stats.Accumulator).UnmarshalBinary(data[:n]); err == nil {
				t.Errorf("%s: %d of %d bytes are no error", descr, n, len(data))
			}
		}
		if err := new(stats.Accumulator).UnmarshalBinary(append(slices.Clone(data), 0)); err == nil {
			t.Errorf("%s: a byte more is no error", descr)
		}
		for range oracle.Cases(t, 2000) {
			changed := slices.Clone(data)
			for range 1 + r.IntN(3) {
				changed[r.IntN(len(changed))] ^= 1 << r.IntN(8)
			}
			acc := new(stats.Accumulator)
			if acc.UnmarshalBinary(changed) == nil {
				_ = acc.Merge(acc)
				_, _ = acc.Result()
			}
		}
	}
	for name, state := range map[string]string{
		"nothing":             "",
		"another version":     "npystat\x02\x03<f8\x00\x00",
		"no dtype":            "npystat\x01\x03<q8\x00\x00\x00\x00",
		"objects":             "npystat\x01\x03|O8\x00\x00",
		"a sum above its max": "npystat\x01\x05M8[D]\x01\x01" + "\x00\x00" + "\x02\x02" + "\x00\x00" + "\x05\x00",
		"no variance":         "npystat\x01\x03<i8\x02\x02" + "\x00\x00" + "\x02\x06" + "\x00\x01" + "\x04\x00" + "\x03\x00\x00",
		"NaT for a minimum":   "npystat\x01\x05M8[D]\x01\x01" + "\x00\x00" + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02" + "\x00\x00" + "\x00\x00",
	} {
		if err := new(stats.Accumulator).UnmarshalBinary([]byte(state)); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if err := new(stats.Accumulator).UnmarshalBinary([]byte("npystat\x01\x03<i8\x02\x02" + "\x00\x00" + "\x02\x06" + "\x00\x01" + "\x04\x00" + "\x0a\x00\x00")); err != nil {
		t.Errorf("1 and 3: %v", err)
	}
}

// A state allocates memory in proportion to its bytes.
func TestUnmarshalBinaryAllocates(t *testing.T) {
	text := strings.Repeat("i1,", 15_000) + "i1"
	for name, state := range map[string]string{
		"many fields":     "npystat\x01" + string(binary.AppendUvarint(nil, uint64(len(text)))) + text,
		"a long subarray": "npystat\x01\x1f" + "[('a', '<f8', (1000, 200_000))]"[:31],
		"a long text":     "npystat\x01\xff\xff\xff\xff\x0f",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := new(stats.Accumulator).UnmarshalBinary([]byte(state))
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 32<<20 {
			t.Errorf("%s: %d bytes allocated, error %v", name, got, err)
		}
	}
}

// Times, extremes and positions of pieces equal the whole's.
func TestStartAt(t *testing.T) {
	dt := parse(t, "<M8[D]")
	acc := newAcc(t, dt)
	day := func(days ...int64) []byte {
		var data []byte
		for _, d := range days {
			data = binary.LittleEndian.AppendUint64(data, uint64(d))
		}
		return data
	}
	for _, piece := range []struct {
		at   int64
		days []int64
	}{{1000, []int64{5, 1, 9}}, {10, []int64{scalar.NaT, 1}}, {500, []int64{9}}} {
		if err := acc.StartAt(piece.at); err != nil {
			t.Fatal(err)
		}
		if err := acc.AddAt(context.Background(), strings.NewReader(string(day(piece.days...))), 0, int64(8*len(piece.days))); err != nil {
			t.Fatal(err)
		}
	}
	s := must(acc.Result())[0]
	if got := line(s) + fmt.Sprint(s.ArgMin, s.ArgMax); got != "n=6 nat=1 min=1970-01-02 max=1970-01-10 mean=1970-01-06[11] [500]" {
		t.Error(got)
	}
}

// A state has the same bytes on all machines, whether they have fused operations, vectors or another byte order.
func TestStateOnAllMachines(t *testing.T) {
	const want = "1d386669316413e0a88464d6c14a1c1538f9c67553c19f4ecd116e6b4c99f625"
	r := rand.New(rand.NewPCG(71, 72))
	h := sha256.New()
	for _, descr := range []string{"<f8", ">f8", "<c16"} {
		xs := make([]byte, 8*100_000)
		for i := 0; i < len(xs); i += 8 {
			x := math.Float64bits(float64(int64(r.Uint64())>>r.IntN(50)) * 0x1.9p-30) // the product rounds alike everywhere
			if descr[0] == '>' {
				binary.BigEndian.PutUint64(xs[i:], x)
			} else {
				binary.LittleEndian.PutUint64(xs[i:], x)
			}
		}
		h.Write(must(added(t, parse(t, descr), xs).MarshalBinary()))
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("states with the checksum %s, want %s", got, want)
	}
}
