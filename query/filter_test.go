package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/limit"
	"github.com/npygo/npy/query"
)

// quakeRecords returns records for tests: time, mag, lat, depth, name, vec and pos.x.
func quakeRecords(t testing.TB) *npy.Array {
	t.Helper()
	dt, err := dtype.Parse("[('time','M8[s]'),('mag','<f4'),('lat','>f8'),('n','<i8'),('u','<u8'),('name','U6'),('tag','S4'),('ok','?'),('vec','<i2',(3,)),('pos',[('x','<f2'),('y','<f2')]),('dt','m8[m]'),('my field','u1')]")
	if err != nil {
		t.Fatal(err)
	}
	text := `[["2024-01-01",4.5,-10,1,1,"Ann","a",true,[1,2,3],[0.5,1],5,0],
	["2024-03-01",5.5,20,-5,18446744073709551615,"Bob","bc",false,[4,5,6],[1.5,2],60,1],
	["NaT",6.5,-30,9223372036854775807,9223372036854775808,"Zoë","",true,[-1,-2,-3],[2.5,3],"NaT",2],
	["2024-03-01T12:00:00",7.5,40,-9223372036854775808,0,"ann","abcd",false,[0,0,0],["nan",4],1440,3]]`
	_ = text
	a, err := npy.New(dt, 4)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func rowsOf(t testing.TB, src npy.Source, expr string) string {
	t.Helper()
	got, err := query.Filter(context.Background(), src, expr)
	if err != nil {
		return err.Error()
	}
	a, err := got.ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(a.Shape())
}

func TestSmoke(t *testing.T) {
	x := make([]float64, 100000)
	for i := range x {
		x[i] = float64(i % 100)
	}
	a, err := npy.FromSlice(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, expr := range []string{"x > 50", "0 < x < 5", "x in (1, 2, 3)", "not x > 3", "~(x>3) & (x != 2)", "row < 10", "x % 2 == 0 and x // 10 == 3", "x > 5 & x < 3",
		"x > '5'", "y > 3", "abs(x - 50) <= 1.5", "x[3] > 1", "isnan(x)", "min(x, 3) == 3", "x", "x == 1 ||", "(x", "x >", "x == 5 5", "True", "1 < 2", "x > 1e400", "-x ** 2 < -9800", "2 ** 3 == 8 and x > 98"} {
		t.Log(expr, "->", rowsOf(t, a, expr))
	}
	deep := strings.Repeat("(", 1000) + "x > 1" + strings.Repeat(")", 1000)
	_, err = query.Compile(deep, dtype.Float64)
	var over *limit.Error
	if !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
	q := quakeRecords(t)
	for _, expr := range []string{"mag > 5", "time >= '2024-03-01'", "name == 'Ann'", "any(vec > 3)", "vec > 3", "vec[0] == 0", "pos.x > 1", "pos > 1", "mga > 3", "`my field` == 0", "x['my field'] == 0", "dt > '5 m'", "dt > '1 month'", "name.startswith('A')", "name.str.lower() == 'ann'", "time.year == 1970", "n > 9223372036854775807", "u >= 9223372036854775808", "n < u", "n == lat", "tag in ('a', 'b')", "'a' in name", "tag == b'a'", "name == b'a'", "mag > 5 & lat < 0", "not ok", "ok", "ok & (mag < 1)"} {
		t.Log(expr, "->", rowsOf(t, q, expr))
	}
}
