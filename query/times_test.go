package query_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/scalar"
)

// selects reports whether a condition selects a record of int64 fields.
func selects(t *testing.T, descr, expr string, values ...int64) (bool, error) {
	t.Helper()
	data := make([]byte, 8*len(values))
	for i, x := range values {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(x))
	}
	a, err := npy.FromBytes(parseType(t, descr), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := query.Filter(t.Context(), a, expr)
	if err != nil {
		return false, err
	}
	return chosen.Shape()[0] == 1, nil
}

// The parts of NaT are NaN: in every expression they select as NaN does.
func TestPartsOfNaT(t *testing.T) {
	const descr = "[('t','<M8[s]'),('nan','<f8'),('d','<m8[s]')]"
	parts := []string{"year(t)", "t.month", "day(t)", "t.dt.hour", "minute(t)", "second(t)", "t.weekday", "d / d", "(t - t) / d", "d / 2.0 / d"}
	n := 0
	for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
		for _, form := range []string{
			"P OP 30", "30 OP P", "P + 1 OP 30", "1 - P OP 30", "P * 0 OP 0", "P // 2 OP 3", "P % 7 OP 3", "P ** 2 OP 9", "P ** 0 OP 1", "-P OP 3",
			"abs(P) OP 3", "min(P, 3) OP 3", "max(P, 3) OP 3", "round(P) OP 3", "floor(P / 2) OP 3", "sqrt(P) OP 3", "P OP P", "P OP nan", "not P OP 30",
			"~(P OP 30)", "0 <= P OP 70", "P OP 0 <= P", "(P OP 3) | (P OP 4)", "(P OP 3) ^ True", "(P OP 3) == False",
			"P in (1, 2, 3)", "P not in (1, 2, 3)", "P in ()", "isnan(P)", "isfinite(P)", "not isinf(P)", "P != 0 and P == P", "any(P < 5)", "all(P != 5)",
		} {
			if !strings.Contains(form, "OP") && op != "==" {
				continue
			}
			form = strings.ReplaceAll(form, "OP", op)
			want, err := selects(t, descr, strings.ReplaceAll(form, "P", "nan"), scalar.NaT, int64(math.Float64bits(math.NaN())), scalar.NaT)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				part := parts[n%len(parts)]
				n++
				expr := strings.ReplaceAll(form, "P", "("+part+")")
				if got, err := selects(t, descr, expr, scalar.NaT, int64(math.Float64bits(math.NaN())), scalar.NaT); err != nil || got != want {
					t.Errorf("%s selects NaT: %v, %v, want %v as for NaN", expr, got, err, want)
				}
			}
		}
	}
}

// Times themselves compare as NaN if they are NaT, also after arithmetic.
func TestArithmeticOfNaT(t *testing.T) {
	const descr = "[('t','<M8[s]'),('nan','<f8'),('d','<m8[s]')]"
	for _, e := range []string{"t", "t + d", "t - 5", "5 + t", "min(t, t)", "t - d * 2"} {
		for op, want := range map[string]bool{"==": false, "!=": true, "<": false, "<=": false, ">": false, ">=": false} {
			for _, other := range []string{"'2024'", "'NaT'", "''", "t", "'9999'", "'-9999'", "'999999999999999999'", "'-999999999999999999'"} {
				if got, err := selects(t, descr, e+" "+op+" "+other, scalar.NaT, 0, scalar.NaT); err != nil || got != want {
					t.Errorf("%s %s %s selects NaT: %v, %v", e, op, other, got, err)
				}
			}
		}
	}
	for _, e := range []string{"d", "d * 2", "2 * d", "d / 2", "d // 2", "d % d", "-d", "+d", "abs(d)", "d * 2.5", "d / 0", "t - t", "max(d, 5)", "d - 5", "min(d, d)"} {
		for op, want := range map[string]bool{"==": false, "!=": true, "<": false, "<=": false, ">": false, ">=": false} {
			for _, other := range []string{"'5 min'", "0", "d", "'NaT'", "-1e300", "10**30"} {
				if got, err := selects(t, descr, e+" "+op+" "+other, scalar.NaT, 0, scalar.NaT); err != nil || got != want {
					t.Errorf("%s %s %s selects NaT: %v, %v", e, op, other, got, err)
				}
			}
		}
	}
}

