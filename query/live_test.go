package query_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
)

// liveHelpers has comparisons as this package makes them. C compares as Python does, which is exact; T compares
// times exactly, where NumPy would wrap around.
const liveHelpers = `
import operator
U = {'W': 604800*10**18, 'D': 86400*10**18, 'h': 3600*10**18, 'm': 60*10**18, 's': 10**18, 'ms': 10**15, 'us': 10**12,
     'ns': 10**9, 'ps': 10**6, 'fs': 10**3, 'as': 1}
OPS = {'==': operator.eq, '!=': operator.ne, '<': operator.lt, '<=': operator.le, '>': operator.gt, '>=': operator.ge}
def each(op, a, b):
    a, b = np.broadcast_arrays(np.asarray(a, object), np.asarray(b, object))
    return np.array([OPS[op](x, y) for x, y in zip(a.ravel().tolist(), b.ravel().tolist())], bool).reshape(a.shape)
def kind(x):
    return 'f' if isinstance(x, float) else 'i' if isinstance(x, (int, bool)) else x.dtype.kind
def items(x):
    return x.astype(object) if isinstance(x, np.ndarray) else x
def C(op, a, b):
    p, q = kind(a), kind(b)
    if p in 'iub' and q == 'f' or q in 'iub' and p == 'f':
        if p in 'f' and isinstance(b, int) or q in 'f' and isinstance(a, int):
            return OPS[op](a, b)
        return each(op, items(a), items(b))
    if p in 'iu' and q in 'iu':
        return each(op, items(a), items(b))
    return OPS[op](a, b)
def ticks(a):
    a = np.asarray(a)
    unit, num = np.datetime_data(a.dtype)
    if a.dtype.kind == 'M' and unit in 'YM':
        a, unit, num = a.astype('M8[D]'), 'D', 1
    v = a.astype('i8')
    return [None if x == -2**63 else x * num * U[unit] for x in v.ravel().tolist()], a.shape
def T(op, a, b):
    (x, s), (y, t) = ticks(a), ticks(b)
    if not t:
        y = y * len(x)
    out = [op == '!=' if p is None or q is None else OPS[op](p, q) for p, q in zip(x, y)]
    return np.array(out, bool).reshape(s)
`

// liveScript answers with the rows for which an expression is true.
const liveScript = liveHelpers + `
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a = np.load(q['Path'])
    names = {n: a[n] for n in a.dtype.names} if a.dtype.names else {'x': a}
    try:
        with np.errstate(all='ignore'):
            m = eval(q['Python'], {'np': np, 'C': C, 'T': T, 'row': np.arange(len(a)), **names})
        m = np.broadcast_to(m, len(a))
        print(json.dumps({'Rows': np.flatnonzero(m).tolist()}))
    except Exception as e:
        print(json.dumps({'Error': repr(e)[:200]}))
`

type liveQuestion struct {
	Path, Python string
	expr         string
	array        *npy.Array
	modern       bool // NumPy 1 has other promotion
}

type liveAnswer struct {
	Rows  []int
	Error string
}

