package expression

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// timeScript answers with the dtype and the values of an operator, or with an error. Where a time does not fit in 64 bits, NumPy
// wraps around or refuses all values: a model with Python's integers then has the value, or says that it is over, out of range.
// Units are far if NumPy cannot have a common unit in 64 bits, and lossy if it rounds years to a unit that does not divide a day.
const timeScript = `
import math, operator
from fractions import Fraction
NAT = -2**63
U = {'W': 604800*10**18, 'D': 86400*10**18, 'h': 3600*10**18, 'm': 60*10**18, 's': 10**18, 'ms': 10**15, 'us': 10**12,
     'ns': 10**9, 'ps': 10**6, 'fs': 10**3, 'as': 1, 'Y': 12, 'M': 1, 'generic': 1}
ORDER = ['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as']
OPS = {'+': operator.add, '-': operator.sub, '*': operator.mul, '/': operator.truediv, '//': operator.floordiv, '%': operator.mod,
       'min': np.minimum, 'max': np.maximum, '==': operator.eq, '!=': operator.ne, '<': operator.lt, '<=': operator.le, '>': operator.gt, '>=': operator.ge}
def days(y, m): # from 1970-01-01 to the first day of a month from 0
    y, m = y + m // 12, m % 12 + 1
    y -= m <= 2
    era, yoe = y // 400, y % 400
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 - 719468
def moment(v, dt): # in attoseconds, or in months
    unit, num = np.datetime_data(dt)
    if dt.kind == 'M' and unit in ('Y', 'M'):
        n = v * num * U[unit]
        return 86400 * 10**18 * days(1970, n)
    return v * num * U[unit]
def convert(v, dt, to): # exactly, in ticks
    if v == NAT or dt == to or np.datetime_data(dt)[0] == 'generic': return v
    unit, num = np.datetime_data(to)
    if np.datetime_data(dt)[0] in ('Y', 'M') and unit in ('Y', 'M'):
        return v * np.datetime_data(dt)[1] * U[np.datetime_data(dt)[0]] // (num * U[unit])
    return moment(v, dt) // (num * U[unit])
def fits(v): return -2**63 < v < 2**63
class Lossy(Exception): pass
def common(a, b):
    times = [x for x in (a, b) if x.kind in 'mM']
    if len(times) < 2: return np.datetime_data(times[0])
    p = np.datetime_data(np.promote_types(*times))
    if 'generic' in (np.datetime_data(a)[0], np.datetime_data(b)[0]): return p
    for t in times: # in NumPy 1.24 to 2.5 the product may wrap around
        u, n = np.datetime_data(t)
        if u not in ('Y', 'M') and p[0] not in ('Y', 'M') and U[u] // U[p[0]] * n >= 2**63: raise OverflowError
        if u in ('Y', 'M') and t.kind == 'M' and p[0] not in ('Y', 'M') and U['D'] % (p[1] * U[p[0]]): raise Lossy
    return p
def inner(v, dt, unit): # whether NumPy stays within 64 bits on the way
    if dt.kind not in 'mM' or v == NAT: return True
    u, n = np.datetime_data(dt)
    if u == 'generic' or (u, n) == unit: return True
    if u in ('Y', 'M') and unit[0] in ('Y', 'M'): return fits(v * n * 12)
    m = moment(v, dt)
    return fits(v * n) and fits(m // U[unit[0]] * 2) and (dt.kind == 'm' or fits(m // U['D'] * 2))
def trunc(p, q): return abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)
def model(op, p, q, result, integer):
    'The value of p op q, of ticks of one step, or None.'
    if NAT in (p, q) and not integer or p == NAT:
        if op in OPS and result == bool: return int(op == '!=')
        return np.float64('nan').view('i8') if result == np.float64 else 0 if result == np.int64 else NAT
    if result == bool: return int(OPS[op](p, q))
    if op in ('/', '//', '%') and q == 0:
        if result == np.float64: return (np.float64(p) / np.float64(0)).view('i8')
        return 0 if result == np.int64 else NAT
    if result == np.float64: return (np.float64(p) / np.float64(q)).view('i8')
    if integer and op != '*': return trunc(p, q)
    r = {'+': lambda: p + q, '-': lambda: p - q, '*': lambda: p * q, '//': lambda: p // q, '%': lambda: p % q, 'min': lambda: min(p, q), 'max': lambda: max(p, q)}[op]()
    return r if fits(r) else None
def answer(op, x, y, a, b, unit, result):
    'The value of x op y if NumPy is not to be asked, None if it is out of range, and else "ask".'
    if a.dtype.kind == 'f' or b.dtype.kind == 'f':
        t, f = (x, y) if a.dtype.kind == 'm' else (y, x)
        r = np.float64(t) * np.float64(f) if op == '*' else np.float64(t) / np.float64(f)
        return None if t != NAT and np.isfinite(r) and abs(r) >= 2.0**63 else 'ask'
    step = lambda dt: np.dtype('%s8[%d%s]' % (dt.kind, unit[1], unit[0])) if unit[0] != 'generic' else np.dtype(dt.kind + '8')
    p = convert(x, a.dtype, step(a.dtype)) if a.dtype.kind in 'mM' else x
    q = convert(y, b.dtype, step(b.dtype)) if b.dtype.kind in 'mM' else y
    if result == bool:
        if inner(x, a.dtype, unit) and inner(y, b.dtype, unit) and fits(p) | (p == NAT) and fits(q) | (q == NAT): return 'ask'
        return model(op, p, q, result, False)
    if p != NAT and not fits(p) or q != NAT and not fits(q): return None
    integer = op in ('*', '/', '//') and (a.dtype.kind in 'iub' or b.dtype.kind in 'iub')
    if integer and a.dtype.kind in 'iub': p, q = q, p
    r = model(op, p, q, result, integer)
    if r is None or not all(inner(v, d.dtype, unit) for v, d in ((x, a), (y, b))): return r
    return 'ask'
def far(a, b, op, xs, ys):
    'The answer where NumPy has no common unit, because the ratio of two units does not fit in 56 bits.'
    (u, n), (w, m) = sorted(map(np.datetime_data, (a.dtype, b.dtype)), key=lambda x: ORDER.index(x[0]))
    if u in ('Y', 'M') and w not in ('Y', 'M'):
        if np.datetime_data(a.dtype)[0] == u and a.dtype.kind == 'm' or np.datetime_data(b.dtype)[0] == u and b.dtype.kind == 'm': return {'Error': 'kinds'}
        u = 'W'
    factor = n * U[u] // U[w]
    unit = (w, math.gcd(factor, m))
    k, l = a.dtype.kind, b.dtype.kind
    result = {'//': np.int64, '/': np.float64}.get(op, 'm8' if op == '-' and k == l or k + l == 'mm' else 'M8')
    if op in ('+', '-', 'min', 'max') or op == '%': result = np.dtype('%s[%d%s]' % (result, unit[1], unit[0]))
    elif op[0] in '=!<>': result = np.dtype(bool)
    rs = [answer(op, x, y, a, b, unit, result) for x, y in zip(xs, ys)]
    for i, r in enumerate(rs):
        if isinstance(r, str):
            step = lambda dt: np.dtype('%s8[%d%s]' % (dt.kind, unit[1], unit[0]))
            rs[i] = model(op, convert(xs[i], a.dtype, step(a.dtype)), convert(ys[i], b.dtype, step(b.dtype)), result, False)
    return {'Error': 'far', 'DType': str(np.dtype(result)), 'Values': [0 if r is None else int(r) for r in rs], 'Over': [r is None for r in rs], 'Much': factor >= 2 ** 63}
def ask(q):
    a, b = np.array(q['A'], q['I']).astype(q['TA']), np.array(q['B'], q['J']).astype(q['TB'])
    op, xs, ys = q['Op'], q['A'], q['B']
    try: unit = common(a.dtype, b.dtype)
    except OverflowError:
        try: return far(a, b, op, xs, ys)
        except TypeError: return {'Error': 'kinds'}
    except Lossy:
        if op[0] not in '=!<>': return {'Error': 'lossy'}
        if a.dtype.kind != b.dtype.kind: return {'Error': 'kinds'}
        exact = [int(op == '!=') if NAT in (x, y) else int(OPS[op](moment(x, a.dtype), moment(y, b.dtype))) for x, y in zip(xs, ys)]
        return {'DType': 'bool', 'Values': exact, 'Over': [False] * len(xs)}
    except TypeError: unit = None
    try: empty = OPS[op](a[:0], b[:0])
    except Exception as e: return {'Error': type(e).__name__ + ': ' + str(e)[:200]}
    if not isinstance(empty, np.ndarray) or unit is None or empty.dtype == bool and (a.dtype.kind, b.dtype.kind) not in (('m', 'm'), ('M', 'M')) and not {a.dtype.kind, b.dtype.kind} <= set('mibu') or empty.dtype == bool and 'uint64' in (a.dtype, b.dtype):
        return {'Error': 'kinds'}
    rs = [answer(op, x, y, a, b, unit, empty.dtype) for x, y in zip(xs, ys)]
    asked = np.array([isinstance(r, str) for r in rs], bool)
    r = OPS[op](a[asked], b[asked])
    values = np.array([0 if r is None or isinstance(r, str) else int(r) for r in rs], 'i8')
    values[asked] = r.view('i8') if r.dtype.itemsize == 8 else r.astype('i8')
    return {'DType': str(r.dtype), 'Values': values.tolist(), 'Over': [r is None for r in rs], 'Asked': int(asked.sum())}
print(json.dumps(np.__version__))
for line in sys.stdin:
    with np.errstate(all='ignore'): print(json.dumps(ask(json.loads(line))))
`

