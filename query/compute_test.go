package query_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// computed returns an array with columns that are computed, as text.
func computed(t *testing.T, src npy.Source, set ...string) string {
	t.Helper()
	out, err := compute(src, set...)
	if err != nil {
		return "error: " + err.Error()
	}
	a, err := out.ReadAll(context.Background())
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%s %v", a.DType(), a)
}

func compute(src npy.Source, set ...string) (npy.Source, error) {
	var c query.Columns
	for _, text := range set {
		a, err := query.ParseAssignment(text)
		if err != nil {
			return nil, err
		}
		c.Set = append(c.Set, a)
	}
	return query.Compute(context.Background(), src, c)
}

func TestCompute(t *testing.T) {
	plain, err := npy.FromSlice([]float64{3, 1, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	matrix, err := npy.FromSlice([]int32{3, 4, 6, 8}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		src  npy.Source
		set  string
		want string
	}{
		{plain, "x = x * 2", ""},
		{plain, "y = x * 2; z = y + row", ""},
		{plain, "c = cumsum(x); d = diff(x); s = shift(x, -1); r = rank(x)", ""},
		{plain, "x = cumsum(x) / 2", ""},
		{plain, "d = diff(diff(x))", ""},
		{matrix, "x = sqrt(x)", ""},
		{matrix, "n = sqrt(x[0]**2 + x[1]**2); s = shift(x[0]); t = where(x > 4, 'big', 'no')", ""},
		{matrix, "n = cumsum(x)", ""},
		{plain, "n = int(x/0)", ""},
		{plain, "n = foo(x)", ""},
		{plain, "n = where(x > 1, 'ab', 1)", ""},
		{plain, "n = clip(x, 1.5, 2.5); m = isin(x, (1, 3)); k = 5", ""},
	} {
		t.Log(test.set, "\n", computed(t, test.src, strings.Split(test.set, ";")...))
	}
}
