package charts

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A pngCanvas draws pixels.
type pngCanvas struct {
	typeface
	pixels *image.NRGBA
}

func newPNG(width, height int, fonts Fonts) canvas {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return &pngCanvas{typeface{fonts: fonts}, m}
}

// line draws each segment as a rectangle with a dot at its end. All shapes have the same direction of rotation, so
// that overlaps add up and do not cancel.
func (p *pngCanvas) line(points []point, how stroke) {
	for _, dash := range dashes(points, how.dash) {
		p.solid(dash, how.width, how.color)
	}
}

func (p *pngCanvas) solid(points []point, width float64, c color.NRGBA) {
	s := p.shapes(points, width)
	for i, b := range points {
		s.addDot(b, width/2)
		if i == 0 {
			continue
		}
		a := points[i-1]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		x, y := (a.y-b.y)/length*width/2, (b.x-a.x)/length*width/2
		s.add(point{a.x + x, a.y + y}, point{a.x - x, a.y - y}, point{b.x - x, b.y - y}, point{b.x + x, b.y + y})
	}
	s.draw(p.pixels, c)
}

func (p *pngCanvas) dots(points []point, m mark) {
	s := p.shapes(points, 2*m.radius)
	for _, at := range points {
		if m.corners == 0 {
			s.addDot(at, m.radius)
		} else {
			s.add(polygon(at, m.corners, m.radius)...)
		}
	}
	s.draw(p.pixels, m.color)
}

// shapes are areas that are drawn in one colour.
type shapes struct {
	*vector.Rasterizer
	bounds image.Rectangle // of all areas
}

// shapes returns a buffer for areas that extend up to reach from some points.
func (p *pngCanvas) shapes(points []point, reach float64) shapes {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, at := range points {
		b = box{min(b.left, at.x), min(b.top, at.y), max(b.right, at.x), max(b.bottom, at.y)}
	}
	var bounds image.Rectangle
	if len(points) > 0 {
		bounds = box{b.left - reach - 1, b.top - reach - 1, b.right + reach + 1, b.bottom + reach + 1}.rect().Intersect(p.pixels.Rect)
	}
	return shapes{vector.NewRasterizer(bounds.Dx(), bounds.Dy()), bounds}
}

// addDot adds an octagon, which is round enough at this size.
func (s shapes) addDot(at point, radius float64) {
	var corners [8]point
	for i := range corners {
		sin, cos := math.Sincos(float64(2*i+1) * math.Pi / 8)
		corners[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	s.add(corners[:]...)
}

func (s shapes) add(corners ...point) {
	for i, c := range corners {
		x, y := float32(c.x-float64(s.bounds.Min.X)), float32(c.y-float64(s.bounds.Min.Y))
		if i == 0 {
			s.MoveTo(x, y)
			continue
		}
		s.LineTo(x, y)
	}
	s.ClosePath()
}

func (s shapes) draw(m *image.NRGBA, c color.NRGBA) {
	s.Draw(m, s.bounds, image.NewUniform(c), image.Point{})
}

// rect returns the box rounded to whole pixels, at least one in each direction.
func (b box) rect() image.Rectangle {
	r := image.Rect(int(math.Round(b.left)), int(math.Round(b.top)), int(math.Round(b.right)), int(math.Round(b.bottom)))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r
}

func (p *pngCanvas) fill(r box, c color.NRGBA) {
	draw.Draw(p.pixels, r.rect(), image.NewUniform(c), image.Point{}, draw.Over)
}

// image draws every pixel as a rectangle with sharp borders: the pixels are numbers.
func (p *pngCanvas) image(m *image.NRGBA, r box) {
	to := r.rect()
	scaled := image.NewNRGBA(to)
	for y := to.Min.Y; y < to.Max.Y; y++ {
		for x := to.Min.X; x < to.Max.X; x++ {
			scaled.SetNRGBA(x, y, m.NRGBAAt((x-to.Min.X)*m.Rect.Dx()/to.Dx(), (y-to.Min.Y)*m.Rect.Dy()/to.Dy()))
		}
	}
	draw.Draw(p.pixels, to, scaled, to.Min, draw.Over)
}

func (p *pngCanvas) text(at point, s string, align align, size float64) {
	at.x -= float64(align) * p.measure(s, size)
	d := font.Drawer{Dst: p.pixels, Src: image.NewUniform(ink)}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(math.Round(at.x) * 64), Y: fixed.Int26_6(math.Round(at.y) * 64)}
	for _, letter := range s {
		d.Face = p.face(letter, size)
		d.DrawString(string(letter))
	}
}

func (p *pngCanvas) encode(w io.Writer) error { return png.Encode(w, p.pixels) }
