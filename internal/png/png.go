// Package png reads and writes PNG images row by row. Samples are kept as they are: nothing is multiplied by alpha, no
// gamma is applied, and 16 bits stay 16. The package does not depend on arrays.
//
// Memory is a few rows. Only interlaced images must be read whole. Memory grows with the data, not with the size that
// the header states.
package png

import (
	"errors"
	"fmt"
	"math"

	"github.com/npygo/npy/internal/bounded"
)

const signature = "\x89PNG\r\n\x1a\n"

// Color types, as numbered in IHDR.
const (
	Grey      = 0
	RGB       = 2
	Palette   = 3
	GreyAlpha = 4
	RGBA      = 6
)

// A Header is the content of IHDR.
type Header struct {
	Width, Height int
	Depth         int // bits per sample: 1, 2, 4, 8 or 16
	Color         int // Grey, RGB, Palette, GreyAlpha or RGBA
	Interlaced    bool
}

// An Error reports what is wrong in a file and at which byte.
type Error struct {
	Offset int64 // bytes from the start of the file
	Err    error
}

// Error returns one line: the offset and the cause.
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// samples returns the number of samples per pixel in the file, or 0 for an invalid color type.
func (h Header) samples() int {
	switch h.Color {
	case Grey, Palette:
		return 1
	case GreyAlpha:
		return 2
	case RGB:
		return 3
	case RGBA:
		return 4
	}
	return 0
}

// check rejects headers that PNG does not allow.
func (h Header) check() error {
	if h.Width <= 0 || h.Height <= 0 || h.Width > math.MaxInt32 || h.Height > math.MaxInt32 {
		return fmt.Errorf("an image of %d by %d pixels: want 1 to 2147483647 each", h.Width, h.Height)
	}
	ok := h.Depth == 8 || h.Depth == 16 && h.Color != Palette ||
		(h.Depth == 1 || h.Depth == 2 || h.Depth == 4) && (h.Color == Grey || h.Color == Palette)
	if h.samples() == 0 || !ok {
		return fmt.Errorf("colour type %d with %d bits a sample, which PNG has not", h.Color, h.Depth)
	}
	if _, ok := bounded.Mul(h.Width, 16*h.samples()); !ok { // bits of the longest row
		return bounded.Over("", 0, 0, "rows of %d pixels are longer than memory can be here", h.Width)
	}
	return nil
}

// rowBytes returns the length of a row of n pixels in the file, without the filter byte.
func (h Header) rowBytes(n int) int { return (n*h.samples()*h.Depth + 7) / 8 }

// distance returns how far to the left the filters look, in bytes.
func (h Header) distance() int { return max(h.samples()*h.Depth/8, 1) }

// Row filters.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

var errFilter = errors.New("a row with a filter that PNG has not")

// unfilter undoes the filter of a row in place. prev is the row above; for the first row it is all zeros.
func unfilter(filter byte, row, prev []byte, distance int) error {
	first := row[:min(distance, len(row))] // these bytes have no left neighbour
	switch filter {
	case filterNone:
	case filterSub:
		for i := distance; i < len(row); i++ {
			row[i] += row[i-distance]
		}
	case filterUp:
		for i := range row {
			row[i] += prev[i]
		}
	case filterAverage:
		for i := range first {
			row[i] += prev[i] / 2
		}
		for i := distance; i < len(row); i++ {
			row[i] += byte((int(row[i-distance]) + int(prev[i])) / 2)
		}
	case filterPaeth:
		for i := range first {
			row[i] += prev[i]
		}
		for i := distance; i < len(row); i++ {
			row[i] += paeth(row[i-distance], prev[i], prev[i-distance])
		}
	default:
		return errFilter
	}
	return nil
}

// paeth returns the byte nearest to left+up-corner among the left, upper and upper left byte.
func paeth(left, up, corner byte) byte {
	toLeft, toUp := int(up)-int(corner), int(left)-int(corner)
	toCorner := abs(toLeft + toUp)
	toLeft, toUp = abs(toLeft), abs(toUp)
	switch {
	case toLeft <= toUp && toLeft <= toCorner:
		return left
	case toUp <= toCorner:
		return up
	}
	return corner
}

func abs(n int) int { return max(n, -n) }
