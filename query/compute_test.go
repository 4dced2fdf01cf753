package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

// compute returns src with columns that are computed, as --set of the command gives them.
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

// little returns the text of a dtype as on a little-endian machine.
func little(t dtype.Type) string { return strings.ReplaceAll(t.String(), ">", "<") }

// computed returns the dtype and the elements of columns that are computed, as text, or an error.
func computed(src npy.Source, set ...string) string {
	out, err := compute(src, set...)
	if err != nil {
		return err.Error()
	}
	a, err := out.ReadAll(context.Background())
	if err != nil {
		return err.Error()
	}
	text, err := a.MarshalJSON()
	return fmt.Sprintf("%s %s %v", little(a.DType()), text, err)
}

func arrayOf[T npy.Element](t *testing.T, x []T, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(x, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCompute(t *testing.T) {
	plain := arrayOf(t, []float64{3, 1, 2, 2})
	matrix := arrayOf(t, []int32{3, 4, 6, 8}, 2, 2)
	for _, test := range []struct {
		src       npy.Source
		set, want string
	}{
		{plain, "x = x * 2", `<f8 [6.0,2.0,4.0,4.0]`},
		{plain, "y = x * 2; z = y + row", `[('x', '<f8'), ('y', '<f8'), ('z', '<f8')] [{"x":3.0,"y":6.0,"z":6.0},{"x":1.0,"y":2.0,"z":3.0},{"x":2.0,"y":4.0,"z":6.0},{"x":2.0,"y":4.0,"z":7.0}]`},
		{plain, "c = cumsum(x); d = diff(x); s = shift(x, -1); r = rank(x)", `[('x', '<f8'), ('c', '<f8'), ('d', '<f8'), ('s', '<f8'), ('r', '<f8')] [{"x":3.0,"c":3.0,"d":"NaN","s":1.0,"r":4.0},{"x":1.0,"c":4.0,"d":-2.0,"s":2.0,"r":1.0},{"x":2.0,"c":6.0,"d":1.0,"s":2.0,"r":2.5},{"x":2.0,"c":8.0,"d":0.0,"s":"NaN","r":2.5}]`},
		{plain, "x = cumsum(x) / 2", `<f8 [1.5,2.0,3.0,4.0]`},
		{plain, "d = diff(diff(x)); x = d", `[('x', '<f8'), ('d', '<f8')] [{"x":"NaN","d":"NaN"},{"x":"NaN","d":"NaN"},{"x":3.0,"d":3.0},{"x":-1.0,"d":-1.0}]`},
		{plain, "k = 5; `two words` = 'ab'; t = where(x > 2, `two words`, 'abc')", `[('x', '<f8'), ('k', '<i8'), ('two words', '<U2'), ('t', '<U3')] [{"x":3.0,"k":5,"two words":"ab","t":"ab"},{"x":1.0,"k":5,"two words":"ab","t":"abc"},{"x":2.0,"k":5,"two words":"ab","t":"abc"},{"x":2.0,"k":5,"two words":"ab","t":"abc"}]`},
		{plain, "y = clip(x, 1.5, 2.5); m = isin(x, (1, 3))", `[('x', '<f8'), ('y', '<f8'), ('m', '|b1')] [{"x":3.0,"y":2.5,"m":true},{"x":1.0,"y":1.5,"m":true},{"x":2.0,"y":2.0,"m":false},{"x":2.0,"y":2.0,"m":false}]`},
		{plain, "y = int8(x); z = diff(y); w = diff(y, 0)", `[('x', '<f8'), ('y', '|i1'), ('z', '<f8'), ('w', '|i1')] [{"x":3.0,"y":3,"z":"NaN","w":0},{"x":1.0,"y":1,"z":-2.0,"w":-2},{"x":2.0,"y":2,"z":1.0,"w":1},{"x":2.0,"y":2,"z":0.0,"w":0}]`},
		{matrix, "x = sqrt(x)", `<f8 [[1.7320508075688772,2.0],[2.449489742783178,2.8284271247461903]]`},
		{matrix, "n = x[0] + x[1]; s = shift(x[0])", `[('x', '<i4', (2,)), ('n', '<i4'), ('s', '<f8')] [{"x":[3,4],"n":7,"s":"NaN"},{"x":[6,8],"n":14,"s":3.0}]`},
		{matrix.T(), "n = x[0] + x[1]", `[('x', '<i4', (2,)), ('n', '<i4')] [{"x":[3,6],"n":9},{"x":[4,8],"n":12}]`},
		{matrix, "n = cumsum(x)", `query: cumsum is of one value of each row, and these rows have 2; an index such as [0] takes one, in "cumsum(x)" at character 8`},
		{plain, "n = int(x / 0)", `npy: element 0: inf is not a number of int64; where(condition, value, …) gives it another value first`},
		{plain, "n = cumsm(x)", `query: unknown function "cumsm"; the functions are abs, `},
		{plain, "n = where(x > 1, 'ab', 1)", `query: where of str and int64 has no common dtype; give it two numbers, two texts or two times, in "where(x > 1, 'ab', 1)" at character 1`},
		{plain, "n = shift(x, x)", `query: shift wants a number of rows, such as 1 or -1, in "shift(x, x)" at character 10`},
		{plain, "n = diff(x, 1, 2)", `query: diff has 3 arguments; want 1 or 2, in "diff(x, 1, 2)" at character 1`},
		{matrix, "x = x[0]", `query: each row has one value; an index applies to the values of a row, and -s or Select chooses rows, in "x[0]" at character 1`},
		{matrix, "x = row", `query: row is for arrays of one dimension, whose elements are rows; this one has 2, in "row" at character 1`},
		{plain, "n == 1", `query: "n == 1" is not an assignment; write NAME = EXPRESSION, as in speed = sqrt(vx**2 + vy**2)`},
		{plain, "n + 1 = 2", `query: "n + 1 = 2" is not an assignment; write NAME = EXPRESSION, as in speed = sqrt(vx**2 + vy**2)`},
		{plain, "n = 2 +", `query: the expression ends too early, in "2 +" at character 4`},
	} {
		if got := computed(test.src, strings.Split(test.set, ";")...); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.set, got, test.want)
		}
	}
}

