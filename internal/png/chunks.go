package png

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A chunks reads the chunks of a file in order.
type chunks struct {
	r    io.Reader
	at   int64 // bytes read so far
	name string
	rest uint32 // bytes of the chunk that are not read yet
	sum  uint32
	err  error // a checksum error, kept because a caller with all its bytes ignores the error of Read
}

func (c *chunks) fail(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{c.at, err}
}

func (c *chunks) read(p []byte) error {
	n, err := io.ReadFull(c.r, p)
	c.at += int64(n)
	if err != nil {
		return c.fail(err)
	}
	return nil
}

// next steps to the next chunk.
func (c *chunks) next() error {
	if c.err != nil {
		return c.err
	}
	var head [8]byte
	if err := c.read(head[:]); err != nil {
		return err
	}
	c.rest, c.name = binary.BigEndian.Uint32(head[:4]), string(head[4:])
	c.sum = crc32.ChecksumIEEE(head[4:])
	for _, b := range head[4:] {
		if b|0x20 < 'a' || b|0x20 > 'z' {
			return &Error{c.at - 4, fmt.Errorf("%q where the name of a chunk should be", c.name)}
		}
	}
	if c.rest > 1<<31-1 {
		return &Error{c.at - 8, fmt.Errorf("chunk %s of %d bytes, want at most 2147483647", c.name, c.rest)}
	}
	return nil
}

// Read reads from the chunk and checks its checksum at the end.
func (c *chunks) Read(p []byte) (int, error) {
	if c.rest == 0 {
		return 0, io.EOF
	}
	n, err := c.r.Read(p[:min(len(p), int(c.rest))])
	c.at += int64(n)
	c.rest -= uint32(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	switch {
	case c.rest == 0:
		return n, c.end()
	case err != nil:
		return n, c.fail(err)
	}
	return n, nil
}

// end reads the checksum after a chunk and checks it.
func (c *chunks) end() error {
	var b [4]byte
	if c.err = c.read(b[:]); c.err != nil {
		return c.err
	}
	if want := binary.BigEndian.Uint32(b[:]); want != c.sum {
		c.err = &Error{c.at - 4, fmt.Errorf("chunk %s has the checksum %08x, want %08x: it was damaged", c.name, want, c.sum)}
	}
	return c.err
}

// bytes reads a chunk of at most most bytes.
func (c *chunks) bytes(most int) ([]byte, error) {
	if int64(c.rest) > int64(most) {
		return nil, &Error{c.at - 8, fmt.Errorf("chunk %s of %d bytes, want at most %d", c.name, c.rest, most)}
	}
	if c.rest == 0 {
		return nil, c.end()
	}
	p := make([]byte, c.rest)
	_, err := io.ReadFull(c, p)
	if err != nil {
		return nil, c.fail(err)
	}
	return p, c.err
}

// skip reads a whole chunk only to check its checksum.
func (c *chunks) skip() error {
	if c.rest == 0 {
		return c.end()
	}
	return c.leave()
}

// leave reads the rest of a chunk, if any.
func (c *chunks) leave() error {
	if _, err := io.Copy(io.Discard, c); err != nil {
		return c.fail(err)
	}
	return nil
}

// A pixelData is the contents of all IDAT chunks, which must be consecutive.
type pixelData struct{ *chunks }

func (d pixelData) Read(p []byte) (int, error) {
	for d.rest == 0 {
		if err := d.next(); err != nil {
			return 0, err
		}
		if d.name != "IDAT" {
			return 0, &Error{d.at - 8, fmt.Errorf("chunk %s where pixels should be: %w", d.name, io.ErrUnexpectedEOF)}
		}
		if d.rest == 0 {
			if err := d.end(); err != nil {
				return 0, err
			}
		}
	}
	return d.chunks.Read(p)
}
