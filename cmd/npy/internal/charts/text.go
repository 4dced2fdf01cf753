package charts

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"unicode"

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

const dashScale = 1.5

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

// line skips the faint lines of grids, because braille has no faint dots. Dashes are longer than in pixels, because dots
// are larger.
func (t *textCanvas) line(points []point, s stroke) {
	if s.color == faint || s.color == fainter {
		return
	}
	var pattern []float64
	for _, length := range s.dash {
		pattern = append(pattern, math.Ceil(length/dotSize)*dotSize*dashScale)
	}
	for _, dash := range dashes(points, pattern) {
		for i := 1; i < len(dash); i++ {
			a, b := dash[i-1], dash[i]
			steps := math.Ceil(max(math.Abs(b.x-a.x), math.Abs(b.y-a.y), 1) / dotSize)
			for k := 0.0; k <= steps; k++ {
				t.dot(int((a.x+(b.x-a.x)*k/steps)/dotSize), int((a.y+(b.y-a.y)*k/steps)/dotSize), s.color)
			}
		}
	}
}

func (t *textCanvas) dots(points []point, m mark) {
	for _, at := range points {
		t.dot(int(at.x/dotSize), int(at.y/dotSize), m.color)
	}
}

// fill sets all dots of an area. A colour nearly as bright as paper clears them.
func (t *textCanvas) fill(r box, c color.NRGBA) {
	for y := int(r.top / dotSize); float64(y) < r.bottom/dotSize; y++ {
		for x := int(r.left / dotSize); float64(x) < r.right/dotSize; x++ {
			if pictures.Luma(c) == pictures.Luma(paper) {
				at := t.cell(x/2, y/4)
				at.letter, at.dots = 0, at.dots&^dotBits[y%4][x%2]
				continue
			}
			t.dot(x, y, c)
		}
	}
}

// image has two pixels in a character. Of pixels that are nearly all transparent none is lost.
func (t *textCanvas) image(m *image.NRGBA, r box) {
	left, top := int(r.left/pictures.CharWidth), int(r.top/pictures.CharHeight)
	right, bottom := max(int(r.right/pictures.CharWidth), left+1), max(int(r.bottom/pictures.CharHeight), top+1)
	opaque := m.Opaque()
	at := func(x, y int) color.NRGBA {
		from := image.Pt(x*m.Rect.Dx()/(right-left), y*m.Rect.Dy()/(2*(bottom-top)))
		if opaque {
			return pictures.OnBlack(m.NRGBAAt(from.X, from.Y))
		}
		to := image.Pt((x+1)*m.Rect.Dx()/(right-left), (y+1)*m.Rect.Dy()/(2*(bottom-top)))
		return brightest(m, image.Rectangle{from, to})
	}
	for row := top; row < bottom; row++ {
		for column := left; column < right; column++ {
			upper, lower := at(column-left, 2*(row-top)), at(column-left, 2*(row-top)+1)
			if upper.A == 0 && lower.A == 0 {
				continue
			}
			letter := '▀'
			if t.colors == pictures.NoColors {
				letter = rune(pictures.Shade(upper, lower, true))
			}
			if lower.A == 0 {
				*t.cell(column, row) = cell{letter: letter, fore: upper}
				continue
			}
			if upper.A == 0 && t.colors != pictures.NoColors {
				*t.cell(column, row) = cell{letter: '▄', fore: lower}
				continue
			}
			*t.cell(column, row) = cell{letter: letter, fore: upper, back: lower}
		}
	}
}

// brightest returns the brightest pixel of an area that is not transparent, or a transparent one.
func brightest(m *image.NRGBA, area image.Rectangle) (best color.NRGBA) {
	for y := area.Min.Y; y < max(area.Max.Y, area.Min.Y+1); y++ {
		for x := area.Min.X; x < max(area.Max.X, area.Min.X+1); x++ {
			if c := m.NRGBAAt(x, y); c.A > 0 && (best.A == 0 || pictures.Luma(c) > pictures.Luma(best)) {
				best = c
			}
		}
	}
	if best.A > 0 {
		best = pictures.OnBlack(best)
	}
	return best
}

// text prints s with escapes for characters that terminals obey, because titles and names come from files.
func (t *textCanvas) text(at point, s string, align align, size float64) {
	column := int(math.Round((at.x - float64(align)*t.measure(s, size)) / pictures.CharWidth))
	row := int((at.y - size/3) / pictures.CharHeight)
	for _, letter := range terminal.Printable(s) {
		if cellsOf(letter) == 0 {
			continue
		}
		*t.cell(column, row) = cell{letter: letter, fore: ink}
		if cellsOf(letter) == 2 && column+1 < t.columns {
			t.cell(column+1, row).letter = covered
		}
		column += cellsOf(letter)
	}
}

func (t *textCanvas) measure(s string, _ float64) float64 {
	cells := 0
	for _, letter := range terminal.Printable(s) {
		cells += cellsOf(letter)
	}
	return pictures.CharWidth * float64(cells)
}

func (t *textCanvas) grain() float64 { return dotSize }

// covered stands for the second cell of a wide letter.
const covered = -1

// wideLetters are the blocks of letters that terminals print in two cells: Chinese, Japanese, Korean, and emoji.
var wideLetters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1},
		{0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

// cellsOf returns the cells that a letter takes on a terminal: none for the accent of another letter.
func cellsOf(letter rune) int {
	switch {
	case unicode.Is(unicode.Mn, letter):
		return 0
	case unicode.Is(wideLetters, letter):
		return 2
	}
	return 1
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
			case c.letter == covered:
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
