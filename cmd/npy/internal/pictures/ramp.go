package pictures

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"sync"
)

// A terminal of 256 colours has few of each hue. The nearest of them for each colour of a map would go back and forth in
// brightness, so that equal steps of numbers look like edges and hollows. A ramp takes the colours that are nearest to the
// map as a whole, among all sequences whose brightness never turns.

// ramps returns the number in the palette for each colour of the maps.
var ramps = sync.OnceValue(func() map[color.NRGBA]uint8 {
	numbers := map[color.NRGBA]uint8{}
	for _, m := range Colormaps {
		for i, n := range m.ramp() {
			c := m.At(float64(i) / 255)
			if _, ok := numbers[c]; !ok {
				numbers[c] = n
			}
		}
	}
	return numbers
})

// ramp returns the numbers of 256 colours from the first to the last of the map.
func (m Colormap) ramp() []uint8 {
	colors := make([]lab, 256)
	for i := range colors {
		colors[i] = labOf(m.At(float64(i) / 255))
	}
	if !m.diverging {
		return rising(colors, nil)
	}
	low, high := rising(colors[:128], nil), slices.Clone(colors[128:]) // the middle is the brightest
	slices.Reverse(high)
	top := rising(high, slices.DeleteFunc(slices.Clone(low), func(n uint8) bool { return n == low[127] }))
	slices.Reverse(top)
	return append(low, top...)
}

// rising returns the numbers of the colours of the palette that have the least distances from some colours in sum, and
// whose brightness never falls. It takes no colour that is used elsewhere.
func rising(colors []lab, used []uint8) []uint8 {
	type entry struct {
		number uint8
		lab
	}
	var all []entry
	for n := 16; n < 256; n++ { // users configure the first 16
		if !slices.Contains(used, uint8(n)) {
			all = append(all, entry{uint8(n), labOf(paletteColor(n))})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.l, b.l) })
	from := make([][]int, len(colors)) // the best entry before, for each color and entry
	cost := make([]float64, len(all))
	for i, c := range colors {
		from[i] = make([]int, len(all))
		best := 0
		next := make([]float64, len(all))
		for k, e := range all {
			if cost[k] < cost[best] {
				best = k
			}
			from[i][k], next[k] = best, cost[best]+c.distance(e.lab)
		}
		cost = next
	}
	numbers := make([]uint8, len(colors))
	at := 0
	for k := range cost {
		if cost[k] < cost[at] {
			at = k
		}
	}
	for i := len(colors) - 1; i >= 0; i-- {
		numbers[i] = all[at].number
		at = from[i][at]
	}
	return numbers
}

// paletteColor returns a color of xterm, from 16: a cube of six steps a side, and 24 greys.
func paletteColor(n int) color.NRGBA {
	if n >= 232 {
		v := uint8(8 + 10*(n-232))
		return color.NRGBA{v, v, v, 255}
	}
	level := func(i int) uint8 { return uint8(min(i, 1)*55 + 40*i) }
	n -= 16
	return color.NRGBA{level(n / 36), level(n / 6 % 6), level(n % 6), 255}
}

// A lab is a color in Oklab, where equal distances look equal: brightness, green to red, blue to yellow.
type lab struct{ l, a, b float64 }

func (x lab) distance(y lab) float64 {
	return (x.l-y.l)*(x.l-y.l) + (x.a-y.a)*(x.a-y.a) + (x.b-y.b)*(x.b-y.b)
}

// labOf converts a color as Björn Ottosson's Oklab says.
func labOf(c color.NRGBA) lab {
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}
