package pictures

import (
	"slices"
	"testing"
)

// Ramps of 256 colours are close to the map, come to each colour once, and never turn in brightness.
func TestRamps(t *testing.T) {
	for _, m := range Colormaps {
		ramp := m.ramp()
		steps := slices.Compact(slices.Clone(ramp))
		seen := map[uint8]bool{}
		for _, n := range steps {
			if seen[n] {
				t.Errorf("%s: colour %d comes twice", m.name, n)
			}
			seen[n] = true
		}
		if len(steps) < 10 {
			t.Errorf("%s: %d colours, want 10 or more", m.name, len(steps))
		}
		for i := range ramp[1:] {
			x, y := labOf(paletteColor(int(ramp[i]))).l, labOf(paletteColor(int(ramp[i+1]))).l
			if down := m.diverging && i >= 127; x > y && !down || x < y && down {
				t.Errorf("%s: the brightness turns at %d", m.name, i)
			}
			if d := labOf(m.At(float64(i) / 255)).distance(labOf(paletteColor(int(ramp[i])))); d > 0.03 {
				t.Errorf("%s: colour %d of 256 is far from that of the map: %.3f", m.name, i, d)
			}
		}
		for i, n := range ramp {
			if got := nearest256(m.At(float64(i) / 255)); m.name == "viridis" && got != int(n) {
				t.Fatalf("%s: colour %d is shown as %d, want %d of the ramp", m.name, i, got, n)
			}
		}
	}
}
