package npy_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

func saveTicks[T npy.Element](t *testing.T, descr string, data []T, shape ...int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "times.npy")
	if err := npy.WriteFile(path, must(npy.FromSliceAs(parse(descr), data, shape...))); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadTimes(t *testing.T) {
	for _, descr := range []string{"<M8[us]", ">M8[us]"} {
		path := saveTicks(t, descr, scalar.Datetime64s(1_704_067_200_000_001, scalar.NaT, -1, 0), 2, 2)
		times, valid, shape, err := npy.LoadTimes(path)
		want := []time.Time{time.Date(2024, 1, 1, 0, 0, 0, 1000, time.UTC), {}, time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC), time.Unix(0, 0).UTC()}
		if err != nil || !reflect.DeepEqual(times, want) || !reflect.DeepEqual(valid, []bool{true, false, true, true}) || !reflect.DeepEqual(shape, []int{2, 2}) {
			t.Errorf("%s: %v, %v, shape %v, %v, want %v", descr, times, valid, shape, err, want)
		}
		a := must(npy.ReadFile(path)).T() // strided
		times, valid, err = a.ToTimes()
		want[1], want[2] = want[2], want[1]
		if err != nil || !reflect.DeepEqual(times, want) || !reflect.DeepEqual(valid, []bool{true, true, false, true}) {
			t.Errorf("%s transposed: %v, %v, %v, want %v", descr, times, valid, err, want)
		}
		back, err := npy.FromTimes(parse(descr), times, valid, 2, 2)
		if err != nil || !reflect.DeepEqual(back.Bytes(), a.Bytes()) {
			t.Errorf("%s back: %v, %v, want %v", descr, back, err, a)
		}
	}
}

func TestLoadDurations(t *testing.T) {
	path := saveTicks(t, "<m8[25s]", scalar.Timedelta64s(2, scalar.NaT, -1))
	durations, valid, shape, err := npy.LoadDurations(path)
	want := []time.Duration{50 * time.Second, 0, -25 * time.Second}
	if err != nil || !reflect.DeepEqual(durations, want) || !reflect.DeepEqual(valid, []bool{true, false, true}) || !reflect.DeepEqual(shape, []int{3}) {
		t.Errorf("%v, %v, shape %v, %v, want %v", durations, valid, shape, err, want)
	}
	a := must(npy.ReadFile(path))
	if got, _, err := a.ToDurations(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ToDurations: %v, %v", got, err)
	}
	back, err := npy.FromDurations(a.DType(), durations, valid)
	if err != nil || !reflect.DeepEqual(back.Bytes(), a.Bytes()) {
		t.Errorf("back: %v, %v, want %v", back, err, a)
	}
}

