package storage

import (
	"cmp"
	"io"
	"slices"

	"github.com/npygo/npy/internal/diag"
)

// A Span is a part of the file.
type Span struct{ At, Size int64 }

// An Output places data in a file. Addresses count from the end of the user block, and data begins at multiples of 8.
// It is for one goroutine at a time.
type Output struct {
	w    io.WriteSeeker
	base int64 // of address 0 in w
	End  int64 // the next free address
	pos  int64 // the address at which w is
	buf  []byte
	at   int64  // the address of buf
	Free []Span // places before the end that can be used
}

// outputBuffer is the number of bytes that are collected for one call of Write. Longer data is written by itself.
const outputBuffer = 128 << 10

// NewOutput returns an output that leaves room for a user block and places its first data after size bytes.
func NewOutput(w io.WriteSeeker, userBlock, size int) (*Output, error) {
	at, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, diag.Errorf("hdf5", "the addresses of the data are written last, but this writer cannot seek: %w", err)
	}
	return &Output{w: w, base: at + int64(userBlock), End: int64(size), pos: -int64(userBlock)}, nil
}

// ResumeOutput returns an output that goes on at the end of a file, and fills the free places before it.
func ResumeOutput(w io.WriteSeeker, base, end int64, free []Span) *Output {
	return &Output{w: w, base: base, End: end, pos: -base, Free: free}
}

// AlignedSize rounds a size up to a multiple of 8.
func AlignedSize(n int64) int64 { return (n + 7) &^ 7 }

// Reserve returns the address of n bytes that are to be written by WriteAt. The space after them, up to a multiple of 8,
// is to be written, too.
func (o *Output) Reserve(n int64) int64 {
	for i, s := range o.Free {
		if size := AlignedSize(n); s.Size >= size {
			o.Free[i] = Span{s.At + size, s.Size - size}
			return s.At
		}
	}
	at := o.End
	o.End += AlignedSize(n)
	return at
}

// Put writes data to the end of the file and returns its address.
func (o *Output) Put(data []byte) (uint64, error) {
	at := o.Reserve(int64(len(data)))
	return uint64(at), o.WritePadded(data, at)
}

// WritePadded writes data to an address, and zeros up to the next multiple of 8.
func (o *Output) WritePadded(data []byte, at int64) error {
	if err := o.WriteAt(data, at); err != nil {
		return err
	}
	return o.Pad(at + int64(len(data)))
}

// Pad writes zeros from an address to the next multiple of 8.
func (o *Output) Pad(at int64) error {
	return o.WriteAt(make([]byte, AlignedSize(at)-at), at)
}

// WriteAt writes data to an address.
func (o *Output) WriteAt(data []byte, at int64) error {
	if len(data) == 0 {
		return nil
	}
	direct := len(data) >= outputBuffer/2
	if direct || at != o.at+int64(len(o.buf)) || len(o.buf)+len(data) > outputBuffer {
		if err := o.Flush(); err != nil {
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

// Flush writes the buffered bytes.
func (o *Output) Flush() error {
	data := o.buf
	o.buf = o.buf[:0]
	if len(data) == 0 {
		return nil
	}
	return o.write(data, o.at)
}

func (o *Output) write(data []byte, at int64) error {
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

// SectorBytes is the size of the sectors of disks, which a power failure does not divide.
const SectorBytes = 512

// Within moves the end of the file, so that the bytes from low to high of the next data lie in one sector, if they can.
func (o *Output) Within(sector, low, high int) error {
	for at := o.End; at < o.End+int64(sector); at += 8 {
		if (o.base+at+int64(low))/int64(sector) == (o.base+at+int64(high)-1)/int64(sector) {
			gap := at - o.End
			return o.WriteAt(make([]byte, gap), o.Reserve(gap))
		}
	}
	return nil
}

// Merged returns places of the file in their order, with adjacent places merged.
func Merged(places []Span) []Span {
	slices.SortFunc(places, func(a, b Span) int { return cmp.Compare(a.At, b.At) })
	var out []Span
	for _, s := range places {
		switch last := len(out) - 1; {
		case s.Size == 0:
		case last >= 0 && out[last].At+out[last].Size == s.At:
			out[last].Size += s.Size
		default:
			out = append(out, s)
		}
	}
	return out
}
