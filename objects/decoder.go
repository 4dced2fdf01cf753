package objects

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle"
)

// A Decoder reads the elements of object arrays, for the field Objects of [npy.Decoder]. The zero Decoder is safe for
// untrusted files. Several goroutines may use a Decoder at once.
type Decoder struct {
	// Pickle has the limits and the hooks of the pickle reader. Its Construct is called for classes that are not
	// NumPy's.
	Pickle pickle.Decoder

	// MaxStruct limits the bytes of struct arrays with objects in one file: their elements may take more memory than
	// bytes in the file. 0 means 256 MiB, a negative number means no limit.
	MaxStruct int64
}

const (
	defaultMaxStruct = 256 << 20
	emptyMax         = 1 << 20 // elements without bytes that are written
)

// OfCompressed returns a Decoder for compressed data. The function read returns the number of compressed bytes that have been read:
// see the field Compressed of [pickle.Decoder]. Packages that decompress call OfCompressed, as npz does.
func (d Decoder) OfCompressed(read func() int64) npy.ObjectDecoder {
	outer := d.Pickle.Compressed
	d.Pickle.Compressed = read
	if outer != nil { // compressed twice
		d.Pickle.Compressed = func() int64 { return min(outer(), read()) }
	}
	return d
}

// DecodeObjects implements [npy.ObjectDecoder]. The array is the one in the pickle, as in NumPy, which ignores the
// shape and the order in the header. If the pickle holds another value, the array has dtype |O, no dimensions, and that
// value as its element.
//
// The error for an invalid file is a [*format.Error] with its offset; errors of limits wrap [npy.ErrLimit].
func (d Decoder) DecodeObjects(r io.Reader, h format.Header) (*npy.Array, error) {
	watch := newWatch(r)
	if r, ok := r.(interface{ Len() int }); ok && d.Pickle.SizeHint == 0 {
		d.Pickle.SizeHint = min(h.Size(), r.Len()) // each element takes a byte or more
	}
	v, gen, err := d.decode(watch.reader())
	if err != nil {
		return nil, located(err, h.DataOffset)
	}
	top := origin{protocol: watch.protocol(), gen: gen}
	a, ok := v.(*npy.Array)
	if !ok {
		if a, err = npy.FromObjects([]any{v}, []int{}...); err != nil {
			return nil, err
		}
		if h.DType.IsValid() { // the pickle is the rest of the file
			h.Shape = slices.Clone(h.Shape)
			top.bare = &bare{h}
		}
		return a.WithOrigin(&top), nil
	}
	if o, ok := a.Origin().(*origin); ok {
		protocol := top.protocol
		top = *o
		top.protocol = protocol
		if top.gen = generationOfCall(o.made); top.gen == nil {
			top.gen = gen
		}
		*a = *a.WithOrigin(&top)
	}
	return a, nil
}

// Decode reads one pickle without a header and returns its value, with NumPy's classes as types of this package. It
// takes no byte after the pickle from r; at the end of r it returns io.EOF.
func (d Decoder) Decode(r io.Reader) (any, error) {
	v, _, err := d.decode(r)
	return v, err
}

// decode is Decode. It also returns the generation of the first call that shows one, nil if none does.
func (d Decoder) decode(r io.Reader) (any, *generation, error) {
	room := d.MaxStruct
	if room == 0 {
		room = defaultMaxStruct
	}
	hooks := &reader{next: d.Pickle.Construct, room: room}
	begin := d.Pickle.Begin
	p := d.Pickle
	p.Construct = hooks.construct
	p.SetState = hooks.state
	p.Begin = func(charge func(n int64) error) {
		hooks.charge = charge
		if begin != nil {
			begin(charge)
		}
	}
	v, err := p.Decode(r)
	return v, hooks.gen, err
}

// located adds the offset in the file to an error of the pickle.
func located(err error, offset int64) error {
	if err == io.EOF {
		return &format.Error{Offset: offset, Err: fmt.Errorf("no pickle follows the header: %w", io.ErrUnexpectedEOF)}
	}
	var e *pickle.Error
	if !errors.As(err, &e) {
		return err
	}
	inner := e.Err
	if e.Op != "" {
		inner = fmt.Errorf("pickle opcode %s: %w", e.Op, e.Err)
	}
	return &format.Error{Offset: offset + e.Offset, Err: inner}
}

// A reader constructs NumPy's objects of one pickle.
type reader struct {
	next   func(*pickle.Object) (any, bool, error)
	room   int64               // the remaining bytes of structs; negative without a limit
	charge func(n int64) error // charges for work on values that a pickle can use again
	gen    *generation
}

// construct makes the value of a call of one of NumPy's functions.
func (r *reader) construct(o *pickle.Object) (v any, ok bool, err error) {
	if r.gen == nil {
		r.gen = generationOfCall(o)
	}
	if o.How == pickle.Call || o.How == pickle.Instance {
		v, ok, err = r.make(o)
	}
	if !ok && err == nil && r.next != nil {
		return r.next(o)
	}
	return v, ok, err
}

// make is construct for NumPy's values.
func (r *reader) make(o *pickle.Object) (v any, ok bool, err error) {
	switch functionOf(o.Class) {
	case makeArray:
		if a, ok := newArray(o); ok {
			return a, true, nil
		}
		return nil, false, nil
	case makeFromBuffer:
		v, err = r.fromBuffer(o)
	case makeDType:
		v, err = r.newDType(o)
	case makeStringType:
		v, err = newStringDType(o)
	case makeScalar:
		v, err = r.newScalar(o)
	case makeMasked:
		v, err = newMasked(o)
	default:
		return nil, false, nil
	}
	return v, err == nil, err
}

// state gives a value its state.
func (r *reader) state(v, state any) error {
	switch v := v.(type) {
	case *npy.Array:
		return r.setState(v, state)
	case *DType:
		return r.setDType(v, state)
	case *MaskedArray:
		return r.setMasked(v, state)
	}
	return malformed("%T takes no state", v)
}

// expand takes the memory of an array of structs from the remaining bytes.
func (r *reader) expand(n int64) error {
	if r.room < 0 {
		return nil
	}
	if n > r.room {
		return bounded.Over("MaxStruct", 0, n, "structs with objects take %d bytes, %d are left of MaxStruct", n, r.room)
	}
	r.room -= n
	return nil
}

func overLimit(n int) error {
	return diag.Wrap("objects", bounded.Over("", emptyMax, n, "%d elements of 0 bytes are over %d", n, emptyMax))
}
