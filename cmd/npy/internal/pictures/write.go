package pictures

import (
	"bufio"
	"fmt"
	"image"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// The size of an image: in characters where no terminal tells its size, and in pixels for each character.
const (
	ImageColumns, ImageLines   = 80, 48
	CharWidth, CharHeight      = 8, 16
	enlargedColumns, TitleRows = 48, 3 // a small array is enlarged up to this width; lines above and below the image
)

// WriteImage prints an image in one of the terminal protocols, at most in the size of p.
func WriteImage(w *bufio.Writer, m *image.NRGBA, how string, p Picture, colors CharColors) error {
	switch how {
	case KittyGraphics:
		m = enlarged(m, min(p.Width, enlargedColumns*CharWidth), p.Height)
		return WriteKitty(w, m, DivideUp(m.Rect.Dx(), CharWidth))
	case SixelGraphics:
		return WriteSixel(w, enlarged(m, min(p.Width, enlargedColumns*CharWidth), p.Height))
	}
	return writeBlocks(w, enlarged(m, min(p.Width, enlargedColumns), p.Height), colors)
}

// Caption describes a drawing in one line.
func (d Drawing) Caption(s npy.Source) string {
	var b strings.Builder
	if d.Leading != "" {
		fmt.Fprintf(&b, "%s of shape %s, ", d.Leading, format.ShapeString(s.Shape()))
	}
	fmt.Fprintf(&b, "%d x %d %s", d.Rows, d.Columns, s.DType().Name())
	switch {
	case d.RGB:
		b.WriteString(" in colour")
	case d.Low != d.Low:
		b.WriteString(", no finite numbers")
	default:
		fmt.Fprintf(&b, ", colours from %.6g to %.6g", d.Low, d.High)
	}
	down, across := DivideUp(d.Rows, d.Rect.Dy()), DivideUp(d.Columns, d.Rect.Dx())
	switch {
	case d.Thinned:
		fmt.Fprintf(&b, ", one element of each %d x %d", down, across)
	case down > 1 || across > 1:
		fmt.Fprintf(&b, ", means of %d x %d", down, across)
	}
	return b.String()
}
