package parts

import (
	"context"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// scanners is the number of parts that Scan opens at the same time: most of its time is spent waiting.
const scanners = 8

// Scan opens the parts at paths, in this order, and returns their manifest. A negative axis counts from the end. The dtypes
// must be equal, and the shapes except along the axis; the error names the part that differs.
func Scan(ctx context.Context, axis int, paths []string, open Opener) (Manifest, error) {
	if len(paths) == 0 {
		return Manifest{}, diag.New("parts", "no parts")
	}
	type header struct {
		dtype dtype.Type
		shape []int
	}
	headers := make([]header, len(paths))
	m := Manifest{Parts: make([]Part, len(paths))}
	err := par.Each(ctx, len(paths), scanners, func(_, i int) error {
		m.Parts[i].Path = paths[i]
		src, closer, err := open(ctx, m.Parts[i])
		if err != nil {
			return &PartError{paths[i], err}
		}
		headers[i] = header{src.DType(), src.Shape()}
		if closer != nil {
			return closer.Close()
		}
		return nil
	})
	if err != nil {
		return Manifest{}, err
	}
	m.DType, m.Shape, m.Axis = headers[0].dtype, headers[0].shape, axis
	ndim := len(m.Shape)
	if axis < -ndim || axis >= ndim {
		return Manifest{}, diag.Errorf("parts", "axis %d is out of bounds for arrays of %d dimensions", axis, ndim)
	}
	m.Axis = (axis + ndim) % ndim
	total := 0
	for i, h := range headers {
		if err := m.checkJoin(h.dtype, h.shape); err != nil {
			return Manifest{}, &PartError{paths[i], err}
		}
		m.Parts[i].Rows = h.shape[m.Axis]
		if m.Parts[i].Rows > math.MaxInt-total {
			return Manifest{}, diag.New("parts", "the axis is too long")
		}
		total += m.Parts[i].Rows
	}
	m.Shape[m.Axis] = total
	return m, nil
}
