package query_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
)

// joinCases makes random tables whose fields l and r are the numbers of their rows, and has pandas join them. The rows of its inner joins
// are put in the order that pandas documents.
const joinCases = `
import os, sys, json, warnings
import numpy as np, pandas as pd
warnings.simplefilter('ignore')
folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
ints, floats = 'i1 u1 i2 u2 i4 u4 i8 u8'.split(), 'f2 f4 f8'.split()
families = [ints, ints + floats, floats, ['?'], ['U1', 'U4', 'U9'], ['S1', 'S4', 'S11'], ['M8[D]', 'M8[s]', 'M8[ms]', 'M8[ns]'], ['m8[s]', 'm8[us]', 'm8[h]'], ['c8', 'c16']]
def values(dt, n, few, missing):
    x = rng.integers(0, few, n)
    kind = np.dtype(dt).kind
    if kind in 'US':
        a = np.array(['', 'a', 'b', 'ab', 'ba', 'abcd', 'abce', 'abcdefghi', '\u1000' if kind == 'U' else 'z'])[x % 9].astype(dt)
    elif kind in 'Mm':
        unit = np.datetime_data(dt)[0]
        step = {'D': 1, 'h': 24, 's': 86400, 'ms': 86400000, 'us': 86400000000, 'ns': 86400000000000}[unit]
        a = (x * step).astype('i8').view('%s8[%s]' % (kind, unit))
        if unit not in 'Dh':
            a = a + (rng.random(n) < .1)
        if missing:
            a[rng.random(n) < .1] = 'NaT'
    elif kind in 'fc':
        a = (x / 2 if few % 2 else x).astype(dt)
        if kind == 'c':
            a += 1j * rng.integers(0, 2, n).astype(dt)
        a[rng.random(n) < .1] *= -1
        if missing:
            a[rng.random(n) < .1] = np.nan
    elif kind == 'b':
        a = x % 2 == 0
    else:
        a = (x % 100).astype(dt)
        if kind == 'i':
            a[rng.random(n) < .2] *= -1
    return a.astype(np.dtype(dt).newbyteorder('>' if rng.integers(4) == 0 else '='))
def table(dts, n, number, few, missing):
    a = np.zeros(n, [('k%d' % i, dt) for i, dt in enumerate(dts)] + [(number, 'i8'), ('other', 'i4')])
    for i, dt in enumerate(dts):
        v = values(dt, n, few, missing[i])
        if rng.integers(4) == 0:
            a = a.astype(np.dtype([(name, v.dtype if name == 'k%d' % i else a.dtype[name]) for name in a.dtype.names], align=bool(rng.integers(2))))
        a['k%d' % i] = v
    a[number] = np.arange(n)
    a['other'] = np.arange(n) + 7
    return a
def column(x, name):
    x = x.astype(x.dtype.newbyteorder('='))
    if x.dtype.kind in 'Mm':
        x = x.astype('%s8[ns]' % x.dtype.kind)
    if x.dtype.kind == 'c':
        x = [('nan' if v != v else str(complex(v) + 0)) for v in x]
    if x.dtype.kind in 'iu' if hasattr(x, 'dtype') else False:
        x = x.astype('i8')
    if x.dtype.kind == 'f' if hasattr(x, 'dtype') else False:
        x = x.astype('f8')
    if x.dtype.kind in 'US' if hasattr(x, 'dtype') else False:
        x = x.astype(object)
    return pd.Series(x, name=name)
def frame(a, keys, number):
    return pd.concat([column(a[k], k) for k in keys] + [pd.Series(a[number], name=number)], axis=1)
def pairs(f):
    f = f[['l', 'r']].fillna(-1).astype('i8').sort_values(['l', 'r'], kind='stable')
    return f['l'].tolist(), f['r'].tolist()
cases = []
for i in range(count):
    how = ['inner', 'left', 'semi', 'anti', 'asof'][i % 5]
    n, m = [int(rng.choice([0, 1, 2, 30, 300, 2000])) for _ in range(2)]
    few = int(rng.integers(1, 300))
    if n * m // few > 300000:
        few = 300
    many = int(rng.integers(1, 4))
    if how == 'asof':
        on = [ints[:6], ['i8'], ['u8'], floats[1:], ['M8[s]', 'M8[ms]'], ['m8[s]', 'm8[us]']][int(rng.integers(6))]
        kinds = [families[int(rng.choice([0, 3, 4]))] for _ in range(many - 1)] + [on]
        missing = [False] * (many - 1) + [True]
    else:
        kinds = [families[int(rng.integers(len(families)))] for _ in range(many)]
        missing = [True] * many
    a = table([str(rng.choice(k)) for k in kinds], n, 'l', few, missing)
    b = table([str(rng.choice(k)) for k in kinds], m, 'r', few, missing)
    np.save(os.path.join(folder, '%d-left.npy' % i), a)
    np.save(os.path.join(folder, '%d-right.npy' % i), b)
    keys = ['k%d' % k for k in range(many)]
    left, right = frame(a, keys, 'l'), frame(b, keys, 'r')
    case = {'how': how, 'keys': many, 'direction': '', 'tolerance': ''}
    if how == 'asof':
        key, by = keys[-1], keys[:-1]
        if left[key].dtype != right[key].dtype:
            left[key], right[key] = left[key].astype('f8'), right[key].astype('f8')
        case['direction'] = str(rng.choice(['backward', 'forward', 'nearest']))
        o = {'direction': case['direction'], 'on': key}
        if by:
            o['by'] = by
        if rng.integers(2):
            t = int(rng.integers(0, 5))
            kind = left[key].dtype.kind
            o['tolerance'] = pd.Timedelta(days=t) if kind in 'Mm' else float(t) if kind == 'f' else t
            case['tolerance'] = '%d D' % t if kind in 'Mm' else str(t)
        none = left[left[key].isna()][['l']].assign(r=-1)
        x = left[~left[key].isna()].sort_values(key, kind='stable')
        y = right[~right[key].isna()].sort_values(key, kind='stable')
        if len(y) == 0 or len(x) == 0:
            f = x[['l']].assign(r=-1)
        else:
            f = pd.merge_asof(x, y, **o)
        case['l'], case['r'] = pairs(pd.concat([f[['l', 'r']], none]))
    elif how in ('inner', 'left'):
        case['l'], case['r'] = pairs(left.merge(right, how=how, on=keys))
    else:
        has = left['l'].isin(left.merge(right, on=keys)['l'])
        case['l'], case['r'] = left['l'][has if how == 'semi' else ~has].tolist(), None
    cases.append(case)
json.dump(cases, sys.stdout)
`

