package stats

import (
	"errors"
	"fmt"
)

// noJSON returns the error for a value that is not data. Without it package encoding/json would write {}.
func noJSON(name, instead string) error {
	return fmt.Errorf("stats: %s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}

// MarshalJSON returns an error: an Accumulator is an unfinished computation.
func (acc *Accumulator) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Accumulator", "marshal its Result")
}

// MarshalJSON returns an error: an AxisAccumulator is an unfinished computation.
func (acc *AxisAccumulator) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an AxisAccumulator", "marshal its results")
}
