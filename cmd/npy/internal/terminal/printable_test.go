package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hiddenIn returns the first character of a text that a terminal obeys or hides, with its context.
func hiddenIn(text string) string {
	for i, r := range text {
		broken := r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd")
		if broken || r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return fmt.Sprintf("%q in %q", text[i:i+max(1, utf8.RuneLen(r))], text[max(0, i-40):min(len(text), i+40)])
		}
	}
	return ""
}

// Printable text has no hidden characters and one line, and Printable does not change it again. JSON keeps its value.
func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"", "plain", "日本", "a\x1b]0;title\a\r\n\t\v\x7f\u0080\u009b\u202e\u2028\ufeff\U000e0041z", "\xff\xc3(\x9b31m\xed\xa0\xbd", "\ufffd", "a\xe2\x80"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		text := Printable(s)
		if found := hiddenIn(text); found != "" || strings.Contains(text, "\n") {
			t.Errorf("%q is printed with %s", s, found)
		}
		if Printable(text) != text {
			t.Errorf("%q is printed as %q, and that as %q", s, text, Printable(text))
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := &jsonText{w: &b}
		cut = min(max(cut, 0), len(want))
		for _, part := range [][]byte{want[:cut], want[cut:]} {
			if n, err := w.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("%s is written as %s, which is %q, error %v", want, &b, back, err)
		}
		if found := hiddenIn(b.String()); found != "" {
			t.Errorf("JSON of %q is written with %s", s, found)
		}
	})
}
