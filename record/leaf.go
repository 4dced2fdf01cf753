package record

import (
	"fmt"
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// A leaf is a number, string or time in a record, or a grid of them where arrays are on the way to it.
type leaf struct {
	path    string // in the dtype, dotted
	goPath  string
	dtype   dtype.Type // of one value
	at      bulk.Place // in the Go struct
	start   int        // in the record, in bytes
	strides []int      // in bytes, one for each array on the way
	column  column
	moves   *bulk.Moves // not nil where the bits are the same on both sides, but for their order
}

// shape returns that of the values of n records.
func (l *leaf) shape(n int) []int { return append([]int{n}, l.at.Dims()...) }

// steps returns the strides that go with it, for records of the given size.
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

// blame finds the record that an error of n records is about, by trying them one at a time.
func (l *leaf) blame(err error, first, n int, try func(i int) error) error {
	for i := range n {
		if err := try(i); err != nil {
			return &ValueError{Record: first + i, Path: l.path, GoPath: l.goPath, DType: l.dtype, GoType: l.at.Type(), Err: err}
		}
	}
	return err
}

// A ValueError says that one value cannot be the other side's: a time that a time.Time cannot hold, a string that is
// too long. No part of the other records is wrong; which of them have been stored is not defined.
type ValueError struct {
	Record int          // its index, in C order
	Path   string       // the field of the dtype, dotted
	GoPath string       // that of the Go struct
	DType  dtype.Type   // of one value
	GoType reflect.Type // of one value
	Err    error        // what is wrong
}

// Error returns one line with the record, the field on both sides and what is wrong.
func (e *ValueError) Error() string {
	return fmt.Sprintf("record: field %s (%s) of record %d and Go field %s (%s): %v", e.Path, e.DType, e.Record, e.GoPath, e.GoType, e.Err)
}

// Unwrap returns what is wrong.
func (e *ValueError) Unwrap() error { return e.Err }
