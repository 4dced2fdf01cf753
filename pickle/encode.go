package pickle

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"runtime"
)

// An Encoder writes values as pickles, byte for byte as CPython's own pickler writes the same values. The zero Encoder
// is ready to use, also by several goroutines at once.
//
// A decoded pickle is encoded to the same bytes, provided that CPython wrote it with the same protocol: strings and
// containers keep their identity, shared values stay shared. Besides the types that decoding gives, all of Go's
// integers and floats are written.
type Encoder struct {
	// Protocol is the version of the format, 1 to 5, or Protocol0. 0 means 4, which Python 3.4 and newer read. Python 2
	// needs 2.
	Protocol int

	// Reduce, if not nil, is called for values of types that this package does not know. It returns the call with which
	// Python would make the value, as __reduce__ does in Python, or nil if it does not know the type either. A value
	// that is a pointer may occur again inside its own state: it is written as a reference then.
	Reduce func(v any) (*Object, error)

	// MaxShared limits the bytes of large ints that are written again. Python writes an int in every place where it is
	// used, so that a small pickle with a large int in many places could become any size. 0 means 64 MiB, a negative
	// number means no limit. Ints of up to 1 KiB do not count.
	MaxShared int64
	// Rename, if not nil, is called once for each class and function, and returns the name to write: g, or another
	// name, under which the reader of the pickle knows it.
	Rename func(g *Global) (*Global, error)
}

// An EncodeError says which value cannot be written, and why.
type EncodeError struct {
	Path   string // the place in Python's notation: [3]['x']; empty for the value itself
	GoType string // its type in Go
	Err    error
}

// Error returns one line with the place, the type and the way out.
func (e *EncodeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("pickle: cannot write %s: %v", e.GoType, e.Err)
	}
	return fmt.Sprintf("pickle: cannot write %s at %s: %v", e.GoType, e.Path, e.Err)
}

// Unwrap returns the reason.
func (e *EncodeError) Unwrap() error { return e.Err }

// Encode returns v as a pickle of protocol 4, as pickle.dumps(v, 4) does. The errors are those of [Encoder.Append].
func Encode(v any) ([]byte, error) { return (&Encoder{}).Append(nil, v) }

// Append appends v as a pickle to dst. If a pickle cannot hold v, the error is an [*EncodeError] and dst is returned
// unchanged.
func (e *Encoder) Append(dst []byte, v any) ([]byte, error) {
	p := newPickler(e, output{buf: dst})
	if err := p.dump(v); err != nil {
		return dst, err
	}
	return p.out.buf, nil
}

// Encode writes v as a pickle to w, in pieces of 64 KiB or more. It returns the errors of [Encoder.Append], and the
// errors of w unchanged.
func (e *Encoder) Encode(w io.Writer, v any) error {
	return newPickler(e, output{w: w}).dump(v)
}

// A pickler writes one pickle. Nested values wait as tasks on a stack of its own, so that depth costs memory only.
type pickler struct {
	out      output
	protocol int
	reduce   func(v any) (*Object, error)
	rename   func(g *Global) (*Global, error)

	memo    memoTable
	globals map[Global]*Global // the name written for each global
	modules map[string]moduleName
	foreign map[reflect.Type]int // kinds for the pointer types that Reduce knows
	kept    []*Object            // values made while writing; kept, so that no other value gets their addresses

	large     map[*big.Int]bool // large ints that were written
	again     int64             // the bytes of ints written again
	maxShared int64

	tasks   []task
	entered map[memoKey]int // how often each value that is memoised at its end is in progress; counted on deep stacks only
}

// newPickler returns a pickler that writes to out.
func newPickler(e *Encoder, out output) *pickler {
	return &pickler{
		out:      out,
		protocol: protocolOf(e.Protocol),
		reduce:   e.Reduce,
		rename:   e.Rename,
		globals:  make(map[Global]*Global),
		modules:  make(map[string]moduleName),
		foreign:  make(map[reflect.Type]int),
		entered:  make(map[memoKey]int),

		large:     make(map[*big.Int]bool),
		maxShared: limit64(e.MaxShared, 64<<20),
	}
}

// protocolOf returns the protocol that the Protocol field selects.
func protocolOf(field int) int {
	if field == Protocol0 {
		return 0
	}
	return cmp.Or(field, 4)
}

