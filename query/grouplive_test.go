package query_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query"
)

// groupCases makes random arrays with few distinct values, and has NumPy count, add and compare them.
const groupCases = `
import os, math
folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
plain = '? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 S3 U2 M8[s] m8[ms]'.split()
def values(dt, n, few):
    if dt.kind == 'f':
        return rng.choice(np.array([0.0, np.nan, np.inf, 1.5, -1.5] + list(rng.standard_normal(few))), n).astype(dt)
    if dt.kind in 'Mm':
        a = rng.integers(-few, few + 1, n)
        a[rng.random(n) < .1] = -2**63
        return a.astype('i8').view(dt.newbyteorder('=')).astype(dt)
    if dt.kind == 'U':
        return rng.choice(np.array(['', 'a', 'ab', 'b\u1000', '\U0010ffff']), n).astype(dt)
    if dt.kind == 'b':
        return rng.integers(0, 2, n).astype(dt)
    return rng.choice(np.array([0, 0, 1, 0x7f, 0x80, 0xff], 'u1'), n * dt.itemsize).view(dt).copy()
def some():
    dt = np.dtype(str(rng.choice(plain)))
    return dt.newbyteorder('>') if rng.integers(3) == 0 else dt
def text(x):
    x = x.item() if x.dtype.kind not in 'Mm' else x.astype('i8').item()
    if isinstance(x, float):
        return 'nan' if x != x else float(x).hex()
    return x.decode('latin1') if isinstance(x, bytes) else str(x)
out = []
for i in range(count):
    n = int(rng.choice([1, 2, 30, 500, 3000])) if i % 25 else 200000
    few = int(rng.integers(1, 40))
    if i % 3 == 0:
        a = values(some(), n, few)
        v, c = np.unique(a, return_counts=True)
        np.save(os.path.join(folder, '%d.npy' % i), a.reshape(-1, 1) if i % 2 else a)
        out.append({'dtype': str(a.dtype), 'unique': [[text(x), int(k)] for x, k in zip(v, c)]})
        continue
    a = np.zeros(n, [('k', some()), ('j', some()), ('v', str(rng.choice('? i1 u2 i4 u4 i8 u8 f4 f8'.split()))), ('t', some())])
    for name in a.dtype.names:
        a[name] = values(a.dtype[name], n, few)
    if a.dtype['v'].kind in 'iu' and a.dtype['v'].itemsize == 8:
        a['v'] >>= 20
    np.save(os.path.join(folder, '%d.npy' % i), a)
    two = bool(rng.integers(2))
    if n > 3000:
        two = False
    codes = lambda x: np.unique(x, return_inverse=True)[1].ravel()
    code = codes(a['k']).astype('i8')
    if two:
        code = code * (len(a) + 1) + codes(a['j'])
    order = np.argsort(code, kind='stable')
    starts = np.flatnonzero(np.concatenate([[True], np.diff(code[order]) != 0]))
    groups = []
    for rows in np.split(order, starts[1:]):
        rows = np.sort(rows)
        v, t = a['v'][rows], a['t'][rows]
        exact = v.dtype.kind in 'iub'
        row = {'count': len(rows), 'first': text(t[:1]), 'last': text(t[-1:]), 'k': text(a['k'][rows[:1]])}
        if exact:
            s = sum(int(x) for x in v)
            row['sum'], row['mean'] = str(s), (s / len(v)).hex()
        else:
            with np.errstate(all='ignore'):
                finite = np.isfinite(v).all()
                s = math.fsum(v.astype('f8')) if finite else float(np.sum(v.astype('f8')))
            row['sum'] = 'nan' if s != s else float(s).hex()
            row['mean'] = 'nan' if s != s else (s / len(v)).hex()
        with np.errstate(all='ignore'):
            std = float(np.std(v.astype('f8')))
        row['std'] = 'nan' if std != std else std.hex()
        if np.isfinite(v).all():
            row['q0.9'] = float(np.quantile(v.astype('f8'), .9)).hex()
        missing = np.isnat(t) if t.dtype.kind in 'Mm' else t != t
        row['nunique'] = len(np.unique(t[~missing]))
        if t.dtype.kind not in 'SU':
            row['argmin'], row['argmax'] = int(rows[t.argmin()]), int(rows[t.argmax()])
        with np.errstate(all='ignore'):
            for name, median in ('median', np.median), ('nanmedian', np.nanmedian):
                m = float(median(v.astype('f8')))
                row[name] = 'nan' if m != m else m.hex()
        if t.dtype.kind in 'Mm':
            ordered = sorted(int(x) for x in t.astype('i8'))
            whole = [x for x in ordered if x != -2**63]
            for name, times in ('timemedian', ordered), ('nantimemedian', whole):
                half = len(times) // 2
                row[name] = str((times[half] + times[(len(times) - 1) // 2]) // 2 if times and times[0] != -2**63 else -2**63)
        if t.dtype.kind not in 'SU':
            row['min'], row['max'] = text(t.min()[None]), text(t.max()[None])
        groups.append(row)
    out.append({'dtype': str(a.dtype), 'two': two, 'groups': groups})
print(json.dumps(out))
`