type timeQuestion struct {
	TA, TB, Op string
	I, J       string // of A and B: i8 or f8
	A, B       []any
	a, b       []uint64
}

type timeAnswer struct {
	DType, Error string
	Values       []int64
	Over         []bool
	Asked        int  // values of NumPy's, not of the model
	Much         bool // the ratio of the units does not fit in 63 bits
}

// timeCase returns a question about two dtypes, with values at the ends of their ranges and random ones.
func timeCase(r *rand.Rand, ta, tb, op string) timeQuestion {
	q := timeQuestion{TA: ta, TB: tb, Op: op, I: "i8", J: "i8"}
	values := func(name string, kind *string) (xs []any, bits []uint64) {
		ends := []int64{0, 1, -1, 7, -7, math.MinInt64, math.MaxInt64, -math.MaxInt64, 1 << 31, -1 << 40, 1 << 62, 54, 20000, -20001}
		for i := range 48 {
			x := ends[i%len(ends)]
			if r.IntN(3) == 0 {
				x = int64(r.Uint64()) >> r.IntN(64)
			}
			switch name {
			case "f8", "f4":
				*kind = "f8"
				f := []float64{0, 1, -1, 2.5, -0.5, 1e300, 1e-300, 3, 0.1, 1e19, -1e10}[r.IntN(11)]
				if name == "f4" {
					f = float64(float32(f))
				}
				if math.IsInf(f, 0) {
					f = 7
				}
				xs, bits = append(xs, f), append(bits, math.Float64bits(f))
				continue
			case "?":
				x &= 1
			case "i1":
				x = int64(int8(x))
			case "u4":
				x = int64(uint32(x))
			case "u8":
				*kind = "u8"
				xs, bits = append(xs, uint64(x)), append(bits, uint64(x))
				continue
			}
			xs, bits = append(xs, x), append(bits, uint64(x))
		}
		r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i]; bits[i], bits[j] = bits[j], bits[i] })
		return xs, bits
	}
	q.A, q.a = values(ta, &q.I)
	q.B, q.b = values(tb, &q.J)
	return q
}

