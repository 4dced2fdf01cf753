package stats

import (
	"errors"

	"github.com/npygo/npy/internal/diag"
)

// noJSON returns the error for a value that is not data. Without it package encoding/json would write {}.
func noJSON(name, instead string) error {
	return diag.Errorf("stats", "%s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}
