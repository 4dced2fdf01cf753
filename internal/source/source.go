// Package source reads the elements of one array from a file or a stream whose header has been checked: as bytes, or as
// Go values that a function decodes. Large files are read by several goroutines.
//
// Memory is allocated only for data that exists. If the size of the source is unknown, memory grows with the data that
// has arrived.
//
// Data takes one of three paths. Shared: the bytes are Go values but for their byte order, so they are read into the
// result and swapped while in the cache. Load: 256 KB at a time through a buffer, from which a function decodes.
// Fortran order (fortran.go): the file is cut into boxes (boxes.go) that stay in the cache of a core while their
// elements are moved to their places in C order.
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
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// A Source is the data of one array, after its header has been read.
type Source struct {
	Header format.Header

	r     io.Reader   // in sequence; nil if at is set
	at    io.ReaderAt // anywhere
	pos   int64       // of the next byte of data in at
	avail int64       // the number of bytes from pos on; -1 if unknown
	read  int64       // bytes read so far, for errors

	ctx     context.Context // of the reads of a file; nil for none
	workers int             // that read a file; 0 for the default
}

// Using sets the context of the reads at any offset, and the number of goroutines that make them, 0 for the default.
func (s *Source) Using(ctx context.Context, workers int) { s.ctx, s.workers = ctx, workers }

// split calls do for consecutive parts of the range 0 to n, which stand for a number of bytes, on several goroutines.
func (s *Source) split(n, unit, bytes int, do func(low, high int) error) error {
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	if s.workers == 0 || n == 0 {
		return par.Split(ctx, n, unit, bytes, do)
	}
	return par.SplitAmong(ctx, min(s.workers, n), n, unit, do)
}

// ended returns the error of a context that has ended.
func (s *Source) ended() error {
	if s.ctx != nil && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// ErrShort returns the error for elements that end early, after have bytes.
func ErrShort(h format.Header, have int64) error {
	return &format.Error{Offset: h.DataOffset + have, Err: &format.ShortError{Have: have, Want: h.NBytes(), ItemSize: h.DType.ItemSize()}}
}

// check compares the size in the header with the size of the source, before anything is allocated.
func (s *Source) check() error {
	if s.avail >= 0 && s.Header.NBytes() > s.avail && !s.Header.DType.HasObject() {
		return ErrShort(s.Header, s.avail)
	}
	return nil
}

// CheckSize checks that the elements take at most limit bytes, unless limit is 0 or less, and that they can be
// addressed.
func (s *Source) CheckSize(limit int64) error { return CheckSize(s.Header.NBytes(), limit) }

// CheckSize checks that n bytes of elements are at most limit, unless limit is 0 or less, and that they can be
// addressed.
func CheckSize(n, limit int64) error {
	switch {
	case limit > 0 && n > limit:
		return diag.Wrap("npy", bounded.Over("MaxBytes", limit, n, "%d bytes of elements are over MaxBytes %d", n, limit))
	case n > math.MaxInt:
		return diag.Wrap("npy", bounded.Over("", 0, 0, "%d bytes of elements are more than this machine can address", n))
	}
	return nil
}

// InCOrder reports whether the elements are in C order: the file says so, or at most one dimension is not 1.
func (s *Source) InCOrder() bool {
	return !s.Header.FortranOrder || s.isLine()
}

// InFortranOrder reports whether the elements are in Fortran order.
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

// fill reads the next len(dst) bytes. If work is not nil it is called for every piece once the piece has been read, on
// several goroutines. Pieces start at multiples of 256 KiB.
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

// fail adds to the error of a read where the data ended.
func (s *Source) fail(err error, have int64) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrShort(s.Header, have)
	}
	return diag.Errorf("npy", "reading the data: %w", err)
}

// fillAt reads parts of a large buffer on several goroutines: the copy in the kernel takes most of the time, and one
// core does not saturate the memory.
func (s *Source) fillAt(dst []byte, work func(piece []byte)) error {
	return s.split(len(dst), workPiece, len(dst), func(low, high int) error {
		return s.fillPart(dst[low:high], int64(low), work)
	})
}

