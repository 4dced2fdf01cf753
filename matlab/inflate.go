package matlab

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zlib"
)

// zlibSum is the checksum of a compressed variable.
const zlibSum = "Adler-32"

// maxRatio is the most bytes that a byte of DEFLATE stands for, rounded up.
const maxRatio = 1033

// An inflated is the contents of a zlib stream as an io.ReaderAt. Reads that follow each other are decompressed in one
// pass, other reads from the start of the stream.
type inflated struct {
	m    *Reader
	at   int64 // of the stream in the file
	n    int64 // its length
	size int64 // of the contents, as their first tag says

	need  atomic.Int64 // the end of the last elements of the variable, or size
	sound atomic.Bool  // the checksum was verified
}

// A cursor is a position in a stream.
type cursor struct {
	of  *inflated
	in  *bufio.Reader // the compressed data
	z   io.ReadCloser
	pos int64
}

// cursors can read on. All variables of a file share a few, since each takes 150 KB.
type cursors struct {
	mu   sync.Mutex
	list []*cursor // the oldest first
	free []*cursor // whose memory is for other variables
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
		c.spare(c.list[0])
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, x)
}

// drop keeps the memory of a cursor at the end of its stream.
func (c *cursors) drop(x *cursor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare(x)
}

func (c *cursors) spare(x *cursor) {
	if len(c.free) < maxIdle {
		c.free = append(c.free, x)
	}
}

// start returns a cursor at the start of a stream.
func (c *cursors) start(of *inflated) (*cursor, error) {
	data := io.NewSectionReader(of.m.r, of.at, of.n)
	c.mu.Lock()
	defer c.mu.Unlock()
	k := len(c.free) - 1
	if k < 0 {
		x := &cursor{of: of, in: bufio.NewReaderSize(data, 64<<10)}
		var err error
		x.z, err = zlib.NewReader(x.in)
		return x, err
	}
	x := c.free[k]
	c.free = c.free[:k]
	x.of, x.pos = of, 0
	x.in.Reset(data)
	return x, x.z.(zlib.Resetter).Reset(x.in, nil)
}

// ReadAt implements io.ReaderAt. With the last element it verifies the checksum.
func (f *inflated) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.readAt(p, off)
	if err == nil && off+int64(n) >= f.need.Load() {
		if err = f.check(); err != nil {
			n = 0 // readers ignore an error that comes with all bytes
		}
	}
	return n, err
}

// unchecked is an inflated whose checksum is not verified: what a variable is can be told although its data is damaged.
type unchecked struct{ *inflated }

// ReadAt implements io.ReaderAt.
func (f unchecked) ReadAt(p []byte, off int64) (int, error) { return f.readAt(p, off) }

func (f *inflated) readAt(p []byte, off int64) (int, error) {
	c, err := f.seek(off)
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(c.z, p)
	if c.pos += int64(n); err != nil && n < len(p) {
		return n, f.fail(c.pos, err)
	}
	f.m.idle.keep(c)
	return n, nil
}

// seek returns a cursor at a position.
func (f *inflated) seek(pos int64) (*cursor, error) {
	if err := f.m.r.Check(); err != nil {
		return nil, err
	}
	c := f.m.idle.take(f, pos)
	if c == nil {
		var err error
		if c, err = f.m.idle.start(f); err != nil {
			return nil, f.fail(0, err)
		}
	}
	skipped, err := io.CopyN(io.Discard, c.z, pos-c.pos)
	if c.pos += skipped; err != nil {
		return nil, f.fail(c.pos, err)
	}
	return c, nil
}

// check verifies the checksum, and that the stream has the bytes that its tags say: neither fewer nor more. If it
// succeeds, all that was read is sound.
func (f *inflated) check() error {
	if f.sound.Load() {
		return nil
	}
	c, err := f.seek(f.size)
	if err != nil {
		return err
	}
	switch n, err := io.ReadFull(c.z, make([]byte, 1)); {
	case n > 0:
		return f.fail(f.size, fmt.Errorf("the stream is longer than the %d bytes of the variable", f.size))
	case err != io.EOF:
		return f.fail(f.size, err)
	}
	after, err := io.ReadAll(io.LimitReader(c.in, maxPadding+1))
	if err != nil {
		return f.fail(f.size, err)
	}
	if len(after) > maxPadding || len(bytes.Trim(after, "\x00")) > 0 {
		return f.fail(f.size, errors.New("bytes follow the end of the stream"))
	}
	f.sound.Store(true)
	f.m.idle.drop(c)
	return nil
}

// maxPadding is the most zeros that may follow a stream, to the next multiple of eight bytes.
const maxPadding = 7

func (f *inflated) fail(pos int64, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{Offset: f.at, Err: fmt.Errorf("byte %d of the decompressed variable: %w", pos, err)}
}

// checkedNodes returns a function that gives the members of a variable. If the checksum is wrong, none of them can be read.
func (f *inflated) checkedNodes(members func() ([]*node, error)) func() ([]*node, error) {
	return func() ([]*node, error) {
		nodes, err := members()
		damage := f.check()
		for _, n := range nodes {
			if damage != nil && n.Err == nil {
				n.Err = named(damage, n.Path)
			}
		}
		return nodes, cmp.Or(err, damage)
	}
}
