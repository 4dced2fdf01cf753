// Package png reads and writes PNG images row by row, the samples as they are: nothing is multiplied by alpha, no gamma is
// applied, and 16 bits stay 16. It knows nothing of arrays.
//
// Memory is that of a few rows, but for interlaced images, which have to be read whole; it grows with the data and not with
// what the header says.
package png

import (
	"errors"
	"fmt"
	"math"

	"github.com/npygo/npy/internal/bounded"
)

const signature = "\x89PNG\r\n\x1a\n"

// The types of colour, as IHDR numbers them.
const (
	Grey      = 0
	RGB       = 2
	Palette   = 3
	GreyAlpha = 4
	RGBA      = 6
)

// A Header is what IHDR says.
type Header struct {
	Width, Height int
	Depth         int // bits of a sample: 1, 2, 4, 8 or 16
	Color         int // Grey, RGB, Palette, GreyAlpha or RGBA
	Interlaced    bool
}

// An Error says what is wrong in a file, and where.
type Error struct {
	Offset int64 // in bytes from the start of the file
	Err    error
}

// Error returns one line: the place and what is wrong there.
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// samples returns how many samples a pixel has in the file, 0 for a type of colour that there is not.
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

// check refuses what PNG does not allow.
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

// rowBytes returns the length of a row of n pixels in the file, without the byte of its filter.
func (h Header) rowBytes(n int) int { return (n*h.samples()*h.Depth + 7) / 8 }

// distance returns how many bytes to the left the filters look.
func (h Header) distance() int { return max(h.samples()*h.Depth/8, 1) }

// The filters of a row.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

var errFilter = errors.New("a row with a filter that PNG has not")

// unfilter undoes the filter of a row in place. prev is the row above, of zeros for the first.
func unfilter(filter byte, row, prev []byte, distance int) error {
	first := row[:min(distance, len(row))] // has nothing to its left
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

// paeth returns which of the left, upper and upper left byte is next to left+up-corner.
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
