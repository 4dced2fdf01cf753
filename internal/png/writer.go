package png

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"
)

// A Writer writes the rows of an image.
type Writer struct {
	header Header
	w      io.Writer
	pixels *zlib.Writer
	buf    []byte // the IDAT chunk that is being filled
	left   int    // rows still to be written
	prev   []byte
	trial  []byte
	best   []byte
	err    error
}

const (
	chunkSize = 1 << 16 // the length of IDAT chunks
	pieceSize = 1 << 18 // the most bytes of a row that are filtered at once
)

// NewWriter returns a Writer after writing the header of an image without interlacing or palette.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.Color == Palette || h.Interlaced {
		return nil, errors.New("palettes and interlaced images are only read")
	}
	e := &Writer{header: h, w: w, left: h.Height}
	n := h.rowBytes(h.Width)
	piece := min(n, pieceSize)
	e.prev, e.trial, e.best = make([]byte, n), make([]byte, piece), make([]byte, piece)
	e.pixels = zlib.NewWriter(idat{e})
	_, e.err = io.WriteString(w, signature)
	head := binary.BigEndian.AppendUint32(nil, uint32(h.Width))
	head = binary.BigEndian.AppendUint32(head, uint32(h.Height))
	e.chunk("IHDR", append(head, byte(h.Depth), byte(h.Color), 0, 0, 0))
	return e, e.err
}

func (e *Writer) chunk(name string, data []byte) {
	if e.err != nil {
		return
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	_, e.err = e.w.Write(b)
}

// An idat splits the compressed pixels into chunks.
type idat struct{ *Writer }

func (d idat) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), chunkSize-len(d.buf))
		d.buf, rest = append(d.buf, rest[:n]...), rest[n:]
		if len(d.buf) == chunkSize {
			d.chunk("IDAT", d.buf)
			d.buf = d.buf[:0]
		}
	}
	return len(p), d.err
}

// Write writes a row as stored in the file: 16-bit samples in big-endian order, single bits packed.
func (e *Writer) Write(row []byte) error {
	if e.err != nil {
		return e.err
	}
	if e.left == 0 || len(row) != len(e.prev) {
		return errors.New("a row that the image has no room for")
	}
	e.left--
	f := e.filter(row)
	_, e.err = e.pixels.Write([]byte{f})
	for from := 0; from < len(row) && e.err == nil; from += pieceSize {
		out := e.best
		if len(row) > pieceSize { // best is of another piece
			out = e.best[:min(pieceSize, len(row)-from)]
			applyFilter(f, out, row, e.prev, e.header.distance(), from)
		}
		_, e.err = e.pixels.Write(out)
	}
	copy(e.prev, row)
	return e.err
}

// filter returns the filter whose bytes, taken as signed, have the smallest sum of magnitudes: a good enough estimate of the
// compressed size. Rows of single bits are not filtered. The bytes of a row of one piece are in e.best then.
func (e *Writer) filter(row []byte) byte {
	first, last := byte(filterSub), byte(filterPaeth)
	if e.header.Depth < 8 {
		first, last = filterNone, filterNone
	}
	best, least := byte(0), -1
	for f := first; f <= last; f++ {
		n := 0
		for from := 0; from < len(row); from += pieceSize {
			out := e.trial[:min(pieceSize, len(row)-from)]
			applyFilter(f, out, row, e.prev, e.header.distance(), from)
			n += weight(out)
		}
		if least < 0 || n < least {
			best, least = f, n
			e.trial, e.best = e.best, e.trial
		}
	}
	return best
}

func weight(row []byte) int {
	n := 0
	for _, b := range row {
		n += abs(int(int8(b)))
	}
	return n
}

// applyFilter filters the bytes of a row from one on, as many as out has.
func applyFilter(f byte, out, row, prev []byte, distance, from int) {
	copy(out, row[from:])
	for at := range out {
		i := from + at
		var left, corner byte
		if i >= distance {
			left, corner = row[i-distance], prev[i-distance]
		}
		switch f {
		case filterSub:
			out[at] -= left
		case filterUp:
			out[at] -= prev[i]
		case filterAverage:
			out[at] -= byte((int(left) + int(prev[i])) / 2)
		case filterPaeth:
			out[at] -= paeth(left, prev[i], corner)
		}
	}
}

// Close writes everything after the pixels. It does not close the underlying writer.
func (e *Writer) Close() error {
	if e.err == nil && e.left > 0 {
		e.err = io.ErrShortWrite
	}
	if e.err != nil {
		return e.err
	}
	if err := e.pixels.Close(); err != nil {
		return err
	}
	if len(e.buf) > 0 {
		e.chunk("IDAT", e.buf)
	}
	e.chunk("IEND", nil)
	return e.err
}

// PackBits packs bytes, zero or not, into bits.
func PackBits(dst, row []byte) []byte {
	for len(row) > 0 {
		var b byte
		n := min(len(row), 8)
		for i, x := range row[:n] {
			if x != 0 {
				b |= 0x80 >> i
			}
		}
		dst, row = append(dst, b), row[n:]
	}
	return dst
}
