package diff

import (
	"errors"
	"fmt"
)

// MarshalJSON returns an error: a Side says where elements come from. Without it package encoding/json would write {}.
func (s Side) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("diff: a Side is not data and has no JSON; marshal the Array or the Result: %w", errors.ErrUnsupported)
}