func (s *Source) fillPart(dst []byte, offset int64, work func(piece []byte)) error {
	size := readPiece
	if work != nil {
		size = workPiece
	}
	for len(dst) > 0 {
		if err := s.ended(); err != nil {
			return err
		}
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

// Bytes reads the elements unchanged into new memory, which is aligned for every element type.
func (s *Source) Bytes() ([]byte, error) { return s.bytes(int(s.Header.NBytes()), nil) }

// bytes reads the next n bytes into new memory.
func (s *Source) bytes(n int, work func(piece []byte)) ([]byte, error) {
	if s.avail >= 0 {
		dst := bulk.MakeDirty(n)
		bulk.AdviseHuge(dst)
		if err := s.fill(dst, work); err != nil {
			return nil, err // do not return undefined memory
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

// payloadBuffer is the number of bytes that Payload reads at once. The buffer must hold a whole frame of a pickle, of
// 64 KB or slightly more, and should stay in the cache.
const payloadBuffer = 128 << 10

// Payload calls read with a reader of the data after the header, whose size is not known from the header. From a file
// or bytes in memory, read may consume more than it needs; bytes consumed from a stream are lost. Reading more than
// limit bytes is an error, unless limit is 0 or less. If the size of the data is known, the reader has a method Len,
// like bytes.Reader.
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

// A payload is the reader that Payload passes to read.
type payload struct {
	*bufio.Reader
	avail int64
}

// Len returns the most bytes that are left.
func (p payload) Len() int { return int(min(p.avail, math.MaxInt)) }

// capped returns r, or a reader that fails with ErrLimit after limit bytes.
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
		return 0, diag.Wrap("npy", bounded.Over("MaxBytes", c.limit, 0, "the objects take more than MaxBytes %d", c.limit))
	}
	n, err := c.r.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	return n, err
}

// notEmpty replaces io.EOF, which is the end of a stream of arrays, by the error for a file that must have an array.
func notEmpty(err error) error {
	if err == io.EOF {
		return &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	return err
}

// Open reads the header at the position of r and determines how much data follows.
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

// regularFile returns r as a file, and its size. The size is 0 for a source that cannot be read at any offset, and for
// files of /proc, whatever their contents.
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

// headerPiece is the size of the first read of a file: more than the header of nearly every file.
const headerPiece = 1024

// openRegular reads the header at the position of f. The data is read with ReadAt, which several goroutines can use.
func openRegular(f *os.File, size int64, d format.Decoder) (*Source, error) {
	pos, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	return openPiece(f, pos, size, d)
}

// OpenAt reads the header at the start of r, which has size bytes.
func OpenAt(r io.ReaderAt, size int64, d format.Decoder) (*Source, error) {
	s, err := openPiece(r, 0, size, d)
	return s, notEmpty(err)
}

// openPiece reads the header at pos, with one call if it is short.
func openPiece(r io.ReaderAt, pos, size int64, d format.Decoder) (*Source, error) {
	b := make([]byte, min(max(size-pos, 0), headerPiece))
	n, err := r.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil, diag.Errorf("npy", "reading the header: %w", err)
	}
	return openAt(r, b[:n], pos, size, d)
}

// openAt reads the header from b, the bytes at pos, and from the bytes after b if the header is longer.
func openAt(r io.ReaderAt, b []byte, pos, size int64, d format.Decoder) (*Source, error) {
	want, err := d.HeaderSize(b)
	if err != nil {
		return nil, err
	}
	if want > len(b) && int64(len(b)) < size-pos {
		if b, err = bounded.ReadAll(io.NewSectionReader(r, pos, size-pos), want); err != nil && err != io.ErrUnexpectedEOF {
			return nil, diag.Errorf("npy", "reading the header: %w", err)
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

// Finish moves the position of a file to the end of the data, so that the next array can be read from it.
func (s *Source) Finish() error {
	if f, ok := s.at.(*os.File); ok {
		_, err := f.Seek(s.pos, io.SeekStart)
		return err
	}
	return nil
}
