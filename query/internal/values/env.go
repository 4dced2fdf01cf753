package values

import (
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
)

// Expressions are evaluated in blocks of rows. Each node of an expression turns a whole block into values, in buffers
// that it takes from its [Env] and gives back; only the innermost loops look at single values.

// PerBlock is the number of values in a block: few enough that the buffers of some nodes stay in the cache.
const PerBlock = 8192

// A Vec is the values of a block: one slice, by the class of the type. uint64 has its bits in ints.
type Vec struct {
	Mask      []uint8 // 0 or 1
	Ints      []int64
	Floats    []float64
	Complexes []complex128
	Texts     [][]byte
	Owned     bool // the slice goes back to the env; others belong to the file or to the node
}

// size returns the number of values.
func (v Vec) size() int {
	return len(v.Mask) + len(v.Ints) + len(v.Floats) + len(v.Complexes) + len(v.Texts)
}

// first returns the first n values.
func (v Vec) first(n int) Vec {
	switch {
	case v.Mask != nil:
		v.Mask = v.Mask[:n]
	case v.Ints != nil:
		v.Ints = v.Ints[:n]
	case v.Floats != nil:
		v.Floats = v.Floats[:n]
	case v.Complexes != nil:
		v.Complexes = v.Complexes[:n]
	case v.Texts != nil:
		v.Texts = v.Texts[:n]
	}
	return v
}

// A Batch is rows to evaluate: the rows themselves in C order, or the items of each column.
type Batch struct {
	First int64    // number of the first row
	N     int      // rows
	Raw   []byte   // the rows, unless there are Items
	Items [][]byte // of each column, instead of the rows
	Given [][]byte // the rows of the arrays that columns name by their numbers
}

// A load turns the n items of a column into values.
type load func(e *Env, s *columnState, items []byte, n int) Vec

// A columnState holds the items and values of a column in the current block.
type columnState struct {
	of     Column
	buf    []byte
	reader codec.Buffer
	bytes  []byte // items of the block, if they were gathered or read
	has    bool
	values Vec // of the block, if loaded
	loaded bool
	arena  []byte // of texts
}

// An Env holds the current block of rows and the buffers with which one goroutine evaluates an expression.
type Env struct {
	N       int    // rows in the block
	First   int64  // number of the first row
	raw     []byte // the rows, in C order; nil if the columns are read by themselves
	rowSize int    // bytes
	given   [][]byte
	Err     error // the first error of a row, a *RowError

	columns   []columnState
	constants map[any]Vec
	masks     [][]uint8
	ints      [][]int64
	floats    [][]float64
	complexes [][]complex128
	texts     [][][]byte
}

// NewEnv returns the buffers of an expression of these columns, for rows of rowSize bytes.
func NewEnv(columns []Column, rowSize int) *Env {
	e := &Env{rowSize: rowSize, columns: make([]columnState, len(columns)), constants: map[any]Vec{}}
	for i, col := range columns {
		e.columns[i].of = col
	}
	return e
}

// A RowError is an error of one row.
type RowError struct {
	Row int64
	Msg string
}

// Error implements error.
func (e *RowError) Error() string { return fmt.Sprintf("query: row %d: %s", e.Row, e.Msg) }

// Fail records an error at a row of the block.
func (e *Env) Fail(row int, format string, args ...any) {
	if e.Err == nil {
		e.Err = &RowError{e.First + int64(row), fmt.Sprintf(format, args...)}
	}
}

// Block begins a block of n rows of a batch, from row low of the batch on.
func (e *Env) Block(b Batch, low, n int) {
	e.First, e.N, e.raw = b.First+int64(low), n, nil
	if b.Raw != nil {
		e.raw = b.Raw[low*e.rowSize : (low+n)*e.rowSize]
	}
	e.given = e.given[:0]
	for _, rows := range b.Given {
		size := len(rows) / b.N
		e.given = append(e.given, rows[low*size:(low+n)*size])
	}
	for i := range e.columns {
		s := &e.columns[i]
		e.Release(s.values)
		s.values, s.loaded, s.has = Vec{}, false, b.Items != nil && s.of.Given == 0
		if s.has {
			size := s.of.Size()
			s.bytes = b.Items[i][low*size : (low+n)*size]
		}
	}
}