// timeCases returns all pairs of dtypes with all operators, or a sample.
func timeCases(t *testing.T) []timeQuestion {
	r := rand.New(rand.NewPCG(4, 2))
	times := []string{"m8", "M8"}
	for unit := dtype.Year; unit <= dtype.Attosecond; unit++ {
		for _, num := range []int32{1, 2, 3, 25} {
			step := dtype.Step{Num: num, Unit: unit}.String()
			times = append(times, "m8["+step+"]", "M8["+step+"]")
		}
	}
	numbers := strings.Fields("i8 i1 u4 u8 ? f8 f4")
	var qs []timeQuestion
	every := max(96/oracle.Cases(t, 1), 1)
	for _, a := range append(times, numbers...) {
		for _, b := range append(times, numbers...) {
			if !strings.ContainsAny(a[:1]+b[:1], "mM") {
				continue
			}
			for _, op := range []string{"+", "-", "*", "/", "//", "%", "min", "max", "==", "!=", "<", "<=", ">", ">="} {
				if len(qs) == 0 || r.IntN(every) == 0 {
					qs = append(qs, timeCase(r, a, b, op))
				}
			}
		}
	}
	return qs
}

// evaluated returns the type and the values of an expression for records of two fields, and for each row whether it is an error.
func (q timeQuestion) evaluated(t *testing.T) (values.Type, []int64, []bool, error) {
	dtypeOf := func(text string) dtype.Type {
		u, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	ta, tb := dtypeOf(q.TA), dtypeOf(q.TB)
	row, err := dtype.Struct(16, dtype.Field{Name: "a", DType: ta}, dtype.Field{Name: "b", DType: tb, Offset: 8})
	if err != nil {
		t.Fatal(err)
	}
	expr := "a " + q.Op + " b"
	if strings.HasPrefix(q.Op, "m") {
		expr = q.Op + "(a, b)"
	}
	x, err := syntax.Parse(expr)
	if err != nil {
		t.Fatal(err)
	}
	check := &checker{text: expr, rows: values.RowColumn(row, nil)}
	root, err := check.tried(x)
	if err != nil {
		return values.Type{}, nil, nil, err
	}
	data := make([]byte, 16*len(q.a))
	for i := range q.a {
		put(data[16*i:], ta, q.a[i])
		put(data[16*i+8:], tb, q.b[i])
	}
	var results []int64
	var over []bool
	e := values.NewEnv(check.columns, 16)
	for i := range q.a { // one row at a time, because an error ends a block
		e.Err = nil
		e.Block(values.Batch{N: 1, Raw: data[16*i : 16*i+16]}, 0, 1)
		v := root.Eval(e)
		var value int64
		switch {
		case v.Mask != nil:
			value = int64(v.Mask[0])
		case v.Floats != nil:
			value = int64(math.Float64bits(v.Floats[0]))
		default:
			value = v.Ints[0]
		}
		results, over = append(results, value), append(over, e.Err != nil)
		e.Release(v)
	}
	return root.Type, results, over, nil
}

func put(dst []byte, t dtype.Type, x uint64) {
	if t.Kind() == dtype.KindFloat && t.ItemSize() == 4 {
		x = uint64(math.Float32bits(float32(math.Float64frombits(x))))
	}
	var b [8]byte
	binary.NativeEndian.PutUint64(b[:], x)
	if t.IsNative() && t.ItemSize() < 8 && binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		copy(dst, b[8-t.ItemSize():])
		return
	}
	copy(dst, b[:t.ItemSize()])
}

