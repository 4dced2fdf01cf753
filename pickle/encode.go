package pickle

import (
	"fmt"
	"io"
	"runtime"

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

// Encode returns v as a pickle of protocol 4, as pickle.dumps(v, 4) does. The errors are those of [Encoder.Append].
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

// dump writes a whole pickle, and returns what was not written to an io.Writer.
func (p *pickler) dump(v any) ([]byte, error) {
	if p.protocol < 0 || p.protocol > opcode.MaxProtocol {
		return nil, fmt.Errorf("pickle: protocol %d cannot be written: set Encoder.Protocol to 1, 2, 3, 4, 5 or Protocol0", p.protocol)
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