type groupCase struct {
	DType  string
	Unique [][2]any
	Two    bool
	Groups []map[string]any
}

// fieldText returns an item as groupCases does.
func fieldText(t *testing.T, a *npy.Array, name string, i int) string {
	t.Helper()
	f := must(must(a.Field(name)).Slice(npy.Span(i, i+1)))
	switch f.DType().Kind() {
	case 'f':
		x := must(npy.As[float64](f)).At(0)
		if x != x {
			return "nan"
		}
		return fmt.Sprintf("%x", x)
	case 'b':
		if must(npy.As[bool](f)).At(0) {
			return "True"
		}
		return "False"
	case 'u':
		return fmt.Sprint(must(npy.As[uint64](f)).At(0))
	case 'i':
		return fmt.Sprint(must(npy.As[int64](f)).At(0))
	case 'M', 'm':
		var order binary.ByteOrder = binary.LittleEndian
		if f.DType().ByteOrder() == dtype.BigEndian {
			order = binary.BigEndian
		}
		return fmt.Sprint(int64(order.Uint64(f.Bytes())))
	case 'S':
		text := ""
		for _, b := range must(npy.As[[]byte](f)).At(0) {
			text += string(rune(b))
		}
		return text
	}
	return must(npy.As[string](f)).At(0)
}

// sameNumber compares floats written in two forms of hexadecimal, up to some rounding.
func sameNumber(a, b string, exact bool) bool {
	if a == b {
		return true
	}
	var x, y float64
	if _, err := fmt.Sscan(a, &x); err != nil {
		return false
	}
	if _, err := fmt.Sscan(b, &y); err != nil {
		return false
	}
	if exact || math.IsInf(x, 0) {
		return x == y
	}
	return math.Abs(x-y) <= 1e-9*math.Max(1, math.Max(math.Abs(x), math.Abs(y)))
}

func TestGroupAsNumPy(t *testing.T) {
	folder := t.TempDir()
	var cases []groupCase
	answer := oracle.NumPy(t, groupCases, nil, folder, fmt.Sprint(oracle.Cases(t, 150)), "11")
	if err := json.Unmarshal(answer, &cases); err != nil {
		t.Fatal(err)
	}
	before := par.SetWorkers(3)
	defer par.SetWorkers(before)
	for i, c := range cases {
		f := must(npy.Open(filepath.Join(folder, fmt.Sprintf("%d.npy", i))))
		name := fmt.Sprintf("case %d: %s", i, c.DType)
		if c.Groups == nil {
			got, err := query.Unique{}.Of(t.Context(), f)
			if err != nil || got.Len() != len(c.Unique) {
				t.Errorf("%s: %v, error %v, want %v", name, got, err, c.Unique)
				continue
			}
			for j, want := range c.Unique {
				if v, n := fieldText(t, got, "value", j), fieldText(t, got, "count", j); !sameNumber(v, want[0].(string), true) || n != fmt.Sprint(want[1]) {
					t.Errorf("%s: value %d is %s, %s times, want %v", name, j, v, n, want)
				}
			}
		} else {
			checkGroups(t, name, f, c)
		}
		f.Close()
	}
}

func checkGroups(t *testing.T, name string, f *npy.File, c groupCase) {
	t.Helper()
	g := query.Group{By: []query.Key{{Field: "k"}}, Aggs: must(query.ParseAggs("count,first:t,last:t,sum:v,mean:v,std:v,min:t,max:t,median:v,q0.9:v,nunique:t,argmin:t,argmax:t"))}
	if c.Two {
		g.By = append(g.By, query.Key{Field: "j"})
	}
	v, _ := f.DType().FieldByName("v")
	if at, _ := f.DType().FieldByName("t"); strings.ContainsRune("Mm", rune(at.DType.Kind())) {
		g.Aggs = append(g.Aggs, query.Agg{Func: "median", Field: "t"})
	}
	got, err := g.Of(t.Context(), f)
	if err != nil || got.Len() != len(c.Groups) {
		t.Errorf("%s: %d groups, want %d, error %v", name, got.Len(), len(c.Groups), err)
		return
	}
	medians := slices.DeleteFunc(slices.Clone(g.Aggs), func(a query.Agg) bool { return a.Func != "median" })
	whole := must(query.Group{By: g.By, Aggs: medians, SkipNaN: true}.Of(t.Context(), f))
	exact := v.DType.Kind() != 'f'
	for i, want := range c.Groups {
		for key, value := range want {
			field, got := key, got
			if name, ok := strings.CutPrefix(key, "nan"); ok {
				key, got = name, whole
			}
			switch key {
			case "timemedian":
				field = "median_t"
			case "median":
				field = "median_v"
			case "first", "last", "min", "max", "nunique", "argmin", "argmax":
				field += "_t"
			case "sum", "mean", "std", "q0.9":
				field += "_v"
			}
			if text := fieldText(t, got, field, i); !sameNumber(text, fmt.Sprint(value), key != "std" && key != "q0.9" && (key == "mean" || key == "sum") == exact) {
				t.Errorf("%s: group %d: %s is %s, want %v", name, i, field, text, value)
			}
		}
	}
}
