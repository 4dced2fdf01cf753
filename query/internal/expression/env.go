package expression

import (
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
)

// Expressions are evaluated in blocks of rows. Each node of an expression turns a whole block into values, in buffers
// that it takes from its [Env] and gives back; only the innermost loops look at single values.

// blockValues is the number of values in a block: few enough that the buffers of some nodes stay in the cache.
const blockValues = 8192

// A vec is the values of a block: one slice, by the class of the type. uint64 has its bits in ints.
type vec struct {
	mask      []uint8 // 0 or 1
	ints      []int64
	floats    []float64
	complexes []complex128
	texts     [][]byte
	owned     bool // the slice goes back to the env; others belong to the file or to the node
}

// size returns the number of values.
func (v vec) size() int {
	return len(v.mask) + len(v.ints) + len(v.floats) + len(v.complexes) + len(v.texts)
}

// first returns the first n values.
func (v vec) first(n int) vec {
	switch {
	case v.mask != nil:
		v.mask = v.mask[:n]
	case v.ints != nil:
		v.ints = v.ints[:n]
	case v.floats != nil:
		v.floats = v.floats[:n]
	case v.complexes != nil:
		v.complexes = v.complexes[:n]
	}
	return v
}

// A Batch is rows to evaluate: the rows themselves in C order, or the items of each column.
type Batch struct {
	First int64    // number of the first row
	N     int      // rows
	Raw   []byte   // the rows, or nil
	Items [][]byte // of each column, if Raw is nil
}

// A load turns the n items of a column into values.
type load func(e *Env, s *columnState, items []byte, n int) vec

// A columnState holds the items and values of a column in the current block.
type columnState struct {
	of     Column
	buf    []byte
	reader codec.Buffer
	bytes  []byte // items of the block, if they were gathered or read
	has    bool
	values vec // of the block, if loaded
	loaded bool
	arena  []byte // of texts
}

// An Env holds the current block of rows and the buffers with which one goroutine evaluates an expression.
type Env struct {
	n       int    // rows in the block
	first   int64  // number of the first row
	raw     []byte // the rows, in C order; nil if the columns are read by themselves
	rowSize int    // bytes
	err     error  // the first error of a row

	columns   []columnState
	constants map[*node]vec
	masks     [][]uint8
	ints      [][]int64
	floats    [][]float64
	complexes [][]complex128
	texts     [][][]byte
}

func newEnv(columns []Column, rowSize int) *Env {
	e := &Env{rowSize: rowSize, columns: make([]columnState, len(columns)), constants: map[*node]vec{}}
	for i, col := range columns {
		e.columns[i].of = col
	}
	return e
}

// fail records an error at a row of the block.
func (e *Env) fail(row int, format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("query: row %d: %s", e.first+int64(row), fmt.Sprintf(format, args...))
	}
}

// block begins a block of n rows of a batch, from row low of the batch on.
func (e *Env) block(b Batch, low, n int) {
	e.first, e.n, e.raw = b.First+int64(low), n, nil
	if b.Raw != nil {
		e.raw = b.Raw[low*e.rowSize : (low+n)*e.rowSize]
	}
	for i := range e.columns {
		s := &e.columns[i]
		e.release(s.values)
		s.values, s.loaded, s.has = vec{}, false, b.Raw == nil
		if s.has {
			size := s.of.Size()
			s.bytes = b.Items[i][low*size : (low+n)*size]
		}
	}
}

// columnBytes returns the items of a column in the block.
func (e *Env) columnBytes(id int) []byte {
	s := &e.columns[id]
	if !s.has {
		s.bytes, s.has = s.of.bytes(&s.buf, e.raw, e.n, e.rowSize), true
	}
	return s.bytes
}

// columnType returns the dtype of the items of a column.
func (e *Env) columnType(id int) dtype.Type { return e.columns[id].of.DType }

// An item is a type of items that are compared as they are.
type item interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// columnItems returns the items of a column in the block as numbers of their own type.
func columnItems[T item](e *Env, id int) []T {
	s := &e.columns[id]
	return codec.View[T](&s.reader, e.columnBytes(id), !s.of.DType.IsNative())
}

// constant returns the values of a constant node in the block. make makes n of them, once.
func (e *Env) constant(x *node, make func(n int) vec) vec {
	v, ok := e.constants[x]
	if !ok || v.size() < e.n {
		v = make(max(e.n, blockValues))
		e.constants[x] = v
	}
	return v.first(e.n)
}

// columnValues returns the values of a column in the block. They stay with the column.
func (e *Env) columnValues(id int, t typ, load load) vec {
	s := &e.columns[id]
	if !s.loaded {
		s.values, s.loaded = load(e, s, e.columnBytes(id), e.values(t)), true
	}
	v := s.values
	v.owned = false
	return v
}

// values returns the number of values of a node in the block.
func (e *Env) values(t typ) int { return e.n * t.items() }

// newVec returns memory for the values of type t in the block.
func (e *Env) newVec(t typ) vec {
	n := e.values(t)
	switch t.class {
	case boolValue:
		return vec{mask: e.takeMask(n), owned: true}
	case floatValue:
		return vec{floats: e.takeFloats(n), owned: true}
	case complexValue:
		return vec{complexes: e.takeComplexes(n), owned: true}
	case strValue, bytesValue:
		return vec{texts: e.takeTexts(n), owned: true}
	}
	return vec{ints: e.takeInts(n), owned: true}
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

// takeMask returns n bools in memory that can be seen as words.
func (e *Env) takeMask(n int) []uint8 {
	if len(e.masks) == 0 {
		return bulk.Make(max(n, 64))[:n]
	}
	return take(&e.masks, n)
}

func (e *Env) takeInts(n int) []int64           { return take(&e.ints, n) }
func (e *Env) takeFloats(n int) []float64       { return take(&e.floats, n) }
func (e *Env) takeComplexes(n int) []complex128 { return take(&e.complexes, n) }
func (e *Env) takeTexts(n int) [][]byte         { return take(&e.texts, n) }

// release gives back the buffer of a vec.
func (e *Env) release(v vec) {
	switch {
	case !v.owned:
	case v.mask != nil:
		e.masks = append(e.masks, v.mask)
	case v.ints != nil:
		e.ints = append(e.ints, v.ints)
	case v.floats != nil:
		e.floats = append(e.floats, v.floats)
	case v.complexes != nil:
		e.complexes = append(e.complexes, v.complexes)
	case v.texts != nil:
		e.texts = append(e.texts, v.texts)
	}
}
