// Package deflate compresses array data (RFC 1951) in independent pieces. Any number of pieces can be compressed at
// once. Concatenated they are one stream, and each can be decoded by itself.
//
// For every piece it takes the smaller of two results: a search for repetitions, which soon gives up in the noise of
// floating-point numbers, and Huffman codes alone, which exploit the order in their exponents.
package deflate

import (
	"slices"

	"github.com/klauspost/compress/flate"
)

// PieceSize is the number of bytes in a piece. It is large enough that starting without a window costs less than a
// thousandth, except for repeated rows of many kilobytes.
const (
	PieceSize = 1 << PieceBits
	PieceBits = 20
)

// Auto is the level that chooses a method for every piece.
const Auto = 0

// search is the level of Auto's search: the lowest that keeps more than one candidate for a match. Higher levels take
// three times as long, and gain 2 % for rounded numbers and less for other data.
const search = 6

// quick is the level for data that repeats itself almost everywhere, such as labels and masks of shapes: it is three
// times as fast there, and compresses as well. Such data is recognised by the first probe bytes of a piece, which then
// shrink to at most one fiftieth.
const (
	quick = 3
	probe = 32 << 10
)

// A Compressor compresses pieces. It is for one goroutine at a time. Several Compressors may work on one stream.
type Compressor struct {
	level   int
	out     appender
	spare   []byte
	writers map[int]*flate.Writer
}

// NewCompressor returns a Compressor with the given level: Auto, or 1 (fastest) to 9 (smallest).
func NewCompressor(level int) *Compressor {
	return &Compressor{level: level, writers: map[int]*flate.Writer{}}
}

// Append compresses a piece and appends it to dst. The last piece ends the stream; it may be empty.
func (c *Compressor) Append(dst, piece []byte, last bool) []byte {
	if c.level != Auto {
		return c.append(dst, piece, c.level, last)
	}
	level := search
	if len(piece) > probe {
		if c.spare = c.append(c.spare[:0], piece[:probe], quick, false); len(c.spare) <= probe/50 {
			level = quick
		}
	}
	found := c.append(dst, piece, level, last)
	if size := len(found) - len(dst); size <= len(piece)*3/4 {
		return found // it found repetitions, and codes the rest with Huffman codes
	}
	c.spare = c.append(c.spare[:0], piece, flate.HuffmanOnly, last)
	switch {
	case len(c.spare) >= len(found)-len(dst):
		return found
	case len(dst) == 0: // the usual case: swap the buffers
		found, c.spare = c.spare, found
		return found
	}
	return append(dst, c.spare...)
}

func (c *Compressor) append(dst, piece []byte, level int, last bool) []byte {
	w := c.writers[level]
	if w == nil {
		w, _ = flate.NewWriter(&c.out, level) // the level is valid
		c.writers[level] = w
	}
	c.out.b = slices.Grow(dst, len(piece)+len(piece)/256) // incompressible data is stored
	w.Reset(&c.out)
	_, _ = w.Write(piece) // an appender never fails
	if last {
		_ = w.Close()
	} else {
		_ = w.Flush()
	}
	dst, c.out.b = c.out.b, nil
	return dst
}

// An appender is a writer that appends to a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
