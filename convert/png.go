package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/png"
)

func pngConverter() Converter {
	return Converter{
		Format: PNG, Endings: []string{".png"}, Binary: true,
		Kept: "bool, uint8 and uint16 of shape (height, width), or with an axis of 2, 3 or 4 channels: grey and alpha, RGB, RGBA",
		Lost: []Loss{
			{"an axis of one channel", func(_ dtype.Type, shape []int) bool { return len(shape) == 3 && shape[2] == 1 }},
			{"the byte order", func(t dtype.Type, _ []int) bool { return !t.IsNative() }},
			{What: "Fortran order"},
			{What: "of an image: its palette, colour profile, texts and animation"},
		},
		Write: writePNG,
		Read:  readPNG,
	}
}

// imageHeader returns the header of the image for an array.
func imageHeader(c content) (png.Header, error) {
	channels := 1
	switch {
	case len(c.shape) == 3 && c.shape[2] >= 1 && c.shape[2] <= 4:
		channels = c.shape[2]
	case len(c.shape) != 2:
		return png.Header{}, fmt.Errorf("convert: an image has shape (height, width) or (height, width, channels) with up to 4 channels, the array has %s: select a part, or reshape it",
			format.ShapeString(c.shape))
	}
	h := png.Header{Height: c.shape[0], Width: c.shape[1], Depth: 8 * c.dtype.ItemSize(), Color: [...]int{png.Grey, png.GreyAlpha, png.RGB, png.RGBA}[channels-1]}
	switch kind := c.dtype.Kind(); {
	case kind == dtype.KindBool && channels == 1:
		h.Depth = 1
	case kind == dtype.KindBool:
		return h, errors.New("convert: a PNG image of bool has no channels; make it uint8")
	case kind != dtype.KindUint || h.Depth > 16:
		return h, fmt.Errorf("convert: a PNG image has dtype uint8, uint16 or bool, the array has %s: convert it (--dtype uint8), or plot it (npy plot)", c.dtype)
	}
	return h, nil
}

func writePNG(ctx context.Context, w io.Writer, src npy.Source, o WriteOptions) error {
	c, err := contentOf(ctx, src, o)
	if err != nil {
		return err
	}
	h, err := imageHeader(c)
	if err != nil {
		return err
	}
	image, err := png.NewWriter(w, h)
	if err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	swap := h.Depth == 16 && c.dtype.ByteOrder() != dtype.BigEndian
	var row []byte
	err = eachRow(c, c.dtype.ItemSize()*c.size()/h.Height, func(samples []byte) error {
		switch {
		case swap:
			row = slices.Grow(row[:0], len(samples))[:len(samples)]
			bulk.Swap(row, samples, 2)
		case h.Depth == 1:
			row = png.PackBits(row[:0], samples)
		default:
			row = samples
		}
		return image.Write(row)
	})
	if err != nil {
		return err
	}
	return image.Close()
}

// eachRow calls do with consecutive pieces of size bytes of the elements, whatever the size of the blocks.
func eachRow(c content, size int, do func(row []byte) error) error {
	var part []byte
	return c.blocks(func(block []byte, _ int) error {
		if len(part) > 0 {
			n := min(size-len(part), len(block))
			part, block = append(part, block[:n]...), block[n:]
			if len(part) < size {
				return nil
			}
			if err := do(part); err != nil {
				return err
			}
			part = part[:0]
		}
		for ; len(block) >= size; block = block[size:] {
			if err := do(block[:size:size]); err != nil {
				return err
			}
		}
		if len(block) >= size/8 { // so much of the row has arrived that all of it may be expected
			part = slices.Grow(part, size-len(part))
		}
		part = append(part, block...)
		return nil
	})
}

// readPNG reads an image with its own dtype, or with the requested dtype if that preserves every value.
func readPNG(to Sink, r io.Reader, o ReadOptions) (Report, error) {
	if o.DType.IsValid() {
		return readAs(to, o.DType, func(to Sink) (Report, error) { return readPNG(to, r, ReadOptions{MaxBytes: o.MaxBytes}) })
	}
	image, err := png.NewReader(limited(r, o.MaxBytes))
	if err != nil {
		return Report{}, inImage(err)
	}
	t, shape := dtype.Uint8, []int{image.Height, image.Width}
	switch {
	case image.IsBits():
		t = dtype.Bool
	case image.Depth == 16:
		t = dtype.Uint16
	}
	if n := image.Channels(); n > 1 {
		shape = append(shape, n)
	}
	if err := to.Begin(t, shape); err != nil {
		return Report{}, err
	}
	var swapped []byte
	for {
		row, err := image.Next()
		if err == io.EOF {
			return Report{Lost: lostOfImage(image)}, nil
		}
		if err != nil {
			return Report{}, inImage(err)
		}
		if image.Depth == 16 && t.ByteOrder() != dtype.BigEndian { // into another buffer: the next row needs this one unchanged
			swapped = slices.Grow(swapped[:0], len(row))[:len(row)]
			bulk.Swap(swapped, row, 2)
			row = swapped
		}
		if err := to.Write(row); err != nil {
			return Report{}, err
		}
	}
}

// lostOfImage lists the contents of an image besides its pixels.
func lostOfImage(image *png.Reader) (lost []string) {
	if image.Color == png.Palette {
		lost = append(lost, "the palette")
	}
	if len(image.Skipped) > 0 {
		lost = append(lost, "what is in the chunks "+strings.Join(image.Skipped, ", "))
	}
	return lost
}

// inImage converts an error of package png to an Error.
func inImage(err error) error {
	var e *png.Error
	if errors.As(err, &e) {
		return &Error{Offset: int(e.Offset), Err: e.Err}
	}
	return err
}

// readAs reads an array and passes it on with another dtype.
func readAs(to Sink, t dtype.Type, read func(Sink) (Report, error)) (Report, error) {
	whole := &memorySink{}
	report, err := read(whole)
	if err != nil {
		return report, err
	}
	if _, _, err := whole.finish(); err != nil {
		return report, err
	}
	a, err := whole.array.AsType(t)
	if err != nil {
		return report, err
	}
	return report, to.Array(a)
}

// limited returns a reader that fails after most bytes, if most is a limit.
func limited(r io.Reader, most int64) io.Reader {
	if most <= 0 {
		return r
	}
	return &limitedReader{r, most, most}
}

type limitedReader struct {
	r          io.Reader
	rest, most int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.rest -= int64(n); l.rest < 0 {
		return 0, bounded.Over("MaxBytes", l.most, 0, "convert: text is over MaxBytes %d", l.most)
	}
	return n, err
}
