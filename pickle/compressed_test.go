package pickle

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// The limits of values, marks and the memo grow with the number of compressed bytes, for decoding and for listings.
func TestCompressed(t *testing.T) {
	const n = 5 << 20
	for name, data := range map[string]string{
		"values": "(" + strings.Repeat("N", n) + "l.",
		"marks":  strings.Repeat("(", n) + strings.Repeat("1", n) + "N.",
		"memo":   "N" + strings.Repeat("\x94", n) + ".",
	} {
		for _, tt := range []struct {
			d    Decoder
			over bool
		}{
			{Decoder{}, false},
			{Decoder{Compressed: func() int64 { return 5000 }}, true},
			{Decoder{Compressed: func() int64 { return 1 << 20 }}, false},
			{Decoder{Compressed: func() int64 { return 5000 }, MaxNodes: 3 * n, MaxMemo: 2 * n}, false},
		} {
			_, err := tt.d.Decode(bytes.NewReader([]byte(data)))
			if errors.Is(err, ErrLimit) != tt.over || err != nil && !tt.over {
				t.Errorf("%s: Decode: %v, over the limit: %t", name, err, tt.over)
			}
		}
	}
	read := int64(0) // the limit grows while the pickle is read
	d := Decoder{Compressed: func() int64 { read += 300_000; return read }}
	if _, err := d.Decode(strings.NewReader("(" + strings.Repeat("N", n) + "l.")); err != nil {
		t.Errorf("a pickle whose compressed bytes arrive: %v", err)
	}
	if err := (Decoder{MaxNodes: 3}).Disassemble(io.Discard, strings.NewReader("NN2.")); !errors.Is(err, ErrLimit) {
		t.Errorf("4 opcodes with MaxNodes 3: %v", err)
	}
}
