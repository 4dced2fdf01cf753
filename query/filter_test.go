package query_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/source"
)

func parseType(t testing.TB, text string) dtype.Type {
	t.Helper()
	dt, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

// Errors name the fault, its place and the way out.
func TestErrors(t *testing.T) {
	dt := parseType(t, "[('time','M8[s]'),('mag','<f4'),('n','<i8'),('name','U6'),('ok','?'),('vec','<i2',(3,)),('pos',[('x','<f2')]),('dt','m8[m]'),('z','c16')]")
	for _, x := range []struct{ expr, at, msg string }{
		{"", "", "the expression is empty"},
		{"mag >", "", "ends too early"},
		{"(mag > 5", "", "a closing ) is missing"},
		{"mag > 5)", ")", "unexpected )"},
		{"mag > 5 AND mag < 6", "AND", "unexpected AND; write 'and'"},
		{"mag IS NULL", "IS", "unexpected IS; write isnan(x), isnat(x), or x == '' for text"},
		{"mag between 1 and 2", "between", "unexpected between; write low <= x <= high"},
		{"mag LIKE 'a%'", "LIKE", "unexpected LIKE; write startswith(x, 'a')"},
		{"mag > 5 mag", "mag", "unexpected mag; an operator is missing before it"},
		{"mag > mean(mag)", "mean(mag)", "mean is of all rows, and a condition of each"},
		{"mag = 5", "=", "equality is =="},
		{"ok && ok", "&&", "write 'and'"},
		{"!ok", "!", "write 'not'"},
		{"mag > 5 & n < 3", "5 & n", "write 'and', or each condition in parentheses"},
		{"n > 5 & n < 3", "5 & n", "write 'and', or each condition in parentheses"},
		{"mag > 5 | mag < 3", "5 | mag", "write 'or', or each condition in parentheses"},
		{"~mag > 5", "~mag", "~ is for bools and integers"},
		{"mga > 5", "mga", `no field "mga"; the fields are time, mag, n`},
		{"pos.y > 5", "pos.y", `no field "y"; the fields are x`},
		{"pos > 5", "pos", "it is a record; name one of its fields: x"},
		{"vec > 5", "vec > 5", "write any(…) if one of them has to satisfy the condition, or all(…) if each"},
		{"vec[3] > 5", "vec[3]", "index 3 is out of bounds for axis 0 with size 3"},
		{"mag[0] > 5", "mag[0]", "each row has one value"},
		{"mag", "mag", "the expression is float32, not a condition; compare it with something, such as != 0"},
		{"5", "5", "the expression is a constant"},
		{"mag > '5'", "mag > '5'", "numbers have no quotes"},
		{"name > 5", "name > 5", "put it in quotes"},
		{"name == b'a'", "b'a'", "write it without b"},
		{"time > 5", "time > 5", "write the time as text"},
		{"time > '5 m'", "'5 m'", "is not a time; write it as 2024-03-01"},
		{"dt > '5 mm'", "'5 mm'", "write a number and a unit"},
		{"dt > '5 months'", "'5 months'", "months has no fixed length"},
		{"mag == None", "mag == None", "isnan"},
		{"z < 1", "z < 1", "complex numbers have no order"},
		{"n + 9223372036854775808 > 0", "9223372036854775808", "does not fit in int64"},
		{"n ** -1 > 0", "n ** -1", "an integer to a negative power"},
		{"sin", "sin", "sin is a function"},
		{"sine(mag) > 0", "sine(mag)", `unknown function "sine"`},
		{"round(mag, 1, 2) > 0", "round(mag, 1, 2)", "round has 3 arguments; want 1 or 2"},
		{"mag > 1 / 0", "1 / 0", "division by zero"},
		{"name == 'a", "'", "the text has no closing '"},
		{"5x > 1", "5x", "is not a number"},
		{"mag > 5 €", "€", "unexpected character '€'"},
		{"(1, 2) == mag", "(1, 2)", "for 'in' only"},
	} {
		_, err := query.Compile(x.expr, dt)
		var e *query.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", x.expr, err)
			continue
		}
		if at := x.expr[e.Offset : e.Offset+e.Len]; at != x.at || !strings.Contains(e.Msg, x.msg) {
			t.Errorf("%s: at %q: %s\nwant at %q: %s", x.expr, at, e.Msg, x.at, x.msg)
		}
		if strings.Contains(err.Error(), "\n") || strings.Count(e.Caret(), "\n") != 1 {
			t.Errorf("%s: %v, %q", x.expr, err, e.Caret())
		}
	}
}

