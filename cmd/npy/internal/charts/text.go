package charts

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"unicode/utf8"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// A textCanvas draws with characters. Lines, dots and areas are braille, with two by four dots in a character. Images
// have two pixels in a character.
type textCanvas struct {
	columns, rows int
	colors        pictures.CharColors
	cells         []cell
}

// A cell is a character.
type cell struct {
	letter     rune // 0 if the cell has dots
	dots       rune // bits of the Unicode block
	fore, back color.NRGBA
}

// dotSize is the side of a dot in pixels of the canvas.
const dotSize = pictures.CharHeight / 4

func newText(columns, rows int, colors pictures.CharColors) *textCanvas {
	return &textCanvas{columns, rows, colors, make([]cell, columns*rows)}
}

// cell returns the character at a position. For a position outside of the canvas it returns a cell that is not drawn.
func (t *textCanvas) cell(column, row int) *cell {
	if column < 0 || column >= t.columns || row < 0 || row >= t.rows {
		return &cell{}
	}
	return &t.cells[row*t.columns+column]
}

// dotBits are the bits of the dots of a braille character, added to U+2800, by row and column.
var dotBits = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func (t *textCanvas) dot(x, y int, c color.NRGBA) {
	if x < 0 || y < 0 {
		return
	}
	at := t.cell(x/2, y/4)
	at.dots |= dotBits[y%4][x%2]
	at.fore = c
}

// line skips the faint lines of grids, because braille has no faint dots.
func (t *textCanvas) line(points []point, _ float64, c color.NRGBA) {
	if c == faint {
		return
	}
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		steps := math.Ceil(max(math.Abs(b.x-a.x), math.Abs(b.y-a.y), 1) / dotSize)
		for k := 0.0; k <= steps; k++ {
			t.dot(int((a.x+(b.x-a.x)*k/steps)/dotSize), int((a.y+(b.y-a.y)*k/steps)/dotSize), c)
		}
	}
}

func (t *textCanvas) dots(points []point, _ float64, c color.NRGBA) {
	for _, at := range points {
		t.dot(int(at.x/dotSize), int(at.y/dotSize), c)
	}
}

// fill sets all dots of an area. A colour nearly as bright as paper clears them.
func (t *textCanvas) fill(r box, c color.NRGBA) {
	for y := int(r.top / dotSize); float64(y) < r.bottom/dotSize; y++ {
		for x := int(r.left / dotSize); float64(x) < r.right/dotSize; x++ {
			if pictures.Luma(c) == pictures.Luma(paper) {
				*t.cell(x/2, y/4) = cell{}
				continue
			}
			t.dot(x, y, c)
		}
	}
}

func (t *textCanvas) image(m *image.NRGBA, r box) {
	left, top := int(r.left/pictures.CharWidth), int(r.top/pictures.CharHeight)
	right, bottom := max(int(r.right/pictures.CharWidth), left+1), max(int(r.bottom/pictures.CharHeight), top+1)
	at := func(x, y int) color.NRGBA {
		return pictures.OnBlack(m.NRGBAAt(x*m.Rect.Dx()/(right-left), y*m.Rect.Dy()/(2*(bottom-top))))
	}
	for row := top; row < bottom; row++ {
		for column := left; column < right; column++ {
			upper, lower := at(column-left, 2*(row-top)), at(column-left, 2*(row-top)+1)
			letter := '▀'
			if t.colors == pictures.NoColors {
				letter = rune(pictures.Shade(upper, lower, true))
			}
			*t.cell(column, row) = cell{letter: letter, fore: upper, back: lower}
		}
	}
}

// text prints s with escapes for characters that terminals obey, because titles and names come from files.
func (t *textCanvas) text(at point, s string, align align, size float64) {
	column := int(math.Round((at.x - float64(align)*t.measure(s, size)) / pictures.CharWidth))
	row := int((at.y - size/3) / pictures.CharHeight)
	for _, letter := range terminal.Printable(s) {
		*t.cell(column, row) = cell{letter: letter, fore: ink}
		column++
	}
}

func (t *textCanvas) measure(s string, _ float64) float64 {
	return pictures.CharWidth * float64(utf8.RuneCountInString(terminal.Printable(s)))
}

func (t *textCanvas) encode(to io.Writer) error {
	w := bufio.NewWriter(to)
	for row := range t.rows {
		last := ""
		for _, c := range t.cells[row*t.columns:][:t.columns] {
			if code := t.code(c); code != last {
				fmt.Fprintf(w, "\x1b[0%sm", code)
				last = code
			}
			switch {
			case c.letter != 0:
				w.WriteRune(c.letter)
			case c.dots != 0:
				w.WriteRune(0x2800 + c.dots)
			default:
				w.WriteByte(' ')
			}
		}
		if last != "" {
			w.WriteString("\x1b[0m")
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// code returns the parameters for the colours of a character. All text has the colour Ink.
func (t *textCanvas) code(c cell) string {
	code := ""
	if t.colors == pictures.NoColors || c.letter == 0 && c.dots == 0 {
		return code
	}
	if c.fore != ink {
		code = ";" + t.colors.Code(38, pictures.OnBlack(c.fore))
	}
	if c.back.A > 0 {
		code += ";" + t.colors.Code(48, c.back)
	}
	return code
}
