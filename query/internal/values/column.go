package values

import (
	"errors"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/nd"
)

// A Column is the items of a field, or the elements of an array, of every row.
type Column struct {
	fields.Place               // within a row in C order
	index        [][]npy.Index // selects the items of an array of rows, one index after another

	// Given is the number of the array that the rows are of, from 1 on: the results of another expression. 0 means the array itself.
	Given int
}

// RowColumn returns the elements of rows of an array.
func RowColumn(t dtype.Type, rowShape []int) Column {
	return Column{Place: fields.Place{DType: t, Dims: rowShape, Strides: nd.Strides(rowShape, t.ItemSize(), false)}}.enter()
}

func (c Column) enter() Column {
	c.Place = c.Place.Enter()
	return c
}

// Field returns a field of the structs in c.
func (c Column) Field(name string) (Column, bool) {
	f, ok := c.DType.FieldByName(name)
	if !ok {
		return c, false
	}
	c.Place = c.In(f)
	c.index = append(slices.Clip(c.index), []npy.Index{npy.Named(name)})
	return c.enter(), true
}

var errRowIndex = errors.New("each row has one value; an index applies to the values of a row, and -s or Select chooses rows")

// Slice returns part of the items of each row. An index that begins with ":" is an index of the array with all its rows. name is
// the name of a field that does not exist, or "".
func (c Column) Slice(text string) (col Column, name string, err error) {
	entries, err := nd.ParseIndex(text)
	if err != nil {
		return c, "", errors.New(diag.Fault(err, ""))
	}
	if len(entries) == 1 && entries[0].Kind == nd.Field {
		f, ok := c.Field(entries[0].Name)
		if !ok {
			return c, entries[0].Name, nil
		}
		return f, "", nil
	}
	index, _ := npy.ParseIndex(text)
	col, err = c.positions(entries, index)
	return col, "", err
}

// positions is slice for an index without a field.
func (c Column) positions(entries []nd.Index, index []npy.Index) (Column, error) {
	if len(entries) == 0 {
		return c, errors.New("the index is empty")
	}
	if slices.ContainsFunc(entries, func(x nd.Index) bool { return x.Kind == nd.Field || x.Kind == nd.Fields }) {
		return c, errors.New("a field and positions in one index; write one after another, ['name'][:, 0]")
	}
	if entries[0].IsAll() { // all rows
		entries, index = entries[1:], index[1:]
	}
	if len(entries) > 0 && len(c.Dims) == 0 && entries[0].Kind != nd.Ellipsis {
		return c, errRowIndex
	}
	items := nd.Array{DType: c.DType, Shape: c.Dims, Strides: c.Strides, Offset: c.Offset}
	part, err := items.Slice(entries)
	if err != nil {
		return c, errors.New(diag.Fault(err, ""))
	}
	c.Dims, c.Strides, c.Offset = part.Shape, part.Strides, part.Offset
	c.index = append(slices.Clip(c.index), append([]npy.Index{npy.All()}, index...))
	return c, nil
}

// Type returns the type of the values of a row.
func (c Column) Type() Type {
	t := typeOf(c.DType)
	if len(c.Dims) > 0 {
		t.Shape = c.Dims
	}
	return t
}

// Size returns the bytes of the items of a row.
func (c Column) Size() int { return nd.Size(c.Dims) * c.DType.ItemSize() }

// Equal reports whether two columns are the same place in a row, with the same dtype.
func (c Column) Equal(d Column) bool {
	return c.Given == d.Given && c.Offset == d.Offset && c.DType.Equal(d.DType) && slices.Equal(c.Dims, d.Dims) && slices.Equal(c.Strides, d.Strides)
}

// bytes returns the items of n rows in data, which has rows of size bytes. They are copied to buf unless they are contiguous.
func (c Column) bytes(buf *[]byte, data []byte, n, size int) []byte {
	if c.Offset == 0 && c.Size() == size && nd.IsContiguous(c.Dims, c.Strides, c.DType.ItemSize(), false) {
		return data
	}
	return c.Items(buf, data, n, size)
}

// Select returns the items of an array of rows as a Source.
func (c Column) Select(rows npy.Source) (npy.Source, error) {
	for _, index := range c.index {
		var err error
		if rows, err = rows.Select(index...); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
