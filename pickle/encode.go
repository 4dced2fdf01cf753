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

// An Encoder writes values as pickles: byte for byte those that CPython's own pickler makes of the same values. The zero
// Encoder is ready to use, also by several goroutines at once.
//
// A pickle that was read is written again as it was, provided that CPython wrote it with the same protocol: strings and
// containers keep their identity, what was shared stays shared. Besides the types that reading gives, all of Go's
// integers and floats are written.
type Encoder struct {
	// Protocol is the version of the format, 1 to 5, or Protocol0; 0 is 4, which Python 3.4 and newer read. Python 2 needs 2.
	Protocol int

	// Reduce is asked for values of types that this package does not know. It says how Python would make one, as
	// __reduce__ does there; nil says that it does not know either. A value that is a pointer may be found again inside
	// its own state: it is written as a reference then.
	Reduce func(v any) (*Object, error)

	// MaxShared limits the bytes of large ints that are written again: pickles written by Python have an int in each place
	// where it is used, so that a small one with a large int in many places would become any amount of bytes. 0 stands for
	// 64 MiB, a negative number for no limit. Ints of up to 1 KiB do not count.
	MaxShared int64
	// Rename, if not nil, is asked once for the name of each class and function, and returns what is written for it: g, or
	// another name, under which the reader of the pickle knows it.
	Rename func(g *Global) (*Global, error)
}

// An EncodeError says which value cannot be written, and why.
type EncodeError struct {
	Path   string // where it is, as one would write it in Python: [3]['x']; empty for the value itself
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

// Append appends v as a pickle to dst. The error is an [*EncodeError] for a value that no pickle can hold, and dst is
// then returned as it was.
func (e *Encoder) Append(dst []byte, v any) ([]byte, error) {
	p := newPickler(e, output{buf: dst})
	if err := p.dump(v); err != nil {
		return dst, err
	}
	return p.out.buf, nil
}

// Encode writes v as a pickle to w, in pieces of 64 KiB or more. Besides the errors of [Encoder.Append] there are those
// of w, as they are.
func (e *Encoder) Encode(w io.Writer, v any) error {
	return newPickler(e, output{w: w}).dump(v)
}

// A pickler writes one pickle. What is nested waits as tasks on a stack of its own, so that depth costs memory only.
type pickler struct {
	out      output
	protocol int
	reduce   func(v any) (*Object, error)
	rename   func(g *Global) (*Global, error)

	memo    memoTable
	globals map[Global]*Global // what is written for each name
	modules map[string]moduleName
	foreign map[reflect.Type]int // kinds for the types of pointers that Reduce knows
	kept    []*Object            // made on the way; kept, so that no other value gets their addresses

	large     map[*big.Int]bool // that were written
	again     int64             // bytes of those that were written again
	maxShared int64

	tasks   []task
	entered map[memoKey]int // how often each value that is memoised at its end is in progress; of deep stacks only
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

// protocolOf returns the protocol that a field for one says.
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
	runtime.KeepAlive(v) // the memo knows its parts by address only
	if err != nil {
		if e, ok := err.(*EncodeError); ok {
			e.Path = p.path()
		}
		return err
	}
	p.out.bytes(opStop)
	return p.out.finish()
}

// save writes a value, or begins to: what takes more than one step is left on the stack of tasks.
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

// saveShared writes a value that has an identity: once it is written, others refer to it.
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

// saveReduced writes a value that pickles have no opcode for, as the call that makes it.
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

// keep keeps what was made on the way until the end, so that no other value gets the same address.
func (p *pickler) keep(o *Object) *Object {
	p.kept = append(p.kept, o)
	return o
}

// refer writes a reference to what is memoised already, if it is.
func (p *pickler) refer(id memoKey) bool {
	n, ok := p.memo.find(id)
	if ok {
		p.out.get(n)
	}
	return ok
}

// memoize writes that the value on top of Python's stack is to be remembered, and does so here too, under the number it
// has there. Without a key nothing will refer to it.
func (p *pickler) memoize(id memoKey) {
	p.out.put(p.memo.add(id), p.protocol)
}

// goNumber returns a number of another of Go's types as one that pickles know.
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