// A part of the result reads the same part of the source, with the numbers and the sums of its rows.
func TestComputeParts(t *testing.T) {
	x := make([]int32, 100_000)
	for i := range x {
		x[i] = int32(i % 7)
	}
	src := arrayOf(t, x)
	out, err := compute(src, "c = cumsum(x)", "d = diff(x, 0)", "n = row", "r = rank(x)", "e = shift(c, -2, 0)")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	all, err := out.ReadAll(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []string{"40000:70001:3", "99999", "::-1", "-5:", "c", "50000:60000,", "[c][3:9]", "17", "[::20000][d]"} {
		entries, err := npy.ParseIndex(index)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all.Slice(entries...)
		if err != nil {
			t.Fatal(err)
		}
		part, err := out.Select(entries...)
		if err != nil {
			t.Fatalf("%s: %v", index, err)
		}
		got, err := part.ReadAll(ctx)
		if err != nil {
			t.Fatalf("%s: %v", index, err)
		}
		if string(got.Bytes()) != string(want.Bytes()) || !got.DType().Equal(want.DType()) {
			t.Errorf("[%s] is %v, want %v", index, got, want)
		}
	}
}

func TestComputeKeepsAndDrops(t *testing.T) {
	src := arrayOf(t, []float64{1, 2})
	for _, test := range []struct {
		columns query.Columns
		want    string
	}{
		{query.Columns{Set: []query.Assignment{{Name: "y", Expr: "x + 1"}}, Keep: []string{"y", "x"}}, "[('y', '<f8'), ('x', '<f8')]"},
		{query.Columns{Set: []query.Assignment{{Name: "y", Expr: "x + 1"}}, Drop: []string{"x"}}, "[('y', '<f8')]"},
		{query.Columns{Keep: []string{"x"}}, "[('x', '<f8')]"},
		{query.Columns{Drop: []string{"x"}}, "query: no field is left"},
		{query.Columns{Drop: []string{"z"}}, `query: no field "z"; the fields are x`},
	} {
		out, err := query.Compute(context.Background(), src, test.columns)
		got := fmt.Sprint(err)
		if err == nil {
			got = little(out.DType())
		}
		if got != test.want {
			t.Errorf("%+v: %s, want %s", test.columns, got, test.want)
		}
	}
}

// Sequences of each other, and columns, are limited.
func TestComputeLimits(t *testing.T) {
	src := arrayOf(t, []float64{1, 2})
	deep := "n = " + strings.Repeat("diff(", 7) + "x" + strings.Repeat(")", 7)
	if _, err := compute(src, deep); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("seven sequences of each other: %v", err)
	}
	if _, err := compute(src, make([]string, 0)...); err != nil {
		t.Errorf("no columns: %v", err)
	}
	many := query.Columns{Set: make([]query.Assignment, 1001)}
	if _, err := query.Compute(context.Background(), src, many); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("1001 columns: %v", err)
	}
}
