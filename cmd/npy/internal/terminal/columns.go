package terminal

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy"
)

// Columns is a table that fits the terminal. Cells are aligned by the columns they take on the screen.
type Columns struct {
	Width  int    // of the terminal, in characters; 0 for any
	Indent string // before each line
	Right  string // per column, from the first: r for cells at the right, as numbers; any other character for the left
	Cut    []int  // columns whose cells may be shortened in the middle, the first of them first
	Drop   []int  // columns that may be left out after that, the first of them first

	Colors  map[int]string // codes before the cells of some columns, which Plain ends
	Heading bool           // the first line has no colours

	rows  []string         // the cells of each, joined by cellEnd: a table may have a million rows
	below map[int][]string // by the row before them
}

// cellEnd is between the cells of a row. Text for a terminal does not have it.
const cellEnd = "\x00"

// Plain ends a colour.
const Plain = "\x1b[0m"

const (
	gapWidth = 2  // spaces between columns
	cutMin   = 10 // characters that a shortened cell keeps
)

// Row adds a line. Every line has as many cells as the first, which is the heading.
func (c *Columns) Row(cells ...string) { c.rows = append(c.rows, strings.Join(cells, cellEnd)) }

// cells returns the cells of a row.
func (c *Columns) cells(row int) []string { return strings.Split(c.rows[row], cellEnd) }

// set replaces the cells of a row.
func (c *Columns) set(row int, cells []string) { c.rows[row] = strings.Join(cells, cellEnd) }

// Below adds a line of text below the last row. It is not divided into columns, and a long one is cut at its end.
func (c *Columns) Below(line string) {
	if c.below == nil {
		c.below = map[int][]string{}
	}
	c.below[len(c.rows)-1] = append(c.below[len(c.rows)-1], line)
}

// Fit shortens and drops columns until the table fits. It returns the headings of the dropped columns, and whether the table fits.
func (c *Columns) Fit() (dropped []string, fits bool) {
	if c.Width <= 0 || len(c.rows) == 0 {
		return nil, true
	}
	headings := c.cells(0)
	keep := make([]bool, len(headings))
	for i := range keep {
		keep[i] = true
	}
	widths := c.widths()
	total := func() int {
		n := len(c.Indent) - gapWidth
		for i, w := range widths {
			if keep[i] {
				n += w + gapWidth
			}
		}
		return n
	}
	cut := func(least int) {
		for _, i := range c.Cut {
			if over := total() - c.Width; over > 0 {
				widths[i] = min(widths[i], max(widths[i]-over, least))
			}
		}
	}
	cut(3 * cutMin)
	for _, i := range c.Drop {
		if total() > c.Width {
			keep[i] = false
			dropped = append(dropped, headings[i])
		}
	}
	cut(cutMin)
	for _, i := range c.Cut { // dropping may have made room
		if spare := c.Width - total(); spare > 0 && keep[i] {
			widths[i] = min(widths[i]+spare, c.widths()[i])
		}
	}
	fits = total() <= c.Width
	for _, i := range c.Cut {
		c.shortenNames(i, widths[i])
	}
	right := ""
	for i := range keep {
		if keep[i] {
			right += string(c.alignment(i))
		}
	}
	for r := range c.rows {
		var kept []string
		for i, cell := range c.cells(r) {
			if keep[i] {
				kept = append(kept, Shorten(cell, widths[i]))
			}
		}
		c.set(r, kept)
	}
	colors := map[int]string{}
	for i, at := 0, 0; i < len(keep); i++ {
		if keep[i] {
			if color := c.Colors[i]; color != "" {
				colors[at] = color
			}
			at++
		}
	}
	c.Right, c.Cut, c.Drop, c.Colors = right, nil, nil, colors
	return dropped, fits
}

// Fits reports whether the table fits as it is.
func (c *Columns) Fits() bool {
	n := len(c.Indent) - gapWidth
	for _, w := range c.widths() {
		n += w + gapWidth
	}
	return c.Width <= 0 || n <= c.Width
}

// DropEmpty leaves out columns that have only a text such as "-", except the first.
func (c *Columns) DropEmpty(empty string) {
	for i := 1; i < len(c.cells(0)); i++ {
		if !c.isEmpty(i, empty) {
			continue
		}
		for r := range c.rows {
			c.set(r, slices.Delete(c.cells(r), i, i+1))
		}
		if i < len(c.Right) {
			c.Right = c.Right[:i] + c.Right[i+1:]
		}
		for _, list := range []*[]int{&c.Cut, &c.Drop} {
			*list = slices.DeleteFunc(*list, func(k int) bool { return k == i })
			for k := range *list {
				if (*list)[k] > i {
					(*list)[k]--
				}
			}
		}
		i--
	}
}

// isEmpty reports whether a column has only a text, below its heading.
func (c *Columns) isEmpty(column int, text string) bool {
	for r := 1; r < len(c.rows); r++ {
		if c.cells(r)[column] != text {
			return false
		}
	}
	return true
}

func (c *Columns) alignment(i int) byte {
	if i < len(c.Right) {
		return c.Right[i]
	}
	return 'l'
}

// widths returns the width of each column. Lines that are very long are not aligned with the others.
func (c *Columns) widths() []int {
	var widths []int
	for r := range c.rows {
		row := c.cells(r)
		if c.Width <= 0 && tooLong(row) {
			continue
		}
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], npy.TextWidth(cell))
		}
	}
	return widths
}

