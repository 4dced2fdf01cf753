package pictures

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// A Colormap maps numbers from 0 to 1 to colours. It has colours at even steps and interpolates between them.
type Colormap struct {
	name      string
	diverging bool // the middle is zero
	steps     []uint32
}

// Colormaps lists the maps; the first is the default. Viridis and magma are maps of matplotlib, coolwarm is by
// Kenneth Moreland. The steps are small enough that the interpolation is not visible.
var Colormaps = []Colormap{
	{name: "viridis", steps: []uint32{
		0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}},
	{name: "magma", steps: []uint32{
		0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf}},
	{name: "grey", steps: []uint32{0x000000, 0xffffff}},
	{name: "coolwarm", diverging: true, steps: []uint32{
		0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf49a7b, 0xde604d, 0xb40426}},
}

// NaNColor is the colour of NaN. No map contains it.
var NaNColor = color.NRGBA{R: 0x9b, G: 0x4f, B: 0x9b, A: 0xff}

// FindColormap returns the map of a name, or the default map for an empty name.
func FindColormap(name string) (Colormap, error) {
	if name == "" {
		return Colormaps[0], nil
	}
	for _, m := range Colormaps {
		if strings.EqualFold(m.name, name) || m.name == "grey" && strings.EqualFold("gray", name) {
			return m, nil
		}
	}
	return Colormap{}, fmt.Errorf("unknown --colormap %q; want one of %s", name, ColormapNames())
}

// ColormapNames returns the names of all maps, separated by commas.
func ColormapNames() string {
	var names []string
	for _, m := range Colormaps {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// At returns the colour of a number, one of 256. Numbers below 0 and above 1 have the colours of the ends, NaN has
// its own.
func (m Colormap) At(x float64) color.NRGBA {
	if x != x {
		return NaNColor
	}
	at := math.Round(min(max(x, 0), 1)*255) / 255 * float64(len(m.steps)-1)
	i := min(int(at), len(m.steps)-2)
	a, b, part := RGB(m.steps[i]), RGB(m.steps[i+1]), at-float64(i)
	return color.NRGBA{Blend(a.R, b.R, part), Blend(a.G, b.G, part), Blend(a.B, b.B, part), 0xff}
}

// RGB returns the opaque colour 0xrrggbb.
func RGB(c uint32) color.NRGBA { return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }

// Blend returns the number at the given part of the way from a to b.
func Blend(a, b uint8, part float64) uint8 {
	return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5)
}
