package convert_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"testing"

	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/internal/flips"
)

// Every chunk of a PNG image has a checksum, and the pixels have another.
func TestFlipsPNG(t *testing.T) {
	size := image.Rect(0, 0, 11, 7)
	grey, colors, few := image.NewGray16(size), image.NewNRGBA(size), image.NewPaletted(size, palette.WebSafe[:16])
	for y := range size.Dy() {
		for x := range size.Dx() {
			grey.SetGray16(x, y, color.Gray16{uint16(x * y * 800)})
			colors.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), 7, 200})
			few.SetColorIndex(x, y, uint8(x+y)%16)
		}
	}
	var all []flips.Format
	for name, m := range map[string]image.Image{"16 bits": grey, "RGBA": colors, "palette": few} {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		all = append(all, flips.Format{Name: "PNG, " + name, File: b.Bytes(), Read: func(file []byte) (string, error) {
			a, _, err := convert.Read(context.Background(), bytes.NewReader(file), convert.PNG, convert.ReadOptions{})
			if err != nil {
				return "", err
			}
			return flips.Values(a)
		}})
	}
	flips.Test(t, all...)
}
