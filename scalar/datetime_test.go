package scalar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
)

func everyStep() []dtype.Step {
	var steps []dtype.Step
	for u := dtype.Year; u <= dtype.Attosecond; u++ {
		for _, n := range []int32{1, 2, 7, 25, 1000, math.MaxInt32} {
			steps = append(steps, dtype.Step{Num: n, Unit: u})
		}
	}
	return steps
}

// someTicks returns edge cases and random ticks. If wild is set, some are too large for NumPy's own arithmetic.
func someTicks(rng *rand.Rand, step dtype.Step, n int, wild bool) []int64 {
	limit := int64(math.MaxInt64)
	if !wild {
		// NumPy multiplies by the step, by 7 for weeks, and moves the epoch, all in 64 bits.
		limit = limit/int64(step.Num)/8 - 2000
		if step.Num == 1 && step.Unit > dtype.Day {
			limit = math.MaxInt64
		}
	}
	ticks := []int64{NaT, limit, -limit, limit - 1, 1 - limit}
	for v := int64(-400); v <= 400; v++ {
		ticks = append(ticks, v)
	}
	for range n {
		ticks = append(ticks, rng.Int64N(limit)>>rng.IntN(63)*(1-2*int64(rng.IntN(2))))
	}
	// Around the year 0 and 10000, month ends and leap days, in days and finer.
	for _, y := range []int{-400, -100, -4, -1, 0, 1, 4, 100, 400, 1600, 1900, 1970, 2000, 2100, 9999, 10000, 1<<31 - 1} {
		for m := range 12 {
			day := date{wide(int64(y)), m + 1, 1}.instant()
			for _, s := range []int64{0, -1} {
				if v, _, err := (instant{day.sec.addInt(s), 0}).ticks(step); err == nil && v >= -limit && v <= limit {
					ticks = append(ticks, v)
				}
			}
		}
	}
	return ticks
}

func TestDatetimeAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 2))
	steps := everyStep()
	var in []byte
	var all [][]int64
	total := 0
	for _, step := range steps {
		n := 500
		if step.Num == 1 {
			n = 20000
		}
		ticks := someTicks(rng, step, n, false)
		all = append(all, ticks)
		total += len(ticks)
		in = fmt.Appendf(in, "%-16s", step)
		in = binary.LittleEndian.AppendUint64(in, uint64(len(ticks)))
		in = append(in, packed(t, ticks)...)
	}
	want := numpyLines(t, `
out, i = [], 0
while i < len(data):
    unit, n = data[i:i+16].decode().strip(), int.from_bytes(data[i+16:i+24], 'little')
    v = np.frombuffer(data[i+24:i+24+8*n], '<i8')
    d = v.view('<M8[%s]' % unit)
    out += np.datetime_as_string(d).tolist()
    assert [str(x) for x in d[:100]] == out[-n:][:100]
    out += [str(x) for x in v.view('<m8[%s]' % unit)]
    i += 24 + 8 * n
lines(out)`, in, 2*total)
	m := mismatches{t: t}
	for i, step := range steps {
		for j, v := range all[i] {
			d, delta := Datetime64(v), Timedelta64(v)
			m.check("Format "+step.String(), v, d.Format(step), want[j])
			m.check("Timedelta64.Format "+step.String(), v, delta.Format(step), want[len(all[i])+j])
			checkTimeText(t, v, step)
		}
		want = want[2*len(all[i]):]
	}
}

func checkTimeText(t *testing.T, v int64, step dtype.Step) {
	t.Helper()
	text := Datetime64(v).Format(step)
	if back, err := ParseDatetime64(text, step); err != nil || int64(back) != v {
		t.Errorf("ParseDatetime64(%q, %v) = %d, %v, want %d", text, step, back, err, v)
	}
	text = Timedelta64(v).Format(step)
	if back, err := ParseTimedelta64(text, step); err != nil || int64(back) != v {
		t.Errorf("ParseTimedelta64(%q, %v) = %d, %v, want %d", text, step, back, err, v)
	}
	text = string(Timedelta64(v).AppendCount(nil))
	if back, err := ParseTimedelta64(text, step); err != nil || int64(back) != v {
		t.Errorf("ParseTimedelta64(%q, %v) = %d, %v, want %d", text, step, back, err, v)
	}
}

func TestDatetimeWholeRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 3))
	for _, step := range everyStep() {
		for _, v := range someTicks(rng, step, 500, true) {
			checkTimeText(t, v, step)
		}
	}
	for _, tt := range []struct {
		name, why string
		v         int64
		step      dtype.Step
		want      string
	}{
		{"last year", "NumPy wraps to -9223372036854773839", math.MaxInt64, dtype.Step{Num: 1, Unit: dtype.Year}, "9223372036854777777"},
		{"last week", "NumPy wraps when it multiplies by 7", math.MaxInt64, dtype.Step{Num: 1, Unit: dtype.Week}, "176769144494367851-12-25"},
		{"long step", "NumPy wraps when it multiplies by 25", math.MaxInt64, dtype.Step{Num: 25, Unit: dtype.Second}, "7306925617643-03-12T03:32:55"},
		{"zero step", "NumPy accepts M8[0s]: all ticks are the epoch", 5, dtype.Step{Num: 0, Unit: dtype.Second}, "1970-01-01T00:00:00"},
		{"generic", "NumPy refuses to print it", 5, dtype.Step{}, "5"},
		{"generic NaT", "the one generic value NumPy prints", NaT, dtype.Step{}, "NaT"},
		{"no unit", "a unit that does not exist counts bare ticks", 5, dtype.Step{Num: 1, Unit: 99}, "5"},
	} {
		got := Datetime64(tt.v).Format(tt.step)
		if got != tt.want {
			t.Errorf("%s: Format(%d, %v) = %q, want %q (%s)", tt.name, tt.v, tt.step, got, tt.want, tt.why)
		}
	}
}

// Compares the calendar with a walk over the days of an era and with time.Time.
func TestCalendarAgainstTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 4))
	for i := range 200000 {
		days := int64(i) - 100000
		if i%3 == 0 {
			days = rng.Int64N(2e11) - 1e11
		}
		d := dateOf(wide(days))
		y, m, dd := time.Unix(days*secondsPerDay, 0).UTC().Date()
		if d != (date{wide(int64(y)), int(m), dd}) {
			t.Fatalf("day %d = %v, want %d-%d-%d", days, d, y, m, dd)
		}
		if back, _ := d.days().int64(); back != days {
			t.Fatalf("day %d comes back as %d", days, back)
		}
	}
}