func TestCaret(t *testing.T) {
	long := strings.Repeat("x > 1 and ", 20) + "y > 2" + strings.Repeat(" and x < 5", 20)
	_, err := query.Compile(long, dtype.Float64)
	var e *query.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	text, mark, _ := strings.Cut(e.Caret(), "\n")
	if n := len([]rune(text)); n > 80 || []rune(text)[strings.Index(mark, "^")] != 'y' {
		t.Errorf("%d characters:\n%s\n%s", n, text, mark)
	}
}

// The cost of an expression is limited.
func TestLimits(t *testing.T) {
	for _, expr := range []string{
		strings.Repeat("(", 100_000), strings.Repeat("(", 300) + "x" + strings.Repeat(")", 300), strings.Repeat("-", 1000) + "x > 1",
		strings.Repeat("not ", 1000) + "x > 1", "x" + strings.Repeat("**x", 500) + " > 1", "x > 2 ** 1000000", "x > " + strings.Repeat("10**60000*", 50) + "1",
		strings.Repeat("x+", 20_000) + "x > 1", "x in (" + strings.Repeat("1,", 20_000) + ")",
	} {
		_, err := query.Compile(expr, dtype.Float64)
		var over *npy.LimitError
		if !errors.As(err, &over) {
			t.Errorf("%.20s…: %v", expr, err)
		}
	}
	empty := source.Whole(parseType(t, "V0"), []int{1 << 30}, nil)
	if _, err := query.Filter(t.Context(), empty, "row < 1"); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("rows without bytes: %v", err)
	}
}

// numbered returns records i = 0, 1, 2 … with other fields that follow from it.
func numbered(t testing.TB, n int) *npy.Array {
	t.Helper()
	dt := parseType(t, "[('i','<i4'),('half','>f8'),('vec','<i2',(2,)),('name','<U2')]")
	a, err := npy.New(dt, n)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	size := dt.ItemSize()
	for k := range n {
		binary.LittleEndian.PutUint32(data[k*size:], uint32(k))
		binary.BigEndian.PutUint64(data[k*size+4:], math.Float64bits(float64(k)/2))
	}
	return a
}

// The result of Filter is a Source like every other: parts of it are the parts of the array in memory.
func TestFilteredSource(t *testing.T) {
	const n = 30_000
	a := numbered(t, n)
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, expr := range []string{"i % 3 == 1", "i < 10", "i >= 29000 or i == 5", "True", "False", "100 <= i < 20000", "half % 1 == 0.5 and i // 5000 == 2"} {
		for _, src := range []npy.Source{a, f} {
			chosen, err := query.Filter(t.Context(), src, expr)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := chosen.ReadAll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			compareParts(t, expr, chosen, whole)
		}
	}
}

