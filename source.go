package npy

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// A source is where the data of one array comes from, once its header is read.
type source struct {
	r     io.Reader   // in sequence; nil if at is set
	at    io.ReaderAt // anywhere
	pos   int64       // of the next byte of data in at
	avail int64       // how many bytes there are from pos on; -1 if nobody knows
	read  int64       // how many bytes have been read, for errors
	h     format.Header
}

// errShort reports data that ends early. have counts bytes of data.
func (s *source) errShort(have int64) error {
	err := fmt.Errorf("the data ends after %d of %d bytes: %w", have, s.h.NBytes(), io.ErrUnexpectedEOF)
	if size := int64(s.h.DType.ItemSize()); size > 0 {
		err = fmt.Errorf("the data ends after %d of %d bytes, within element %d of %d: %w",
			have, s.h.NBytes(), have/size, s.h.Size(), io.ErrUnexpectedEOF)
	}
	return &format.Error{Offset: s.h.DataOffset + have, Err: err}
}

// check compares what the header asks for with what is there, before anything is allocated.
func (s *source) check() error {
	if s.avail >= 0 && s.h.NBytes() > s.avail && !s.h.DType.HasObject() {
		return s.errShort(s.avail)
	}
	return nil
}

const (
	maxWorkers  = 4         // goroutines that read one file: beyond, the memory is the limit
	parallelMin = 8 << 20   // from this size on a second goroutine pays
	readPiece   = 1 << 20   // one read of a large file
	workPiece   = 256 << 10 // one read of data that is converted next, in the cache
)

// fill reads the next len(dst) bytes. Where work is set it is called for every piece as soon as that has been read, on
// several goroutines; pieces start at multiples of 256 KiB.
func (s *source) fill(dst []byte, work func(piece []byte)) error {
	if len(dst) == 0 {
		return nil
	}
	if s.at == nil {
		n, err := io.ReadFull(s.r, dst)
		s.read += int64(n)
		if err != nil {
			return s.fail(err, s.read)
		}
		if work != nil {
			work(dst)
		}
		return nil
	}
	err := s.fillAt(dst, work)
	s.pos += int64(len(dst))
	s.read += int64(len(dst))
	return err
}

// fail turns the error of a read into one that says where the data ended.
func (s *source) fail(err error, have int64) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return s.errShort(have)
	}
	return fmt.Errorf("npy: reading the data: %w", err)
}

// fillAt reads parts of a large buffer on several goroutines: the kernel's copy is what takes the time, and one core
// does not saturate the memory.
func (s *source) fillAt(dst []byte, work func(piece []byte)) error {
	return inParallel(len(dst), workPiece, len(dst), func(low, high int) error {
		return s.fillPart(dst[low:high], int64(low), work)
	})
}

// inParallel calls do for parts of 0 to n, which begin at multiples of unit, on as many goroutines as the work is worth:
// one if it is less than 8 MB.
func inParallel(n, unit, bytes int, do func(low, high int) error) error {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	if bytes < parallelMin {
		workers = 1
	}
	if workers == 1 {
		return do(0, n)
	}
	part := (n/workers + unit) / unit * unit
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		low, high := min(w*part, n), min((w+1)*part, n)
		wg.Go(func() { errs[w] = do(low, high) })
	}
	wg.Wait()
	for _, err := range errs { // the first in the order of the file
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *source) fillPart(dst []byte, offset int64, work func(piece []byte)) error {
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

// bytes reads all n bytes of the array into new memory, which is aligned for every element type.
func (s *source) bytes(n int, work func(piece []byte)) ([]byte, error) {
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

// objects reads an array of Python objects: of a file all that is needed, of a stream not one byte more.
func (s *source) objects(d Decoder) (*Array, error) {
	r, max := s.r, d.MaxBytes
	var section *io.SectionReader
	var buffered *bufio.Reader
	if s.at != nil {
		section = io.NewSectionReader(s.at, s.pos, s.avail)
		r = section
	}
	if max > 0 {
		r = &cappedReader{r: r, left: max, max: max}
	}
	if section != nil {
		buffered = bufio.NewReader(r)
		r = buffered
	}
	a, err := d.Objects.DecodeObjects(r, s.h)
	if err != nil {
		return nil, err
	}
	if section != nil {
		at, _ := section.Seek(0, io.SeekCurrent) // it cannot fail
		s.pos += at - int64(buffered.Buffered())
	}
	return a, nil
}

// A cappedReader fails with ErrLimit behind the bytes it may read.
type cappedReader struct {
	r         io.Reader
	left, max int64
}

func (c *cappedReader) Read(b []byte) (int, error) {
	if c.left == 0 && len(b) > 0 {
		return 0, fmt.Errorf("npy: the objects take more than MaxBytes %d: %w", c.max, ErrLimit)
	}
	n, err := c.r.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	return n, err
}

// openFile opens a file and reads its header. Small files take one read for the header and the data behind it.
func openFile(path string, d format.Decoder) (*os.File, *source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := openSource(f, d)
	if err == io.EOF {
		err = &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	if err != nil {
		f.Close()
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return f, s, nil
}

// openSource reads the header at the position of r and finds out how much data there is.
func openSource(r io.Reader, d format.Decoder) (*source, error) {
	if f, size := regularFile(r); size > 0 {
		return openRegular(f, size, d)
	}
	h, err := d.ReadHeader(r)
	if err != nil {
		return nil, err
	}
	s := &source{r: r, avail: -1, h: h}
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

// openRegular reads the header with one call where it is short, and leaves the data to ReadAt, which several
// goroutines can use.
func openRegular(f *os.File, size int64, d format.Decoder) (*source, error) {
	pos, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	b := make([]byte, headerPiece)
	n, err := f.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("npy: reading the header: %w", err)
	}
	b = b[:n]
	want, err := d.HeaderSize(b)
	if err != nil {
		return nil, err
	}
	if want > len(b) && n == headerPiece {
		if b, err = bounded.ReadAll(io.NewSectionReader(f, pos, size-pos), want); err != nil && err != io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("npy: reading the header: %w", err)
		}
	}
	h, err := d.ParseHeader(b)
	if err != nil {
		return nil, err
	}
	s := &source{at: f, pos: pos + h.DataOffset, h: h}
	s.avail = max(size-s.pos, 0)
	return s, s.check()
}

// finish moves a file's own position behind the data, so that the next array can be read from it.
func (s *source) finish() error {
	if f, ok := s.at.(*os.File); ok {
		_, err := f.Seek(s.pos, io.SeekStart)
		return err
	}
	return nil
}
