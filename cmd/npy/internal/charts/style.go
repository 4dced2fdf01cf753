package charts

import (
	"image/color"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// A stroke is how a line is drawn.
type stroke struct {
	width float64
	color color.NRGBA
	dash  []float64 // lengths of dashes and of the space between them, in turn; nil for a solid line
}

// A mark is how a point is drawn.
type mark struct {
	corners int // 0 for a dot
	radius  float64
	color   color.NRGBA
}

// seriesColors are colours that people with any colour vision can tell apart, by their hue or by how dark they are. They are
// the colours of Okabe and Ito, moved apart: any two of them are at least 33 apart in L*a*b*, also as people with protanopia
// or deuteranopia see them. TestSeriesDiffer computes it.
var seriesColors = []uint32{0x055fcb, 0xb94200, 0x1cba6f, 0xb25d8f, 0xffaf1c, 0x3abafe, 0x192419}

// seriesDashes follow each other when the colours are used up.
var seriesDashes = [][]float64{nil, {7, 4}, {1.5, 4}}

// seriesCorners are the shapes of points, in the same way: dots, squares and triangles.
var seriesCorners = []int{0, 4, 3}

// styleOf returns how the line of series i is drawn. No two of linesMax series have the same colour and dashes.
func styleOf(i int) stroke {
	n := len(seriesColors)
	return stroke{1.5, pictures.RGB(seriesColors[i%n]), seriesDashes[i/n%len(seriesDashes)]}
}

// markOf returns how the points of series i are drawn. They are smaller if there are many.
func markOf(i, points int) mark {
	m := mark{corners: seriesCorners[i/len(seriesColors)%len(seriesCorners)], radius: 1.5, color: styleOf(i).color}
	switch {
	case points <= 200:
		m.radius = 3
	case points <= 2000:
		m.radius = 2
	}
	if m.corners > 0 {
		m.radius = max(m.radius, 2) * 1.3
	}
	m.color.A = 200
	return m
}
