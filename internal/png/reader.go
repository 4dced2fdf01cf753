package png

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zlib"
	"github.com/npygo/npy/internal/bounded"
)

// A Reader reads the rows of an image.
type Reader struct {
	Header
	Skipped []string // names of the chunks that were skipped, each once

	chunks  *chunks
	palette [][4]byte
	hasPLTE bool
	alpha   bool     // the palette or the transparent colour gives alpha
	clear   []uint16 // the transparent colour; nil if there is none
	pixels  io.Reader
	row     []byte
	prev    []byte
	samples []byte
	passes  *passes // set for an interlaced image
	y       int
}

// NewReader returns a Reader after reading everything before the pixels.
func NewReader(r io.Reader) (*Reader, error) {
	d := &Reader{chunks: &chunks{r: bufio.NewReaderSize(bounded.Progress(r), 1<<16)}}
	head := make([]byte, len(signature))
	if err := d.chunks.read(head); err != nil {
		return nil, err
	}
	if string(head) != signature {
		return nil, &Error{0, fmt.Errorf("it begins with %q and is no PNG file", head)}
	}
	if err := d.header(); err != nil {
		return nil, err
	}
	for d.chunks.name != "IDAT" {
		if err := d.before(); err != nil {
			return nil, err
		}
	}
	if d.Color == Palette && !d.hasPLTE {
		return nil, d.chunks.fail(errors.New("pixels before the palette they need"))
	}
	data := pixelData{d.chunks}
	if data.rest == 0 { // an empty chunk: continue with the next
		if err := data.end(); err != nil {
			return nil, err
		}
	}
	z, err := zlib.NewReader(bufio.NewReader(data))
	if err != nil {
		return nil, d.chunks.fail(err)
	}
	d.pixels = z
	return d, nil
}

// header reads IHDR.
func (d *Reader) header() error {
	if err := d.chunks.next(); err != nil {
		return err
	}
	if d.chunks.name != "IHDR" {
		return &Error{int64(len(signature)), fmt.Errorf("chunk %s comes first, want IHDR", d.chunks.name)}
	}
	at := d.chunks.at
	b, err := d.chunks.bytes(13)
	if err != nil {
		return err
	}
	if len(b) < 13 {
		return &Error{at, fmt.Errorf("header of %d bytes, want 13", len(b))}
	}
	width, height := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	d.Header = Header{int(min(width, 1<<31-1)), int(min(height, 1<<31-1)), int(b[8]), int(b[9]), b[12] == 1}
	if width >= 1<<31 || height >= 1<<31 || b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return &Error{at, errors.New("a size, compression, filter method or interlacing that PNG has not")}
	}
	if err := d.check(); err != nil {
		return &Error{at, err}
	}
	return nil
}

// before reads a chunk that precedes the pixels.
func (d *Reader) before() error {
	if err := d.chunks.next(); err != nil {
		return err
	}
	at := d.chunks.at
	var err error
	switch d.chunks.name {
	case "IDAT":
		return nil
	case "PLTE":
		if d.Color != Palette {
			return d.other() // a palette suggested for displays of few colours
		}
		err = d.readPalette()
	case "tRNS":
		err = d.readAlpha()
	default:
		return d.other()
	}
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = &Error{at, err}
	}
	return err
}

// other skips an ancillary chunk and rejects a critical one.
func (d *Reader) other() error {
	name := d.chunks.name
	if name[0]&0x20 == 0 && name != "PLTE" {
		return d.chunks.fail(fmt.Errorf("chunk %s, which has to be understood and is not known here", name))
	}
	if !slices.Contains(d.Skipped, name) && len(d.Skipped) < 32 {
		d.Skipped = append(d.Skipped, name)
	}
	return d.chunks.skip()
}