func compareParts(t *testing.T, expr string, chosen npy.Source, whole *npy.Array) {
	t.Helper()
	for _, text := range []string{"[:]", "[0]", "[-1]", "[5:20]", "[::-1]", "[3::7]", "[..., 2]", "[...]", "['i']", "['i'][3:9]", "[2:8]['vec'][1:, 1]", "['vec'][:, 0]", "[4]['vec']", "['vec'][::2, 1]", "[99999]", "[1, 2]", "['none']"} {
		index, err := npy.ParseIndex(text)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := whole.Slice(index...)
		part, err := chosen.Select(index...)
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%s, %s: %v, want %v", expr, text, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		if !slices.Equal(part.Shape(), want.Shape()) || !part.DType().Equal(want.DType()) {
			t.Errorf("%s, %s: shape %v, want %v", expr, text, part.Shape(), want.Shape())
		}
		got, err := part.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var pieces []byte
		for piece, err := range part.Blocks(t.Context(), 4000) {
			if err != nil {
				t.Fatal(err)
			}
			pieces = append(pieces, piece.Bytes()...)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) || !bytes.Equal(pieces, want.Bytes()) {
			t.Errorf("%s, %s: other elements", expr, text)
		}
	}
}

// Rows reads a source once and yields the rows of Filter.
func TestRows(t *testing.T) {
	a := numbered(t, 50_000)
	c, err := query.Compile("i % 7 == 3 or i > 49000", a.DType())
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := c.Filter(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	want, err := chosen.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stream := func() npy.Source {
		s, err := npy.NewStream(format.Header{DType: a.DType(), Shape: a.Shape()}, bytes.NewReader(a.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, src := range []npy.Source{a, stream(), source.Whole(a.DType(), a.Shape(), func(context.Context) (*npy.Array, error) { return a, nil })} {
		var got []byte
		for block, err := range c.Rows(t.Context(), src) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, block.Bytes()...)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%T: %d bytes, want %d", src, len(got), want.NBytes())
		}
	}
	for range c.Rows(t.Context(), stream()) {
		break // a loop that is left ends all work
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	for _, err := range c.Rows(ctx, a) {
		if !errors.Is(err, stopped) {
			t.Errorf("%v, want %v", err, stopped)
		}
	}
	if _, err := c.Filter(ctx, a); !errors.Is(err, stopped) {
		t.Errorf("%v, want %v", err, stopped)
	}
	other, err := npy.New(dtype.Float64, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Filter(t.Context(), other); err == nil {
		t.Error("a condition for records filters an array of floats")
	}
}

// Data that ends early is an error, and not fewer rows.
func TestShortStream(t *testing.T) {
	a := numbered(t, 1000)
	s, err := npy.NewStream(format.Header{DType: a.DType(), Shape: a.Shape()}, bytes.NewReader(a.Bytes()[:999*a.DType().ItemSize()+1]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := query.Filter(t.Context(), s, "i >= 0"); err == nil {
		t.Error("no error")
	}
}

// Rows with Python objects keep them.
func TestObjects(t *testing.T) {
	a, err := npy.FromObjects([]any{int64(1), "two", nil})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := query.Filter(t.Context(), a, "row != 1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := chosen.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := got.Objects()
	if err != nil || len(v) != 2 || v[0] != any(int64(1)) || v[1] != nil {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := query.Filter(t.Context(), a, "x == 1"); err == nil || !strings.Contains(err.Error(), "Python objects") {
		t.Errorf("%v", err)
	}
}

// Rows that are larger than a block are read by their fields, and in parts.
func TestLargeRows(t *testing.T) {
	a, err := npy.New(dtype.Float64, 6, 3_000_000)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range 6 {
		binary.NativeEndian.PutUint64(data[8*(i+1)*3_000_000-8:], math.Float64bits(float64(i)))
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, expr := range []string{"x[:, -1] > 3", "any(x > 3)", "max(x) > 3"} {
		chosen, err := query.Filter(t.Context(), f, expr)
		if err != nil {
			t.Fatal(err)
		}
		part, err := chosen.Select(npy.All(), npy.At(-1))
		if err != nil {
			t.Fatal(err)
		}
		got, err := npy.ReadInto[float64](t.Context(), nil, part)
		if err != nil || fmt.Sprint(got) != "[4 5]" {
			t.Errorf("%s: %v, %v", expr, got, err)
		}
	}
}

// Times are compared exactly in every unit.
func TestTimes(t *testing.T) {
	for _, x := range []struct {
		dtype, expr string
		ticks       int64
		want        bool
	}{
		{"M8[ns]", "x < '9999-01-01'", 1 << 62, true},
		{"M8[ns]", "x > '1000'", -1 << 62, true},
		{"M8[Y]", "x >= '2024-03-01'", 54, false},
		{"M8[Y]", "x >= '2024-03-01'", 55, true},
		{"M8[Y]", "x == '2024-03-01'", 54, false},
		{"M8[Y]", "x == '2024'", 54, true},
		{"M8[s]", "x != x", scalar.NaT, true},
		{"M8[s]", "x <= '2024'", scalar.NaT, false},
		{"M8[s]", "not x <= '2024'", scalar.NaT, true},
		{"M8[D]", "year(x) == 2024 and month(x) == 3 and day(x) == 1 and weekday(x) == 4", 19783, true},
		{"M8[s]", "x.hour == 23 and x.minute == 59 and x.second == 58", -2, true},
		{"m8[s]", "x == '1h 30min'", 5400, true},
		{"m8[s]", "x == '1.5 hours'", 5400, true},
		{"m8[s]", "x < '1500 ms'", 1, true},
		{"m8[s]", "x > '1500 ms'", 2, true},
		{"m8[s]", "x == '1500 ms'", 1, false},
		{"m8[s]", "x == 90 and abs(-x) == 90", 90, true},
		{"m8[as]", "x < '1 W'", 1 << 62, true},
		{"m8[W]", "x > '1 as'", 1, true},
	} {
		a, err := npy.New(parseType(t, x.dtype).WithByteOrder(dtype.LittleEndian), 1)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := a.ViewBytes()
		binary.LittleEndian.PutUint64(data, uint64(x.ticks))
		chosen, err := query.Filter(t.Context(), a, x.expr)
		if err != nil {
			t.Errorf("%s, %s: %v", x.dtype, x.expr, err)
			continue
		}
		if got := chosen.Shape()[0] == 1; got != x.want {
			t.Errorf("%s of %s %d: %v", x.expr, x.dtype, x.ticks, got)
		}
	}
}

// No expression panics or takes long, for any elements.
func FuzzCondition(f *testing.F) {
	for _, expr := range []string{"i > 5 and not half < 2", "any(vec > 3)", "name.startswith('a')", "x['i'] in (1, 2)", "`half` ** 2 // 3 % -1 == 0", "min(i, 3, half) >= 1", "2**70 > i", "~(i > 1) | (half != half)", "round(half, 2) == 1e400", "t - t > '5 m' or t.year == 3", "d * 2.5 // d > d / 3 and t + d % d != '2024-02-30'"} {
		f.Add(expr, []byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789"))
	}
	dt := parseType(f, "[('i','<i4'),('half','>f8'),('vec','<i2',(2,)),('name','U2'),('t','M8[D]'),('ok','?'),('s','S3'),('d','m8[s]'),('u','<u8'),('h','<f2'),('c','<c8')]")
	f.Fuzz(func(t *testing.T, expr string, data []byte) {
		n := len(data) / dt.ItemSize()
		a, err := npy.FromBytes(dt, data[:n*dt.ItemSize()], n)
		if err != nil {
			t.Fatal(err)
		}
		c, err := query.Compile(expr, dt)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			var e *query.Error
			if errors.As(err, &e) {
				e.Caret()
			}
			return
		}
		var rows int
		for block, err := range c.Rows(t.Context(), a) {
			if err != nil {
				return // of a row: an overflow of times
			}
			rows += block.Len()
		}
		chosen, err := c.Filter(t.Context(), a)
		if err != nil || chosen.Shape()[0] != rows {
			t.Errorf("%s: %d rows, then %v, %v", expr, rows, chosen, err)
		}
	})
}
