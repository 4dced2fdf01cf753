package pictures

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/png"
	"io"
	"strings"
)

// Graphics are the ways in which a terminal can show an image.
const (
	AutoGraphics   = "auto"
	BlocksGraphics = "blocks" // two pixels in each character, as its foreground and background colour
	KittyGraphics  = "kitty"  // the protocol of kitty: a PNG
	SixelGraphics  = "sixel"  // the protocol of DEC: six rows of pixels at a time, 256 colours
)

// ChooseGraphics finds the best protocol of a terminal, by its environment variables.
func ChooseGraphics(wanted string, terminal bool, env func(string) string) (string, error) {
	term, program := env("TERM"), env("TERM_PROGRAM")
	switch wanted {
	case BlocksGraphics, KittyGraphics, SixelGraphics:
		return wanted, nil
	case AutoGraphics:
	default:
		return "", fmt.Errorf("unknown --graphics %q; want auto, blocks, kitty or sixel", wanted)
	}
	switch {
	case !terminal || env("TMUX") != "" || strings.HasPrefix(term, "screen"): // neither passes a protocol on
		return BlocksGraphics, nil
	case term == "xterm-kitty" || env("KITTY_WINDOW_ID") != "" || program == "WezTerm" || program == "ghostty":
		return KittyGraphics, nil
	case strings.Contains(term, "sixel"), strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "mlterm"):
		return SixelGraphics, nil
	}
	return BlocksGraphics, nil
}

// CharColors is the set of colours of characters.
type CharColors int

const (
	NoColors CharColors = iota // shades of grey made of characters
	Colors256
	Colors24bit
)

// ChooseColors finds the colours of a terminal. Output that is not a terminal has all of them.
func ChooseColors(terminal bool, env func(string) string) CharColors {
	switch c := env("COLORTERM"); {
	case !terminal, c == "truecolor", c == "24bit", strings.HasSuffix(env("TERM"), "-direct"):
		return Colors24bit
	}
	return Colors256
}

// enlarged repeats each pixel of an image as often as width and height allow.
func enlarged(m *image.NRGBA, width, height int) *image.NRGBA {
	times := min(width/m.Rect.Dx(), height/m.Rect.Dy())
	if times <= 1 {
		return m
	}
	out := image.NewNRGBA(image.Rect(0, 0, m.Rect.Dx()*times, m.Rect.Dy()*times))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.SetNRGBA(x, y, m.NRGBAAt(x/times, y/times))
		}
	}
	return out
}

