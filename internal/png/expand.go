package png

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// expand turns a row of n pixels into samples of one or two bytes: palettes become colours, transparency becomes alpha.
// A row that needs no conversion is returned as it is.
func (d *Reader) expand(row []byte, n int) ([]byte, error) {
	switch {
	case d.Color == Palette:
		return d.colors(row, n)
	case d.Depth >= 8 && d.clear == nil:
		return row, nil
	case d.Depth >= 8:
		return d.withAlpha(row, n), nil
	}
	return d.greys(row, n), nil
}

// room returns d.samples, resized to n bytes.
func (d *Reader) room(n int) []byte {
	d.samples = slices.Grow(d.samples[:0], n)[:n]
	return d.samples
}

// bits returns sample i of a row whose samples have fewer than 8 bits.
func (d *Reader) bits(row []byte, i int) byte {
	perByte := 8 / d.Depth
	shift := 8 - d.Depth - i%perByte*d.Depth
	return row[i/perByte] >> shift & (1<<d.Depth - 1)
}

func (d *Reader) colors(row []byte, n int) ([]byte, error) {
	channels := d.Channels()
	out := d.room(n * channels)
	for i := range n {
		index := int(d.bits(row, i))
		if index >= len(d.palette) {
			return nil, d.chunks.fail(fmt.Errorf("row %d, pixel %d: colour %d of a palette of %d", d.y-1, i, index, len(d.palette)))
		}
		copy(out[i*channels:(i+1)*channels], d.palette[index][:])
	}
	return out, nil
}

// greys scales samples of fewer than 8 bits to 0 to 255. Single bits without alpha stay 0 and 1.
func (d *Reader) greys(row []byte, n int) []byte {
	scale := byte(255 / (1<<d.Depth - 1))
	if d.clear == nil {
		if d.Depth == 1 {
			scale = 1
		}
		out := d.room(n)
		for i := range out {
			out[i] = d.bits(row, i) * scale
		}
		return out
	}
	out := d.room(2 * n)
	for i := range n {
		grey := d.bits(row, i)
		out[2*i], out[2*i+1] = grey*scale, 0xff
		if uint16(grey) == d.clear[0] {
			out[2*i+1] = 0
		}
	}
	return out
}

// withAlpha appends alpha to every pixel: 0 for the transparent colour.
func (d *Reader) withAlpha(row []byte, n int) []byte {
	size := d.Depth / 8
	pixel := len(d.clear) * size
	clear := make([]byte, 0, 6)
	for _, c := range d.clear {
		if size == 1 {
			clear = append(clear, byte(c))
		} else {
			clear = binary.BigEndian.AppendUint16(clear, c)
		}
	}
	out := d.room(n * (pixel + size))[:0]
	for p := range slices.Chunk(row[:n*pixel], pixel) {
		alpha := []byte{0xff, 0xff}
		if slices.Equal(p, clear) {
			alpha = []byte{0, 0}
		}
		out = append(append(out, p...), alpha[:size]...)
	}
	return out
}

// A passes holds an interlaced image: the seven reduced images of Adam7, whose pixels interleave.
type passes struct {
	width   int
	pixel   int // size of a pixel in bytes
	samples [7][]byte
	out     []byte
}

// adam7 gives the first pixel of each pass and the distance between its pixels.
var adam7 = [7]struct{ x, y, dx, dy int }{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

// readPasses reads all pixels into memory that grows as they arrive.
func (d *Reader) readPasses() (*passes, error) {
	p := &passes{width: d.Width, pixel: d.Channels() * max(d.Depth/8, 1)}
	for i, a := range adam7 {
		width, height := (d.Width-a.x+a.dx-1)/a.dx, (d.Height-a.y+a.dy-1)/a.dy
		if width <= 0 {
			continue
		}
		d.row, d.prev = nil, nil
		for range height {
			if err := d.read(width); err != nil {
				return nil, err
			}
			row, err := d.expand(d.row, width)
			if err != nil {
				return nil, err
			}
			p.samples[i] = append(p.samples[i], row...)
		}
	}
	return p, nil
}

// row assembles row y from the passes.
func (p *passes) row(y int) []byte {
	if p.out == nil {
		p.out = make([]byte, p.width*p.pixel)
	}
	for i, a := range adam7 {
		if y < a.y || (y-a.y)%a.dy != 0 || p.width <= a.x {
			continue
		}
		width := (p.width - a.x + a.dx - 1) / a.dx
		from := p.samples[i][(y-a.y)/a.dy*width*p.pixel:]
		for x := range width {
			at := (a.x + x*a.dx) * p.pixel
			copy(p.out[at:at+p.pixel], from[x*p.pixel:])
		}
	}
	return p.out
}
