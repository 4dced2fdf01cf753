package cookbook

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"

	"github.com/npygo/npy"
)

// An array of shape (height, width, 3) is an image, as imageio and Pillow give it; and an image becomes such an array.
func Example_images() {
	pixels := []uint8{255, 0, 0 /* red */, 0, 255, 0 /* green */, 0, 0, 255 /* blue */, 255, 255, 255 /* white */}
	a, err := npy.FromSlice(pixels, 2, 2, 3)
	if err != nil {
		log.Fatal(err)
	}

	v, err := npy.As[uint8](a)
	if err != nil {
		log.Fatal(err)
	}
	height, width := v.Shape()[0], v.Shape()[1]
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y, row := range v.Rows() {
		for x, p := range row.Rows() {
			picture.SetNRGBA(x, y, color.NRGBA{R: p.At(0), G: p.At(1), B: p.At(2), A: 255})
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		log.Fatal(err)
	}

	decoded, err := png.Decode(&file)
	if err != nil {
		log.Fatal(err)
	}
	size := decoded.Bounds().Size()
	again := make([]uint8, 0, size.X*size.Y*3)
	for y := range size.Y {
		for x := range size.X {
			c := color.NRGBAModel.Convert(decoded.At(x, y)).(color.NRGBA)
			again = append(again, c.R, c.G, c.B)
		}
	}
	b, err := npy.FromSlice(again, size.Y, size.X, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Shape(), bytes.Equal(again, pixels))
	// Output: [2 2 3] true
}
