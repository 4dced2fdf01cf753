package query_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// Keys and results that are expressions are grouped as computed columns are.
func TestGroupExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	keys, floats := make([]int32, 90_000), make([]float64, 90_000)
	for i := range keys {
		keys[i], floats[i] = int32(r.IntN(300)-150), math.Round(100*r.NormFloat64())/16
		if i > 50_000 && i < 80_000 {
			keys[i], floats[i] = 7, 2.5 // runs of equal rows
		}
	}
	a := pairsOf(t, keys, floats)
	for _, c := range []struct{ by, aggs, set string }{
		{"k % 7", "count", "k % 7"},
		{"k % 7,-v > 0,k // 100", "mean:v * 2,sum:k % 3,max:abs(v)", "k % 7;v > 0;k // 100;v * 2;k % 3;abs(v)"},
		{"k", "last:k + v,median:v - k,q0.25:v - k", "k + v;v - k"},
		{"where(v < 0, 'low', 'high')", "nunique:v // 2,argmax:v // 2", "where(v < 0, 'low', 'high');v // 2"},
		{"row % 4", "sum:diff(v, 0),max:cumsum(k)", "row % 4;diff(v, 0);cumsum(k)"},
		{"k // 2", "argmin:row % 1000", "k // 2;row % 1000"},
	} {
		g := query.Group{By: must(query.ParseKeys(c.by)), Aggs: must(query.ParseAggs(c.aggs))}
		var set []query.Assignment
		for _, expr := range strings.Split(c.set, ";") {
			set = append(set, query.Assignment{Name: expr, Expr: expr})
		}
		want := fmt.Sprint(must(g.Of(t.Context(), must(must(query.Compute(t.Context(), a, query.Columns{Set: set})).ReadAll(t.Context())))))
		for kind, src := range sourcesOf(t, a) {
			got, err := g.Of(t.Context(), src)
			if err != nil || fmt.Sprint(got) != want {
				t.Errorf("%s by %s of %s: error %v\n%v\nwant\n%s", c.aggs, c.by, kind, err, got, want)
			}
		}
	}
}

// lastLine returns the last record, with single spaces.
func lastLine(a *npy.Array) string {
	lines := strings.Split(fmt.Sprint(a), "\n")
	return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
}

// sourcesOf returns an array as sources that are read in different ways.
func sourcesOf(t *testing.T, a *npy.Array) map[string]npy.Source {
	t.Helper()
	f := fileInMemory(t, a)
	return map[string]npy.Source{"an array": a, "a file": f, "a stream": streamOf(t, fileBytes(t, a))}
}

// Plain arrays have x, and arrays of two dimensions columns and x[:, 0].
func TestGroupExpressionsOfPlainArrays(t *testing.T) {
	one := must(npy.FromSlice([]int64{1, 2, 3, 4, 5}))
	two := must(npy.FromSlice([]int64{1, 10, 2, 20, 3, 30}, 3, 2))
	for _, c := range []struct {
		src            npy.Source
		by, aggs, want string
	}{
		{one, "x % 2", "sum:x,max:x * 10", "x % 2  sum_x  max_x * 10\n    0      6          40\n    1      9          50"},
		{one, "odd = x % 2", "total = sum:x", "odd  total\n  0      6\n  1      9"},
		{one, "cumsum(x) > 5", "count", "cumsum(x) > 5  count\n        False      2\n         True      3"},
		{two, "x[:, 0] % 2", "sum:1", "x[:, 0] % 2  sum_1\n          0     20\n          1     40"},
	} {
		got, err := query.Group{By: must(query.ParseKeys(c.by)), Aggs: must(query.ParseAggs(c.aggs))}.Of(t.Context(), c.src)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s by %s: error %v\n%v\nwant\n%s", c.aggs, c.by, err, got, c.want)
		}
	}
	got := must(query.Unique{By: must(query.ParseKeys("x % 2 == 0"))}.Of(t.Context(), one))
	if fmt.Sprint(got) != "x % 2 == 0  count\n     False      3\n      True      2" {
		t.Errorf("unique: %v", got)
	}
}