func TestDatetimeTime(t *testing.T) {
	sec := dtype.Step{Num: 1, Unit: dtype.Second}
	for _, tt := range []struct {
		name, why string
		v         int64
		step      dtype.Step
		want      string
		err       error
	}{
		{"days", "midnight UTC", 18262, dtype.Step{Num: 1, Unit: dtype.Day}, "2020-01-01T00:00:00Z", nil},
		{"years", "calendar unit", 50, dtype.Step{Num: 1, Unit: dtype.Year}, "2020-01-01T00:00:00Z", nil},
		{"months", "calendar unit before the epoch", -1, dtype.Step{Num: 1, Unit: dtype.Month}, "1969-12-01T00:00:00Z", nil},
		{"nanoseconds", "negative with fraction", -1, dtype.Step{Num: 1, Unit: dtype.Nanosecond}, "1969-12-31T23:59:59.999999999Z", nil},
		{"whole picoseconds", "exact in nanoseconds", 5000, dtype.Step{Num: 1, Unit: dtype.Picosecond}, "1970-01-01T00:00:00.000000005Z", nil},
		{"picoseconds", "would lose half a nanosecond", 5500, dtype.Step{Num: 1, Unit: dtype.Picosecond}, "", ErrInexact},
		{"attoseconds", "finest unit", 1, dtype.Step{Num: 1, Unit: dtype.Attosecond}, "", ErrInexact},
		{"NaT", "no time", NaT, sec, "", ErrNaT},
		{"generic", "no length", 5, dtype.Step{}, "", ErrUnit},
		{"year range", "no time.Time", math.MaxInt64, dtype.Step{Num: 1, Unit: dtype.Year}, "", ErrRange},
		{"above last", "time.Time would wrap", maxTimeSec + 1, sec, "", ErrRange},
		{"below first", "time.Time would name another year", minTimeSec - 1, sec, "", ErrRange},
	} {
		got, err := Datetime64(tt.v).Time(tt.step)
		var re *RangeError
		if !errors.Is(err, tt.err) || err != nil && !errors.As(err, &re) || err == nil && got.Format(time.RFC3339Nano) != tt.want {
			t.Errorf("%s: Time(%d, %v) = %v, %v, want %s, %v (%s)", tt.name, tt.v, tt.step, got, err, tt.want, tt.err, tt.why)
		}
	}
	for _, v := range []int64{minTimeSec, minTimeSec + 1, maxTimeSec, maxTimeSec - 1} {
		got, err := Datetime64(v).Time(sec)
		if strconv.IntSize == 32 {
			continue // time.Time names its year by an int
		}
		text := fmt.Sprintf("%d-%02d-%02dT%02d:%02d:%02d", got.Year(), got.Month(), got.Day(), got.Hour(), got.Minute(), got.Second())
		if err != nil || text != Datetime64(v).Format(sec) || got.After(time.Unix(0, 0)) != (v > 0) {
			t.Errorf("Time(%d) = %s, %v, want %s", v, text, err, Datetime64(v).Format(sec))
		}
	}
}

func TestTimeRoundTripAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 5))
	at := make([]int64, 20000)
	for i := range at {
		at[i] = int64(rng.Uint64()) >> rng.IntN(40)
	}
	var units []string
	var steps []dtype.Step
	for u := dtype.Year; u <= dtype.Nanosecond; u++ {
		for _, n := range []int32{1, 3} {
			steps = append(steps, dtype.Step{Num: n, Unit: u})
			units = append(units, steps[len(steps)-1].String())
		}
	}
	want := numpy(t, `
v = np.frombuffer(data, '<i8').view('<M8[ns]')
for u in '`+strings.Join(units, " ")+`'.split(): sys.stdout.buffer.write(v.astype('<M8[%s]' % u).tobytes())`, packed(t, at))
	m := mismatches{t: t}
	for i, step := range steps {
		for j, ns := range at {
			w := int64(binary.LittleEndian.Uint64([]byte(want[8*(i*len(at)+j):])))
			got, err := Datetime64FromTime(time.Unix(0, ns), step)
			if err != nil {
				t.Fatal(err)
			}
			m.check("Datetime64FromTime "+step.String(), ns, itoa(int64(got)), itoa(w))
			if step.Unit == dtype.Nanosecond && step.Num == 1 {
				if back, err := got.Time(step); err != nil || back.UnixNano() != ns {
					t.Errorf("Time(%d) = %v, %v", ns, back, err)
				}
			}
		}
	}
	var re *RangeError
	if _, err := Datetime64FromTime(time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC), dtype.Step{Num: 1, Unit: dtype.Nanosecond}); !errors.As(err, &re) || !errors.Is(err, ErrRange) {
		t.Errorf("year 3000 in nanoseconds: %v", err)
	}
	if _, err := Datetime64FromTime(time.Time{}, dtype.Step{}); !errors.Is(err, ErrUnit) {
		t.Errorf("generic: %v", err)
	}
}

