package query_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
)

// pandasCases makes random records, and has pandas group, pivot and drop duplicates.
const pandasCases = `
import os, sys, json, numpy as np, pandas as pd
folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
def number(x):
    return None if x != x else float(x)
out = []
for i in range(count):
    n = int(rng.choice([1, 5, 100, 40000]))
    a = np.zeros(n, [('time', 'M8[%s]' % rng.choice(['s', 'ms', 'D'])), ('k', '<i4'), ('s', '<U2'), ('v', '<f8'), ('w', '<i8')])
    a['time'] = np.datetime64('2019-06-01', 'D') + rng.integers(0, 900, n).astype('m8[D]')
    a['k'], a['s'] = rng.integers(-3, 4, n), rng.choice(['a', 'b', 'cc'], n)
    a['v'] = np.where(rng.random(n) < .2, np.nan, np.round(rng.standard_normal(n), 1))
    a['w'] = rng.integers(-50, 50, n)
    np.save(os.path.join(folder, '%d.npy' % i), a)
    df = pd.DataFrame({name: a[name] for name in a.dtype.names})
    case = {}
    g = df.assign(p=df.v * 2 + df.w).groupby([df.time.dt.month, df.k // 2])
    frame = pd.DataFrame({'count': g.size(), 'v': g.v.count(), 'u': g.v.nunique(), 'mean': g.p.mean(), 'q': g.p.quantile(.3), 'med': g.p.median(),
        'max': g.p.max(), 'sum': g.w.sum(), 'row': g.w.idxmax()}).reset_index()
    case['groups'] = [[number(x) for x in row] for row in frame.to_numpy(dtype='f8')]
    whole = df.assign(p=df.v + df.w)
    case['whole'] = [len(df), number(whole.p.mean()), int(df.s.nunique()), number(whole.v.quantile(.9)), int(whole.w.sum())]
    wide = df.pivot_table(index='k', columns='s', values=['w'], aggfunc=['count', 'sum'])
    cells = [[number(x) for x in row] for row in wide.to_numpy(dtype='f8')]
    half = len(wide.columns) // 2
    case['pivot'] = [[float(k)] + [x or 0 for x in row[:half]] + row[half:] for k, row in zip(wide.index, cells)]
    case['columns'] = [c[0] + '_w_' + c[2] for c in wide.columns]
    case['first'] = [int(x) for x in df[~df[['k', 's', 'v']].duplicated()].index]
    case['all'] = [int(x) for x in df.assign(m=df.time.dt.year)[['m', 'w']].drop_duplicates().index]
    out.append(case)
print(json.dumps(out))
`

type pandasCase struct {
	Groups, Pivot [][]*float64
	Whole         []*float64
	Columns       []string
	First, All    []int
}

// fieldNumbers returns the fields of records as numbers.
func fieldNumbers(t *testing.T, a *npy.Array) [][]float64 {
	t.Helper()
	rows := make([][]float64, a.Len())
	for i := range a.DType().NumField() {
		column := must(must(a.Field(a.DType().Field(i).Name)).Cast(dtype.Float64, npy.UnsafeCasting))
		for j := range rows {
			rows[j] = append(rows[j], must(npy.As[float64](column)).At(j))
		}
	}
	return rows
}

// sameNumbers compares rows of numbers up to rounding. nil is NaN.
func sameNumbers(got [][]float64, want [][]*float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return false
		}
		for j, x := range got[i] {
			y := math.NaN()
			if want[i][j] != nil {
				y = *want[i][j]
			}
			if !sameNumber(strconv.FormatFloat(x, 'g', -1, 64), strconv.FormatFloat(y, 'g', -1, 64), false) {
				return false
			}
		}
	}
	return true
}

// pandas gives the same groups by expressions, the same wide records, and the same rows without duplicates.
func TestGroupAsPandas(t *testing.T) {
	folder := t.TempDir()
	var cases []pandasCase
	if err := json.Unmarshal(oracle.Module(t, "pandas", pandasCases, folder, fmt.Sprint(oracle.Cases(t, 40)), "5"), &cases); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for i, c := range cases {
		f := must(npy.Open(filepath.Join(folder, fmt.Sprintf("%d.npy", i))))
		grouped := func(by, pivot, aggs string, want [][]*float64) *npy.Array {
			g := query.Group{Aggs: must(query.ParseAggs(aggs)), SkipNaN: true}
			if by != "" {
				g.By = must(query.ParseKeys(by))
			}
			if pivot != "" {
				g.Pivot = &query.Key{Field: pivot}
			}
			got := must(g.Of(ctx, f))
			if numbers := fieldNumbers(t, got); !sameNumbers(numbers, want) {
				t.Errorf("case %d: %s by %s: %v", i, aggs, by, got)
			}
			return got
		}
		grouped("month(time),k // 2", "", "count,count:v,nunique:v,mean:v * 2 + w,q0.3:v * 2 + w,median:v * 2 + w,max:v * 2 + w,sum:w,argmax:w", c.Groups)
		grouped("", "", "count,mean:v + w,nunique:s,q0.9:v,sum:w", [][]*float64{c.Whole})
		wide := grouped("k", "s", "count:w,sum:w", c.Pivot)
		for j, name := range c.Columns {
			if got := wide.DType().Field(j + 1).Name; got != name {
				t.Errorf("case %d: column %q, want %q", i, got, name)
			}
		}
		for by, want := range map[string][]int{"k,s,v": c.First, "year(time),w": c.All} {
			rows := must(must(query.Unique{By: must(query.ParseKeys(by))}.Filter(ctx, f)).ReadAll(ctx))
			if first := must(npy.Take(ctx, f, want)); fmt.Sprintf("%x", rows.Bytes()) != fmt.Sprintf("%x", first.Bytes()) {
				t.Errorf("case %d: %d rows without duplicates by %s, want %d", i, rows.Len(), by, first.Len())
			}
		}
		f.Close()
	}
}

