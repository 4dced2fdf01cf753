package charts

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// A pdfCanvas is the content of the single page of a PDF 1.4. Its text is in Helvetica, which every viewer has.
type pdfCanvas struct {
	goFont
	width, height int
	content       bytes.Buffer
	images        []*image.NRGBA
}

// pointsPerPixel is the length of a pixel in points, the unit of PDF: 1/72 inch.
const pointsPerPixel = 0.75

func newPDF(width, height int) canvas {
	p := &pdfCanvas{width: width, height: height}
	// From here on a unit is a pixel and y grows downwards, as on the other canvases.
	fmt.Fprintf(&p.content, "%g 0 0 %g 0 %g cm 1 J 1 j\n", pointsPerPixel, -pointsPerPixel, pointsPerPixel*float64(height))
	return p
}

// pdfColor sets the colour of lines (RG) or of areas (rg). A translucent colour is mixed with the white of the paper.
func pdfColor(c color.NRGBA, operator string) string {
	a := float64(c.A) / 255
	on := func(v uint8) string { return short((float64(v)*a + 255*(1-a)) / 255) }
	return fmt.Sprintf("%s %s %s %s ", on(c.R), on(c.G), on(c.B), operator)
}

func (p *pdfCanvas) line(points []point, width float64, c color.NRGBA) {
	fmt.Fprintf(&p.content, "%s%s w ", pdfColor(c, "RG"), short(width))
	for i, at := range points {
		operator := "l"
		if i == 0 {
			operator = "m"
		}
		fmt.Fprintf(&p.content, "%s %s %s\n", short(at.x), short(at.y), operator)
	}
	p.content.WriteString("S\n")
}

// dots draws lines of length zero with round ends.
func (p *pdfCanvas) dots(points []point, radius float64, c color.NRGBA) {
	fmt.Fprintf(&p.content, "%s%s w\n", pdfColor(c, "RG"), short(2*radius))
	for _, at := range points {
		x, y := short(at.x), short(at.y)
		fmt.Fprintf(&p.content, "%s %s m %[1]s %[2]s l\n", x, y)
	}
	p.content.WriteString("S\n")
}

func (p *pdfCanvas) fill(r box, c color.NRGBA) {
	fmt.Fprintf(&p.content, "%s%s %s %s %s re f\n", pdfColor(c, "rg"), short(r.left), short(r.top), short(r.width()), short(r.height()))
}

func (p *pdfCanvas) image(m *image.NRGBA, r box) {
	fmt.Fprintf(&p.content, "q %s 0 0 %s %s %s cm /I%d Do Q\n", short(r.width()), short(-r.height()), short(r.left), short(r.bottom), len(p.images))
	p.images = append(p.images, m)
}

func (p *pdfCanvas) text(at point, s string, align align, size float64) {
	at.x -= float64(align) * p.measure(s, size)
	fmt.Fprintf(&p.content, "BT %s/F %s Tf 1 0 0 -1 %s %s Tm (%s) Tj ET\n", pdfColor(ink, "rg"), short(size), short(at.x), short(at.y), pdfText(s))
}

// pdfText returns a string in Latin-1, the encoding of the font, with parentheses and backslashes escaped.
func pdfText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < ' ' || 0x7f <= r && r < 0xa0 || r > 0xff {
			r = '?'
		}
		if r == '(' || r == ')' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(byte(r))
	}
	return b.String()
}

// encode writes the objects and the table of their offsets.
func (p *pdfCanvas) encode(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var offsets []int
	object := func(text string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), text)
	}
	const first = 6 // the number of the object of the first image
	var images strings.Builder
	for i := range p.images {
		fmt.Fprintf(&images, "/I%d %d 0 R ", i, first+i)
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<<%s>>>>>>",
		pointsPerPixel*float64(p.width), pointsPerPixel*float64(p.height), &images))
	object(pdfStream("", p.content.Bytes()))
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	for _, m := range p.images {
		keys := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8", m.Rect.Dx(), m.Rect.Dy())
		object(pdfStream(keys, onPaper(m)))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	_, err := b.WriteTo(w)
	return err
}

func pdfStream(keys string, data []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data)
	z.Close()
	return fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", keys, b.Len(), &b)
}

// onPaper returns the red, green and blue of an image's pixels, mixed with white where they are translucent.
func onPaper(m *image.NRGBA) []byte {
	out := make([]byte, 0, len(m.Pix)/4*3)
	for i := 0; i < len(m.Pix); i += 4 {
		a := float64(m.Pix[i+3]) / 255
		for k := range 3 {
			out = append(out, pictures.Blend(255, m.Pix[i+k], a))
		}
	}
	return out
}

// short formats a number with at most two decimals.
func short(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}