func TestParseDatetime64(t *testing.T) {
	day, sec := dtype.Step{Num: 1, Unit: dtype.Day}, dtype.Step{Num: 1, Unit: dtype.Second}
	for _, tt := range []struct {
		name, why, in string
		step          dtype.Step
		want          int64
		offset        int
		err           error
	}{
		{"date", "", "2020-01-01", day, 18262, 0, nil},
		{"year for days", "first day, as NumPy", "2020", day, 18262, 0, nil},
		{"space", "for T", "2020-01-01 00:00:01", sec, 1577836801, 0, nil},
		{"Z", "NumPy warns but reads it", "2020-01-01T00:00:01Z", sec, 1577836801, 0, nil},
		{"offset", "NumPy warns", "2020-01-01T00:00:01+01:00", sec, 1577833201, 0, nil},
		{"offset without colon", "", "2020-01-01T00-0130 ", sec, 1577842200, 0, nil},
		{"offset of one digit", "NumPy wants two", "2020-01-01T00:00+1:05", sec, 0, 18, ErrSyntax},
		{"space after the hours of an offset", "NumPy wants minutes", "2020-01-01T00:00+01 ", sec, 0, 19, ErrSyntax},
		{"offset of a date", "", "2020-01-01+01:00", sec, 0, 10, ErrSyntax},
		{"offset of a day", "", "2020-01-01T00+24:00", sec, 0, 14, ErrDate},
		{"long year and month 13", "the month decides", strings.Repeat("9", 40) + "-13", day, 0, 41, ErrDate},
		{"long leap year", "400 divides it", "-4" + strings.Repeat("0", 40) + "-02-29", day, 0, 31, ErrRange},
		{"long year, no leap year", "400 does not divide it", "2" + strings.Repeat("0", 38) + "100-02-29", day, 0, 46, ErrDate},
		{"empty", "NaT as in NumPy", "", sec, NaT, 0, nil},
		{"nat", "any case", "nAt", sec, NaT, 0, nil},
		{"generic NaT", "needs no unit", "NaT", dtype.Step{}, NaT, 0, nil},
		{"generic", "no length", "2020", dtype.Step{}, 0, 0, ErrUnit},
		{"whole day as time", "loses nothing", "2020-01-01T00:00:00.000", day, 18262, 0, nil},
		{"seconds for days", "NumPy cuts the time", "2020-01-01T00:00:01", day, 0, 0, ErrInexact},
		{"day for months", "NumPy cuts the day", "2020-01-02", dtype.Step{Num: 1, Unit: dtype.Month}, 0, 0, ErrInexact},
		{"mid week", "weeks begin on Thursday", "2020-01-03", dtype.Step{Num: 1, Unit: dtype.Week}, 0, 0, ErrInexact},
		{"mid step", "not a multiple of 25 seconds", "1970-01-01T00:00:26", dtype.Step{Num: 25, Unit: dtype.Second}, 0, 0, ErrInexact},
		{"decimals", "finer than the unit", "1970-01-01T00:00:00.0001", dtype.Step{Num: 1, Unit: dtype.Millisecond}, 0, 0, ErrInexact},
		{"too far", "NumPy wraps to 1970", "2020-01-01", dtype.Step{Num: 1, Unit: dtype.Attosecond}, 0, 0, ErrRange},
		{"NaT tick", "the text of the tick NaT has is out of range", "-292277022657-01-27T08:29:52", sec, 0, 0, ErrRange},
		{"long year", "NumPy wraps", strings.Repeat("9", 40), day, 0, 30, ErrRange},
		{"month 13", "", "2020-13", day, 0, 5, ErrDate},
		{"day 30 of February", "", "2020-02-30", day, 0, 8, ErrDate},
		{"leap day", "", "1900-02-29", day, 0, 8, ErrDate},
		{"hour 24", "", "2020-01-01T24", sec, 0, 11, ErrDate},
		{"leap second", "no leap seconds", "2016-12-31T23:59:60", sec, 0, 17, ErrDate},
		{"today", "depends on the clock", "today", day, 0, 0, ErrSyntax},
		{"now", "depends on the clock", "now", day, 0, 0, ErrSyntax},
		{"no year", "NumPy reads month 5 of year 0", "--05", day, 0, 1, ErrSyntax},
		{"19 decimals", "NumPy stops at 18", "1970-01-01T00:00:00.0000000000000000000", sec, 0, 38, ErrSyntax},
		{"space before sign", "NumPy loses the sign", " -0001", dtype.Step{Num: 1, Unit: dtype.Year}, -1971, 0, nil},
		{"zero step", "M8[0s] has no ticks to count", "1970", dtype.Step{Unit: dtype.Second}, 0, 0, ErrUnit},
	} {
		got, err := ParseDatetime64(tt.in, tt.step)
		var pe *ParseError
		if int64(got) != tt.want || !errors.Is(err, tt.err) || err != nil && (!errors.As(err, &pe) || pe.Offset != tt.offset) {
			t.Errorf("%s: ParseDatetime64(%q, %v) = %d, %v, want %d at %d, %v (%s)", tt.name, tt.in, tt.step, got, err, tt.want, tt.offset, tt.err, tt.why)
		}
	}
}

