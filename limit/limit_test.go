package limit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/npygo/npy/limit"
)

func TestError(t *testing.T) {
	for want, e := range map[string]*limit.Error{
		"over MaxNodes 5: limit exceeded":           {Name: "MaxNodes", Limit: 5},
		"9 is over MaxNodes 5: limit exceeded":      {Name: "MaxNodes", Limit: 5, Got: 9},
		"9 nodes are too many here: limit exceeded": {Limit: 5, Got: 9, What: "9 nodes are too many here"},
	} {
		if e.Error() != want || !errors.Is(fmt.Errorf("a: %w", e), limit.ErrLimit) {
			t.Errorf("%q, want %q", e, want)
		}
	}
}
