package charts

import (
	"image"
	"image/color"
	"slices"
)

func (c *Chart) drawData(to canvas, area box) {
	if c.drawing != nil {
		to.image(c.drawing.NRGBA, area)
		return
	}
	if c.hist != nil {
		c.drawBars(to, area)
	}
	several := len(c.series) > 1
	for i, s := range c.series {
		points := c.places(s, area)
		switch {
		case s.grid != nil:
			c.drawDensity(to, area, s, i, several)
		case !s.joined:
			points = slices.Concat(runs(inside(points, area))...)
			to.dots(points, markOf(i, len(points)))
		default:
			for _, run := range clipped(points, area) {
				if len(run) == 1 {
					to.dots(run, mark{radius: 2, color: styleOf(i).color})
					continue
				}
				to.line(run, styleOf(i))
			}
		}
	}
}

// places returns the positions of the points of a series on the canvas.
func (c *Chart) places(s series, area box) []point {
	placeX, placeY := c.x.place(), c.y.place()
	points := make([]point, len(s.x))
	for k := range s.x {
		points[k] = point{area.left + placeX(s.x[k])*area.width(), area.bottom - placeY(s.y[k])*area.height()}
	}
	return points
}

// drawDensity draws the cells of a grid in the colours of the map or, beside other series, in shades of their colour.
func (c *Chart) drawDensity(to canvas, area box, s series, i int, several bool) {
	corners := c.places(s, area)
	a, b := corners[0], corners[1]
	m := s.grid.image(func(part float64) color.NRGBA {
		if !several {
			return c.options.Colors.At(part)
		}
		shade := styleOf(i).color
		shade.A = uint8(60 + 195*part)
		return shade
	})
	to.image(mirrored(m, a.x > b.x, a.y < b.y), box{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)})
}

func (c *Chart) drawBars(to canvas, area box) {
	placeX, placeY := c.x.place(), c.y.place()
	clamp := func(part float64) float64 { return min(max(part, 0), 1) }
	for i, count := range c.hist.counts {
		if count == 0 || c.y.log && float64(count) <= c.y.low {
			continue
		}
		a, b := clamp(placeX(c.hist.edges[i])), clamp(placeX(c.hist.edges[i+1]))
		base, top := clamp(placeY(c.y.low)), clamp(placeY(float64(count)))
		bar := box{
			area.left + min(a, b)*area.width(), area.bottom - max(base, top)*area.height(),
			area.left + max(a, b)*area.width(), area.bottom - min(base, top)*area.height(),
		}
		if grain := to.grain(); bar.width() > 3*grain {
			bar.right -= grain
		}
		if bar.width() > 0 && bar.height() > 0 {
			to.fill(bar, styleOf(0).color)
		}
	}
}

// colorScale returns the axis of the colours, if they stand for numbers.
func (c *Chart) colorScale() (z axis, ok bool) {
	switch d := c.drawing; {
	case d != nil && !d.RGB && d.Low == d.Low:
		z = axis{low: d.Low, high: d.High, log: c.options.Log.Z}
	case d == nil && len(c.series) == 1 && c.series[0].grid != nil:
		z = axis{low: 1, high: float64(c.series[0].grid.most()), log: true, whole: true, title: "points"}
	default:
		return z, false
	}
	if z.low == z.high {
		z.settle(0)
	}
	return z, true
}

// drawColorBar draws the colours and their numbers at the right of an area, and returns the right end of the rest.
func (c *Chart) drawColorBar(to canvas, area box, z axis) float64 {
	ticks := z.upright(area)
	bar := image.NewNRGBA(image.Rect(0, 0, 1, colorSteps))
	for i := range colorSteps {
		bar.SetNRGBA(0, i, c.options.Colors.At(1-float64(i)/(colorSteps-1)))
	}
	right := area.right - max(widest(to, ticks)+gapToText, to.measure(z.title, fontSize)-colorBar)
	to.image(bar, box{right - colorBar, area.top, right, area.bottom})
	to.text(point{right - colorBar, area.top - gapToText - 2}, z.title, alignLeft, fontSize)
	place := z.place()
	for _, t := range ticks {
		if t.label == "" {
			continue
		}
		y := area.bottom - place(t.at)*area.height()
		to.line([]point{{right, y}, {right + gapToText/2, y}}, stroke{width: 1, color: ink})
		to.text(point{right + gapToText, y + fontSize/3}, t.label, alignLeft, fontSize)
	}
	return right - colorBar - margin
}
