//go:build purego

package bulk

import "reflect"

func scatter[E any](s reflect.Value, first, n int, at Place, values []E) {
	scatterPlain(s, first, n, at, values)
}

func gather[E any](values []E, s reflect.Value, first, n int, at Place) {
	gatherPlain(values, s, first, n, at)
}

// Moves is never made without unsafe.
type Moves struct{}

// NewMoves reports false: without unsafe the memory of structs is not accessible.
func NewMoves(Place, int, int, []int, bool) (*Moves, bool) { return nil, false }

// NewWidening reports false, like NewMoves.
func NewWidening(Place, reflect.Kind, int, int, []int, bool) (*Moves, bool) { return nil, false }

// Load is never called.
func (*Moves) Load(reflect.Value, int, int, []byte) { panic("bulk: no memory without unsafe") }

// Store is never called.
func (*Moves) Store([]byte, reflect.Value, int, int) { panic("bulk: no memory without unsafe") }
