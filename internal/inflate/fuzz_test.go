package inflate_test

import (
	"bytes"
	stdflate "compress/flate"
	"io"
	"testing"

	"github.com/npygo/npy/internal/inflate"
)

// For any input, the decoder gives the same output as the standard library's decoder, or an error if that one fails,
// and stops at the same byte.
func FuzzInflate(f *testing.F) {
	for _, data := range dataSets(3000) {
		for _, level := range []int{-2, 0, 1, 9} {
			f.Add(deflate(f, data, level), uint16(0))
			f.Add(deflate(f, data[:50], level), uint16(3))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, short uint16) {
		const most = 1 << 20
		in := bytes.NewReader(src)
		want, err := io.ReadAll(io.LimitReader(stdflate.NewReader(in), most+1))
		if len(want) > most {
			return
		}
		var d inflate.Decoder
		dst := make([]byte, len(want))
		n, ours := d.Inflate(dst, src)
		if (err == nil) != (ours == nil) {
			t.Fatalf("the standard library says %v, we say %v", err, ours)
		}
		if err != nil {
			return
		}
		if !bytes.Equal(dst, want) {
			t.Fatal("other bytes")
		}
		if n != len(src)-in.Len() {
			t.Fatalf("the stream ends after %d bytes, we say %d", len(src)-in.Len(), n)
		}
		// With another decoded size it is an error, and memory outside of dst is unchanged.
		if less := int(short) % (len(want) + 1); less > 0 {
			buf := bytes.Repeat([]byte{0xa5}, len(want)+64)
			if _, err := d.Inflate(buf[:len(want)-less:len(want)-less], src); err == nil {
				t.Fatalf("no error with room for %d of %d bytes", len(want)-less, len(want))
			}
			if bytes.Count(buf[len(want)-less:], []byte{0xa5}) != 64+less {
				t.Fatal("it wrote behind its room")
			}
		}
		if _, err := d.Inflate(make([]byte, len(want)+1), src); err == nil {
			t.Fatal("no error with room for one byte more")
		}
	})
}