// Random conditions choose the rows that NumPy chooses, from memory, files and streams.
func TestConditionsLive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, uint64(oracle.Cases(t, 1))))
	folder := t.TempDir()
	var questions []liveQuestion
	for i := range oracle.Cases(t, 120) {
		g := &generator{r: r}
		a, header := g.array(t)
		path := filepath.Join(folder, fmt.Sprintf("%d.npy", i))
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		_ = header
		for range 10 {
			g.modern = false
			expr, python := g.condition(3)
			questions = append(questions, liveQuestion{Path: path, Python: python, expr: expr, array: a, modern: g.modern})
		}
	}
	version, answers := oracle.Ask[liveQuestion, liveAnswer](t, liveScript, questions)
	failed, held, refused, some := 0, 0, 0, 0
	for i, q := range questions {
		if q.modern && strings.HasPrefix(version, "1.") {
			continue
		}
		held++
		switch {
		case answers[i].Error != "":
			refused++
		case len(answers[i].Rows) > 0 && len(answers[i].Rows) < q.array.Len():
			some++
		}
		if err := checkLive(t, q, answers[i]); err != nil {
			t.Errorf("%s of dtype %s, shape %v: %v\nPython: %s", q.expr, q.array.DType(), q.array.Shape(), err, q.Python)
			if failed++; failed > 10 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d conditions as NumPy %s: %d choose some rows, %d are refused by both", held, version, some, refused)
	if some < held/4 || refused > held/4 {
		t.Errorf("of %d conditions %d choose some rows and %d are refused: the cases say little", held, some, refused)
	}
}

func checkLive(t *testing.T, q liveQuestion, want liveAnswer) error {
	t.Helper()
	ctx := context.Background()
	f, err := npy.Open(q.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sources := map[string]npy.Source{"an array": q.array, "a file": f, "a transposed array": q.array.Fortran()}
	all := q.array.Bytes()
	stream, err := npy.NewStream(format.Header{DType: q.array.DType(), Shape: q.array.Shape()}, bytes.NewReader(all))
	if err != nil {
		t.Fatal(err)
	}
	sources["a stream"] = stream
	size := 0
	if n := q.array.Len(); n > 0 {
		size = len(all) / n
	}
	var rows []byte
	for _, row := range want.Rows {
		rows = append(rows, all[row*size:(row+1)*size]...)
	}
	for name, src := range sources {
		chosen, err := query.Filter(ctx, src, q.expr)
		if err != nil || want.Error != "" {
			if err == nil || want.Error == "" {
				return fmt.Errorf("from %s: error %v, NumPy has %q", name, err, want.Error)
			}
			continue
		}
		got, err := chosen.ReadAll(ctx)
		if err != nil {
			return fmt.Errorf("from %s: %w", name, err)
		}
		if !bytes.Equal(got.Bytes(), rows) || got.Shape()[0] != len(want.Rows) {
			return fmt.Errorf("from %s: %d rows, NumPy has %d: %v", name, got.Shape()[0], len(want.Rows), want.Rows[:min(10, len(want.Rows))])
		}
	}
	return nil
}

// A generator makes random arrays, and conditions for them in two languages.
type generator struct {
	r       *rand.Rand
	columns []liveColumn
	modern  bool
}

type liveColumn struct {
	name, python string
	t            dtype.Type
	many         bool // several values per row
}

var liveTypes = strings.Fields("? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 U0 U1 U3 S1 S4 M8[s] M8[ns] M8[D] M8[Y] M8[M] M8[25s] M8[W] m8[s] m8[ns] m8[m] m8[D] c8 c16")

func pick[T any](g *generator, of ...T) T { return of[g.r.IntN(len(of))] }

// array returns a random array, and names its columns.
func (g *generator) array(t *testing.T) (*npy.Array, dtype.Type) {
	t.Helper()
	n := pick(g, 0, 1, 7, 64, 65, 200, 1000)
	if g.r.IntN(20) == 0 {
		n = 9000
	}
	item := func() dtype.Type {
		u, err := dtype.Parse(pick(g, liveTypes...))
		if err != nil {
			t.Fatal(err)
		}
		return u.WithByteOrder(pick(g, dtype.LittleEndian, dtype.BigEndian))
	}
	dt, shape := dtype.Type{}, []int{n}
	switch g.r.IntN(4) {
	case 0:
		dt = item()
		g.columns = []liveColumn{{"x", "x", dt, false}}
	case 1:
		dt, shape = item(), []int{n, 3}
		g.columns = []liveColumn{{"x", "x", dt, true}, {"x[:, 1]", "x[:, 1]", dt, false}, {"x[2]", "x[:, 2]", dt, false}, {"x[:, ::2]", "x[:, ::2]", dt, true}}
	default:
		var fields []dtype.Field
		offset := 0
		for i := range 2 + g.r.IntN(6) {
			offset += g.r.IntN(3)
			f := item()
			if f.ItemSize() > 0 && g.r.IntN(6) == 0 { // NumPy does not read subarrays of U0
				s, err := dtype.Subarray(f, 2)
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("f%d", i)
				g.columns = append(g.columns, liveColumn{name, name, f, true}, liveColumn{name + "[1]", name + "[:, 1]", f, false})
				fields = append(fields, dtype.Field{Name: name, DType: s, Offset: offset})
				offset += s.ItemSize()
				continue
			}
			name := fmt.Sprintf("f%d", i)
			g.columns = append(g.columns, liveColumn{name, name, f, false})
			fields = append(fields, dtype.Field{Name: name, DType: f, Offset: offset})
			offset += f.ItemSize()
		}
		var err error
		if dt, err = dtype.Struct(offset+g.r.IntN(3), fields...); err != nil {
			t.Fatal(err)
		}
	}
	a, err := npy.New(dt, shape...)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range data {
		data[i] = byte(g.r.Uint32()) // of the padding
	}
	if dt.IsStruct() {
		for at := 0; at < len(data); at += dt.ItemSize() {
			for _, f := range dt.Fields() {
				u, k := f.DType, 1
				if u.IsSubarray() {
					u, k = u.Elem(), 2
				}
				for i := range k {
					g.value(data[at+f.Offset+i*u.ItemSize():][:u.ItemSize()], u)
				}
			}
		}
	} else if size := dt.ItemSize(); size > 0 {
		for at := 0; at < len(data); at += size {
			g.value(data[at:at+size], dt)
		}
	}
	return a, dt
}

// value writes a random element, often one that is equal to others.
func (g *generator) value(dst []byte, t dtype.Type) {
	var bits uint64
	size := len(dst)
	switch t.Kind() {
	case dtype.KindBool:
		bits = uint64(g.r.IntN(2))
	case dtype.KindInt, dtype.KindUint:
		bits = pick(g, 0, 1, 2, 3, 5, 7, ^uint64(0), ^uint64(1), 1<<(8*size-1), 1<<(8*size-1)-1, 100, 1<<53, 1<<53+1, g.r.Uint64())
	case dtype.KindFloat:
		bits = g.float(size)
	case dtype.KindComplex:
		order(dst[:size/2], g.float(size/2), t)
		order(dst[size/2:], g.float(size/2), t)
		return
	case dtype.KindDatetime, dtype.KindTimedelta:
		bits = uint64(pick(g, int64(math.MinInt64), 0, 1, -1, 5, 60, 54, 650, 19783, int64(g.r.IntN(2000)), -int64(g.r.IntN(2000))))
		if u := t.Step().Unit; g.r.IntN(4) == 0 && u > dtype.Week {
			bits = uint64(pick(g, 1709251200, 86400, 300, 1709251200e9, 1<<62, math.MaxInt64, -1<<62))
			if u == dtype.Day {
				bits &= 1<<20 - 1
			}
		}
	case dtype.KindStr:
		text := pick(g, "", "a", "b", "ab", "A", "abc", "é", "a\U0001F600", "aB", "zz")
		clear(dst)
		for i, r := range []rune(text) {
			if 4*i < len(dst) {
				order(dst[4*i:4*i+4], uint64(r), t)
			}
		}
		return
	default:
		clear(dst)
		copy(dst, pick(g, "", "a", "b", "ab", "A", "abc", "abcd", "a\x00b", "zz"))
		return
	}
	order(dst, bits, t)
}

func (g *generator) float(size int) uint64 {
	f := pick(g, 0, math.Copysign(0, -1), 1, -1, 2.5, 0.1, 1e30, -3, math.NaN(), math.Inf(1), math.Inf(-1), 100, 1<<53, 1<<63, float64(g.r.IntN(20))/4)
	switch size {
	case 2:
		return pick(g, 0x0000, 0x8000, 0x3c00, 0xbc00, 0x4100, 0x7e00, 0x7c00, 0xfc00, 0x0001, 0x7bff, uint64(g.r.IntN(1<<15)))
	case 4:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// order writes the low bytes of x in the byte order of t.
func order(dst []byte, x uint64, t dtype.Type) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	copy(dst, b[:])
	if t.ByteOrder() == dtype.BigEndian {
		slices.Reverse(dst)
	}
}

// condition returns a condition with one value per row.
func (g *generator) condition(depth int) (expr, python string) {
	if depth > 0 {
		switch g.r.IntN(7) {
		case 0, 1, 2:
			a, p := g.condition(depth - 1)
			b, q := g.condition(depth - 1)
			op := pick(g, "and", "or", "&", "|", "^")
			return "(" + a + ") " + op + " (" + b + ")", "((" + p + ") " + map[string]string{"and": "&", "or": "|"}[op] + map[bool]string{true: op}[len(op) == 1] + " (" + q + "))"
		case 3:
			a, p := g.condition(depth - 1)
			return pick(g, "not ", "~") + "(" + a + ")", "np.logical_not(" + p + ")"
		}
	}
	expr, python, many := g.comparison()
	if many {
		all := pick(g, "any", "all")
		return all + "(" + expr + ")", "np." + all + "(" + python + ", axis=1)"
	}
	return expr, python
}

var liveOps = []string{"==", "!=", "<", "<=", ">", ">="}

// comparison returns a comparison or a test. many says that rows have several values.
func (g *generator) comparison() (expr, python string, many bool) {
	c := pick(g, g.columns...)
	op := pick(g, liveOps...)
	other, hasOther := c, false
	for _, d := range g.r.Perm(len(g.columns)) {
		if d := g.columns[d]; d.t.Kind() == c.t.Kind() && (d.many == c.many || !c.many) && d.many == c.many {
			other, hasOther = d, true
			break
		}
	}
	switch c.t.Kind() {
	case dtype.KindStr, dtype.KindBytes:
		return g.text(c, other, hasOther, op)
	case dtype.KindDatetime, dtype.KindTimedelta:
		return g.time(c, other, op)
	case dtype.KindComplex:
		g.modern = true
		op = pick(g, "==", "!=")
		lit := pick(g, "1", "1+2j", "2.5", "-1j")
		return c.name + op + lit, c.python + op + lit, c.many
	}
	if c.many {
		lit := pick(g, "1", "2.5", "0", "100")
		g.modern = true
		return c.name + " " + op + " " + lit, fmt.Sprintf("C(%q, %s, %s)", op, c.python, lit), true
	}
	if g.r.IntN(8) == 0 {
		f := pick(g, "isnan", "isinf", "isfinite")
		return f + "(" + c.name + ")", "np." + f + "(" + c.python + ")", false
	}
	if g.r.IntN(8) == 0 {
		return c.name + " in (1, 2, 3.5)", fmt.Sprintf("(C('==', %[1]s, 1) | C('==', %[1]s, 2) | C('==', %[1]s, 3.5))", c.python), false
	}
	if g.r.IntN(8) == 0 {
		g.modern = true
		return fmt.Sprintf("0 <= %s < 5", c.name), fmt.Sprintf("(C('>=', %[1]s, 0) & C('<', %[1]s, 5))", c.python), false
	}
	a, p := g.number(g.r.IntN(3), true)
	b, q := g.number(g.r.IntN(3), false)
	if g.r.IntN(2) == 0 {
		a, p, b, q = b, q, a, p
	}
	return a + " " + op + " " + b, fmt.Sprintf("C(%q, %s, %s)", op, p, q), false
}

// number returns an expression of real numbers. Operators on bools are left out: NumPy's have other meanings.
func (g *generator) number(depth int, variable bool) (expr, python string) {
	var real []liveColumn
	for _, c := range g.columns {
		if k := c.t.Kind(); !c.many && (k == dtype.KindInt || k == dtype.KindUint || k == dtype.KindFloat) {
			real = append(real, c)
		}
	}
	if depth == 0 || len(real) == 0 {
		if len(real) == 0 && variable {
			return "row", "row"
		}
		if variable || len(real) > 0 && g.r.IntN(2) == 0 {
			c := pick(g, real...)
			return c.name, c.python
		}
		lit := pick(g, "0", "1", "5", "-1", "100", "2.5", "0.1", "1e3", "9007199254740993", "18446744073709551615", "-9223372036854775808", "1e300", "127.5")
		g.modern = true
		return lit, lit
	}
	a, p := g.number(depth-1, true)
	g.modern = true
	switch g.r.IntN(8) {
	case 0:
		return "-(" + a + ")", "-(" + p + ")"
	case 1:
		return "abs(" + a + ")", "np.abs(" + p + ")"
	case 2:
		b, q := g.number(depth-1, false)
		f := pick(g, "min", "max")
		return f + "(" + a + ", " + b + ")", "np." + f + "imum(" + p + ", " + q + ")"
	case 3:
		f := pick(g, "floor", "ceil", "sqrt", "round")
		if f == "round" {
			return "round(" + a + ")", "np.round(" + p + ")"
		}
		return f + "(" + a + ")", "np." + f + "(" + p + ")"
	case 4:
		return "(" + a + ") ** 2", "(" + p + ") ** 2"
	}
	b, q := g.number(depth-1, false)
	op := pick(g, "+", "-", "*", "/", "//", "%")
	return "(" + a + ") " + op + " (" + b + ")", "(" + p + ") " + op + " (" + q + ")"
}

// text returns a comparison or a test of text.
func (g *generator) text(c, other liveColumn, hasOther bool, op string) (expr, python string, many bool) {
	prefix := ""
	if c.t.Kind() == dtype.KindBytes {
		prefix = "b"
	}
	lit := prefix + pick(g, "'a'", "'ab'", "''", "'b'", "'abc'", "'abcde'", "'A'")
	switch g.r.IntN(6) {
	case 0:
		if hasOther {
			return c.name + " " + op + " " + other.name, "(" + c.python + " " + op + " " + other.python + ")", c.many
		}
	case 1:
		f := pick(g, "startswith", "endswith")
		return c.name + "." + f + "(" + lit + ")", "np.char." + f + "(" + c.python + ", " + lit + ")", c.many
	case 2:
		return "contains(" + c.name + ", " + lit + ")", "(np.char.find(" + c.python + ", " + lit + ") >= 0)", c.many
	case 3:
		return "len(" + c.name + ") " + op + " 2", "(np.char.str_len(" + c.python + ") " + op + " 2)", c.many
	case 4:
		return c.name + ".lower() == " + lit, "(np.char.lower(" + c.python + ") == " + lit + ")", c.many
	}
	return c.name + " " + op + " " + lit, "(" + c.python + " " + op + " " + lit + ")", c.many
}

// time returns a comparison of times.
func (g *generator) time(c, other liveColumn, op string) (expr, python string, many bool) {
	if g.r.IntN(6) == 0 {
		return "isnat(" + c.name + ")", "np.isnat(" + c.python + ")", c.many
	}
	if g.r.IntN(2) == 0 && !c.many {
		return c.name + " " + op + " " + other.name, fmt.Sprintf("T(%q, %s, %s)", op, c.python, other.python), c.many
	}
	if c.t.Kind() == dtype.KindDatetime {
		lit := pick(g, "'2024-03-01'", "'2024'", "'1970-01'", "'2024-03-01T00:00:30'", "'1969-12-31T23:59:59.5'", "'NaT'", "'9999-12-31'", "'1600-01-01'")
		return c.name + " " + op + " " + lit, fmt.Sprintf("T(%q, %s, np.datetime64(%s))", op, c.python, lit), c.many
	}
	n, unit := pick(g, "5", "0", "90", "-1"), pick(g, "m", "s", "h", "D", "ms", "W")
	return c.name + " " + op + " '" + n + " " + unit + "'", fmt.Sprintf("T(%q, %s, np.timedelta64(%s, %q))", op, c.python, n, unit), c.many
}
