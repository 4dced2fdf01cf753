package pictures

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestChooseGraphics(t *testing.T) {
	for _, test := range []struct {
		wanted   string
		terminal bool
		env      []string
		want     string
	}{
		{"auto", false, []string{"TERM", "xterm-kitty"}, "blocks"},
		{"auto", true, []string{"TERM", "xterm-kitty"}, "kitty"},
		{"auto", true, []string{"TERM", "xterm-256color", "KITTY_WINDOW_ID", "1"}, "kitty"},
		{"auto", true, []string{"TERM_PROGRAM", "WezTerm"}, "kitty"},
		{"auto", true, []string{"TERM_PROGRAM", "ghostty", "TMUX", "/tmp/x"}, "blocks"},
		{"auto", true, []string{"TERM", "foot"}, "sixel"},
		{"auto", true, []string{"TERM", "xterm-256color"}, "blocks"},
		{"sixel", false, nil, "sixel"},
	} {
		if got, err := ChooseGraphics(test.wanted, test.terminal, environment(test.env...)); got != test.want || err != nil {
			t.Errorf("%s, terminal %t, %v: %q, %v, want %q", test.wanted, test.terminal, test.env, got, err, test.want)
		}
	}
	if got := ChooseColors(true, environment("TERM", "xterm-256color")); got != Colors256 {
		t.Errorf("colours of xterm-256color: %d", got)
	}
	if got := ChooseColors(true, environment("COLORTERM", "truecolor")); got != Colors24bit {
		t.Errorf("colours of a terminal with all of them: %d", got)
	}
}

// Each of the 256 colours is nearest to itself. The first 16 are set by the user and are not tested.
func TestNearest256(t *testing.T) {
	levels := []uint8{0, 95, 135, 175, 215, 255}
	for i := range 216 {
		if got := nearest256(color.NRGBA{levels[i/36], levels[i/6%6], levels[i%6], 255}); got != 16+i {
			t.Errorf("colour %d is %d", 16+i, got)
		}
	}
	for i := range uint8(24) {
		if got := nearest256(color.NRGBA{8 + 10*i, 8 + 10*i, 8 + 10*i, 255}); got != 232+int(i) {
			t.Errorf("grey %d is %d", 232+int(i), got)
		}
	}
}

func written(t *testing.T, write func(*bufio.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(bufio.NewWriter(&b)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteBlocks(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	for i := range 6 {
		m.SetNRGBA(i%2, i/2, []color.NRGBA{black, white, white, white, NaNColor, NaNColor}[i])
	}
	for _, test := range []struct {
		colors CharColors
		want   string
	}{
		{NoColors, "=@\n??\n"},
		{Colors256, "\x1b[38;5;16;48;5;231m▀\x1b[38;5;231;48;5;231m▀\x1b[0m\n\x1b[38;5;133m▀▀\x1b[0m\n"},
		{Colors24bit, "\x1b[38;2;0;0;0;48;2;255;255;255m▀\x1b[38;2;255;255;255;48;2;255;255;255m▀\x1b[0m\n\x1b[38;2;155;79;155m▀▀\x1b[0m\n"},
	} {
		if got := written(t, func(w *bufio.Writer) error { return writeBlocks(w, m, test.colors) }); got != test.want {
			t.Errorf("colours %d: %q, want %q", test.colors, got, test.want)
		}
	}
}

// kitty receives the image, in chunks of the allowed length.
func TestWriteKitty(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 100, 80))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32()) // so that the PNG takes several chunks
	}
	text := written(t, func(w *bufio.Writer) error { return WriteKitty(w, m, 13) })
	var payload strings.Builder
	pieces := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(text, -1)
	for i, piece := range pieces {
		payload.WriteString(piece[2])
		want := map[bool]string{true: "m=0", false: "m=1"}[i == len(pieces)-1]
		if i == 0 {
			want = "a=T,f=100,q=2,c=13," + want
		}
		if piece[1] != want || len(piece[2]) > 4096 {
			t.Errorf("piece %d has %d characters and keys %q, want %q", i, len(piece[2]), piece[1], want)
		}
	}
	if len(pieces) < 2 {
		t.Errorf("%d pieces", len(pieces))
	}
	data, err := base64.StdEncoding.DecodeString(payload.String())
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil || !bytes.Equal(got.(*image.NRGBA).Pix, m.Pix) {
		t.Errorf("another image arrives, %v", err)
	}
}

// The image is sent in bands of six rows, with colours in per cent and repetitions as counts.
func TestWriteSixel(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 5, 7))
	for i := range 35 {
		m.SetNRGBA(i%5, i/5, white)
	}
	m.SetNRGBA(0, 0, black)
	want := "\x1bP0;1q\"1;1;5;7#0;2;0;0;0#1;2;100;100;100#0@!4?$#1}!4~$-#1!5@$-\x1b\\\n"
	if got := written(t, func(w *bufio.Writer) error { return WriteSixel(w, m) }); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	many := image.NewNRGBA(image.Rect(0, 0, 257, 1))
	for i := range 257 {
		many.SetNRGBA(i, 0, color.NRGBA{uint8(i), uint8(i / 2), uint8(i / 256), 255})
	}
	if p := paletted(many); len(p.Palette) != len(palette.Plan9) {
		t.Errorf("257 colours become %d", len(p.Palette))
	}
}

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}
