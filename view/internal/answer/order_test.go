package answer_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/view/internal/answer"
)

// rowsOf returns the numbers of the rows of an answer of cells.
func rowsOf(t *testing.T, a *answer.Answers, query string) []int {
	t.Helper()
	var rows []int
	for _, row := range askJSON(t, a, "cells", query)["rows"].([]any) {
		rows = append(rows, int(row.(float64)))
	}
	return rows
}

// Rows are sorted by several keys as numpy.lexsort does, also rows that satisfy a condition.
func TestSortedRows(t *testing.T) {
	dt, err := dtype.ParseDescr("[('a', '<i4'), ('p', [('x', '<i4'), ('v', '<i4', (2,))])]")
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for i := range 200 {
		for _, x := range []int{i * 7 % 5, i * 3 % 11, i % 3, i % 2} {
			data = append(data, byte(x), 0, 0, 0)
		}
	}
	records, err := npy.FromBytes(dt, data, 200)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := npy.FromBytes(dtype.Int32.WithByteOrder(dtype.LittleEndian), data, 200, 4)
	if err != nil {
		t.Fatal(err)
	}
	a := answer.New([]answer.Input{input("a", records, plain)})
	defer a.Close()
	column := func(row, k int) int { return int(data[16*row+4*k]) }
	want := func(keep func(row int) bool, by ...int) (rows []int) {
		for row := range 200 {
			if keep(row) {
				rows = append(rows, row)
			}
		}
		slices.SortStableFunc(rows, func(r, s int) int {
			for _, k := range by {
				sign, k := 1, k
				if k < 0 {
					sign, k = -1, -k-1
				}
				if d := column(r, k) - column(s, k); d != 0 {
					return sign * d
				}
			}
			return 0
		})
		return rows
	}
	all := func(int) bool { return true }
	for _, c := range []struct {
		query string
		want  []int
	}{
		{"f=0&e=0&at=y&sort=a", want(all, 0)},
		{"f=0&e=0&at=y&sort=-a,p.x", want(all, -1, 1)},
		{"f=0&e=0&at=y&sort=p.x,-a", want(all, 1, -1)},
		{"f=0&e=0&at=y&sort=p.v,a", want(all, 2, 3, 0)},
		{"f=0&e=0&at=y&sort=-p.x,a&where=p.x>3", want(func(row int) bool { return column(row, 1) > 3 }, -2, 0)},
		{"f=0&e=0&at=y&where=a==4", want(func(row int) bool { return column(row, 0) == 4 })},
		{"f=0&e=1&at=y,x&sort=1", want(all, 1)},
		{"f=0&e=1&at=y,x&sort=-0,1&where=x[2]==1", want(func(row int) bool { return column(row, 2) == 1 }, -1, 1)},
	} {
		if got := rowsOf(t, a, c.query+"&y0=0&y1=200"); !slices.Equal(got, c.want) {
			t.Errorf("%s: rows %v, want %v", c.query, got, c.want)
		}
	}
}

// A file of any size is refused to be sorted before it is read.
func TestSortLimits(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("no array is so large")
	}
	for _, c := range []struct {
		shape   []int
		descr   string
		at      string
		refused bool
	}{
		{[]int{12_500_000, 1000}, "'<f8'", "y,x", true},
		{[]int{1_000_000, 10_000}, "'<f8'", "y,x", false},
		{[]int{1_000_000}, "[('0', '<f8'), ('big', '<f8', (10000,))]", "y", false},
	} {
		path := filepath.Join(t.TempDir(), "a.npy")
		dt, err := dtype.ParseDescr(c.descr)
		if err != nil {
			t.Fatal(err)
		}
		h := format.Header{DType: dt, Shape: c.shape}
		head, err := h.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, head, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(len(head))+h.NBytes()); err != nil {
			t.Skip(err)
		}
		f, err := npy.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		a := answer.New([]answer.Input{{Name: "a", Open: func(context.Context) (*answer.File, error) {
			return &answer.File{Kind: "npy", Entries: []container.Entry{{DType: f.DType(), Shape: f.Shape()}},
				Source: func(int) (npy.Source, error) { return f, nil }, Close: func() { f.Close() }}, nil
		}}})
		q := "f=0&e=0&y0=0&y1=3&x0=0&x1=2&sort=0&at=" + c.at
		if !c.refused {
			if testing.Short() {
				q = strings.Replace(q, "sort=0", "where=row<100", 1) + "&sort=0"
			}
			if got := rowsOf(t, a, q); fmt.Sprint(got) != "[0 1 2]" {
				t.Errorf("%v: rows %v", c.shape, got)
			}
		} else if _, err := try(t, a, "cells", q); answer.Status(err) != 400 || !strings.Contains(err.Error(), "npy sort") {
			t.Errorf("%v: error %v", c.shape, err)
		}
		a.Close()
	}
}

// try returns the answer to a question, or its error.
func try(t *testing.T, a *answer.Answers, question, query string) (*paper, error) {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p := &paper{}
	return p, a.Answer(t.Context(), question, q, p)
}