// A field that has the text of an expression is the field.
func TestGroupPrefersFields(t *testing.T) {
	a := must(must(query.Compute(t.Context(), pairsOf(t, []int32{1, 2, 3}, []float64{5, 5, 6}), query.Columns{
		Set: []query.Assignment{{Name: "k % 2", Expr: "k * 0"}, {Name: "a,b", Expr: "k"}, {Name: "cumsum(k)", Expr: "k"}},
	})).ReadAll(t.Context()))
	got := must(query.Group{By: must(query.ParseKeys("k % 2")), Aggs: must(query.ParseAggs("max:`a,b`,last:cumsum(k)"))}.Of(t.Context(), a))
	if fmt.Sprint(got) != "k % 2  max_a,b  last_cumsum(k)\n    0        3               3" {
		t.Errorf("%v", got)
	}
}

// Without keys, all rows are one group, also if there are none.
func TestGroupWithoutKeys(t *testing.T) {
	g := query.Group{Aggs: must(query.ParseAggs("count,sum:k,mean:v,min:v,argmax:v,nunique:k,median:v,q0.1:v,first:k"))}
	for _, c := range []struct {
		a    *npy.Array
		want string
	}{
		{pairsOf(t, []int32{1, 2, 3}, []float64{3, 5, 4}), "3 6 4. 3. 1 3 4. 3.2 1"},
	} {
		for kind, src := range sourcesOf(t, c.a) {
			got, err := g.Of(t.Context(), src)
			if err != nil || got.Len() != 1 {
				t.Errorf("%s: %v, error %v", kind, got, err)
				continue
			}
			if row := lastLine(got); row != c.want {
				t.Errorf("%s: %s, want %s", kind, row, c.want)
			}
		}
	}
	g.Aggs = must(query.ParseAggs("count,sum:k,mean:v,argmax:v,nunique:k,q0.1:v,std:v"))
	empty := must(g.Of(t.Context(), pairsOf(t, nil, nil)))
	if row := lastLine(empty); row != "0 0 nan -1 0 nan nan" {
		t.Errorf("no rows: %s", row)
	}
	if n := must(query.Group{}.Of(t.Context(), pairsOf(t, []int32{1, 2}, []float64{1, 2}))); fmt.Sprint(n) != "count\n    2" {
		t.Errorf("neither keys nor results: %v", n)
	}
}

// The extremes of records and subarrays of one number compare this number, wherever it is.
func TestGroupExtremesOfRecords(t *testing.T) {
	record := parseType(t, "[('s', [('a', '|i1'), ('b', '|S0'), ('c', '<f8', (1,))]), ('p', [('', '|V6'), ('q', '<i2'), ('', '|V8')])]")
	data := make([]byte, 3*record.ItemSize())
	for i, x := range []byte{2, 3, 1} {
		row := data[i*record.ItemSize():]
		row[0], row[9+6], row[9+7] = x, 10-x, 10-x
	}
	got := must(query.Group{Aggs: must(query.ParseAggs("argmin:s,argmax:s,argmin:p,argmax:p,max:p,nunique:p"))}.Of(t.Context(), must(npy.FromBytes(record, data, 3))))
	if row := lastLine(got); !strings.HasPrefix(row, "2 1 1 2 ") || !strings.HasSuffix(row, " 3") {
		t.Error(got)
	}
}

// Rows without bytes are counted, and computed, without visiting each.
func TestGroupOfEmptyRows(t *testing.T) {
	a := must(npy.New(parseType(t, "[('s', 'S0')]"), 1<<20+1))
	got := must(query.Group{Aggs: must(query.ParseAggs("count,count:s,sum:len(s) + 2,mean:len(s) + 2,argmax:s"))}.Of(t.Context(), a))
	if row := lastLine(got); row != "1048577 1048577 2097154 2. 0" {
		t.Error(got)
	}
}

