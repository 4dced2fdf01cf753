package charts

import (
	"image/color"
)

const (
	legendLine   = fontSize + 4 // height of a line of a legend
	legendSample = 24           // length of the line that stands for a series
)

// A legend names the series, in the corner of the area with no data, or to the right of the area.
type legend struct {
	entries []legendEntry
	text    float64 // the widest name
	outside bool
	right   bool // the corner
	bottom  bool
	more    string // says how many series have no line in the legend
}

type legendEntry struct {
	name   string
	joined bool
	style  stroke
	mark   mark
}

func (l *legend) width() float64 { return l.text + legendSample + 3*gapToText }

func (l *legend) height() float64 { return legendLine*float64(len(l.entries)) + gapToText }

// legend returns the legend of several series, and nil for one.
func (c *Chart) legend(to canvas, area box) *legend {
	if len(c.series) < 2 {
		return nil
	}
	l := &legend{}
	for i, s := range c.series {
		m := markOf(i, 1)
		m.color.A = 255
		l.entries = append(l.entries, legendEntry{shortened(to, s.name, fontSize, area.width()*0.4), s.joined, styleOf(i), m})
	}
	if fit := int((area.height() - gapToText) / legendLine); fit < len(l.entries) && fit > 1 {
		l.more = "…"
		l.entries = l.entries[:fit-1]
		l.entries = append(l.entries, legendEntry{name: l.more})
	}
	for _, e := range l.entries {
		l.text = max(l.text, to.measure(e.name, fontSize))
	}
	l.choose(c, area)
	return l
}

// choose finds the corner with the least data. If there is data in all corners, the legend is outside, unless that would
// take more than a third of the chart.
func (l *legend) choose(c *Chart, area box) {
	least, best := -1, [2]bool{}
	for _, corner := range [][2]bool{{true, false}, {false, false}, {true, true}, {false, true}} {
		l.right, l.bottom = corner[0], corner[1]
		if n := c.within(l.box(area), area); least < 0 || n < least {
			least, best = n, corner
		}
	}
	l.right, l.bottom = best[0], best[1]
	l.outside = least > 0 && l.width() < area.width()/3
}

// within counts the points and pieces of lines that are drawn in a part of the area.
func (c *Chart) within(part, area box) int {
	n := 0
	for _, s := range c.series {
		points := c.places(s, area)
		switch {
		case s.grid != nil:
			a, b := points[0], points[1]
			covered := box{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)}
			if covered.left < part.right && part.left < covered.right && covered.top < part.bottom && part.top < covered.bottom {
				n++
			}
		case s.joined:
			for _, run := range clipped(points, part) {
				n += len(run)
			}
		default:
			for _, p := range points {
				if part.contains(p) {
					n++
				}
			}
		}
	}
	return n
}

// box returns the place of a legend.
func (l *legend) box(area box) box {
	if l.outside {
		return box{area.right + gapToText, area.top, area.right + gapToText + l.width(), area.top + l.height()}
	}
	b := box{area.left + gapToText, area.top + gapToText, area.left + gapToText + l.width(), area.top + gapToText + l.height()}
	if l.right {
		b.left, b.right = area.right-gapToText-l.width(), area.right-gapToText
	}
	if l.bottom {
		b.top, b.bottom = area.bottom-gapToText-l.height(), area.bottom-gapToText
	}
	return b
}

func (l *legend) draw(to canvas, area box) {
	b := l.box(area)
	if !l.outside {
		to.fill(b, color.NRGBA{255, 255, 255, 216})
	}
	for i, e := range l.entries {
		y := b.top + legendLine*float64(i+1)
		from, end := point{b.left + gapToText, y - 4}, point{b.left + gapToText + legendSample, y - 4}
		switch {
		case e.name == l.more && l.more != "":
		case e.joined:
			e.style.width = 2
			to.line([]point{from, end}, e.style)
		default:
			to.dots([]point{{(from.x + end.x) / 2, from.y}}, e.mark)
		}
		to.text(point{end.x + gapToText, y}, e.name, alignLeft, fontSize)
	}
}