// tried checks an expression that need not be a condition.
func (c *checker) tried(x *syntax.Expr) (n *values.Node, err error) {
	defer syntax.Recover(&err)
	return c.check(x), nil
}

// Operators of times have NumPy's dtypes and values for every pair of units in both orders, and refuse the operands that NumPy
// refuses. NPY_CASES=96 asks about all pairs.
func TestTimeArithmeticLive(t *testing.T) {
	qs := timeCases(t)
	version, answers := oracle.Ask[timeQuestion, timeAnswer](t, timeScript, qs)
	failed := 0
	count, values, asked := map[string]int{}, 0, 0
	for i, q := range qs {
		what, err := q.compare(t, answers[i])
		values, asked = values+len(answers[i].Values), asked+answers[i].Asked
		count[what]++
		if err != nil {
			t.Errorf("%s %s %s: %v", q.TA, q.Op, q.TB, err)
			if failed++; failed > 15 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d operators of pairs of dtypes beside NumPy %s, with %d values, of which %d are NumPy's: %v", len(qs), version, values, asked, count)
	if count["equal"] < len(qs)/4 || count["refused by both"] < len(qs)/10 || asked < values/3 {
		t.Error("the cases say little")
	}
}

// compare returns the way in which an answer is the same as NumPy's, or an error.
func (q timeQuestion) compare(t *testing.T, want timeAnswer) (string, error) {
	got, values, over, err := q.evaluated(t)
	switch {
	case want.Error == "far" && (err == nil || !want.Much || want.DType == ""):
		if same, e := q.same(got, values, over, want); err == nil {
			return same + " where the units are too far apart for NumPy", e
		}
		_, defined := timeResults[q.Op][q.TA[:1]+q.TB[:1]]
		if defined || strings.ContainsAny(q.Op, "<>=") && q.TA[0] == q.TB[0] {
			return "", err
		}
		return "refused by both", nil
	case want.Error == "far":
		return "refused by both", nil
	case want.Error == "lossy" && err != nil:
		return "refused where NumPy rounds years", nil
	case want.Error == "kinds" && err != nil:
		return "refused where NumPy says that kinds differ, or mixes them", nil
	case want.Error != "" && err == nil && strings.ContainsAny(q.Op, "<>=") && (q.TA == "u8" || q.TB == "u8"):
		return "compared with uint64", nil
	case want.Error != "" || err != nil:
		if want.Error == "" || err == nil {
			return "", fmt.Errorf("%v, NumPy has %q %s", err, want.Error, want.DType)
		}
		return "refused by both", nil
	}
	return q.same(got, values, over, want)
}

// same returns "equal", or how the type and the values of an answer differ.
func (q timeQuestion) same(got values.Type, values []int64, over []bool, want timeAnswer) (string, error) {
	if name := strings.Replace(got.String(), "[generic]", "", 1); name != want.DType {
		return "", fmt.Errorf("dtype %s, NumPy has %s", name, want.DType)
	}
	for i, x := range values {
		if over[i] != want.Over[i] || !over[i] && x != want.Values[i] && !bothNaN(got, x, want.Values[i]) {
			return "", fmt.Errorf("of %v and %v: %d, out of range %v; NumPy has %d, %v", q.A[i], q.B[i], x, over[i], want.Values[i], want.Over[i])
		}
	}
	return "equal", nil
}

func bothNaN(t values.Type, x, y int64) bool {
	p, q := math.Float64frombits(uint64(x)), math.Float64frombits(uint64(y))
	return t.Class == values.Float && p != p && q != q
}
