package values

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/identity"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/pickle"
)

const (
	defaultDepth  = jsontext.Depth // the depth that can be read back
	defaultShared = 64 << 20
	sharedMin     = identity.Long
)

// An Objects writes Python objects with all their contents, as JSON or as cells of a table.
type Objects struct {
	ctx      context.Context
	Texts    elem.Texts
	maxDepth int
	depth    int
	inside   map[any]int // the containers being written, with their depths

	// A shared object is written in each place, which can take 2**n bytes for n lists. So long texts that were written
	// before are counted.
	long      map[any]bool // objects with long text written so far
	maxShared int64
	shared    int64
	again     int // start of the current text that was written before; -1 if there is none
}

// NewObjects returns a writer for the objects of one array.
func NewObjects(ctx context.Context, o options.Write) *Objects {
	w := &Objects{ctx: ctx, Texts: o.Texts(), maxDepth: o.MaxDepth, maxShared: o.MaxShared, inside: map[any]int{}, long: map[any]bool{}, again: -1}
	switch {
	case w.maxDepth == 0:
		w.maxDepth = defaultDepth
	case w.maxDepth < 0:
		w.maxDepth = math.MaxInt
	}
	switch {
	case w.maxShared == 0:
		w.maxShared = defaultShared
	case w.maxShared < 0:
		w.maxShared = math.MaxInt64
	}
	return w
}

// enter begins a container, and reports false if the container contains itself. leave ends the container.
func (w *Objects) enter(v any) (bool, error) {
	if _, ok := w.inside[v]; ok {
		return false, nil
	}
	if w.depth == w.maxDepth {
		return false, bounded.Over("MaxDepth", w.maxDepth, 0, "objects are nested deeper than MaxDepth %d", w.maxDepth)
	}
	w.depth++
	w.inside[v] = w.depth
	return true, nil
}

func (w *Objects) leave(v any) {
	delete(w.inside, v)
	w.depth--
}

// count writes a value with do, and counts its text if it is long and was written before.
func (w *Objects) count(dst []byte, v any, do func(dst []byte, v any) ([]byte, error)) ([]byte, error) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return dst, fmt.Errorf("a nil of type %T has no text", v)
	}
	id, start := identity.Of(v), len(dst)
	if w.again < 0 && w.long[id] {
		w.again = start
		defer func() { w.again = -1 }()
	}
	dst, err := do(dst, v)
	if err != nil {
		return dst, err
	}
	if id != nil && len(dst)-start > sharedMin {
		w.long[id] = true
	}
	if w.again < 0 {
		return dst, nil
	}
	again := w.shared + int64(len(dst)-w.again)
	if w.again == start {
		w.shared = again
	}
	if again > w.maxShared {
		return dst, bounded.Over("MaxShared", w.maxShared, 0, "over MaxShared %d bytes of text for objects that were written before", w.maxShared)
	}
	return dst, nil
}

// countEmpty counts the values without bytes of an array as text that was written before, because a shape can have any
// number of such values.
func (w *Objects) countEmpty(a *npy.Array) error {
	empty := elem.EmptyVolume(a.DType(), a.Shape(), a.NBytes())
	if empty <= 0 {
		return nil
	}
	if int64(empty) > w.maxShared-w.shared {
		return bounded.Over("MaxShared", w.maxShared, 0, "over MaxShared %d values without bytes in arrays", w.maxShared)
	}
	w.shared += int64(empty)
	return nil
}

// shortRepr returns Python's repr of an object whose repr is nearly always short. Its contents are not checked for
// sharing.
func shortRepr(v any) string { return (&pickle.Printer{MaxBytes: sharedMin}).Repr(v) }