// writeBlocks prints an image as characters that show two pixels each, one above the other.
func writeBlocks(w *bufio.Writer, m *image.NRGBA, colors CharColors) error {
	bounds := m.Rect
	for y := 0; y < bounds.Dy(); y += 2 {
		last := ""
		for x := range bounds.Dx() {
			upper, lower, both := OnBlack(m.NRGBAAt(x, y)), color.NRGBA{}, y+1 < bounds.Dy()
			if both {
				lower = OnBlack(m.NRGBAAt(x, y+1))
			}
			if colors == NoColors {
				w.WriteByte(Shade(upper, lower, both))
				continue
			}
			code := colors.Code(38, upper)
			if both {
				code += ";" + colors.Code(48, lower)
			}
			if code != last {
				fmt.Fprintf(w, "\x1b[%sm", code)
				last = code
			}
			w.WriteString("▀")
		}
		if colors != NoColors {
			w.WriteString("\x1b[0m")
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// Code returns the parameters that set the foreground (ground 38) or the background (48) of a character.
func (colors CharColors) Code(ground int, c color.NRGBA) string {
	if colors == Colors24bit {
		return fmt.Sprintf("%d;2;%d;%d;%d", ground, c.R, c.G, c.B)
	}
	return fmt.Sprintf("%d;5;%d", ground, nearest256(c))
}

// nearest256 returns the number of a colour among the 256 of xterm: a cube of six steps a side, and 24 greys. Colours of
// the maps have the numbers of their ramps.
func nearest256(c color.NRGBA) int {
	if n, ok := ramps()[c]; ok {
		return int(n)
	}
	step := func(v uint8) int { return min(max(int(v)-35, 0)/40, 5) }
	level := func(i int) int { return min(i, 1)*55 + 40*i }
	r, g, b := step(c.R), step(c.G), step(c.B)
	grey := min(max((int(c.R)+int(c.G)+int(c.B))/3-3, 0)/10, 23)
	if distance(c, 8+10*grey, 8+10*grey, 8+10*grey) < distance(c, level(r), level(g), level(b)) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

func distance(c color.NRGBA, r, g, b int) int {
	r, g, b = r-int(c.R), g-int(c.G), b-int(c.B)
	return r*r + g*g + b*b
}

// shades are characters from dark to bright.
const shades = " .:-=+*#%@"

// Shade returns the character for two pixels, or for the upper pixel alone. NaN is a question mark.
func Shade(upper, lower color.NRGBA, both bool) byte {
	if upper == NaNColor && (!both || lower == NaNColor) {
		return '?'
	}
	light := Luma(upper)
	if both {
		light = (light + Luma(lower)) / 2
	}
	return shades[light*len(shades)/256]
}

// Luma returns the brightness of a colour, from 0 to 255.
func Luma(c color.NRGBA) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }

// OnBlack blends a translucent colour with black.
func OnBlack(c color.NRGBA) color.NRGBA {
	return color.NRGBA{Blend(0, c.R, float64(c.A)/255), Blend(0, c.G, float64(c.A)/255), Blend(0, c.B, float64(c.A)/255), 255}
}

// WriteKitty sends an image as a PNG, in chunks of 4096 characters, to be shown some columns wide.
func WriteKitty(w *bufio.Writer, m image.Image, columns int) error {
	var text strings.Builder
	encoder := base64.NewEncoder(base64.StdEncoding, &text)
	if err := errors.Join(png.Encode(encoder, m), encoder.Close()); err != nil {
		return err
	}
	const most = 4096
	keys := fmt.Sprintf("a=T,f=100,q=2,c=%d,", columns)
	for rest := text.String(); rest != ""; keys = "" {
		piece, more := rest, 0
		if len(piece) > most {
			piece, more = rest[:most], 1
		}
		rest = rest[len(piece):]
		fmt.Fprintf(w, "\x1b_G%sm=%d;%s\x1b\\", keys, more, piece)
	}
	w.WriteByte('\n')
	return w.Flush()
}

// WriteSixel sends an image in bands of six rows. For each colour in a band there is one character per column, whose
// bits are the rows with this colour.
func WriteSixel(w *bufio.Writer, m *image.NRGBA) error {
	p := paletted(m)
	width, height := p.Rect.Dx(), p.Rect.Dy()
	fmt.Fprintf(w, "\x1bP0;1q\"1;1;%d;%d", width, height)
	for i, c := range p.Palette {
		r, g, b, _ := c.RGBA()
		fmt.Fprintf(w, "#%d;2;%d;%d;%d", i, r*100/0xffff, g*100/0xffff, b*100/0xffff)
	}
	for top := 0; top < height; top += 6 {
		rows := p.Pix[top*p.Stride : min(top+6, height)*p.Stride]
		for i, used := range usedColors(rows) {
			if used {
				writeSixelColor(w, rows, width, uint8(i))
			}
		}
		w.WriteByte('-')
	}
	w.WriteString("\x1b\\\n")
	return w.Flush()
}

func usedColors(pixels []uint8) (used [256]bool) {
	for _, i := range pixels {
		used[i] = true
	}
	return used
}

// writeSixelColor writes one colour of a band, with repetitions as counts, and returns to the start of the line.
func writeSixelColor(w io.Writer, rows []uint8, width int, of uint8) {
	fmt.Fprintf(w, "#%d", of)
	last, count := byte(0), 0
	flush := func() {
		switch {
		case count > 3:
			fmt.Fprintf(w, "!%d%c", count, last)
		case count > 0:
			io.WriteString(w, strings.Repeat(string(rune(last)), count))
		}
	}
	for x := range width {
		bits := byte(0)
		for y := 0; y*width < len(rows); y++ {
			if rows[y*width+x] == of {
				bits |= 1 << y
			}
		}
		if c := '?' + bits; c != last {
			flush()
			last, count = c, 0
		}
		count++
	}
	flush()
	io.WriteString(w, "$")
}

// paletted returns an image of at most 256 colours: with its own colours if they are at most 256, otherwise dithered
// to the palette of Plan 9.
func paletted(m *image.NRGBA) *image.Paletted {
	p := image.NewPaletted(m.Rect, nil)
	index := map[color.NRGBA]uint8{}
	for i := range p.Pix {
		c := OnBlack(color.NRGBA{m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3]})
		at, ok := index[c]
		if !ok {
			if len(p.Palette) == 256 {
				return dithered(m)
			}
			at = uint8(len(p.Palette))
			index[c] = at
			p.Palette = append(p.Palette, c)
		}
		p.Pix[i] = at
	}
	return p
}

func dithered(m *image.NRGBA) *image.Paletted {
	p := image.NewPaletted(m.Rect, palette.Plan9)
	draw.FloydSteinberg.Draw(p, m.Rect, m, image.Point{})
	return p
}