// dump writes a whole pickle.
func (p *pickler) dump(v any) error {
	if p.protocol < 0 || p.protocol > maxProtocol {
		return fmt.Errorf("pickle: protocol %d cannot be written: set Encoder.Protocol to 1, 2, 3, 4, 5 or Protocol0", p.protocol)
	}
	p.out.text = p.protocol == 0
	if p.protocol >= 2 {
		p.out.bytes(opProto, byte(p.protocol))
	}
	p.out.startFraming(p.protocol >= 4)
	err := p.save(v)
	for err == nil && len(p.tasks) > 0 {
		err = p.step()
	}
	runtime.KeepAlive(v) // the memo knows its keys by address only
	if err != nil {
		if e, ok := err.(*EncodeError); ok {
			e.Path = p.path()
		}
		return err
	}
	p.out.bytes(opStop)
	return p.out.finish()
}

// save writes a value, or begins to: a value that takes more than one step is left on the stack of tasks.
func (p *pickler) save(v any) error {
	if err := p.out.boundary(); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		p.out.bytes(opNone)
	case bool:
		switch {
		case p.protocol < 2:
			p.saveBool(v)
		case v:
			p.out.bytes(opNewTrue)
		default:
			p.out.bytes(opNewFalse)
		}
	case int64:
		if p.protocol < 2 {
			p.saveOldInt(v)
		} else {
			p.out.int(v)
		}
	case float64:
		p.saveFloat(v)
	case *big.Int:
		return p.saveBig(v)
	default:
		return p.saveShared(v)
	}
	return nil
}

// saveShared writes a value that has an identity: its second occurrence is written as a reference.
func (p *pickler) saveShared(v any) error {
	id := memoKeyOf(v)
	if p.refer(id) {
		return nil
	}
	if id.address == 0 && id.kind <= kindPointer {
		return fail(v, errNoPointer)
	}
	switch v := v.(type) {
	case string:
		return p.saveString(v, id)
	case newStr:
		return p.saveString(string(v), memoKey{})
	case []byte:
		if p.protocol >= 3 {
			return p.saveBytes(v, id)
		}
	case *ByteArray:
		if p.protocol >= 5 {
			return p.saveByteArray(v, id)
		}
	case *List:
		p.empty(opEmptyList, opList)
		p.memoize(id)
		p.memo.expect(v.Items)
		p.push(v, len(v.Items))
		return nil
	case *Dict:
		p.empty(opEmptyDict, opDict)
		p.memoize(id)
		p.push(v, v.Len())
		return nil
	case *Set:
		if p.protocol >= 4 {
			p.out.bytes(opEmptySet)
			p.memoize(id)
			p.push(v, v.Len())
			return nil
		}
	case *FrozenSet:
		if p.protocol >= 4 {
			p.out.bytes(opMark)
			return p.enter(v, id)
		}
	case *Tuple:
		return p.saveTuple(v, id)
	case *Global:
		return p.saveGlobal(v)
	case Singleton:
		return p.saveGlobal(&Global{Module: "builtins", Name: string(v)})
	case *Object:
		return p.enterObject(v, id)
	}
	return p.saveReduced(v, id)
}

// saveReduced writes a value for which pickles have no opcode, as the call that makes it.
func (p *pickler) saveReduced(v any, id memoKey) error {
	if o, err := p.reduceKnown(v); err != nil {
		return fail(v, err)
	} else if o != nil {
		return p.enterObject(p.keep(o), id)
	}
	if n, ok := goNumber(v); ok {
		return p.save(n)
	}
	id = p.foreignKey(v)
	if p.refer(id) {
		return nil
	}
	var o *Object
	if p.reduce != nil {
		var err error
		if o, err = p.reduce(v); err != nil {
			return fail(v, err)
		}
	}
	if o == nil {
		return fail(v, errUnknownType)
	}
	return p.enterObject(p.keep(o), id)
}

// keep keeps a value made while writing alive until the end, so that no other value gets its address.
func (p *pickler) keep(o *Object) *Object {
	p.kept = append(p.kept, o)
	return o
}

// refer writes a reference to a memoised value, and reports whether it did.
func (p *pickler) refer(id memoKey) bool {
	n, ok := p.memo.find(id)
	if ok {
		p.out.get(n)
	}
	return ok
}

// memoize writes that the value on top of Python's stack goes into the memo, and enters it here under the same number.
// Without a key, nothing will refer to it.
func (p *pickler) memoize(id memoKey) {
	p.out.put(p.memo.add(id), p.protocol)
}

// goNumber converts Go's other integer and float types to one that pickles know.
func goNumber(v any) (any, bool) {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return r.Int(), true
	case r.CanUint():
		if n := r.Uint(); n > math.MaxInt64 {
			return new(big.Int).SetUint64(n), true
		}
		return int64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return nil, false
}