// NumPy must read every mutated text that this package reads as the same time. A text that only NumPy reads must be one
// of the documented differences.
func TestParseDatetimeGrammarAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 6))
	seeds := []string{"2020-02-29T23:59:58.123456", "1970-01-01", "-0001-12", "2020", "2020-01-01 00:00:00", "2020-01-01T00:00Z", "0000-01-01T12", "+1999-06-30T01:02:03.5 "}
	const alphabet = "0123456789-+:T Z.t\t"
	var texts []string
	for range 30000 {
		b := []byte(seeds[rng.IntN(len(seeds))])
		for range 1 + rng.IntN(3) {
			i, c := rng.IntN(len(b)), alphabet[rng.IntN(len(alphabet))]
			switch rng.IntN(3) {
			case 0:
				b[i] = c
			case 1:
				b = append(b[:i], b[i+1:]...)
			default:
				b = append(b[:i], append([]byte{c}, b[i:]...)...)
			}
			if len(b) == 0 {
				b = []byte("1")
			}
		}
		texts = append(texts, string(b))
	}
	want := numpyLines(t, `
def f(s):
    try: return str(np.datetime64(s, 'us').astype('i8'))
    except ValueError: return 'error'
lines(f(s) for s in data.decode().split('|'))`, []byte(strings.Join(texts, "|")), len(texts))
	step := dtype.Step{Num: 1, Unit: dtype.Microsecond}
	m := mismatches{t: t}
	read := 0
	for i, s := range texts {
		v, err := ParseDatetime64(s, step)
		trimmed := strings.TrimLeft(s, " \t")
		switch {
		case err == nil && len(trimmed) < len(s) && trimmed[0] == '-': // NumPy drops the sign
		case err == nil:
			read++
			m.check("ParseDatetime64", s, itoa(int64(v)), want[i])
		case errors.Is(err, ErrInexact), want[i] == "error":
		case errors.Is(err, ErrRange) && err.(*ParseError).Offset == 0: // NumPy wraps
		case strings.HasPrefix(trimmed, "--"), strings.HasPrefix(trimmed, "+-"):
		default:
			t.Errorf("ParseDatetime64(%q): %v, NumPy reads %s", s, err, want[i])
		}
	}
	if read < 3000 {
		t.Errorf("only %d of %d texts were readable", read, len(texts))
	}
}

