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

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A pdfCanvas is the content of the single page of a PDF 1.4. Its text is in Helvetica, which every viewer has. Text of
// letters that Helvetica lacks is drawn as the outlines of another font.
type pdfCanvas struct {
	typeface
	width, height int
	content       bytes.Buffer
	images        []*image.NRGBA
}

// pointsPerPixel is the length of a pixel in points, the unit of PDF: 1/72 inch.
const pointsPerPixel = 0.75

func newPDF(width, height int, fonts Fonts) canvas {
	p := &pdfCanvas{typeface: typeface{fonts: fonts}, width: width, height: height}
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

func (p *pdfCanvas) line(points []point, how stroke) {
	fmt.Fprintf(&p.content, "%s%s w %v 0 d ", pdfColor(how.color, "RG"), short(how.width), how.dash)
	p.path(points)
	p.content.WriteString("S\n")
}

// path writes lines between points.
func (p *pdfCanvas) path(points []point) {
	for i, at := range points {
		operator := "l"
		if i == 0 {
			operator = "m"
		}
		fmt.Fprintf(&p.content, "%s %s %s\n", short(at.x), short(at.y), operator)
	}
}

// dots draws lines of length zero with round ends, or filled polygons.
func (p *pdfCanvas) dots(points []point, m mark) {
	if m.corners > 0 {
		p.content.WriteString(pdfColor(m.color, "rg"))
		for _, at := range points {
			p.path(polygon(at, m.corners, m.radius))
			p.content.WriteString("h f\n")
		}
		return
	}
	fmt.Fprintf(&p.content, "%s%s w [] 0 d\n", pdfColor(m.color, "RG"), short(2*m.radius))
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
	p.content.WriteString(pdfColor(ink, "rg"))
	if text, ok := pdfText(s); ok {
		fmt.Fprintf(&p.content, "BT /F %s Tf 1 0 0 -1 %s %s Tm (%s) Tj ET\n", short(size), short(at.x), short(at.y), text)
		return
	}
	for _, letter := range s {
		p.outline(at, letter, size)
		at.x += p.measure(string(letter), size)
	}
}

// outline fills the shape of a letter.
func (p *pdfCanvas) outline(at point, letter rune, size float64) {
	of, _ := p.fonts.find(letter)
	var b sfnt.Buffer
	i, err := of.GlyphIndex(&b, letter)
	if err != nil {
		return
	}
	segments, err := of.LoadGlyph(&b, i, fixed.Int26_6(size*64), nil)
	if err != nil {
		return // an empty glyph of a broken font
	}
	var last point
	for _, s := range segments {
		var args [3]point
		for k, a := range s.Args {
			args[k] = point{at.x + float64(a.X)/64, at.y + float64(a.Y)/64}
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo, sfnt.SegmentOpLineTo:
			fmt.Fprintf(&p.content, "%s %s %c\n", short(args[0].x), short(args[0].y), "ml"[s.Op])
			last = args[0]
			continue
		case sfnt.SegmentOpQuadTo: // PDF has cubic curves only
			control, end := args[0], args[1]
			toward := func(a point) point { return point{a.x + (control.x-a.x)*2/3, a.y + (control.y-a.y)*2/3} }
			args = [3]point{toward(last), toward(end), end}
		}
		for _, a := range args {
			fmt.Fprintf(&p.content, "%s %s ", short(a.x), short(a.y))
		}
		p.content.WriteString("c\n")
		last = args[2]
	}
	p.content.WriteString("f\n")
}

// pdfText returns a string in Latin-1, the encoding of the font, with parentheses and backslashes escaped. It reports
// false for other letters. Control characters become question marks.
func pdfText(s string) (text string, ok bool) {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r > 0xff:
			return "", false
		case r < ' ' || 0x7f <= r && r < 0xa0:
			r = '?'
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
		}
		b.WriteByte(byte(r))
	}
	return b.String(), true
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
	var masks []string // the opacity of each image
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
		keys := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", m.Rect.Dx(), m.Rect.Dy())
		mask := ""
		if !m.Opaque() {
			mask = fmt.Sprintf("/SMask %d 0 R", first+len(p.images)+len(masks))
			masks = append(masks, pdfStream(keys+"/ColorSpace/DeviceGray", channels(m, 3)))
		}
		object(pdfStream(keys+"/ColorSpace/DeviceRGB"+mask, channels(m, 0, 1, 2)))
	}
	for _, mask := range masks {
		object(mask)
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

// channels returns some of the red, green, blue and opacity of each pixel.
func channels(m *image.NRGBA, which ...int) []byte {
	out := make([]byte, 0, len(m.Pix)/4*len(which))
	for i := 0; i < len(m.Pix); i += 4 {
		for _, k := range which {
			out = append(out, m.Pix[i+k])
		}
	}
	return out
}

// short formats a number with at most two decimals.
func short(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}
