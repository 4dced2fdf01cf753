package answer_test

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/view/internal/answer"
)

// The condition of each group is that of its rows and of no others, whatever its keys are, and the counts are all rows.
func TestGroups(t *testing.T) {
	random := oracle.Rand(t)
	const n = 400
	words := []string{"", "plain", "it's", `"quoted"`, "back\\slash", "tab\t", "\v\f", "ü€😀", "a`b", "nan", "NaT", "5"}
	type row struct {
		Text   string            `npy:"text,<U12"`
		Number int16             `npy:"my number,<i2"`
		Day    scalar.Datetime64 `npy:"day,<M8[D]"`
		Flag   bool              `npy:"flag"`
		X      float32           `npy:"x,<f4"`
	}
	rows, numbers, floats := make([]row, n), make([]int16, n), make([]float32, n)
	for i := range n {
		numbers[i] = int16(random.IntN(5) - 2)
		floats[i] = []float32{0.1, float32(math.Copysign(0, -1)), 1e30, float32(math.NaN()), float32(math.Inf(-1)), 7}[random.IntN(6)]
		rows[i] = row{words[random.IntN(len(words))], numbers[i], scalar.Datetime64{Ticks: []int64{0, 19000, -400000, math.MinInt64}[random.IntN(4)]}, random.IntN(2) == 0, floats[i]}
	}
	records, err := record.FromSlice(rows)
	if err != nil {
		t.Fatal(err)
	}
	plain, table := slice(t, floats), slice(t, numbers, n/4, 4)
	a := answer.New([]answer.Input{input("a", records, plain, table)})
	defer a.Close()
	for _, x := range []struct{ array, by, where string }{
		{"0", "text", ""}, {"0", "`my number`", ""}, {"0", "day", ""}, {"0", "flag", ""}, {"0", "x", ""}, {"0", "text,day,x", ""}, {"0", "year(day)", ""},
		{"0", "x > 5", "flag"}, {"0", "text", "x == 7"}, {"1", "x", ""}, {"1", "isnan(x)", "x < 5"}, {"2", "3", ""}, {"2", "0,-1", "x[:, 1] > 0"},
	} {
		base := "e=" + x.array + "&at=" + map[string]string{"0": "y", "1": "y", "2": "y,x"}[x.array]
		out := askJSON(t, a, "groups", base+"&aggs=count&by="+url.QueryEscape(x.by)+"&where="+url.QueryEscape(x.where))
		sum := 0
		rows, conditions := out["rows"].([]any), out["where"].([]any)
		if out["total"] != float64(len(rows)) || len(rows) == 0 {
			t.Fatalf("%s by %s: %v groups, %d rows", x.array, x.by, out["total"], len(rows))
		}
		for r, row := range rows {
			cells := row.([]any)
			count, err := strconv.Atoi(cells[len(cells)-1].(string))
			if err != nil {
				t.Fatal(err)
			}
			sum += count
			where := conditions[r].(string)
			if where == "" {
				t.Errorf("%s by %s: no condition for %v", x.array, x.by, cells)
				continue
			}
			if x.where != "" {
				where = "(" + x.where + ") and " + where
			}
			if got := askJSON(t, a, "cells", base+"&y1=1&where="+url.QueryEscape(where))["total"]; got != float64(count) {
				t.Errorf("%s by %s: %s has %v rows, want %d", x.array, x.by, where, got, count)
			}
		}
		want := float64(n)
		if x.array == "2" {
			want = n / 4
		}
		if x.where != "" {
			want = askJSON(t, a, "cells", base+"&y1=1&where="+url.QueryEscape(x.where))["total"].(float64)
		}
		if float64(sum) != want {
			t.Errorf("%s by %s: %d rows in the groups, want %v", x.array, x.by, sum, want)
		}
	}
	out := askJSON(t, a, "groups", "e=0&at=y&by=flag&pivot=day&aggs=count,mean:x&order=-flag")
	columns := out["columns"].([]any)
	if len(columns) != 1+2*4 || fmt.Sprint(out["rows"].([]any)[0].([]any)[0]) != "True" {
		t.Errorf("the pivot has the columns %v and the rows %v", columns, out["rows"])
	}
	for _, wrong := range []string{"by=none", "by=text&aggs=mean:text", "by=x+%2B", "by=text&order=none", "pivot=text,x", "aggs=bad:x", "by=text&where=y+%3E", "by=x&pivot=x&aggs=sum:none", "by=%00", "aggs=q7:x"} {
		q, _ := url.ParseQuery("e=0&at=y&" + wrong)
		p := &paper{}
		if err := a.Answer(t.Context(), "groups", q, p); answer.Status(err) != 400 || p.Len() > 0 {
			t.Errorf("%s: %v, status %d", wrong, err, answer.Status(err))
		}
	}
}