// A date that does not exist is an error at its place, in every unit and with every operator. Its neighbours exist.
func TestDatesThatDoNotExist(t *testing.T) {
	check := func(expr, text string, at int, exists bool, unit string) {
		t.Helper()
		_, err := query.Compile(expr, parseType(t, "[('time','<M8["+unit+"]')]"))
		var e *query.Error
		switch {
		case exists && err != nil:
			t.Errorf("%s in %s: %v", expr, unit, err)
		case !exists && (!errors.As(err, &e) || e.Offset != strings.Index(expr, text)+at || e.Len != 2 || !strings.Contains(e.Msg, "no such date or time")):
			t.Errorf("%s in %s: error %v, want one at byte %d", expr, unit, err, strings.Index(expr, text)+at)
		}
	}
	forms := []string{"time %s '%s'", "'%[2]s' %[1]s time", "time in ('2024', '%[2]s') or time %[1]s '2024'", "not (row > 3 and time %s '%s')", "'1970' < time %s '%s'", `time + 1 %s "%s"`}
	units := []string{"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s"}
	n := 0
	for _, year := range []int{1900, 2000, 2023, 2024, 1970, 9999} {
		for month := 0; month <= 13; month++ {
			for _, day := range []int{0, 1, 28, 29, 30, 31, 32} {
				at, text := 5, fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				if month >= 1 && month <= 12 {
					at = 8
				}
				date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
				exists := at == 8 && int(date.Month()) == month && date.Day() == day
				form, op, unit := forms[n%len(forms)], []string{"<", "<=", "==", "!=", ">", ">="}[n%6], units[n%len(units)]
				n++
				check(fmt.Sprintf(form, op, text), text, at, exists, unit)
			}
		}
	}
	for _, x := range []struct {
		clock string
		at    int
		ok    bool
	}{
		{"00", 0, true}, {"23", 0, true}, {"24", 11, false}, {"25:00", 11, false}, {"23:59", 0, true}, {"23:60", 14, false}, {"23:59:59.9", 0, true},
		{"23:59:60", 17, false}, {"12:00+23:59", 0, true}, {"12:00+24:00", 17, false}, {"12:00-00:60", 20, false},
	} {
		for _, unit := range units {
			check("time >= '1970-01-01T"+x.clock+"'", "1970", x.at, x.ok, unit)
		}
	}
	// An escape moves the error to the whole text.
	_, err := query.Compile(`time < '2024-02-3\x30'`, parseType(t, "[('time','<M8[D]')]"))
	var e *query.Error
	if !errors.As(err, &e) || e.Offset != 7 || e.Len != len(`'2024-02-3\x30'`) {
		t.Errorf("%v", err)
	}
}

