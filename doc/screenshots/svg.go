package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
)

// The measures of a picture, in its own units.
const (
	cellWidth  = 8
	cellHeight = 17
	baseline   = 13 // of text, from the top of its line
	margin     = 14
	background = "#1e222a"
	foreground = "#d7dae0"
)

// draw makes an SVG of lines of cells. Each run of cells of one style is one element.
func draw(lines [][]cell) []byte {
	columns := 0
	for _, line := range lines {
		columns = max(columns, len(line))
	}
	width, height := columns*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", background)
	fmt.Fprintf(&b, `<g transform="translate(%d,%d)" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13" fill="%s" xml:space="preserve" shape-rendering="crispEdges">`+"\n", margin, margin, foreground)
	for y, line := range lines {
		drawLine(&b, line, y*cellHeight)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// drawLine draws one line with its top at y.
func drawLine(b *bytes.Buffer, line []cell, y int) {
	for start := 0; start < len(line); {
		end := start + 1
		for end < len(line) && line[end].style == line[start].style && isHalf(line[end]) == isHalf(line[start]) {
			end++
		}
		drawRun(b, line[start:end], start*cellWidth, y)
		start = end
	}
}

// isHalf reports whether a cell is a half block, which is drawn as two pixels.
func isHalf(c cell) bool { return c.char == '▀' }

// drawRun draws cells of one style.
func drawRun(b *bytes.Buffer, run []cell, x, y int) {
	s, width := run[0].style, len(run)*cellWidth
	if s.back != "" {
		drawRect(b, x, y, width, cellHeight, s.back)
	}
	if isHalf(run[0]) {
		drawRect(b, x, y, width, (cellHeight+1)/2, cmp.Or(s.fore, foreground))
		return
	}
	var text strings.Builder
	for _, c := range run {
		text.WriteRune(c.char)
	}
	if strings.TrimSpace(text.String()) == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d"`, x, y+baseline, width)
	if s.fore != "" {
		fmt.Fprintf(b, ` fill="%s"`, s.fore)
	}
	if s.bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteByte('>')
	xml.EscapeText(b, []byte(text.String()))
	b.WriteString("</text>\n")
}

func drawRect(b *bytes.Buffer, x, y, width, height int, fill string) {
	fmt.Fprintf(b, `<path fill="%s" d="M%d %dh%dv%dh-%dz"/>`+"\n", fill, x, y, width, height, width)
}

func hex(r, g, b int) string { return fmt.Sprintf("#%02x%02x%02x", r&255, g&255, b&255) }
