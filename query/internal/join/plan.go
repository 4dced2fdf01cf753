package join

import (
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A side is one of the two sources, as records or as the elements of an array of one dimension.
type side struct {
	src    npy.Source
	rows   int
	size   int // of a row, in bytes
	fields []dtype.Field
}

// newSide returns a side, and the function that finds keys in its rows.
func newSide(ctx context.Context, src npy.Source) (s side, key func(name string) (fields.Place, error), err error) {
	t, shape := src.DType(), src.Shape()
	s.src = src
	if s.rows, s.size, err = rowsource.Shape(src); err != nil {
		return s, nil, err
	}
	key = func(name string) (fields.Place, error) { return sortkey.PlaceOf(t, shape, name) }
	switch {
	case t.IsStruct():
		s.fields = t.Fields()
	case len(shape) == 1:
		s.fields = []dtype.Field{{Name: "x", DType: t}}
	default:
		if s.src, err = rowsource.Records(ctx, src); err != nil {
			return s, nil, err
		}
		s.fields = s.src.DType().Fields()
	}
	return s, key, nil
}

// A plan has the keys and the layout of the rows.
type plan struct {
	how         *Join
	left, right side

	// A row that is sorted begins with its keys. Those of right have the columns of the result after them, those of left their number.
	keys      []fields.Place // in both
	keySize   int
	leftMove  []move // of keys
	rightMove []move // of keys and columns
	rightSize int

	record   dtype.Type // of the result
	leftSize int        // of its left fields, which come first
	copies   []move     // of left rows to rows of the result
	missing  []byte     // the right fields of a row without a match
}

func (j *Join) plan(ctx context.Context, left, right npy.Source) (p *plan, err error) {
	if left, err = npy.Rereadable(ctx, left); err != nil {
		return nil, &SideError{false, err}
	}
	p = &plan{how: j}
	var leftKey, rightKey func(name string) (fields.Place, error)
	if p.left, leftKey, err = newSide(ctx, left); err != nil {
		return nil, &SideError{false, err}
	}
	if p.right, rightKey, err = newSide(ctx, right); err != nil {
		return nil, &SideError{true, err}
	}
	for i, k := range slices.Concat(j.By, j.On) {
		from, err := leftKey(k.Left)
		if err != nil {
			return nil, &SideError{false, err}
		}
		other, err := rightKey(k.Right)
		if err != nil {
			return nil, &SideError{true, err}
		}
		if err := p.addKey(k, from, other, i == len(j.By)); err != nil {
			return nil, err
		}
	}
	return p, p.layout()
}

// addKey adds a key that is at two places.
func (p *plan) addKey(k Key, left, right fields.Place, on bool) error {
	t, err := common(left.DType, right.DType)
	if on && err == nil && p.how.How == asof {
		t, err = wide(t)
	}
	if err != nil {
		return diag.Errorf("query", "keys %q and %q: %w", k.Left, k.Right, err)
	}
	to := fields.Place{DType: t, Offset: p.keySize}
	p.keys, p.keySize = append(p.keys, to), p.keySize+t.ItemSize()
	m, err := newMove(k.Left, left, to)
	if err != nil {
		return err
	}
	p.leftMove = append(p.leftMove, m)
	if m, err = newMove(k.Right, right, to); err != nil {
		return err
	}
	p.rightMove = append(p.rightMove, m)
	return nil
}

// keyNames returns the names of the keys in the rows that are sorted.
func (p *plan) keyNames() []string {
	names := make([]string, len(p.keys))
	for i := range names {
		names[i] = fmt.Sprint("key", i)
	}
	return names
}

// keyFields returns the fields of the keys.
func (p *plan) keyFields() []dtype.Field {
	out := make([]dtype.Field, len(p.keys))
	for i, name := range p.keyNames() {
		out[i] = dtype.Field{Name: name, DType: p.keys[i].DType}
	}
	return out
}

// words returns the plan of the words of keys in rows of some bytes, and the number of words of By.
func (p *plan) words(size int) (words *sortkey.Plan, by int, err error) {
	words = sortkey.New(size)
	for i, place := range p.keys {
		if i == len(p.how.By) {
			by = words.Len()
			words.EndWord()
		}
		if err := words.Add(place, false); err != nil {
			return nil, 0, err
		}
	}
	return words, by, nil
}

// leftKeys returns the keys of the left rows, and their numbers.
func (p *plan) leftKeys() (npy.Source, error) {
	t, err := dtype.Packed(append(p.keyFields(), dtype.Field{Name: "row", DType: dtype.Int64})...)
	if err != nil {
		return nil, err
	}
	numbers, err := rowsource.Numbers(p.left.rows)
	if err != nil {
		return nil, err
	}
	number := move{from: fields.Place{DType: dtype.Int64}, to: fields.Place{DType: dtype.Int64, Offset: p.keySize}}
	size := t.ItemSize()
	return npy.Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		if err := runAll(p.leftMove, dst, size, src[0], p.left.size, n); err != nil {
			return err
		}
		return number.run(dst, size, src[1], 8, n)
	}, p.left.src, numbers)
}

// rightRows returns the keys of the right rows, and their columns.
func (p *plan) rightRows() (npy.Source, error) {
	t, err := dtype.Packed(append(p.keyFields(), dtype.Field{Name: "columns", DType: dtype.Void(p.rightSize - p.keySize)})...)
	if err != nil {
		return nil, err
	}
	return npy.Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		return runAll(p.rightMove, dst, p.rightSize, src[0], p.right.size, n)
	}, p.right.src)
}

// runAll makes rows of some items.
func runAll(moves []move, dst []byte, stride int, src []byte, from, n int) error {
	for i := range moves {
		if err := moves[i].run(dst, stride, src, from, n); err != nil {
			return err
		}
	}
	return nil
}
