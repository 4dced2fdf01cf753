package image

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/png"
)

// imageHeader returns the header of the image for an array.
func imageHeader(c output.Content) (png.Header, error) {
	channels := 1
	switch {
	case len(c.Shape) == 3 && c.Shape[2] >= 1 && c.Shape[2] <= 4:
		channels = c.Shape[2]
	case len(c.Shape) != 2:
		return png.Header{}, diag.Errorf("convert", "an image has shape (height, width) or (height, width, channels) with up to 4 channels, the array has %s: select a part, or reshape it",
			format.ShapeString(c.Shape))
	}
	h := png.Header{Height: c.Shape[0], Width: c.Shape[1], Depth: 8 * c.DType.ItemSize(), Color: [...]int{png.Grey, png.GreyAlpha, png.RGB, png.RGBA}[channels-1]}
	switch kind := c.DType.Kind(); {
	case kind == dtype.KindBool && channels == 1:
		h.Depth = 1
	case kind == dtype.KindBool:
		return h, diag.New("convert", "a PNG image of bool has no channels; make it uint8")
	case kind != dtype.KindUint || h.Depth > 16:
		return h, diag.Errorf("convert", "a PNG image has dtype uint8, uint16 or bool, the array has %s: convert it (--dtype uint8), or plot it (npy plot)", c.DType)
	}
	return h, nil
}

// Write writes src as an image.
func Write(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	c, err := output.ContentOf(ctx, src, o)
	if err != nil {
		return err
	}
	h, err := imageHeader(c)
	if err != nil {
		return err
	}
	image, err := png.NewWriter(w, h)
	if err != nil {
		return diag.Wrap("convert", err)
	}
	swap := h.Depth == 16 && c.DType.ByteOrder() != dtype.BigEndian
	var row []byte
	err = eachRow(c, c.DType.ItemSize()*c.Size()/h.Height, func(samples []byte) error {
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
func eachRow(c output.Content, size int, do func(row []byte) error) error {
	var part []byte
	return c.Blocks(func(block []byte, _ int) error {
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

// Read reads an image with its own dtype, or with the requested dtype if that preserves every value.
func Read(ctx context.Context, to arrays.Sink, r io.Reader, o options.Read) (options.Report, error) {
	if o.DType.IsValid() {
		return readAs(to, o.DType, func(to arrays.Sink) (options.Report, error) {
			return Read(ctx, to, r, options.Read{MaxBytes: o.MaxBytes, Progress: o.Progress})
		})
	}
	image, err := png.NewReader(input.NewText(ctx, r, o))
	if err != nil {
		return options.Report{}, inImage(err)
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
		return options.Report{}, err
	}
	var swapped []byte
	for {
		row, err := image.Next()
		if err == io.EOF {
			return options.Report{Lost: lostOfImage(image)}, nil
		}
		if err != nil {
			return options.Report{}, inImage(err)
		}
		if image.Depth == 16 && t.ByteOrder() != dtype.BigEndian { // into another buffer: the next row needs this one unchanged
			swapped = slices.Grow(swapped[:0], len(row))[:len(row)]
			bulk.Swap(swapped, row, 2)
			row = swapped
		}
		if err := to.Write(row); err != nil {
			return options.Report{}, err
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
		return &fault.Error{Offset: int(e.Offset), Err: e.Err}
	}
	return err
}

// readAs reads an array and passes it on with another dtype.
func readAs(to arrays.Sink, t dtype.Type, read func(arrays.Sink) (options.Report, error)) (options.Report, error) {
	whole := &arrays.Memory{}
	report, err := read(whole)
	if err != nil {
		return report, err
	}
	if _, _, err := whole.Finish(); err != nil {
		return report, err
	}
	a, err := whole.Result().AsType(t)
	if err != nil {
		return report, err
	}
	return report, to.Array(a)
}
