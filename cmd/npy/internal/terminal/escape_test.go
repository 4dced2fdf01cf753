package terminal

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// An Escaper escapes the same characters as Printable, except tabs and line feeds, wherever the writes are cut.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"a\tb\n", "\x1b[31m\r\n\u009b\u202e", "\xff\xc3", "é漢\U000e0041", "é\xe6\xbc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want strings.Builder
		for line := range strings.SplitAfterSeq(s, "\n") {
			for cell := range strings.SplitAfterSeq(line, "\t") {
				text := strings.TrimSuffix(strings.TrimSuffix(cell, "\n"), "\t")
				want.WriteString(Printable(text) + cell[len(text):])
			}
		}
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(s), "bytes": iotest.OneByteReader(strings.NewReader(s)), "halves": iotest.HalfReader(strings.NewReader(s))} {
			var got strings.Builder
			e := Escape(&got)
			if _, err := io.Copy(struct{ io.Writer }{e}, struct{ io.Reader }{r}); err != nil {
				t.Fatal(err)
			}
			if err := e.Flush(); err != nil {
				t.Fatal(err)
			}
			if got.String() != want.String() {
				t.Errorf("%s: %q becomes %q, want %q", name, s, got.String(), want.String())
			}
		}
	})
}
