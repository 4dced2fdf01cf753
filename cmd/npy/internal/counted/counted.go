// Package counted reads streams and counts the bytes, for messages that say where.
package counted

import (
	"bufio"
	"bytes"
	"io"
)

// A Reader counts the bytes that have been read from it. Bytes that were only peeked at do not count.
type Reader struct {
	Count int64
	r     *bufio.Reader
}

// NewReader returns a Reader with a buffer of size bytes.
func NewReader(r io.Reader, size int) *Reader { return &Reader{r: bufio.NewReaderSize(r, size)} }

// Reset makes c read r from the start, with the buffer that it has.
func (c *Reader) Reset(r io.Reader) {
	c.r.Reset(r)
	c.Count = 0
}

// Read implements io.Reader.
func (c *Reader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.Count += int64(n)
	return n, err
}

// Peek is [bufio.Reader.Peek].
func (c *Reader) Peek(n int) ([]byte, error) { return c.r.Peek(n) }

// Buffered is [bufio.Reader.Buffered].
func (c *Reader) Buffered() int { return c.r.Buffered() }

// Discard is [bufio.Reader.Discard].
func (c *Reader) Discard(n int) (int, error) {
	n, err := c.r.Discard(n)
	c.Count += int64(n)
	return n, err
}

// A Recorder is a Reader that keeps the bytes read through it.
type Recorder struct {
	*Reader
	Kept bytes.Buffer
}

// Read implements io.Reader.
func (r *Recorder) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.Kept.Write(p[:n])
	return n, err
}

// Discard is [bufio.Reader.Discard].
func (r *Recorder) Discard(n int) (int, error) {
	m, err := io.CopyN(&r.Kept, r.Reader, int64(n))
	return int(m), err
}