// Values without rows are 0, -1, "", NaN and NaT.
func TestGroupPivot(t *testing.T) {
	a := must(must(query.Compute(t.Context(), pairsOf(t, []int32{1, 1, 2, 3}, []float64{5, 6, 5, 7}), query.Columns{Set: []query.Assignment{
		{Name: "s", Expr: "where(k == 1, 'one', 'more')"}, {Name: "d", Expr: "where(k > 0, '2024-01-02', '')"}, {Name: "b", Expr: "v > 5"},
	}})).ReadAll(t.Context()))
	for _, c := range []struct{ by, pivot, aggs, want string }{
		{"k", "v", "count", "k  5  6  7\n1  1  1  0\n2  1  0  0\n3  0  0  1"},
		{"-k", "-v", "sum:k", "k    7    6    5\n3   3.  nan  nan\n2  nan  nan   2.\n1  nan   1.   1."},
		{"s", "b", "max:v", "s       false  true\n'more'     5.    7.\n'one'      5.    6."},
		{"s", "b", "sum:k", "s       false  true\n'more'      2     3\n'one'       1     1"},
		{"k", "b", "argmax:v", "k  false  true\n1      0     1\n2      2    -1\n3     -1     3"},
		{"k", "b", "first:s", "k  false   true\n1  'one'   'one'\n2  'more'  ''\n3  ''      'more'"},
		{"", "s", "count,mean:v", "count_more  count_one  mean_v_more  mean_v_one\n         2          2           6.         5.5"},
		{"v > 5", "k", "max:b", "v > 5   1    2    3\nFalse  0.   0.  nan\n True  1.  nan   1."},
	} {
		g := query.Group{Pivot: &must(query.ParseKeys(c.pivot))[0], Aggs: must(query.ParseAggs(c.aggs))}
		if c.by != "" {
			g.By = must(query.ParseKeys(c.by))
		}
		if got, err := g.Of(t.Context(), a); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s by %s and %s: error %v\n%v\nwant\n%s", c.aggs, c.by, c.pivot, err, got, c.want)
		}
	}
}

func TestGroupPivotErrors(t *testing.T) {
	keys := make([]int32, 1001)
	for i := range keys {
		keys[i] = int32(i)
	}
	a := pairsOf(t, keys, make([]float64, len(keys)))
	pivot := func(a *npy.Array, by, pivot string) (*npy.Array, error) {
		return query.Group{By: []query.Key{{Field: by}}, Pivot: &query.Key{Field: pivot}}.Of(t.Context(), a)
	}
	var limit *npy.LimitError
	if _, err := pivot(a, "v", "k"); !errors.As(err, &limit) || !strings.Contains(err.Error(), "1001 values of k would be 1001 columns") {
		t.Errorf("many columns: error %v", err)
	}
	if got, err := pivot(must(a.Slice(npy.SpanTo(1000))), "v", "k"); err != nil || got.DType().NumField() != 1001 {
		t.Errorf("1000 columns: error %v", err)
	}
	if got, err := pivot(must(a.Slice(npy.SpanTo(0))), "v", "k"); err != nil || got.Len() != 0 {
		t.Errorf("no rows: %v, error %v", got, err)
	}
	if _, err := pivot(a, "v", "k k"); !errors.As(err, new(*query.Error)) {
		t.Errorf("a wrong expression: error %v", err)
	}
	if _, err := pivot(a, "k", "k"); err == nil {
		t.Error("the same field twice: no error")
	}
	many := make([]int32, 1<<17)
	for i := range many {
		many[i] = int32(i)
	}
	g := query.Group{By: []query.Key{{Field: "k"}}, Pivot: &query.Key{Field: "k % 900"}, Memory: 1 << 20}
	if _, err := g.Of(t.Context(), pairsOf(t, many, make([]float64, len(many)))); !errors.As(err, &limit) || limit.Name != "Memory" {
		t.Errorf("many cells: error %v", err)
	}
}
