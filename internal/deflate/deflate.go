// Package deflate compresses array data (RFC 1951) in pieces that do not depend on each other: any number of them can be
// compressed at once, one after the other they are a stream, and each can be decoded by itself.
//
// It chooses for every piece between a search for repetitions, which finds nothing in the noise of floating-point numbers
// and takes most of the time, and Huffman codes alone, which find what there is in their exponents.
package deflate

import (
	"bytes"

	"github.com/klauspost/compress/flate"
)

// PieceSize is the number of bytes that are compressed by themselves: large enough that the start without a window costs
// less than a thousandth.
const PieceSize = 1 << 20

// Auto is the level that chooses for every piece.
const Auto = 0

// A Compressor compresses pieces. It is for one goroutine at a time; a stream may be made by many.
type Compressor struct {
	level   int
	out     bytes.Buffer
	writers map[int]*flate.Writer
}

// NewCompressor returns a Compressor of a level: Auto, or 1 (fastest) to 9 (smallest).
func NewCompressor(level int) *Compressor {
	return &Compressor{level: level, writers: map[int]*flate.Writer{}}
}

// Append compresses a piece and appends it to dst. The last piece of a stream, which may be empty, ends it.
func (c *Compressor) Append(dst, piece []byte, last bool) []byte {
	level := c.level
	if level == Auto {
		level = c.choose(piece)
	}
	c.out.Reset()
	w := c.writer(level)
	w.Write(piece) // a bytes.Buffer takes everything
	if last {
		w.Close()
	} else {
		w.Flush()
	}
	return append(dst, c.out.Bytes()...)
}

// writer returns a writer of a level that writes to c.out. Each takes about a megabyte, so they are kept.
func (c *Compressor) writer(level int) *flate.Writer {
	w := c.writers[level]
	if w == nil {
		w, _ = flate.NewWriter(&c.out, level) // the levels are ours
		c.writers[level] = w
	}
	w.Reset(&c.out)
	return w
}

const (
	search     = 6        // the level at which klauspost/compress begins to weigh matches against each other
	sampleSize = 16 << 10 // what is compressed both ways to see which is better
)

// choose returns the level for a piece: it compresses a sample from its middle in both ways.
func (c *Compressor) choose(piece []byte) int {
	sample := piece
	if len(piece) > 2*sampleSize {
		start := len(piece) / 2 &^ 7
		sample = piece[start : start+sampleSize]
	}
	if c.sizeOf(sample, search) < c.sizeOf(sample, flate.HuffmanOnly)*31/32 {
		return search
	}
	return flate.HuffmanOnly
}

func (c *Compressor) sizeOf(sample []byte, level int) int {
	c.out.Reset()
	w := c.writer(level)
	w.Write(sample)
	w.Close()
	return c.out.Len()
}
