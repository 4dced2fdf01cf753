package scalar

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// boundaryTexts returns the texts of dates and times at and beyond the end of every part: the days of every month in years of
// every kind, hours, minutes, seconds, decimals and offsets.
func boundaryTexts() []string {
	var texts []string
	add := func(format string, args ...any) { texts = append(texts, fmt.Sprintf(format, args...)) }
	for _, year := range []string{"1900", "2000", "2023", "2024", "1600", "1970", "1969", "0000", "-0001", "-0004", "-0100", "-0400", "9999", "12000", "+2024"} {
		for month := range 14 {
			add("%s-%02d", year, month)
			for day := range 34 {
				add("%s-%02d-%02d", year, month, day)
			}
		}
	}
	for _, day := range []string{"2024-02-29", "1969-12-31", "0000-01-01"} {
		for _, separator := range []string{"T", " ", "t"} {
			for n := range 62 {
				add("%s%s%02d", day, separator, n)
				add("%s%s23:%02d", day, separator, n)
				add("%s%s23:59:%02d", day, separator, n)
			}
		}
		for n := range 20 {
			add("%sT23:59:59.%s", day, strings.Repeat("9", n))
			add("%sT23:59:59.%s1", day, strings.Repeat("0", n))
		}
		for _, sign := range []string{"+", "-", "Z", ""} {
			for n := range 62 {
				add("%sT23%s%02d", day, sign, n)
				add("%sT23:59%s%02d:30", day, sign, n)
				add("%sT23:59:59.5%s12%02d", day, sign, n)
			}
		}
	}
	return texts
}

// Dates and times that NumPy refuses are refused, as ErrDate if they follow the grammar, and others have NumPy's value in every
// unit. NPY_CASES is the number of steps that each text is read with, up to all of them.
func TestDateBoundariesAgainstNumPy(t *testing.T) {
	var steps []dtype.Step
	for unit := dtype.Year; unit <= dtype.Attosecond; unit++ {
		for _, num := range []int32{1, 2, 25} {
			steps = append(steps, dtype.Step{Num: num, Unit: unit})
		}
	}
	type reading struct {
		text string
		step dtype.Step
	}
	var readings []reading
	var in strings.Builder
	for i, text := range boundaryTexts() {
		for k := range min(oracle.Cases(t, 1), len(steps)) {
			r := reading{text, steps[(7*i+k)%len(steps)]}
			readings = append(readings, r)
			fmt.Fprintf(&in, "%s|%d|%s\n", r.text, r.step.Num, r.step.Unit)
		}
	}
	want := numpyLines(t, `
def f(line):
    text, num, unit = line.split('|')
    num = int(num)
    try: v = int(np.datetime64(text, (unit, num)).astype('i8'))
    except ValueError as e: return 'range' if 'out of range' in str(e) else 'syntax'
    if unit in ('ms', 'us', 'ns', 'ps', 'fs', 'as'):
        s, d = int(np.datetime64(text, 's').astype('i8')), 3 * (1 + ['ms', 'us', 'ns', 'ps', 'fs', 'as'].index(unit))
        if abs(s) >= 2 ** 63 // 10 ** d - 1: # NumPy wraps around, even if the result would fit
            decimals = re.search(r'\.(\d*)', text)
            v = (s * 10 ** 18 + int((decimals[1] if decimals else '').ljust(18, '0'))) // (num * 10 ** (18 - d))
    return str(v) if abs(v) < 2 ** 63 else 'far'
lines(f(s) for s in data.decode().split('\n')[:-1])`, []byte(in.String()), len(readings))
	m := mismatches{t: t}
	count := map[string]int{}
	for i, r := range readings {
		at, _, err := FloorDatetime64(r.text, r.step)
		got := itoa(int64(at))
		switch {
		case errors.Is(err, ErrDate):
			got = "range"
		case errors.Is(err, ErrSyntax):
			got = "syntax"
		case errors.Is(err, ErrRange):
			got = "far"
		case err != nil:
			got = err.Error()
		}
		m.check("FloorDatetime64", r, got, want[i])
		if err == nil {
			got = "read"
		}
		count[got]++
	}
	t.Logf("%d texts of dates and times as NumPy reads them: %v", len(readings), count)
	if count["read"] < len(readings)/3 || count["range"] < len(readings)/10 || count["far"] == 0 {
		t.Errorf("the texts say little: %v", count)
	}
}

// A date that does not exist is no date that is too far, in any unit, and the other way round.
func TestErrDate(t *testing.T) {
	for _, tt := range []struct {
		text, says string
		err        error
	}{
		{"2024-02-30", "no such date or time: day 30, want 01 to 29", ErrDate},
		{"1970-13-01", "no such date or time: month 13, want 01 to 12", ErrDate},
		{"1970-01-01T25:00", "no such date or time: hour 25, want 00 to 23", ErrDate},
		{"1970-01-01T00:00+00:60", "no such date or time: minute of an offset 60, want 00 to 59", ErrDate},
		{strings.Repeat("9", 31), "value out of range", ErrRange},
	} {
		for unit := dtype.Year; unit <= dtype.Attosecond; unit++ {
			_, err := ParseDatetime64(tt.text, dtype.Step{Num: 1, Unit: unit})
			var e *ParseError
			if !errors.As(err, &e) || e.Err.Error() != tt.says || errors.Is(err, ErrDate) != (tt.err == ErrDate) || errors.Is(err, ErrRange) != (tt.err == ErrRange) {
				t.Errorf("%s in %s: %v, want %v", tt.text, unit, err, tt.says)
			}
		}
	}
}
