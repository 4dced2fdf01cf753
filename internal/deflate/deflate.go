// Package deflate compresses array data (RFC 1951) in pieces that do not depend on each other: any number of them can be
// compressed at once, one after the other they are a stream, and each can be decoded by itself.
//
// It takes for every piece the smaller of two ways: a search for repetitions, which soon gives up in the noise of
// floating-point numbers, and Huffman codes alone, which find what order there is in their exponents.
package deflate

import (
	"slices"

	"github.com/klauspost/compress/flate"
)

// PieceSize is the number of bytes that are compressed by themselves: large enough that the start without a window costs
// less than a thousandth, but for rows of many kilobytes that are repeated.
const (
	PieceSize = 1 << PieceBits
	PieceBits = 20
)

// Auto is the level that chooses for every piece.
const Auto = 0

// search is the level of Auto's search: the first that keeps more than one candidate for a match. Higher ones take three
// times as long and gain 2 % of rounded numbers, and less elsewhere.
const search = 6

// quick is the level for what repeats itself almost everywhere, such as labels and masks of shapes: it is three times as
// fast there, and no worse. It shows in the first probe bytes of a piece, which then take at most one fiftieth.
const (
	quick = 3
	probe = 32 << 10
)

// A Compressor compresses pieces. It is for one goroutine at a time; a stream may be made by many.
type Compressor struct {
	level   int
	out     appender
	spare   []byte
	writers map[int]*flate.Writer
}

// NewCompressor returns a Compressor of a level: Auto, or 1 (fastest) to 9 (smallest).
func NewCompressor(level int) *Compressor {
	return &Compressor{level: level, writers: map[int]*flate.Writer{}}
}

// Append compresses a piece and appends it to dst. The last piece of a stream, which may be empty, ends it.
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
		return found // it found repetitions, and has Huffman codes for the rest
	}
	c.spare = c.append(c.spare[:0], piece, flate.HuffmanOnly, last)
	switch {
	case len(c.spare) >= len(found)-len(dst):
		return found
	case len(dst) == 0: // the usual case, in which they change places
		found, c.spare = c.spare, found
		return found
	}
	return append(dst, c.spare...)
}

func (c *Compressor) append(dst, piece []byte, level int, last bool) []byte {
	w := c.writers[level]
	if w == nil {
		w, _ = flate.NewWriter(&c.out, level) // the levels are ours
		c.writers[level] = w
	}
	c.out.b = slices.Grow(dst, len(piece)+len(piece)/256) // what does not compress is stored
	w.Reset(&c.out)
	_, _ = w.Write(piece) // an appender takes everything
	if last {
		_ = w.Close()
	} else {
		_ = w.Flush()
	}
	dst, c.out.b = c.out.b, nil
	return dst
}

// An appender is a writer to a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
