package query_test

import (
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// Objects have no order along an axis, and are an error.
func TestAlongObjects(t *testing.T) {
	a, err := npy.FromObjects([]any{"b", "a"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (query.Sort{}).Along(t.Context(), a, 0); err == nil {
		t.Error("no error")
	}
}