func tooLong(row []string) bool {
	n := 0
	for _, cell := range row {
		n += len(cell)
	}
	return n > alignedMax
}

// shortenNames shortens the paths in a column that are too long by the names that all paths have in the same place, so
// that the paths stay distinct.
func (c *Columns) shortenNames(column, width int) {
	var paths [][]string
	for r := 1; r < len(c.rows); r++ {
		if parts := strings.Split(c.cells(r)[column], "/"); len(parts) > 1 && parts[len(parts)-1] != "" {
			paths = append(paths, parts)
		}
	}
	if len(paths) < 2 {
		return
	}
	same := func(at func(parts []string, i int) int) int {
		for n := 0; ; n++ {
			for _, parts := range paths {
				if n >= len(parts)-1 || parts[at(parts, n)] != paths[0][at(paths[0], n)] {
					return n
				}
			}
		}
	}
	first := same(func(_ []string, i int) int { return i })
	last := same(func(parts []string, i int) int { return len(parts) - 1 - i })
	for r := 1; r < len(c.rows); r++ {
		row := c.cells(r)
		parts := strings.Split(row[column], "/")
		if parts[len(parts)-1] != "" && first+last < len(parts) && npy.TextWidth(row[column]) > width {
			row[column] = shortenCommon(parts, first, last, width)
			c.set(r, row)
		}
	}
}

// shortenCommon leaves out names among the first and the last ones of a path: as few as make it fit.
func shortenCommon(parts []string, first, last, width int) string {
	end := len(parts) - last
	for _, cut := range []struct{ head, tail bool }{{false, true}, {true, true}} {
		kept := slices.Clone(parts[:end])
		if cut.head && first > 1 {
			kept = append([]string{parts[0], "…"}, parts[first:end]...)
		}
		if last > 1 {
			kept = append(kept, "…", parts[len(parts)-1])
		} else {
			kept = append(kept, parts[end:]...)
		}
		if text := strings.Join(kept, "/"); npy.TextWidth(text) <= width {
			return text
		}
	}
	text := strings.Join(parts[first:end], "/")
	if first > 0 {
		text = "…/" + text
	}
	full := text
	switch {
	case last > 1:
		full += "/…/" + parts[len(parts)-1]
	case last == 1:
		full += "/" + parts[len(parts)-1]
	}
	if last > 0 && npy.TextWidth(full) > width {
		return text + "/…"
	}
	return full
}

// Print prints the table.
func (c *Columns) Print(w io.Writer) error {
	c.Fit()
	widths := c.widths()
	var b strings.Builder
	for r := range c.rows {
		row := c.cells(r)
		b.WriteString(c.Indent)
		long := c.Width <= 0 && tooLong(row)
		at := b.Len()
		for i, cell := range row {
			pad := 0
			if !long {
				pad = widths[i] - npy.TextWidth(cell)
			}
			if c.alignment(i) == 'r' {
				b.WriteString(strings.Repeat(" ", pad))
				pad = 0
			}
			if color := c.Colors[i]; color != "" && !(r == 0 && c.Heading) {
				cell = color + cell + Plain
			}
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", pad+gapWidth))
			}
		}
		line := strings.TrimRight(b.String()[at:], " ")
		if _, err := io.WriteString(w, b.String()[:at]+line+"\n"); err != nil {
			return err
		}
		for _, line := range c.below[r] {
			if c.Width > 0 && npy.TextWidth(line) > c.Width {
				line = head(line, c.Width-1) + "…"
			}
			if _, err := io.WriteString(w, c.Indent+line+"\n"); err != nil {
				return err
			}
		}
		b.Reset()
	}
	return nil
}

// Shorten returns text in at most width columns, with an ellipsis in the middle for the text left out. Of a path
// whole names are kept at both ends: layer1/…/weight.
func Shorten(text string, width int) string {
	if npy.TextWidth(text) <= width {
		return text
	}
	if parts := strings.Split(text, "/"); len(parts) > 2 {
		if short := shortenPath(parts, width); short != "" {
			return short
		}
	}
	if width < 3 {
		return head(text, width)
	}
	tail := (width - 1) / 2
	return head(text, width-1-tail) + "…" + end(text, tail)
}

// shortenPath keeps as many names as fit, from the end first, or returns "" if the first and the last do not fit.
func shortenPath(parts []string, width int) string {
	from, to := 1, len(parts)-1 // the names from..to are left out
	join := func(from, to int) string {
		return strings.Join(parts[:from], "/") + "/…/" + strings.Join(parts[to:], "/")
	}
	if npy.TextWidth(join(from, to)) > width {
		return ""
	}
	for grown := true; grown; {
		grown = false
		if to-1 > from && npy.TextWidth(join(from, to-1)) <= width {
			to, grown = to-1, true
		}
		if from+1 < to && npy.TextWidth(join(from+1, to)) <= width {
			from, grown = from+1, true
		}
	}
	return join(from, to)
}

// head returns the start of text in at most width columns.
func head(text string, width int) string {
	for i, r := range text {
		if width -= npy.TextWidth(string(r)); width < 0 {
			return text[:i]
		}
	}
	return text
}

// end returns the end of text in at most width columns.
func end(text string, width int) string {
	i := len(text)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if width -= npy.TextWidth(string(r)); width < 0 {
			break
		}
		i -= n
	}
	return text[i:]
}
