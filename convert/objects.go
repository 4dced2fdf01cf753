package convert

import (
	"fmt"
	"math"
	"reflect"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/identity"
	"github.com/npygo/npy/internal/jsontext"
)

// formats holds the functions that write the plain values within an element of one array. They are numbered as [plainValue] is.
type formats struct {
	elem.Texts
	objects []elem.FormatFunc // by number; nil where the dtype is not |O, and nil as a whole if there are no objects
	next    int               // the next number, for callers that request all functions in order
}

// formatsOf returns the formats for an array. write appends the text of one object.
func formatsOf(c content, x elem.Texts, write func(dst []byte, v any) ([]byte, error)) (*formats, error) {
	f := &formats{Texts: x}
	if !c.dtype.HasObject() {
		return f, nil
	}
	err := f.addObjects(c.array, write)
	return f, err
}

// addObjects adds functions for the objects in a, an array of elements or of one of their fields. Each function must be
// called once per value in C order, because it advances to the next object with each call.
func (f *formats) addObjects(a *npy.Array, write func(dst []byte, v any) ([]byte, error)) error {
	t := a.DType()
	switch {
	case t.Kind() == dtype.KindObject:
		flat, err := a.Reshape(-1)
		next := 0
		f.objects = append(f.objects, func(dst, _ []byte) ([]byte, error) {
			v := flat.Object(next) // and no copy of all objects
			next++
			return write(dst, v)
		})
		return err
	case !t.IsStruct():
		f.objects = append(f.objects, nil)
		return nil
	}
	for _, field := range t.Fields() {
		view, err := a.Field(field.Name)
		if err == nil {
			err = f.addObjects(view, write)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// at returns the function for the plain value of dtype t with a given number.
func (f *formats) at(t dtype.Type, number int) (elem.FormatFunc, error) {
	if t.Kind() == dtype.KindObject && f.objects != nil {
		return f.objects[number], nil
	}
	return f.Formatter(t)
}

const (
	defaultDepth  = jsontext.Depth // the depth that can be read back
	defaultShared = 64 << 20
	sharedMin     = identity.Long
)

// An objectWriter writes Python objects with all their contents, as JSON or as cells of a table.
type objectWriter struct {
	texts    elem.Texts
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

func newObjectWriter(o WriteOptions) *objectWriter {
	w := &objectWriter{texts: o.texts(), maxDepth: o.MaxDepth, maxShared: o.MaxShared, inside: map[any]int{}, long: map[any]bool{}, again: -1}
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
func (w *objectWriter) enter(v any) (bool, error) {
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

func (w *objectWriter) leave(v any) {
	delete(w.inside, v)
	w.depth--
}

// count writes a value with do, and counts its text if it is long and was written before.
func (w *objectWriter) count(dst []byte, v any, do func(dst []byte, v any) ([]byte, error)) ([]byte, error) {
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
func (w *objectWriter) countEmpty(a *npy.Array) error {
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
