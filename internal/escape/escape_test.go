package escape_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npygo/npy/internal/escape"
)

// Text is UTF-8, and stands for the bytes or the str that it was made from.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "日本", `\x41`, `\\x41`, "\xff\x00", "\xed\xa0\x80", `\ud800`, `\u005cud800`, "\xed\xa0\xbd\xed\xb8\x80", `a\`, "\xed\xa0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := string(escape.AppendBytes([]byte("x"), []byte(s)))[1:]
		if !utf8.ValidString(text) || !bytes.Equal(escape.Bytes(text), []byte(s)) || escape.BytesLen(text) != len(s) {
			t.Errorf("bytes %q are %q, which is %q", s, text, escape.Bytes(text))
		}
		b, err := escape.AppendStr(nil, s)
		if wide := utf8.ValidString(strings.ToValidUTF8(s, "")) && utf8.ValidString(s); err != nil && wide {
			t.Errorf("str %q: %v", s, err)
		}
		if err != nil {
			return
		}
		back, err := escape.Str(string(b))
		if !utf8.Valid(b) || err != nil || back != s {
			t.Errorf("str %q is %q, which is %q, %v", s, b, back, err)
		}
	})
}
