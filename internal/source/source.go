// Package source reads the elements of one array from a file or a stream, once its header has been checked: as they are,
// or as Go values that a function makes of them. Large files are read by several goroutines.
//
// Memory is only taken for what is there. Where nobody knows how much that is, it grows with what has arrived.
package source

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// A Source is where the data of one array comes from, once its header is read.
type Source struct {
	Header format.Header

	r     io.Reader   // in sequence; nil if at is set
	at    io.ReaderAt // anywhere
	pos   int64       // of the next byte of data in at
	avail int64       // how many bytes there are from pos on; -1 if nobody knows
	read  int64       // how many bytes have been read, for errors
}

// ErrShort reports that the elements of h end early, after have bytes.
func ErrShort(h format.Header, have int64) error {
	err := fmt.Errorf("the data ends after %d of %d bytes: %w", have, h.NBytes(), io.ErrUnexpectedEOF)
	if size := int64(h.DType.ItemSize()); size > 0 {
		err = fmt.Errorf("the data ends after %d of %d bytes, within element %d of %d: %w",
			have, h.NBytes(), have/size, h.Size(), io.ErrUnexpectedEOF)
	}
	return &format.Error{Offset: h.DataOffset + have, Err: err}
}

// check compares what the header asks for with what is there, before anything is allocated.
func (s *Source) check() error {
	if s.avail >= 0 && s.Header.NBytes() > s.avail && !s.Header.DType.HasObject() {
		return ErrShort(s.Header, s.avail)
	}
	return nil
}

// CheckSize makes sure that the elements take no more than limit bytes, if that is positive, and can be addressed.
func (s *Source) CheckSize(limit int64) error { return CheckSize(s.Header.NBytes(), limit) }

// CheckSize makes sure that n bytes of elements are no more than limit, if that is positive, and can be addressed.
func CheckSize(n, limit int64) error {
	switch {
	case limit > 0 && n > limit:
		return fmt.Errorf("npy: %d bytes of elements are over MaxBytes %d: %w", n, limit, bounded.ErrLimit)
	case n > math.MaxInt:
		return fmt.Errorf("npy: %d bytes of elements are more than this machine can address: %w", n, bounded.ErrLimit)
	}
	return nil
}

// InCOrder reports whether the elements come in C order: the file says so, or at most one dimension is not 1.
func (s *Source) InCOrder() bool {
	return !s.Header.FortranOrder || s.isLine()
}

// InFortranOrder reports whether the elements come in Fortran order.
func (s *Source) InFortranOrder() bool { return s.Header.FortranOrder || s.isLine() }

// isLine reports whether at most one dimension is not 1, so that both orders are the same.
func (s *Source) isLine() bool {
	long := 0
	for _, n := range s.Header.Shape {
		if n != 1 {
			long++
		}
	}
	return long <= 1
}

const (
	readPiece = 1 << 20   // one read of a large file
	workPiece = 256 << 10 // one read of data that is converted next, in the cache
)

// fill reads the next len(dst) bytes. Where work is set it is called for every piece as soon as that has been read, on
// several goroutines; pieces start at multiples of 256 KiB.
func (s *Source) fill(dst []byte, work func(piece []byte)) error {
	if len(dst) == 0 {
		return nil
	}
	if s.at == nil {
		n, err := bounded.ReadFull(s.r, dst)
		s.read += int64(n)
		if err != nil {
			return s.fail(err, s.read)
		}
		if work != nil {
			work(dst)
		}
		return nil
	}
	var err error
	if len(dst) <= workPiece {
		err = s.fillPart(dst, 0, work)
	} else {
		err = s.fillAt(dst, work)
	}
	s.pos += int64(len(dst))
	s.read += int64(len(dst))
	return err
}

// fail turns the error of a read into one that says where the data ended.
func (s *Source) fail(err error, have int64) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrShort(s.Header, have)
	}
	return fmt.Errorf("npy: reading the data: %w", err)
}

// fillAt reads parts of a large buffer on several goroutines: the kernel's copy is what takes the time, and one core
// does not saturate the memory.
func (s *Source) fillAt(dst []byte, work func(piece []byte)) error {
	return par.Split(context.Background(), len(dst), workPiece, len(dst), func(low, high int) error {
		return s.fillPart(dst[low:high], int64(low), work)
	})
}

func (s *Source) fillPart(dst []byte, offset int64, work func(piece []byte)) error {
	size := readPiece
	if work != nil {
		size = workPiece
	}
	for len(dst) > 0 {
		piece := dst[:min(size, len(dst))]
		n, err := s.at.ReadAt(piece, s.pos+offset)
		if n < len(piece) {
			return s.fail(err, s.read+offset+int64(n))
		}
		if work != nil {
			work(piece)
		}
		dst, offset = dst[len(piece):], offset+int64(len(piece))
	}
	return nil
}

// Bytes reads the elements as they are, into new memory, which is aligned for every element type.
func (s *Source) Bytes() ([]byte, error) { return s.bytes(int(s.Header.NBytes()), nil) }

// bytes reads the next n bytes into new memory.
func (s *Source) bytes(n int, work func(piece []byte)) ([]byte, error) {
	if s.avail >= 0 {
		dst := bulk.MakeDirty(n)
		bulk.AdviseHuge(dst)
		if err := s.fill(dst, work); err != nil {
			return nil, err // not memory that holds anything
		}
		return dst, nil
	}
	var dst []byte
	have := 0
	for _, size := range bounded.Sizes(n, bounded.First) {
		grown := bulk.MakeDirty(size)
		copy(grown, dst[:have])
		dst = grown
		if err := s.fill(dst[have:], work); err != nil {
			return nil, err
		}
		have = size
	}
	return dst, nil
}

