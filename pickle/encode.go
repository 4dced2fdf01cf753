package pickle

import (
	"cmp"
	"io"
	"reflect"
	"runtime"
	"strconv"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle/internal/encoder"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// Protocol0 selects protocol 0 in [Encoder.Protocol], where 0 means the default.
const Protocol0 = -1

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

// Encode returns v as a pickle of protocol 4, as pickle.dumps(v, 4) does. It returns the errors of [Encoder.Append].
func Encode(v any) ([]byte, error) { return (&Encoder{}).Append(nil, v) }

// Append appends v as a pickle to dst. If a pickle cannot hold v, the error is an [*EncodeError] and dst is returned
// unchanged.
func (e *Encoder) Append(dst []byte, v any) ([]byte, error) {
	data, err := newPickler(e, dst, nil).dump(v)
	if err != nil {
		return dst, err
	}
	return data, nil
}

// Encode writes v as a pickle to w, in pieces of 64 KiB or more. It returns the errors of [Encoder.Append], and the
// errors of w unchanged.
func (e *Encoder) Encode(w io.Writer, v any) error {
	_, err := newPickler(e, nil, w).dump(v)
	return err
}

// newPickler returns a pickler that appends to dst, or writes to w.
func newPickler(e *Encoder, dst []byte, w io.Writer) *pickler {
	protocol := protocolOf(e.Protocol)
	return &pickler{
		out:      encoder.New(dst, w, protocol, limit64(e.MaxShared, 64<<20)),
		protocol: protocol,
		reduce:   e.Reduce,
		rename:   e.Rename,
		globals:  make(map[Global]*Global),
		modules:  make(map[string]moduleName),
		foreign:  make(map[reflect.Type]int),
		entered:  make(map[encoder.Key]int),
	}
}

// protocolOf returns the protocol that the Protocol field selects.
func protocolOf(field int) int {
	if field == Protocol0 {
		return 0
	}
	return cmp.Or(field, 4)
}

// dump writes a whole pickle, and returns the part that was not written to an io.Writer.
func (p *pickler) dump(v any) ([]byte, error) {
	if p.protocol < 0 || p.protocol > opcode.MaxProtocol {
		return nil, diag.Errorf("pickle", "protocol %d cannot be written: set Encoder.Protocol to 1, 2, 3, 4, 5 or Protocol0", p.protocol)
	}
	p.out.Start()
	err := p.save(v)
	for err == nil && len(p.tasks) > 0 {
		err = p.step()
	}
	runtime.KeepAlive(v) // the memo knows its keys by address only
	if err != nil {
		if e, ok := err.(*EncodeError); ok {
			e.Path = p.path()
		}
		return nil, err
	}
	return p.out.Finish()
}

// pathEnds is the number of steps of a path that are shown from each end.
const pathEnds = 8

// path returns the place of the value that was being written, in Python's notation where it has one; {2} is the third
// key of a dict or element of a set.
func (p *pickler) path() string {
	var path []byte
	for i := range p.tasks {
		switch {
		case i < pathEnds || i >= len(p.tasks)-pathEnds:
			path = p.tasks[i].appendPath(path)
		case i == pathEnds:
			path = append(path, "…"...)
		}
	}
	return string(path)
}

// appendPath appends the step from a value to the part that was being written.
func (t *task) appendPath(dst []byte) []byte {
	last := t.at - 1
	switch v := t.value.(type) {
	case *Dict:
		return appendKeyPath(dst, v.pairs, last)
	case *objectPairs:
		return appendKeyPath(dst, v.Pairs, last)
	case *Set, *FrozenSet:
		return appendIndex(dst, '{', last, '}')
	case *Object:
		return append(dst, [...]string{stageClass: ".class", stageArgs: ".args", stageKwargs: ".kwargs", stageState: ".state", stageBuild: ""}[last]...)
	}
	return appendIndex(dst, '[', last, ']')
}

func appendIndex(dst []byte, open byte, i int, end byte) []byte {
	return append(strconv.AppendInt(append(dst, open), int64(i), 10), end)
}

// appendKeyPath appends the step to a value of a dict, by its key, or to the key itself.
func appendKeyPath(dst []byte, pairs []Pair, i int) []byte {
	if i%2 == 0 {
		return appendIndex(dst, '{', i/2, '}')
	}
	key := Printer{MaxDepth: 2, MaxBytes: 40}
	return append(key.Append(append(dst, '['), pairs[i/2].Key), ']')
}