func TestTimedelta64(t *testing.T) {
	sec := dtype.Step{Num: 1, Unit: dtype.Second}
	for _, tt := range []struct {
		name string
		d    Timedelta64
		step dtype.Step
		want time.Duration
		err  error
	}{
		{"seconds", 5, sec, 5 * time.Second, nil},
		{"weeks", -1, dtype.Step{Num: 1, Unit: dtype.Week}, -7 * 24 * time.Hour, nil},
		{"milliseconds", 3, dtype.Step{Num: 25, Unit: dtype.Millisecond}, 75 * time.Millisecond, nil},
		{"whole femtoseconds", -3e6, dtype.Step{Num: 1, Unit: dtype.Femtosecond}, -3, nil},
		{"femtoseconds", 1, dtype.Step{Num: 1, Unit: dtype.Femtosecond}, 0, ErrInexact},
		{"months", 1, dtype.Step{Num: 1, Unit: dtype.Month}, 0, ErrUnit},
		{"generic", 1, dtype.Step{}, 0, ErrUnit},
		{"NaT", NaT, sec, 0, ErrNaT},
		{"range", math.MaxInt64, sec, 0, ErrRange},
		{"smallest", math.MinInt64 + 1, dtype.Step{Num: 1, Unit: dtype.Nanosecond}, math.MinInt64 + 1, nil},
		{"huge product", math.MaxInt64, dtype.Step{Num: math.MaxInt32, Unit: dtype.Week}, 0, ErrRange},
	} {
		got, err := tt.d.Duration(tt.step)
		var re *RangeError
		if got != tt.want || !errors.Is(err, tt.err) || err != nil && !errors.As(err, &re) {
			t.Errorf("%s: Duration(%d, %v) = %v, %v, want %v, %v", tt.name, tt.d, tt.step, got, err, tt.want, tt.err)
		}
	}
	if got := Timedelta64(5).Format(dtype.Step{}); got != "5 generic time units" {
		t.Errorf("generic: %q", got)
	}
	for _, tt := range []struct {
		in   string
		step dtype.Step
		want Timedelta64
		err  error
	}{
		{"5", sec, 5, nil}, {"+5", sec, 5, nil}, {"-05", sec, -5, nil}, {"", sec, NaT, nil}, {"nat", sec, NaT, nil},
		{"125 seconds", dtype.Step{Num: 25, Unit: dtype.Second}, 5, nil},
		{"126 seconds", dtype.Step{Num: 25, Unit: dtype.Second}, 0, ErrInexact},
		{"5 days", sec, 0, ErrSyntax}, {"5.0", sec, 0, ErrSyntax}, {"+-5", sec, 0, ErrSyntax}, {"1_0", sec, 0, ErrSyntax},
		{"9223372036854775808", sec, 0, ErrRange}, {"-9223372036854775808", sec, 0, ErrRange},
		{strings.Repeat("9", 99), sec, 0, ErrRange},
	} {
		got, err := ParseTimedelta64(tt.in, tt.step)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ParseTimedelta64(%q, %v) = %d, %v, want %d, %v", tt.in, tt.step, got, err, tt.want, tt.err)
		}
	}
}

func FuzzDatetime(f *testing.F) {
	f.Add(int64(18262), int32(1), uint8(dtype.Day), "2020-01-01T00:00:00.5")
	f.Add(int64(math.MinInt64), int32(25), uint8(dtype.Second), "NaT")
	f.Add(int64(math.MaxInt64), int32(math.MaxInt32), uint8(dtype.Year), "-001")
	f.Fuzz(func(t *testing.T, v int64, num int32, unit uint8, s string) {
		step := dtype.Step{Num: num, Unit: dtype.Unit(unit)}
		if at, err := Datetime64(v).Time(step); err == nil {
			if back, err := Datetime64FromTime(at, step); err == nil && num > 0 && int64(back) != v {
				t.Errorf("%d in %v: Time %v comes back as %d", v, step, at, back)
			}
		}
		if _, err := Timedelta64(v).Duration(step); err != nil {
			_ = err.Error()
		}
		if num > 0 && hasCalendar(step.Unit) {
			checkTimeText(t, v, step)
		}
		if x, err := ParseDatetime64(s, step); err == nil {
			if back, err := ParseDatetime64(x.Format(step), step); err != nil || back != x {
				t.Errorf("%q in %v reads as %d, then as %d, %v", s, step, x, back, err)
			}
		}
	})
}
