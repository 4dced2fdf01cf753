package stats

import (
	"errors"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
)

// realsOf returns the reader of items of t, which must be real numbers or bools; else the error is
// [errors.ErrUnsupported].
func realsOf(t dtype.Type) (codec.Reals, error) {
	if read := codec.RealsOf(t); read != nil {
		return read, nil
	}
	return nil, errors.ErrUnsupported
}
