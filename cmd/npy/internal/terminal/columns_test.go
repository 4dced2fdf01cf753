package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npygo/npy"
)

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"weight", 6, "weight"},
		{"weights", 6, "wei…ts"},
		{"model/layer1/attention/query/weight", 22, "model/…/query/weight"},
		{"model/layer1/attention/query/weight", 28, "model/layer1/…/query/weight"},
		{"model/layer1/attention/query/weight", 9, "mode…ight"},
		{"地震の記録データ", 9, "地震…ータ"},
		{"abc", 2, "ab"},
		{"a/b", 1, "a"},
		{"abc", 0, ""},
	} {
		got := Shorten(tt.text, tt.width)
		if got != tt.want || npy.TextWidth(got) > tt.width {
			t.Errorf("%s in %d columns is %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

// Whatever text is shortened, it fits and stays text.
func FuzzShorten(f *testing.F) {
	f.Add("a/bb/ccc/地震", 5)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = min(max(width, 0), 200)
		if got := Shorten(text, width); npy.TextWidth(got) > width || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q in %d columns is %q, which takes %d", text, width, got, npy.TextWidth(got))
		}
	})
}

func TestColumns(t *testing.T) {
	c := Columns{Right: "lr", Cut: []int{0}}
	c.Row("NAME", "BYTES", "KIND")
	c.Row("地震", "5", "x")
	c.Row("plain", "12345", "")
	var b strings.Builder
	if err := c.Print(&b); err != nil || b.String() != "NAME   BYTES  KIND\n地震       5  x\nplain  12345\n" {
		t.Errorf("%v:\n%s", err, b.String())
	}
	for _, tt := range []struct {
		width   int
		dropped string
		fits    bool
	}{{60, "", true}, {40, "NOTES", true}, {30, "NOTES SIZE", true}, {12, "NOTES SIZE", true}, {5, "NOTES SIZE", false}} {
		c := Columns{Width: tt.width, Indent: "  ", Cut: []int{0}, Drop: []int{2, 1}}
		c.Row("NAME", "SIZE", "NOTES")
		c.Row("model/layer1/attention/weight", "123456", "nothing much")
		dropped, fits := c.Fit()
		if strings.Join(dropped, " ") != tt.dropped || fits != tt.fits {
			t.Errorf("%d columns: dropped %q, fits %v, want %q, %v", tt.width, dropped, fits, tt.dropped, tt.fits)
		}
		var b strings.Builder
		c.Print(&b)
		for line := range strings.Lines(b.String()) {
			if fits && npy.TextWidth(strings.TrimSuffix(line, "\n")) > tt.width {
				t.Errorf("%d columns: %q is wider", tt.width, line)
			}
		}
	}
}

// The parts in which names differ stay.
func TestShortenNames(t *testing.T) {
	for width, want := range map[int]string{
		60: "model/encoder/layer_1/attention/query/weight",
		40: "model/encoder/layer_1/…/weight",
		29: "model/…/layer_1/…/weight",
		22: "…/layer_1/…/weight",
		14: "…/layer_1/…",
	} {
		c := Columns{Width: width, Cut: []int{0}}
		c.Row("NAME")
		c.Row("model/encoder/layer_1/attention/query/weight")
		c.Row("model/encoder/layer_2/attention/query/weight")
		c.Fit()
		if got := c.cells(1)[0]; got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}
