package query

import (
	"fmt"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
)

// Expressions are evaluated in blocks of rows. Each node of an expression turns a whole block into values, in buffers
// that it takes from its [env] and gives back; only the loops in kernels.go and its neighbours look at single values.

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

// A node is an expression that has been checked.
type node struct {
	typ
	x        *expr
	constant any              // the value of a constant: bool, *big.Int, float64, complex128, string, []byte, or none
	isConst  bool             // it has no type until it meets one
	column   int              // the number of a column, or -1
	eval     func(e *env) vec // the values of the rows of e
}

// An env is what one goroutine needs to evaluate a condition.
type env struct {
	c     *Condition
	n     int      // rows in the block
	first int64    // number of the first row
	raw   []byte   // the rows, in C order; nil if the columns are read by themselves
	items [][]byte // else, of the columns in the block
	chunk [][]byte // and in the chunk that it is part of
	err   error    // the first error of a row

	columns   []columnState
	constants map[*node]vec
	masks     [][]uint8
	ints      [][]int64
	floats    [][]float64
	complexes [][]complex128
	texts     [][][]byte
}

// A columnState is what an env keeps for a column.
type columnState struct {
	buf    []byte
	reader codec.Buffer
	bytes  []byte // of the block, if gathered
	values vec    // of the block, if loaded
	loaded bool
	has    bool
	arena  []byte // of texts
}

func newEnv(c *Condition) *env {
	return &env{c: c, columns: make([]columnState, len(c.columns)), constants: map[*node]vec{}}
}

// fail records an error at a row of the block.
func (e *env) fail(row int, format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("query: row %d: %s", e.first+int64(row), fmt.Sprintf(format, args...))
	}
}

// block begins a block of rows.
func (e *env) block(first int64, n int, raw []byte) {
	e.first, e.n, e.raw = first, n, raw
	for i := range e.columns {
		s := &e.columns[i]
		e.release(s.values)
		s.values, s.loaded, s.has = vec{}, false, false
	}
}

// columnBytes returns the items of a column in the block.
func (e *env) columnBytes(id int) []byte {
	s := &e.columns[id]
	if e.raw == nil {
		return e.items[id]
	}
	if !s.has {
		s.bytes, s.has = e.c.columns[id].bytes(&s.buf, e.raw, e.n, e.c.rowSize), true
	}
	return s.bytes
}

// columnValues returns the values of a column in the block. They stay with the column.
func (e *env) columnValues(id int, t typ, load load) vec {
	s := &e.columns[id]
	if !s.loaded {
		s.values, s.loaded = load(e, s, e.columnBytes(id), e.values(t)), true
	}
	v := s.values
	v.owned = false
	return v
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
func (e *env) takeMask(n int) []uint8 {
	if len(e.masks) == 0 {
		return bulk.Make(max(n, 64))[:n]
	}
	return take(&e.masks, n)
}

func (e *env) takeInts(n int) []int64           { return take(&e.ints, n) }
func (e *env) takeFloats(n int) []float64       { return take(&e.floats, n) }
func (e *env) takeComplexes(n int) []complex128 { return take(&e.complexes, n) }
func (e *env) takeTexts(n int) [][]byte         { return take(&e.texts, n) }

// release gives back the buffer of a vec.
func (e *env) release(v vec) {
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

// values returns the number of values of a node in the block.
func (e *env) values(t typ) int { return e.n * t.items() }

// fit evaluates a node, with as many values for each row as t has.
func (e *env) fit(x *node, t typ) vec { return e.spread(x.eval(e), x.typ, t) }

// spread repeats each value of v where it is the only one of its row, and rows of t have several.
func (e *env) spread(v vec, from, t typ) vec {
	k := t.items()
	if k == 1 || len(from.shape) > 0 {
		return v
	}
	defer e.release(v)
	switch {
	case v.mask != nil:
		return vec{mask: repeat(e.takeMask(len(v.mask)*k), v.mask, k), owned: true}
	case v.ints != nil:
		return vec{ints: repeat(e.takeInts(len(v.ints)*k), v.ints, k), owned: true}
	case v.floats != nil:
		return vec{floats: repeat(e.takeFloats(len(v.floats)*k), v.floats, k), owned: true}
	case v.complexes != nil:
		return vec{complexes: repeat(e.takeComplexes(len(v.complexes)*k), v.complexes, k), owned: true}
	}
	return vec{texts: repeat(e.takeTexts(len(v.texts)*k), v.texts, k), owned: true}
}

func repeat[T any](dst, src []T, k int) []T {
	for i, x := range src {
		for j := i * k; j < (i+1)*k; j++ {
			dst[j] = x
		}
	}
	return dst
}
