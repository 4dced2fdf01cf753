package charts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// Fonts are the fonts that text is drawn in, in the order in which they are asked for a glyph. The font of the program,
// which has Latin, Greek and Cyrillic letters, is the last.
type Fonts struct{ more []*opentype.Font }

// ParseFont returns the fonts of a TrueType or OpenType file, and the font of the program.
func ParseFont(data []byte) (Fonts, error) {
	c, err := opentype.ParseCollection(data)
	if err != nil {
		return Fonts{}, err
	}
	if c.NumFonts() == 0 {
		return Fonts{}, errors.New("it has no font")
	}
	f, err := c.Font(0)
	if err != nil {
		return Fonts{}, err
	}
	if _, err := opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72}); err != nil {
		return Fonts{}, err
	}
	return Fonts{[]*opentype.Font{f}}, nil
}

// all returns the fonts in their order.
func (f Fonts) all() []*opentype.Font { return append(slices.Clip(f.more), parsedFont()) }

// find returns the first font with a glyph for a letter.
func (f Fonts) find(letter rune) (of *opentype.Font, found bool) {
	for _, of := range f.all() {
		var b sfnt.Buffer
		if i, err := of.GlyphIndex(&b, letter); err == nil && i != 0 {
			return of, true
		}
	}
	return parsedFont(), false
}

// missing returns the letters of texts that no font has a glyph for, at most a few.
func (f Fonts) missing(texts ...string) string {
	const most = 5
	var letters []string
	for _, letter := range strings.Join(texts, "") {
		if _, ok := f.find(letter); ok || slices.Contains(letters, nameOf(letter)) {
			continue
		}
		if len(letters) == most {
			letters = append(letters, "…")
			break
		}
		letters = append(letters, nameOf(letter))
	}
	return strings.Join(letters, " ")
}

// nameOf returns a letter as it is, or its code point if it cannot be seen.
func nameOf(letter rune) string {
	if unicode.IsGraphic(letter) && !unicode.Is(unicode.Mn, letter) {
		return string(letter)
	}
	return fmt.Sprintf("U+%04X", letter)
}

// A typeface measures text. The fonts of SVG and PDF viewers have nearly the same widths.
type typeface struct {
	fonts Fonts
	faces map[faceKey]font.Face
}

type faceKey struct {
	font *opentype.Font
	size float64
}

func (t *typeface) measure(s string, size float64) float64 {
	width := 0.0
	for _, letter := range s {
		if _, found := t.fonts.find(letter); !found {
			width += size * float64(cellsOf(letter)) / 2
			continue
		}
		advance, _ := t.face(letter, size).GlyphAdvance(letter)
		width += float64(advance) / 64
	}
	return width
}

func (*typeface) grain() float64 { return 1 }

// face returns the font for a letter at a size in pixels.
func (t *typeface) face(letter rune, size float64) font.Face {
	of, _ := t.fonts.find(letter)
	key := faceKey{of, size}
	if face, ok := t.faces[key]; ok {
		return face
	}
	face, err := opentype.NewFace(of, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err) // ParseFont has made one before
	}
	if t.faces == nil {
		t.faces = map[faceKey]font.Face{}
	}
	t.faces[key] = face
	return face
}

// parsedFont is parsed when the first text is drawn, not when the command starts.
var parsedFont = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return f
})
