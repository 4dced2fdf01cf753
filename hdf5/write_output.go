package hdf5

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/internal/closable"
)

// An output places data in a file. Addresses count from the end of the user block, and data begins at multiples of 8.
// It is for one goroutine at a time.
type output struct {
	w    io.WriteSeeker
	base int64 // of address 0 in w
	end  int64 // the next free address
	pos  int64 // the address at which w is
	buf  []byte
	at   int64  // the address of buf
	free []span // places before the end that can be used
}

// outputBuffer is the number of bytes that are collected for one call of Write. Longer data is written by itself.
const outputBuffer = 128 << 10

// newOutput returns an output that leaves room for a user block and places its first data after size bytes.
func newOutput(w io.WriteSeeker, userBlock, size int) (*output, error) {
	at, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("hdf5: the addresses of the data are written last, but this writer cannot seek: %w", err)
	}
	return &output{w: w, base: at + int64(userBlock), end: int64(size), pos: -int64(userBlock)}, nil
}

// alignedSize rounds a size up to a multiple of 8.
func alignedSize(n int64) int64 { return (n + 7) &^ 7 }

// reserve returns the address of n bytes that are to be written by writeAt. The space after them, up to a multiple of 8,
// is to be written, too.
func (o *output) reserve(n int64) int64 {
	for i, s := range o.free {
		if size := alignedSize(n); s.size >= size {
			o.free[i] = span{s.at + size, s.size - size}
			return s.at
		}
	}
	at := o.end
	o.end += alignedSize(n)
	return at
}

// put writes data to the end of the file and returns its address.
func (o *output) put(data []byte) (uint64, error) {
	at := o.reserve(int64(len(data)))
	return uint64(at), o.writePadded(data, at)
}

// writePadded writes data to an address, and zeros up to the next multiple of 8.
func (o *output) writePadded(data []byte, at int64) error {
	if err := o.writeAt(data, at); err != nil {
		return err
	}
	return o.pad(at + int64(len(data)))
}

// pad writes zeros from an address to the next multiple of 8.
func (o *output) pad(at int64) error {
	return o.writeAt(make([]byte, alignedSize(at)-at), at)
}

// writeAt writes data to an address.
func (o *output) writeAt(data []byte, at int64) error {
	if len(data) == 0 {
		return nil
	}
	direct := len(data) >= outputBuffer/2
	if direct || at != o.at+int64(len(o.buf)) || len(o.buf)+len(data) > outputBuffer {
		if err := o.flush(); err != nil {
			return err
		}
		o.at = at
	}
	if direct {
		o.at = at + int64(len(data))
		return o.write(data, at)
	}
	if o.buf == nil {
		o.buf = make([]byte, 0, outputBuffer)
	}
	o.buf = append(o.buf, data...)
	return nil
}

// flush writes what is buffered.
func (o *output) flush() error {
	data := o.buf
	o.buf = o.buf[:0]
	if len(data) == 0 {
		return nil
	}
	return o.write(data, o.at)
}

func (o *output) write(data []byte, at int64) error {
	if at != o.pos {
		if _, err := o.w.Seek(o.base+at, io.SeekStart); err != nil {
			return err
		}
		o.pos = at
	}
	n, err := o.w.Write(data)
	o.pos += int64(n)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return err
}

var (
	errWriterClosed  = fmt.Errorf("hdf5: the file %w", closable.ErrClosed)
	errWriterAborted = fmt.Errorf("hdf5: the file %w", closable.ErrAborted)
)

// merged returns places of the file in their order, and those that touch as one.
func merged(places []span) []span {
	slices.SortFunc(places, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	var out []span
	for _, s := range places {
		switch last := len(out) - 1; {
		case s.size == 0:
		case last >= 0 && out[last].at+out[last].size == s.at:
			out[last].size += s.size
		default:
			out = append(out, s)
		}
	}
	return out
}
