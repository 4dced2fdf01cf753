package record

import (
	"fmt"
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// A leaf is a number, string or time in a record, or an array of them within Go arrays.
type leaf struct {
	path    string     // of the dtype, dotted
	goPath  string     // empty for the Go type itself
	dtype   dtype.Type // of one value
	at      bulk.Place // in the Go struct
	start   int        // in the record, in bytes
	strides []int      // in bytes, one for each enclosing array
	column  column
	moves   *bulk.Moves // set if the bits are the same in the struct and the record, except for the byte order
}

// shape returns the shape of the values of n records.
func (l *leaf) shape(n int) []int { return append([]int{n}, l.at.Dims()...) }

// steps returns the strides for this shape, for records of the given size.
func (l *leaf) steps(size int) []int { return append([]int{size}, l.strides...) }

func (l *leaf) load(s reflect.Value, first, n int, records []byte, size int) error {
	if l.moves != nil {
		l.moves.Load(s, first, n, records)
		return nil
	}
	err := l.column.load(l, s, first, n, records, size)
	if err == nil {
		return nil
	}
	return l.blame(err, first, n, func(i int) error {
		return l.column.load(l, s, first+i, 1, records[i*size:], size)
	})
}

func (l *leaf) store(records []byte, size int, s reflect.Value, first, n int) error {
	if l.moves != nil {
		l.moves.Store(records, s, first, n)
		return nil
	}
	err := l.column.store(l, records, size, s, first, n)
	if err == nil {
		return nil
	}
	return l.blame(err, first, n, func(i int) error {
		return l.column.store(l, records[i*size:], size, s, first+i, 1)
	})
}

// blame finds the record that an error about n records belongs to, by trying one record at a time.
func (l *leaf) blame(err error, first, n int, try func(i int) error) error {
	for i := range n {
		if err := try(i); err != nil {
			return &ValueError{Record: first + i, Path: l.path, GoPath: l.goPath, DType: l.dtype, GoType: l.at.Type(), Err: err}
		}
	}
	return err
}

// A ValueError reports a single value that the other type cannot hold: a time outside the range of time.Time, a
// string that is too long. The other records need not be wrong; which of them have been stored is undefined.
type ValueError struct {
	Record int          // its index, in C order
	Path   string       // the field of the dtype, dotted
	GoPath string       // of the Go struct; empty for a column
	DType  dtype.Type   // of one value
	GoType reflect.Type // of one value
	Err    error        // what is wrong
}

// Error returns one line with the record, both fields and what is wrong.
func (e *ValueError) Error() string {
	return fmt.Sprintf("record: field %s (%s) of record %d and %s (%s): %v", e.Path, e.DType, e.Record, names{goPath: e.GoPath}.inGo(), e.GoType, e.Err)
}

// Unwrap returns what is wrong.
func (e *ValueError) Unwrap() error { return e.Err }

// renumber adds the number of records before the block to a ValueError, whose Record is counted from the start of the
// block.
func renumber(err error, before int) error {
	if e, ok := err.(*ValueError); ok {
		e.Record += before
	}
	return err
}