// payloadBuffer is how much Payload reads at once: a whole frame of a pickle, which has 64 KB or a little more, has to lie
// in the buffer, and what was read should still be in the cache.
const payloadBuffer = 128 << 10

// Payload calls read with a reader of what stands behind the header and has no size that is known: of a file, or of bytes
// in memory, it may take more than it needs; of a stream every byte it takes is gone. Reading more than limit bytes is an
// error, if that is positive. The reader has a method Len, as bytes.Reader has, if it is known how much is there.
func (s *Source) Payload(limit int64, read func(r io.Reader) error) error {
	r := s.r
	if s.at != nil {
		r = io.NewSectionReader(s.at, s.pos, s.avail)
	}
	seeker, ok := r.(io.Seeker)
	if !ok || s.avail < 0 {
		return read(capped(r, limit))
	}
	buffered := bufio.NewReaderSize(capped(r, limit), int(min(s.avail, payloadBuffer)))
	if err := read(payload{buffered, s.avail}); err != nil {
		return err
	}
	at, err := seeker.Seek(-int64(buffered.Buffered()), io.SeekCurrent)
	if s.at != nil {
		s.pos += at
	}
	return err
}

// A payload is what Payload gives to read.
type payload struct {
	*bufio.Reader
	avail int64
}

// Len returns how many bytes there are at most.
func (p payload) Len() int { return int(min(p.avail, math.MaxInt)) }

// capped returns r, or a reader that fails with ErrLimit behind the bytes it may read.
func capped(r io.Reader, limit int64) io.Reader {
	if limit <= 0 {
		return r
	}
	return &cappedReader{r: r, left: limit, limit: limit}
}

type cappedReader struct {
	r           io.Reader
	left, limit int64
}

func (c *cappedReader) Read(b []byte) (int, error) {
	if c.left == 0 && len(b) > 0 {
		return 0, fmt.Errorf("npy: the objects take more than MaxBytes %d: %w", c.limit, bounded.ErrLimit)
	}
	n, err := c.r.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	return n, err
}

// notEmpty makes of the end of a stream of arrays what it is for a file that should have one.
func notEmpty(err error) error {
	if err == io.EOF {
		return &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	return err
}

// Open reads the header at the position of r and finds out how much data there is.
func Open(r io.Reader, d format.Decoder) (*Source, error) {
	if f, size := regularFile(r); size > 0 {
		return openRegular(f, size, d)
	}
	h, err := d.ReadHeader(r)
	if err != nil {
		return nil, err
	}
	s := &Source{Header: h, r: r, avail: -1}
	if r, ok := r.(interface{ Len() int }); ok { // bytes.Reader, bytes.Buffer, strings.Reader
		s.avail = int64(r.Len())
	}
	return s, s.check()
}

// regularFile returns the file that r is, and its size; 0 for everything that cannot be read at any place. Files of
// /proc say 0 too, whatever they hold.
func regularFile(r io.Reader) (*os.File, int64) {
	f, ok := r.(*os.File)
	if !ok {
		return nil, 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0
	}
	return f, info.Size()
}

// headerPiece is what is read of a file at first: more than the header of nearly every file.
const headerPiece = 1024

// openRegular reads the header at the position of f and leaves the data to ReadAt, which several goroutines can use.
func openRegular(f *os.File, size int64, d format.Decoder) (*Source, error) {
	pos, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	return openPiece(f, pos, size, d)
}

// OpenAt reads the header at the start of r, which has so many bytes.
func OpenAt(r io.ReaderAt, size int64, d format.Decoder) (*Source, error) {
	s, err := openPiece(r, 0, size, d)
	return s, notEmpty(err)
}

// openPiece reads the header at pos, with one call where it is short.
func openPiece(r io.ReaderAt, pos, size int64, d format.Decoder) (*Source, error) {
	b := make([]byte, min(max(size-pos, 0), headerPiece))
	n, err := r.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("npy: reading the header: %w", err)
	}
	return openAt(r, b[:n], pos, size, d)
}

// openAt takes the header from b, which is what stands at pos, and from what follows if it is longer.
func openAt(r io.ReaderAt, b []byte, pos, size int64, d format.Decoder) (*Source, error) {
	want, err := d.HeaderSize(b)
	if err != nil {
		return nil, err
	}
	if want > len(b) && int64(len(b)) < size-pos {
		if b, err = bounded.ReadAll(io.NewSectionReader(r, pos, size-pos), want); err != nil && err != io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("npy: reading the header: %w", err)
		}
	}
	h, err := d.ParseHeader(b)
	if err != nil {
		return nil, err
	}
	return over(r, pos, size, h)
}

// Over returns the elements that h describes, which begin in r at h.DataOffset. r has size bytes.
func Over(r io.ReaderAt, size int64, h format.Header) (*Source, error) { return over(r, 0, size, h) }

func over(r io.ReaderAt, pos, size int64, h format.Header) (*Source, error) {
	s := &Source{Header: h, at: r, pos: pos + h.DataOffset}
	s.avail = max(size-s.pos, 0)
	return s, s.check()
}

// Finish moves a file's own position behind the data, so that the next array can be read from it.
func (s *Source) Finish() error {
	if f, ok := s.at.(*os.File); ok {
		_, err := f.Seek(s.pos, io.SeekStart)
		return err
	}
	return nil
}
