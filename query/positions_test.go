package query_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

func TestPositions(t *testing.T) {
	a, err := npy.FromSlice([]int{5, 1, 7, 7, 0, 9})
	if err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{"x > 4": "[0 2 3 5]", "x > 100": "[]", "x >= 0": "[0 1 2 3 4 5]", "x == 7": "[2 3]"} {
		c, err := query.Compile(expr, a.DType())
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Positions(t.Context(), a, 6)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v, want %s", expr, got, err, want)
		}
		if _, err := c.Positions(t.Context(), a, 1); len(got) > 1 != errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s: error %v with a limit of 1", expr, err)
		}
	}
}
