package charts

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
)

// An svgCanvas is the text of an SVG.
type svgCanvas struct {
	typeface
	b   bytes.Buffer
	err error // the first error of an image
}

func newSVG(width, height int, fonts Fonts) canvas {
	s := &svgCanvas{typeface: typeface{fonts: fonts}}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%d" height="%d" viewBox="0 0 %[1]d %d" font-family="Go, Helvetica, Arial, sans-serif">`+"\n", width, height, height)
	s.fill(box{0, 0, float64(width), float64(height)}, paper)
	return s
}

// svgColor returns the attributes for a colour.
func svgColor(name string, c color.NRGBA) string {
	text := fmt.Sprintf(`%s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.A < 255 {
		text += fmt.Sprintf(` %s-opacity="%.3g"`, name, float64(c.A)/255)
	}
	return text
}

func (s *svgCanvas) line(points []point, how stroke) {
	fmt.Fprintf(&s.b, `<polyline fill="none" %s stroke-width="%g" stroke-linejoin="round" stroke-linecap="round" `, svgColor("stroke", how.color), how.width)
	if how.dash != nil {
		fmt.Fprintf(&s.b, `stroke-dasharray="%s" `, strings.Trim(fmt.Sprint(how.dash), "[]"))
	}
	s.b.WriteString(`points="`)
	for _, p := range points {
		fmt.Fprintf(&s.b, "%s,%s ", short(p.x), short(p.y))
	}
	s.b.WriteString("\"/>\n")
}

// dots draws lines of length zero with round ends, or filled polygons.
func (s *svgCanvas) dots(points []point, m mark) {
	if len(points) == 0 {
		return
	}
	if m.corners == 0 {
		fmt.Fprintf(&s.b, `<path %s stroke-width="%g" stroke-linecap="round" d="`, svgColor("stroke", m.color), 2*m.radius)
	} else {
		fmt.Fprintf(&s.b, `<path %s d="`, svgColor("fill", m.color))
	}
	for _, p := range points {
		if m.corners == 0 {
			fmt.Fprintf(&s.b, "M%s,%sh0", short(p.x), short(p.y))
			continue
		}
		letter := "M"
		for _, corner := range polygon(p, m.corners, m.radius) {
			fmt.Fprintf(&s.b, "%s%s,%s", letter, short(corner.x), short(corner.y))
			letter = "L"
		}
		s.b.WriteByte('Z')
	}
	s.b.WriteString("\"/>\n")
}

func (s *svgCanvas) fill(r box, c color.NRGBA) {
	fmt.Fprintf(&s.b, "<rect %s %s/>\n", place(r), svgColor("fill", c))
}

func (s *svgCanvas) image(m *image.NRGBA, r box) {
	fmt.Fprintf(&s.b, `<image %s preserveAspectRatio="none" image-rendering="pixelated" xlink:href="data:image/png;base64,`, place(r))
	encoder := base64.NewEncoder(base64.StdEncoding, &s.b)
	if err := png.Encode(encoder, m); s.err == nil {
		s.err = err
	}
	encoder.Close()
	s.b.WriteString("\"/>\n")
}

func (s *svgCanvas) text(at point, text string, align align, size float64) {
	anchor := [...]string{"start", "middle", "end"}[int(2*align)]
	fmt.Fprintf(&s.b, `<text x="%s" y="%s" font-size="%g" text-anchor="%s" %s>`, short(at.x), short(at.y), size, anchor, svgColor("fill", ink))
	xml.EscapeText(&s.b, []byte(text))
	s.b.WriteString("</text>\n")
}

func (s *svgCanvas) encode(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	s.b.WriteString("</svg>\n")
	_, err := s.b.WriteTo(w)
	return err
}

func place(r box) string {
	return fmt.Sprintf(`x="%s" y="%s" width="%s" height="%s"`, short(r.left), short(r.top), short(r.width()), short(r.height()))
}