// A value that a Go type cannot hold is an error: a TypeError for the dtype, or an error that names the element.
func TestTimeErrors(t *testing.T) {
	far := saveTicks(t, "<M8[Y]", scalar.Datetime64s(0, 300))
	days := saveTicks(t, "<m8[D]", scalar.Timedelta64s(1, 1<<40))
	numbers := saveTicks(t, "<i8", []int64{1})
	load := func(path string) error { _, _, _, err := npy.LoadTimes(path); return err }
	length := func(path string) error { _, _, _, err := npy.LoadDurations(path); return err }
	stamps := func(path, step string) error {
		_, _, err := npy.LoadTicks[scalar.Datetime64](path, parse("M8["+step+"]").Step())
		return err
	}
	from := func(descr string, x time.Time) error {
		_, err := npy.FromTimes(parse(descr), []time.Time{time.Unix(0, 0), x}, nil)
		return err
	}
	lasting := func(descr string, d time.Duration) error {
		_, err := npy.FromDurations(parse(descr), []time.Duration{0, d}, nil)
		return err
	}
	for _, c := range []struct {
		name string
		err  error
		is   error // nil for a TypeError
		text string
	}{
		{"numbers", load(numbers), nil, "load PATH: npy: dtype <i8 and Go type time.Time do not fit: it must be datetime64"},
		{"durations as times", load(days), nil, "it must be datetime64"},
		{"no unit", load(saveTicks(t, "<M8", scalar.Datetime64s(1))), nil, "it has no unit; LoadTicks and As give the counts"},
		{"attoseconds", load(saveTicks(t, "<M8[as]", scalar.Datetime64s(1e9, 1))), scalar.ErrInexact, "npy: element 1: "},
		{"years", load(saveTicks(t, "<M8[Y]", scalar.Datetime64s(1e18))), scalar.ErrRange, "npy: element 0: "},
		{"no file", load("absent.npy"), errors.ErrUnsupported, ""},
		{"times as durations", length(far), nil, "it must be timedelta64"},
		{"months", length(saveTicks(t, "<m8[M]", scalar.Timedelta64s(1))), nil, "its unit has no fixed length; LoadTicks and As give the counts"},
		{"long", length(days), scalar.ErrRange, "npy: element 1: "},
		{"finer", stamps(saveTicks(t, "<M8[ns]", scalar.Datetime64s(1)), "us"), nil, "the times need not be whole numbers of us; ask for ns, or use LoadTimes or Cast"},
		{"generic file", stamps(saveTicks(t, "<M8", scalar.Datetime64s(1)), "us"), nil, "the times need not be whole numbers of us; ask for generic, or use LoadTimes or Cast"},
		{"other kind", stamps(days, "us"), nil, "ask for scalar.Timedelta64, or use LoadDurations or ToDurations"},
		{"range", stamps(far, "ns"), scalar.ErrRange, "npy: element 1: 2270 is out of the range of dtype "},
		{"inexact", from("M8[us]", time.Unix(0, 1500)), scalar.ErrInexact, "npy: element 1: "},
		{"zero Time", from("M8[ns]", time.Time{}), scalar.ErrRange, "npy: element 1: "},
		{"generic", from("M8", time.Time{}), nil, "it has no unit"},
		{"seconds", lasting("m8[s]", 1500*time.Millisecond), scalar.ErrInexact, "npy: element 1: "},
		{"attoseconds", lasting("m8[as]", time.Hour), scalar.ErrRange, "npy: element 1: "},
		{"the shortest", lasting("m8[ns]", math.MinInt64), scalar.ErrNaT, "npy: element 1: "},
		{"into months", lasting("m8[M]", 0), nil, "its unit has no fixed length"},
	} {
		var e *npy.TypeError
		switch {
		case c.name == "no file":
			if c.err == nil || strings.Count(c.err.Error(), "absent.npy") != 1 {
				t.Errorf("%s: %v", c.name, c.err)
			}
		case c.is == nil && !errors.As(c.err, &e) || c.is != nil && !errors.Is(c.err, c.is):
			t.Errorf("%s: %v, want a *TypeError or %v", c.name, c.err, c.is)
		case !strings.Contains(strings.Replace(c.err.Error(), numbers, "PATH", 1), c.text):
			t.Errorf("%s: %v, want %s", c.name, c.err, c.text)
		}
	}
	if _, err := npy.FromTimes(parse("M8[s]"), make([]time.Time, 2), make([]bool, 3)); err == nil {
		t.Error("valid of another length")
	}
}

// The ways out that an error names work.
func TestVoidTypeErrors(t *testing.T) {
	for _, c := range []struct {
		descr, name string
		data        []byte
		want        float32
		says        []string
	}{
		{"|V2", "bfloat16", []byte{0xc0, 0x3f}, 1.5, []string{"scalar.BFloat16", "AsType", "Decoder.VoidAs", "bfloat16"}},
		{"|V1", "float8_e4m3fn", []byte{0x3c}, 1.5, []string{"scalar.Float8E4M3FN", "scalar.Int4", "AsType", "Decoder.VoidAs"}},
	} {
		path := filepath.Join(t.TempDir(), "void.npy")
		a := must(npy.FromBytes(parse(c.descr), c.data, 1))
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		_, _, err := npy.Load[float32](path)
		var e *npy.TypeError
		if !errors.As(err, &e) {
			t.Fatalf("%s as float32: %v", c.descr, err)
		}
		for _, text := range c.says {
			if !strings.Contains(e.Hint, text) {
				t.Errorf("%s as float32: %q does not name %s", c.descr, e.Hint, text)
			}
		}
		read, err := npy.Decoder{VoidAs: parse(c.name)}.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := npy.As[float32](read); err != nil || v.At(0) != c.want {
			t.Errorf("%s read as %s: %v, %v, want %v", c.descr, c.name, v, err, c.want)
		}
		if _, err := a.Cast(dtype.Float32, npy.UnsafeCasting); err == nil || !strings.Contains(err.Error(), "Decoder.VoidAs or AsType says which") {
			t.Errorf("%s cast to float32: %v", c.descr, err)
		}
		named, err := a.AsType(parse(c.name))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := npy.As[float32](named); err != nil || v.At(0) != c.want {
			t.Errorf("%s named %s: %v, %v, want %v", c.descr, c.name, v, err, c.want)
		}
	}
	if v, err := npy.As[scalar.BFloat16](must(npy.FromBytes(dtype.Void(2), []byte{0xc0, 0x3f}, 1))); err != nil || v.At(0).Float32() != 1.5 {
		t.Errorf("|V2 as bfloat16: %v, %v", v, err)
	}
}

const askTimes = `
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    x = np.array(q['Ticks'], 'i8').view(q['From'])
    a = {}
    if x.dtype.kind == 'M' or np.datetime_data(x.dtype)[0] not in 'YM':
        s = x.astype(x.dtype.kind + '8[s]')
        rest = np.zeros(len(x), 'i8')
        if np.datetime_data(x.dtype)[0] in ('ms', 'us', 'ns'):
            rest = (x - s).astype('m8[ns]').view('i8')
        a = {'Seconds': s.view('i8').tolist(), 'Nanos': rest.tolist()}
    try:
        y = x.astype(q['To'])
        a['Ticks'], a['Back'] = y.view('i8').tolist(), y.astype(q['From']).view('i8').tolist()
    except OverflowError:
        pass
    print(json.dumps(a))
`

