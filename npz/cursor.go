package npz

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy/internal/zipfile"
)

// A cursor is a position in a member that can only be decompressed in sequence. A Reader keeps the cursor of the last
// read of a Source, so that parts that follow each other are decompressed in one pass.
type cursor struct {
	*checkedReader
	pos   int64  // in the decompressed data
	ahead []byte // the data at pos, as far as it was decompressed
}

// Read reads on from pos. The caller adds to pos.
func (c *cursor) Read(p []byte) (int, error) {
	if len(c.ahead) > 0 {
		n := copy(p, c.ahead)
		c.ahead = c.ahead[n:]
		return n, nil
	}
	return c.checkedReader.Read(p)
}

// peek returns the next n bytes without reading on.
func (c *cursor) peek(n int) ([]byte, error) {
	b := make([]byte, n)
	k, err := io.ReadFull(c, b)
	c.ahead = b[:k:k]
	return c.ahead, err
}

// cursorAt returns a cursor at position low of a member: the one of the last read if it is not past low, else a new one.
func (z *Reader) cursorAt(ctx context.Context, e *zipfile.Entry, offset, low int64) (*cursor, error) {
	c := z.idle.Swap(nil)
	if c != nil && (c.e != e || c.pos > low) {
		c.Close()
		c = nil
	}
	if c == nil {
		r, err := z.checkedStream(e, offset)
		if err != nil {
			return nil, err
		}
		c = &cursor{checkedReader: r}
	}
	n, err := io.CopyN(io.Discard, untilDone{ctx, c}, low-c.pos)
	if c.pos += n; err != nil {
		c.Close()
		if err == io.EOF {
			err = errEarly(c.pos, e.Size)
		}
		return nil, err
	}
	return c, nil
}

// peekStart returns the first n bytes of a member and keeps the cursor for the elements after them.
func (z *Reader) peekStart(e *zipfile.Entry, offset int64, n int) ([]byte, error) {
	c, err := z.cursorAt(context.Background(), e, offset, 0)
	if err != nil {
		return nil, err
	}
	b, err := c.peek(n)
	if err != nil {
		c.Close()
		return nil, err
	}
	z.keepCursor(c)
	return b, nil
}

// readCursor reads n bytes and, with more, keeps c for the next read. At the end of the member it verifies the checksum.
func (z *Reader) readCursor(ctx context.Context, c *cursor, n int, more bool) ([]byte, error) {
	data, err := readAligned(untilDone{ctx, c}, n)
	return data, z.leaveCursor(c, n, more, err)
}

// leaveCursor keeps or closes c after n bytes have been read, and returns the error of that or of the end of the member.
func (z *Reader) leaveCursor(c *cursor, n int, more bool, err error) error {
	if c.pos += int64(n); err == nil && c.pos == c.e.Size {
		err = c.end()
	}
	if err == nil && c.pos < c.e.Size && more {
		z.keepCursor(c)
	} else {
		c.Close()
	}
	return err
}

// errEarly is the error of data that ends before its size.
func errEarly(have, want int64) error {
	return fmt.Errorf("it ends after %d of %d bytes: %w", have, want, io.ErrUnexpectedEOF)
}

// keepCursor keeps c for the next read and closes the one that was kept before. After [Reader.Close] it keeps none.
func (z *Reader) keepCursor(c *cursor) {
	if old := z.idle.Swap(c); old != nil {
		old.Close()
	}
	if c != nil && z.r.Check() != nil {
		z.keepCursor(nil)
	}
}

// An untilDone is an io.Reader that ends with the cause of a context that is done.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}