func (d *Reader) readPalette() error {
	b, err := d.chunks.bytes(3 * 256)
	if err != nil {
		return err
	}
	if d.hasPLTE || len(b) == 0 || len(b)%3 != 0 || len(b)/3 > 1<<d.Depth {
		return fmt.Errorf("palette of %d bytes, want one of 3 for each of up to %d colours", len(b), 1<<d.Depth)
	}
	d.hasPLTE = true
	for c := range slices.Chunk(b, 3) {
		d.palette = append(d.palette, [4]byte{c[0], c[1], c[2], 0xff})
	}
	return nil
}

func (d *Reader) readAlpha() error {
	b, err := d.chunks.bytes(256)
	if err != nil {
		return err
	}
	switch want := 2 * d.Header.samples(); {
	case d.Color == Palette && len(b) <= len(d.palette):
		for i, a := range b {
			d.palette[i][3] = a
		}
	case (d.Color == Grey || d.Color == RGB) && len(b) == want:
		d.clear = nil
		for c := range slices.Chunk(b, 2) {
			d.clear = append(d.clear, binary.BigEndian.Uint16(c))
		}
	default:
		return fmt.Errorf("transparency of %d bytes does not go with colour type %d", len(b), d.Color)
	}
	d.alpha = true
	return nil
}

// Channels returns the number of samples per pixel of Next: 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGBA.
// Palettes count as RGB, transparency as alpha.
func (d *Reader) Channels() int {
	n := d.Header.samples()
	if d.Color == Palette {
		n = 3
	}
	if d.alpha {
		n++
	}
	return n
}

// IsBits reports whether the samples of Next are 0 and 1.
func (d *Reader) IsBits() bool { return d.Color == Grey && d.Depth == 1 && !d.alpha }

// Next returns the next row: one byte per sample, or two in big-endian order if Depth is 16. The row is valid until the
// next call. After the last row Next checks the rest of the image and returns io.EOF.
func (d *Reader) Next() ([]byte, error) {
	if d.y == d.Height {
		return nil, d.finish()
	}
	d.y++
	if d.Interlaced {
		if d.passes == nil {
			var err error
			if d.passes, err = d.readPasses(); err != nil {
				return nil, err
			}
		}
		return d.passes.row(d.y - 1), nil
	}
	if err := d.read(d.Width); err != nil {
		return nil, err
	}
	return d.expand(d.row, d.Width)
}

// read reads a row of width pixels as stored in the file.
func (d *Reader) read(width int) error {
	n := d.rowBytes(width)
	var filter [1]byte
	if _, err := io.ReadFull(d.pixels, filter[:]); err != nil {
		return d.chunks.fail(err)
	}
	d.row, d.prev = d.prev, d.row
	if err := d.fillRow(n); err != nil {
		return err
	}
	if len(d.prev) != n { // the first row
		d.prev = make([]byte, n)
	}
	if err := unfilter(filter[0], d.row, d.prev, d.distance()); err != nil {
		return d.chunks.fail(err)
	}
	return nil
}

// fillRow reads n bytes into memory that grows as they arrive.
func (d *Reader) fillRow(n int) (err error) {
	if len(d.row) == n {
		_, err = io.ReadFull(d.pixels, d.row)
	} else {
		d.row, err = bounded.ReadAll(d.pixels, n)
	}
	if err != nil {
		return d.chunks.fail(err)
	}
	return nil
}

// finish checks everything after the pixels.
func (d *Reader) finish() error {
	if d.chunks.name == "IEND" {
		return io.EOF
	}
	var b [1]byte
	if n, err := io.ReadFull(d.pixels, b[:]); n > 0 {
		return d.chunks.fail(errors.New("more pixels than the image has"))
	} else if err != io.EOF {
		return d.chunks.fail(err)
	}
	if err := d.chunks.leave(); err != nil {
		return err
	}
	for {
		if err := d.chunks.next(); err != nil {
			return err
		}
		switch d.chunks.name {
		case "IEND":
			if err := d.chunks.skip(); err != nil {
				return err
			}
			return io.EOF
		case "IDAT":
			if err := d.chunks.skip(); err != nil { // after the end of the compressed stream: the content is ignored
				return err
			}
		default:
			if err := d.other(); err != nil {
				return err
			}
		}
	}
}
