package scalar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

func TestUCS4(t *testing.T) {
	for _, tt := range []struct {
		name, why, in string
		room          int
		want          string
		err           error
	}{
		{"ascii", "fast path, zero filled", "abc", 5, "abc", nil},
		{"exact", "no room left", "abc", 3, "abc", nil},
		{"empty", "U0 exists", "", 0, "", nil},
		{"planes", "two, three and four bytes", "é€😀", 3, "é€😀", nil},
		{"inner NUL", "kept", "a\x00b", 4, "a\x00b", nil},
		{"trailing NUL", "cannot be told from filling", "a\x00", 4, "a", nil},
		{"replacement", "U+FFFD itself is valid", "\ufffd", 1, "\ufffd", nil},
		{"surrogate", "surrogatepass both ways", "\xed\xa0\x80\xed\xbf\xbf", 2, "\xed\xa0\x80\xed\xbf\xbf", nil},
		{"last", "the last code point", "\U0010ffff", 1, "\U0010ffff", nil},
		{"too long", "never cut", "abcd", 3, "", &LengthError{}},
		{"invalid", "a lone continuation byte", "a\x80", 3, "", ErrUTF8},
		{"cut surrogate", "two of three bytes", "\xed\xa0", 3, "", ErrUTF8},
		{"overlong", "no overlong forms", "\xc0\x80", 3, "", ErrUTF8},
		{"above", "above 0x10FFFF", "\xf4\x90\x80\x80", 4, "", ErrUTF8},
	} {
		for _, big := range []bool{false, true} {
			item := bytes.Repeat([]byte{0xaa}, 4*tt.room)
			before := bytes.Clone(item)
			err := PutUCS4(item, tt.in, big)
			if tt.err != nil {
				var le *LengthError
				if !errors.Is(err, tt.err) && !errors.As(err, &le) || !bytes.Equal(item, before) {
					t.Errorf("%s: PutUCS4(%q) = %v, item % x (%s)", tt.name, tt.in, err, item, tt.why)
				}
				continue
			}
			got, err2 := AppendUCS4([]byte("x"), item, big)
			if err != nil || err2 != nil || string(got) != "x"+tt.want {
				t.Errorf("%s: PutUCS4(%q) = %v, reads back as %q, %v (%s)", tt.name, tt.in, err, got, err2, tt.why)
			}
		}
	}
	if n := UCS4Len("aé😀\xed\xa0\x80\x80"); n != 5 {
		t.Errorf("UCS4Len = %d, want 5", n)
	}
}

func TestUCS4Errors(t *testing.T) {
	var ce *CodePointError
	dst, err := AppendUCS4([]byte("x"), []byte{'a', 0, 0, 0, 0, 0, 0x11, 0}, false)
	if !errors.As(err, &ce) || ce.Index != 1 || ce.Value != 0x110000 || string(dst) != "x" {
		t.Errorf("above the last code point: %q, %v", dst, err)
	}
	var se *SizeError
	if _, err := AppendUCS4(nil, make([]byte, 5), false); !errors.As(err, &se) {
		t.Errorf("5 bytes: %v", err)
	}
	if err := PutUCS4(make([]byte, 5), "", false); !errors.As(err, &se) {
		t.Errorf("5 bytes: %v", err)
	}
	var le *LengthError
	if err := PutUCS4(make([]byte, 8), "abc", true); !errors.As(err, &le) || le.Length != 3 || le.Room != 2 {
		t.Errorf("3 in 2: %v", err)
	}
}

func TestUCS4AgainstNumPy(t *testing.T) {
	texts := []string{"", "abc", "é€😀", "a\x00b", "\U0010ffff", "\xed\xa0\x80", "\xed\xb0\x80x"}
	var in []byte
	for _, s := range texts {
		item := make([]byte, 20)
		if err := PutUCS4(item, s, true); err != nil {
			t.Fatal(err)
		}
		in = append(in, item...)
	}
	want := numpyLines(t, `
a = np.frombuffer(data, '>U5')
lines(str(x).encode('utf-8', 'surrogatepass').hex() for x in a)`, in, len(texts))
	for i, s := range texts {
		got, _ := AppendUCS4(nil, in[20*i:20*i+20], true)
		if hex := hexOf(got); hex != want[i] {
			t.Errorf("%q: % x, want %s", s, got, want[i])
		}
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s []byte
	for _, c := range b {
		s = append(s, digits[c>>4], digits[c&15])
	}
	return string(s)
}

func FuzzUCS4(f *testing.F) {
	f.Add([]byte{'a', 0, 0, 0, 0, 0xd8, 0, 0}, "é\xed\xa0\x80", false)
	f.Fuzz(func(t *testing.T, item []byte, s string, bigEndian bool) {
		if text, err := AppendUCS4(nil, item, bigEndian); err == nil {
			back := make([]byte, len(item))
			if err := PutUCS4(back, string(text), bigEndian); err != nil || !bytes.Equal(back, item) {
				t.Errorf("% x reads as %q, written % x, %v", item, text, back, err)
			}
		}
		out := make([]byte, 4*UCS4Len(s))
		if err := PutUCS4(out, s, bigEndian); err != nil {
			return
		}
		text, err := AppendUCS4(nil, out, bigEndian)
		if err != nil || string(text) != string(bytes.TrimRight([]byte(s), "\x00")) {
			t.Errorf("%q comes back as %q, %v", s, text, err)
		}
	})
}

func BenchmarkAppendUCS4(b *testing.B) {
	item := make([]byte, 4*64)
	for i := range 60 {
		binary.LittleEndian.PutUint32(item[4*i:], uint32('a'+i%26))
	}
	b.SetBytes(int64(len(item)))
	var dst []byte
	for b.Loop() {
		dst, _ = AppendUCS4(dst[:0], item, false)
	}
}
