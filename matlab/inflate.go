package matlab

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// maxRatio is the most bytes that a byte of DEFLATE stands for, rounded up.
const maxRatio = 1033

// An inflated is the contents of a zlib stream as an io.ReaderAt. Reads that follow each other are decompressed in one
// pass, other reads from the start of the stream.
type inflated struct {
	m    *Reader
	at   int64 // of the stream in the file
	n    int64 // its length
	size int64 // of the contents, as their first tag says
	name string
}

// A cursor is a position in a stream.
type cursor struct {
	of  *inflated
	z   io.ReadCloser
	pos int64
}

// cursors are those that can read on. All variables of a file share a few, since each takes 150 KB.
type cursors struct {
	mu   sync.Mutex
	list []*cursor // the oldest first
}

const maxIdle = 4

// take returns the cursor at or the nearest before a position.
func (c *cursors) take(of *inflated, pos int64) *cursor {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := -1
	for i, x := range c.list {
		if x.of == of && x.pos <= pos && (best < 0 || x.pos > c.list[best].pos) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	x := c.list[best]
	c.list = slices.Delete(c.list, best, best+1)
	return x
}

func (c *cursors) keep(x *cursor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) == maxIdle {
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, x)
}

// ReadAt implements io.ReaderAt. With the last byte it verifies the checksum.
func (f *inflated) ReadAt(p []byte, off int64) (int, error) { return f.readAt(p, off, true) }

// unchecked is an inflated whose checksum is not verified: what a variable is can be told although its data is damaged.
type unchecked struct{ *inflated }

// ReadAt implements io.ReaderAt.
func (f unchecked) ReadAt(p []byte, off int64) (int, error) { return f.readAt(p, off, false) }

func (f *inflated) readAt(p []byte, off int64, check bool) (int, error) {
	if err := f.m.r.Check(); err != nil {
		return 0, err
	}
	c := f.m.idle.take(f, off)
	if c == nil {
		z, err := zlib.NewReader(bufio.NewReaderSize(io.NewSectionReader(f.m.r, f.at, f.n), 64<<10))
		if err != nil {
			return 0, f.fail(0, err)
		}
		c = &cursor{of: f, z: z}
	}
	skipped, err := io.CopyN(io.Discard, c.z, off-c.pos)
	if c.pos += skipped; err != nil {
		return 0, f.fail(c.pos, err)
	}
	n, err := io.ReadFull(c.z, p)
	if c.pos += int64(n); err != nil && n < len(p) {
		return n, f.fail(c.pos, err)
	}
	if c.pos+8 <= f.size {
		f.m.idle.keep(c)
		return n, nil
	}
	if !check {
		return n, nil
	}
	if _, err := io.CopyN(io.Discard, c.z, f.size-c.pos+1); err != nil && err != io.EOF { // padding, and the checksum
		return 0, f.fail(c.pos, err)
	}
	return n, nil
}

func (f *inflated) fail(pos int64, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{f.name, f.at, fmt.Errorf("byte %d of the decompressed variable: %w", pos, err)}
}