// Files of random units load as the moments, durations and counts that astype gives.
func TestTimesLive(t *testing.T) {
	type question struct {
		From, To string
		Ticks    []int64
	}
	type answer struct{ Seconds, Nanos, Ticks, Back []int64 }
	rng := rand.New(rand.NewPCG(13, 2))
	numbers := []int{1, 1, 1, 2, 3, 7, 10, 25}
	units := []string{"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"}
	var questions []question
	for range oracle.Cases(t, 1500) {
		kind, a, b := []string{"M8", "m8"}[rng.IntN(2)], rng.IntN(len(units)), rng.IntN(len(units))
		q := question{From: fmt.Sprintf("<%s[%d%s]", kind, numbers[rng.IntN(len(numbers))], units[a]), To: fmt.Sprintf("<%s[%d%s]", kind, numbers[rng.IntN(len(numbers))], units[b])}
		for range 6 {
			q.Ticks = append(q.Ticks, rng.Int64N(1<<(4+3*a))-1<<(3+3*a)) // less than 292 years: NumPy counts all of them in ns on the way
		}
		q.Ticks[rng.IntN(6)] = scalar.NaT
		questions = append(questions, q)
	}
	version, answers := oracle.Ask[question, answer](t, askTimes, questions)
	converted, refused, far := 0, 0, 0
	for i, q := range questions {
		a, n := answers[i], 0
		if strings.Contains(q.From, "M8") {
			data := make([]scalar.Datetime64, len(q.Ticks))
			for j, x := range q.Ticks {
				data[j] = scalar.Datetime64{Ticks: x}
			}
			path := saveTicks(t, q.From, data)
			times, valid, _, err := npy.LoadTimes(path)
			if err != nil {
				t.Fatalf("%s: %v", q.From, err)
			}
			for j, x := range times {
				if valid[j] != (q.Ticks[j] != scalar.NaT) || valid[j] && (x.Unix() != a.Seconds[j] || int64(x.Nanosecond()) != a.Nanos[j]) {
					t.Errorf("%s %d: %v, %v, NumPy has %d s %d ns", q.From, q.Ticks[j], x, valid[j], a.Seconds[j], a.Nanos[j])
				}
			}
			n = compareTicks[scalar.Datetime64](t, path, q.From, q.To, a.Ticks, a.Back, q.Ticks)
		} else {
			data := make([]scalar.Timedelta64, len(q.Ticks))
			for j, x := range q.Ticks {
				data[j] = scalar.Timedelta64{Ticks: x}
			}
			path := saveTicks(t, q.From, data)
			durations, valid, _, err := npy.LoadDurations(path)
			var e *npy.TypeError
			if errors.As(err, &e) != (a.Seconds == nil) || err != nil && e == nil && !errors.Is(err, scalar.ErrRange) {
				t.Errorf("%s: %v, NumPy has %d s", q.From, err, a.Seconds)
			}
			for j, d := range durations {
				if valid[j] != (q.Ticks[j] != scalar.NaT) || valid[j] && int64(d) != a.Seconds[j]*1e9+a.Nanos[j] {
					t.Errorf("%s %d: %v, %v, NumPy has %d s %d ns", q.From, q.Ticks[j], d, valid[j], a.Seconds[j], a.Nanos[j])
				}
			}
			n = compareTicks[scalar.Timedelta64](t, path, q.From, q.To, a.Ticks, a.Back, q.Ticks)
		}
		switch n {
		case 0:
			refused++
		case 1:
			converted++
		default:
			far++
		}
	}
	t.Logf("NumPy %s: %d files, %d converted, %d refused, %d out of range", version, len(questions), converted, refused, far)
}

// compareTicks loads a file as ticks of another step. It returns 0 if the load is refused, 1 if it succeeds, 2 if a
// time is out of range.
func compareTicks[T scalar.Tick](t *testing.T, path, from, to string, want, back, ticks []int64) int {
	t.Helper()
	got, _, err := npy.LoadTicks[T](path, parse(to).Step())
	var e *npy.TypeError
	switch {
	case errors.As(err, &e):
		return 0
	case errors.Is(err, scalar.ErrRange):
		return 2
	case err != nil:
		t.Errorf("%s as %s: %v", from, to, err)
		return 2
	}
	for i, x := range scalar.Ticks(got) {
		if want != nil && (x != want[i] || back[i] != ticks[i]) {
			t.Errorf("%s as %s of %d: %d, NumPy has %d, and %d of it", from, to, ticks[i], x, want[i], back[i])
		}
	}
	return 1
}
