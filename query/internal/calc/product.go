package calc

import (
	"context"
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// maxProduct is the most elements of the result of a product of matrices.
const maxProduct = 1 << 29

// product returns the product of two matrices or vectors, numpy.matmul for at most two dimensions, computed in memory.
func product(ctx context.Context, a, b npy.Source) (npy.Source, error) {
	m, n := a.Shape(), b.Shape()
	if len(m) == 0 || len(n) == 0 || len(m) > 2 || len(n) > 2 {
		return nil, fmt.Errorf("@ is for matrices and vectors, not for shapes %s and %s", format.ShapeString(m), format.ShapeString(n))
	}
	rows, inner, columns := 1, m[len(m)-1], 1
	if len(m) == 2 {
		rows = m[0]
	}
	if len(n) == 2 {
		columns = n[1]
	}
	if inner != n[0] {
		return nil, fmt.Errorf("shapes %s and %s do not fit for @: %d columns and %d rows", format.ShapeString(m), format.ShapeString(n), inner, n[0])
	}
	if columns > 0 && rows > maxProduct/columns {
		return nil, diag.Wrap("query", bounded.Over("", maxProduct, 0, "a product of more than %d elements", maxProduct))
	}
	result, err := productType(a.DType(), b.DType())
	if err != nil {
		return nil, err
	}
	x, err := floatsOf(ctx, a)
	if err != nil {
		return nil, err
	}
	y, err := floatsOf(ctx, b)
	if err != nil {
		return nil, err
	}
	out := make([]float64, rows*columns)
	err = par.Each(ctx, rows, par.Workers(), func(_, i int) error {
		row := out[i*columns : (i+1)*columns]
		for k, p := range x[i*inner : (i+1)*inner] {
			for j, q := range y[k*columns : (k+1)*columns] {
				row[j] += p * q
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var shape []int
	if len(m) == 2 {
		shape = append(shape, rows)
	}
	if len(n) == 2 {
		shape = append(shape, columns)
	}
	return floatArray(result, out, shape)
}

// productType returns the dtype of a product.
func productType(a, b dtype.Type) (dtype.Type, error) {
	if !isReal(a) || !isReal(b) {
		return dtype.Type{}, errors.New("@ is for arrays of floats; float64(a) converts")
	}
	t := floatResult(a)
	if u := floatResult(b); u.ItemSize() > t.ItemSize() {
		t = u
	}
	return t, nil
}

// floatsOf reads floats into memory.
func floatsOf(ctx context.Context, src npy.Source) ([]float64, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return codec.RealsOf(a.DType())(new(codec.Buffer), a.Bytes()), nil
}
