package objects

import (
	"errors"

	"github.com/npygo/npy/internal/diag"
)

// MarshalJSON returns the value as [npy.Array.MarshalJSON] does for an array without dimensions: 1.5, or "2024-01-01".
// Records with objects are an error: convert.WriteObject writes them.
func (s *Scalar) MarshalJSON() ([]byte, error) {
	if s.array == nil {
		return nil, diag.New("objects", "the zero Scalar has no value; use NewScalar")
	}
	if s.DType().HasObject() {
		return nil, diag.Errorf("objects", "a scalar of dtype %s has no JSON of its own: use convert.WriteObject: %w", s.DType(), errors.ErrUnsupported)
	}
	return s.array.MarshalJSON()
}

// UnmarshalJSON returns an error: JSON does not say the dtype, and a Scalar does not change. Unmarshal an array without
// dimensions and use [NewScalar].
func (s *Scalar) UnmarshalJSON([]byte) error {
	return diag.Errorf("objects", "JSON does not say the dtype of a scalar: unmarshal an npy.Array of it and use NewScalar: %w", errors.ErrUnsupported)
}