// A joinCase is a join of two files, and the numbers of the rows of its result; -1 for none.
type joinCase struct {
	How, Direction, Tolerance string
	Keys                      int
	L, R                      []int64
}

func TestJoinLive(t *testing.T) {
	folder := t.TempDir()
	var cases []joinCase
	answer := oracle.Module(t, "pandas", joinCases, folder, fmt.Sprint(oracle.Cases(t, 150)), fmt.Sprint(oracle.Seed(t)))
	if err := json.Unmarshal(answer, &cases); err != nil {
		t.Fatal(err)
	}
	rng := oracle.Rand(t)
	for i, c := range cases {
		j := query.Join{How: c.How, Direction: c.Direction, Tolerance: c.Tolerance}
		if i%2 == 0 && c.How == "left" {
			j.Fill = "-1"
		}
		for k := range c.Keys {
			name := fmt.Sprint("k", k)
			j.On = append(j.On, query.JoinKey{Left: name, Right: name})
		}
		if c.How == "asof" {
			j.By, j.On = j.On[:c.Keys-1], j.On[c.Keys-1:]
		}
		left, right := openFile(t, filepath.Join(folder, fmt.Sprintf("%d-left.npy", i))), openFile(t, filepath.Join(folder, fmt.Sprintf("%d-right.npy", i)))
		what := fmt.Sprintf("%d: %s of %s %v and %s %v, %s %s", i, c.How, left.DType(), left.Shape(), right.DType(), right.Shape(), c.Direction, c.Tolerance)
		joined, err := j.Open(t.Context(), left, right)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		a, err := joined.ReadAll(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := numbersOf(t, a, "l"); !slices.Equal(got, c.L) {
			t.Fatalf("%s: left rows %v, want %v", what, got, c.L)
		}
		if c.R != nil {
			if got := numbersOf(t, a, "r"); !slices.Equal(got, c.R) {
				t.Fatalf("%s: right rows %v, want %v", what, got, c.R)
			}
			checkOther(t, a, "other_right", c.R)
		}
		checkOther(t, a, "other", c.L)
		checkParts(t, rng, joined, a)
		if err := joined.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func openFile(t *testing.T, path string) *npy.File {
	t.Helper()
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// numbersOf returns a field with the numbers of rows; -1 for NaN.
func numbersOf(t *testing.T, a *npy.Array, name string) []int64 {
	t.Helper()
	field := must(a.Field(name))
	out := []int64{}
	if field.DType().Kind() == dtype.KindFloat {
		for x := range must(npy.As[float64](field)).Values() {
			if x != x {
				x = -1
			}
			out = append(out, int64(x))
		}
		return out
	}
	field = must(field.Cast(dtype.Int64, npy.SafeCasting))
	for x := range must(npy.As[int64](field)).Values() {
		out = append(out, x)
	}
	return out
}

// checkOther checks the fields other, which both sides have, of rows with some numbers.
func checkOther(t *testing.T, a *npy.Array, name string, numbers []int64) {
	t.Helper()
	for i, x := range numbersOf(t, a, name) {
		if want := numbers[i] + 7; x != want && (numbers[i] >= 0 || x != -1) {
			t.Fatalf("%s: row %d has %d, want %d", name, i, x, want)
		}
	}
}

// checkParts compares random parts of a Source with all of it.
func checkParts(t *testing.T, rng *rand.Rand, src npy.Source, all *npy.Array) {
	t.Helper()
	n := all.Len()
	for range 3 {
		low := rng.IntN(n + 1)
		index := []npy.Index{npy.Span(low, low+rng.IntN(n-low+1))}
		if rng.IntN(2) == 0 {
			index = append(index, npy.Named("l"))
		}
		got := must(must(src.Select(index...)).ReadAll(t.Context()))
		if want := must(all.Slice(index...)); !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("part %v of %d rows differs", index, n)
		}
	}
}