// ColumnBytes returns the items of a column in the block.
func (e *Env) ColumnBytes(id int) []byte {
	s := &e.columns[id]
	if !s.has {
		rows, size := e.raw, e.rowSize
		if i := s.of.Given; i > 0 {
			rows = e.given[i-1]
			size = len(rows) / e.N
		}
		s.bytes, s.has = s.of.bytes(&s.buf, rows, e.N, size), true
	}
	return s.bytes
}

// ColumnType returns the dtype of the items of a column.
func (e *Env) ColumnType(id int) dtype.Type { return e.columns[id].of.DType }

// An Item is a type of items that are compared as they are.
type Item interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// ColumnItems returns the items of a column in the block as numbers of their own type.
func ColumnItems[T Item](e *Env, id int) []T {
	s := &e.columns[id]
	return codec.View[T](&s.reader, e.ColumnBytes(id), !s.of.DType.IsNative())
}

// Constant returns the values of a constant in the block. make makes n of them, once for each key.
func (e *Env) Constant(key any, make func(n int) Vec) Vec {
	v, ok := e.constants[key]
	if !ok || v.size() < e.N {
		v = make(max(e.N, PerBlock))
		e.constants[key] = v
	}
	return v.first(e.N)
}

// columnValues returns the values of a column in the block. They stay with the column.
func (e *Env) columnValues(id int, t Type, load load) Vec {
	s := &e.columns[id]
	if !s.loaded {
		s.values, s.loaded = load(e, s, e.ColumnBytes(id), e.Values(t)), true
	}
	v := s.values
	v.Owned = false
	return v
}

// Values returns the number of values of type t in the block.
func (e *Env) Values(t Type) int { return e.N * t.Items() }

// NewVec returns memory for the values of type t in the block.
func (e *Env) NewVec(t Type) Vec {
	n := e.Values(t)
	switch t.Class {
	case Bool:
		return Vec{Mask: e.TakeMask(n), Owned: true}
	case Float:
		return Vec{Floats: e.TakeFloats(n), Owned: true}
	case Complex:
		return Vec{Complexes: e.TakeComplexes(n), Owned: true}
	case Str, Bytes:
		return Vec{Texts: e.TakeTexts(n), Owned: true}
	}
	return Vec{Ints: e.TakeInts(n), Owned: true}
}

// take returns n values of a free buffer.
func take[T any](free *[][]T, n int) []T {
	for i := len(*free) - 1; i >= 0; i-- {
		if b := (*free)[i]; cap(b) >= n {
			(*free)[i] = (*free)[len(*free)-1]
			*free = (*free)[:len(*free)-1]
			return b[:n]
		}
	}
	return make([]T, max(n, 64))[:n]
}

// TakeMask returns n bools in memory that can be seen as words.
func (e *Env) TakeMask(n int) []uint8 {
	if len(e.masks) == 0 {
		return bulk.Make(max(n, 64))[:n]
	}
	return take(&e.masks, n)
}

// TakeInts and the methods below return memory for n values.
func (e *Env) TakeInts(n int) []int64           { return take(&e.ints, n) }
func (e *Env) TakeFloats(n int) []float64       { return take(&e.floats, n) }
func (e *Env) TakeComplexes(n int) []complex128 { return take(&e.complexes, n) }
func (e *Env) TakeTexts(n int) [][]byte         { return take(&e.texts, n) }

// Release gives back the buffer of a vec.
func (e *Env) Release(v Vec) {
	switch {
	case !v.Owned:
	case v.Mask != nil:
		e.masks = append(e.masks, v.Mask)
	case v.Ints != nil:
		e.ints = append(e.ints, v.Ints)
	case v.Floats != nil:
		e.floats = append(e.floats, v.Floats)
	case v.Complexes != nil:
		e.complexes = append(e.complexes, v.Complexes)
	case v.Texts != nil:
		e.texts = append(e.texts, v.Texts)
	}
}