// An error of a value names its row.
func TestGroupRowErrors(t *testing.T) {
	times := make([]byte, 8*100_000)
	binary.BigEndian.PutUint64(times[8*70_001:], math.MaxInt64)
	a := must(npy.FromBytes(parseType(t, ">M8[s]"), times, 100_000))
	for kind, src := range sourcesOf(t, a) {
		_, err := query.Group{By: []query.Key{{Field: "x + '1 D'"}}}.Of(t.Context(), src)
		if err == nil || !strings.Contains(err.Error(), "70001") {
			t.Errorf("%s: error %v", kind, err)
		}
	}
}

func TestGroupExpressionErrors(t *testing.T) {
	a := pairsOf(t, []int32{1, 2}, []float64{1, 2})
	for by, want := range map[string]string{
		"k %":         "query: the expression ends too early, in \"k %\" at character 4",
		"mnth(k)":     "query: unknown function",
		"month(k)":    "query: month",
		"w + 1":       `query: no field "w"`,
		"1 + cumsum":  `query: `,
		"cumsum('a')": "query: cumsum is for numbers",
	} {
		_, err := query.Group{By: []query.Key{{Field: by}}}.Of(t.Context(), a)
		if e := (*query.Error)(nil); !errors.As(err, &e) || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: error %v, want %s", by, err, want)
		}
	}
	var field *npy.FieldError
	if _, err := (query.Group{By: []query.Key{{Field: "w"}}}).Of(t.Context(), a); !errors.As(err, &field) {
		t.Errorf("a name that is not known: %v", err)
	}
	many := make([]int32, 1<<20)
	for i := range many {
		many[i] = int32(i)
	}
	var limit *npy.LimitError
	_, err := query.Group{Aggs: must(query.ParseAggs("nunique:k")), Memory: 1 << 20}.Of(t.Context(), pairsOf(t, many, make([]float64, len(many))))
	if !errors.As(err, &limit) || limit.Name != "Memory" {
		t.Errorf("many distinct values: error %v", err)
	}
}

func TestParseLists(t *testing.T) {
	for text, want := range map[string][]query.Key{
		"a, -b":                       {{Field: "a"}, {Field: "b", Descending: true}},
		"max(a, b),c":                 {{Field: "max(a, b)"}, {Field: "c"}},
		"m = month(time)":             {{Field: "month(time)", As: "m"}},
		"-`my m` = month(t),x['a,b']": {{Field: "month(t)", As: "my m", Descending: true}, {Field: "x['a,b']"}},
		"a == 1,b >= 2":               {{Field: "a == 1"}, {Field: "b >= 2"}},
		"`a=b`,`c,d`":                 {{Field: "a=b"}, {Field: "c,d"}},
	} {
		if got := must(query.ParseKeys(text)); !slices.Equal(got, want) {
			t.Errorf("ParseKeys(%q): %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string][]query.Agg{
		"mean:hypot(x, y),count":         {{Func: "mean", Field: "hypot(x, y)"}, {Func: "count"}},
		"speed = max:hypot(x, y),q0.9:x": {{Func: "max", Field: "hypot(x, y)", As: "speed"}, {Func: "q0.9", Field: "x"}},
		"n = count, sum:x[0:2]":          {{Func: "count", As: "n"}, {Func: "sum", Field: "x[0:2]"}},
		"sum:x == 1":                     {{Func: "sum", Field: "x == 1"}},
	} {
		if got := must(query.ParseAggs(text)); !slices.Equal(got, want) {
			t.Errorf("ParseAggs(%q): %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "a,", "m =", "-"} {
		if got, err := query.ParseKeys(text); err == nil {
			t.Errorf("ParseKeys(%q): %v", text, got)
		}
	}
}

// A list is parted by commas that are not within parentheses or quotes. An apostrophe in a name is no quote.
func TestLists(t *testing.T) {
	for text, want := range map[string]string{
		"a,-b":                 "[{a  false} {b  true}]",
		"it's,mag":             "[{it's  false} {mag  false}]",
		"where(a, 'b,c', d),e": "[{where(a, 'b,c', d)  false} {e  false}]",
		"`a,b`,m = month(t)":   "[{a,b  false} {month(t) m false}]",
	} {
		if got := fmt.Sprint(must(query.ParseKeys(text))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
