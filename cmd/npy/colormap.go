package main

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// A colormap is colours for the numbers from 0 to 1: those of a few even steps, and straight lines between them.
type colormap struct {
	name      string
	diverging bool // the middle stands for zero
	steps     []uint32
}

// colormaps is those there are, the first of them what is used unless one is asked for. Viridis and magma are the maps of
// matplotlib, coolwarm is that of Kenneth Moreland: each at steps small enough that no eye sees the lines between.
var colormaps = []colormap{
	{name: "viridis", steps: []uint32{
		0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}},
	{name: "magma", steps: []uint32{
		0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf}},
	{name: "grey", steps: []uint32{0x000000, 0xffffff}},
	{name: "coolwarm", diverging: true, steps: []uint32{
		0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf49a7b, 0xde604d, 0xb40426}},
}

// missing is the colour of NaN, which no map has.
var missing = color.NRGBA{R: 0x9b, G: 0x4f, B: 0x9b, A: 0xff}

// findColormap returns the map of a name; none stands for the first.
func findColormap(name string) (colormap, error) {
	if name == "" {
		return colormaps[0], nil
	}
	for _, m := range colormaps {
		if strings.EqualFold(m.name, name) || m.name == "grey" && strings.EqualFold("gray", name) {
			return m, nil
		}
	}
	return colormap{}, fmt.Errorf("--colormap %q is unknown; there are %s", name, colormapNames())
}

func colormapNames() string {
	var names []string
	for _, m := range colormaps {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// at returns the colour of a number, one of 256. Those beyond 0 and 1 have the colours of the ends, NaN has its own.
func (m colormap) at(x float64) color.NRGBA {
	if x != x {
		return missing
	}
	at := math.Round(min(max(x, 0), 1)*255) / 255 * float64(len(m.steps)-1)
	i := min(int(at), len(m.steps)-2)
	a, b, part := rgb(m.steps[i]), rgb(m.steps[i+1]), at-float64(i)
	return color.NRGBA{between(a.R, b.R, part), between(a.G, b.G, part), between(a.B, b.B, part), 0xff}
}

func rgb(c uint32) color.NRGBA { return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }

// between returns the part of the way from a to b.
func between(a, b uint8, part float64) uint8 {
	return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5)
}