// Operators of times with constants, and of the largest times.
func TestTimeOperators(t *testing.T) {
	const descr = "[('t','<M8[s]'),('d','<m8[s]'),('w','<m8[2D]'),('y','<M8[Y]'),('n','<i8'),('u','<u8')]"
	for _, x := range []struct {
		expr   string
		want   bool
		t, d   int64
		errors string
	}{
		{"d * 2 == '14 s' and 2 * d == 14 and d * 2.5 == 17 and -d * 2.5 == -17", true, 0, 7, ""},
		{"d / 2 == 3 and -d / 2 == -3 and d // 2 == 3 and -d // 2 == -3", true, 0, 7, ""},
		{"d / d == 1 and d // d == 1 and d % d == 0 and (d - 8) // d == -1 and (d - 8) % d == 6", true, 0, 7, ""},
		{"+d == 7 and -d == -7 and abs(-d) == 7 and d + 1 == 8 and 1 - d == -6 and True + d == 8", true, 0, 7, ""},
		{"d + w == '12 D' + 7", false, 0, 7, "+ between these constants is not defined"},
		{"d + w == w + d and w - d == '12 D' and d < w and w > d", true, 0, 0, ""},
		{"y + w == '1971-01-13' and w + y == '1971-01-13' and y - w == '1970-12-20'", true, 0, 7, ""},
		{"t - y == '-365 D' and y - t == '365 D'", true, 0, 7, ""},
		{"t + n == '1970-01-01T00:00:03' and n + t == t + 3 and t - n == -3 + t", true, 0, 0, ""},
		{"d + u == 1", true, 0, 1, "18446744073709551615 is out of the range of timedelta64[s]"},
		{"d < u and u > d and d != u and not u <= d", true, 0, math.MaxInt64, ""},
		{"min(d, 3) == 3 and max(d, 3, 9) == 9 and min(t, y) == t and max(t, y) == '1971'", true, 0, 7, ""},
		{"second(t) == 7 and minute(t) == 30 and hour(t) == 15 and year(t) == 292277026596", true, math.MaxInt64, 0, ""},
		{"second(t) == 53 and minute(t) == 29 and year(t) == -292277022657", true, -math.MaxInt64, 0, ""},
		{"t + 1 > t", false, math.MaxInt64, 0, "the result of + is out of the range of datetime64[s]"},
		{"d * 2 > d", false, 0, 1 << 62, "the result of * is out of the range of timedelta64[s]"},
		{"d * 4.0 > d", false, 0, 1 << 62, "the result of * is out of the range of timedelta64[s]"},
		{"w + d > d", true, 0, 1 << 62, ""},
		{"d / 0 == d", false, 0, 5, ""},
		{"d / 0.0 != d and d % (d - d) != d and d // (d - d) == 0", true, 0, 5, ""},
		{"t * 2 > t", false, 0, 0, "* of datetime64[s] and int64 is not defined"},
		{"t + t > t", false, 0, 0, "+ of datetime64[s] and datetime64[s] is not defined"},
		{"d - t > t", false, 0, 0, "- of timedelta64[s] and datetime64[s] is not defined"},
		{"2 / d > 1", false, 0, 0, "/ of int64 and timedelta64[s] is not defined"},
		{"d ** 2 > d", false, 0, 0, "** of timedelta64[s] and int64 is not defined"},
		{"d + 1.5 > d", false, 0, 0, "+ of timedelta64[s] and float64 is not defined"},
		{"d * 10**30 > d", false, 0, 0, "1000000000000000000000000000000 does not fit in the 64 bits of a time"},
		{"d * 1j == d", false, 0, 0, "* of timedelta64[s] and complex128 is not defined"},
		{"d + None == d", false, 0, 0, "+ of a time and None is not defined"},
	} {
		got, err := selects(t, descr, x.expr, x.t, x.d, 6, 1, 3, -1)
		if got != x.want && x.errors == "" || (err != nil) != (x.errors != "") || err != nil && !strings.Contains(err.Error(), x.errors) {
			t.Errorf("%s for t=%d, d=%d: %v, %v, want %v, %s", x.expr, x.t, x.d, got, err, x.want, x.errors)
		}
	}
}

// The extremes of a row of times are NaT if one of them is.
func TestExtremesOfTimes(t *testing.T) {
	for _, x := range []struct {
		expr   string
		values []int64
		want   bool
	}{
		{"max(x) == 7 and min(x) == -3", []int64{7, -3}, true},
		{"max(x) != max(x) and min(x) != min(x)", []int64{scalar.NaT, 3}, true},
		{"max(x) >= 3", []int64{3, scalar.NaT}, false},
	} {
		data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(x.values[0])), uint64(x.values[1]))
		a, err := npy.FromBytes(parseType(t, "<m8[s]"), data, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := query.Filter(t.Context(), a, x.expr)
		if err != nil || (chosen.Shape()[0] == 1) != x.want {
			t.Errorf("%s of %v: %v", x.expr, x.values, err)
		}
	}
}
