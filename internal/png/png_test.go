package png

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// A kind is a color type with a depth.
type kind struct{ color, depth int }

var kinds = []kind{{Grey, 1}, {Grey, 2}, {Grey, 4}, {Grey, 8}, {Grey, 16}, {RGB, 8}, {RGB, 16}, {Palette, 1}, {Palette, 2}, {Palette, 4}, {Palette, 8},
	{GreyAlpha, 8}, {GreyAlpha, 16}, {RGBA, 8}, {RGBA, 16}}

// file makes an image of random pixels without filters. With alpha, the image has a transparent colour or palette alpha.
func file(h Header, alpha bool, r *rand.Rand) []byte {
	var raw bytes.Buffer
	rows := func(width, height int) {
		for range height * min(width, 1) {
			raw.WriteByte(0)
			for range h.rowBytes(width) {
				raw.WriteByte(byte(r.Uint32()))
			}
		}
	}
	if h.Interlaced {
		for _, a := range adam7 {
			rows((h.Width-a.x+a.dx-1)/a.dx, (h.Height-a.y+a.dy-1)/a.dy)
		}
	} else {
		rows(h.Width, h.Height)
	}
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	z.Write(raw.Bytes())
	z.Close()

	var out bytes.Buffer
	out.WriteString(signature)
	w := &Writer{w: &out}
	head := binary.BigEndian.AppendUint32(nil, uint32(h.Width))
	head = binary.BigEndian.AppendUint32(head, uint32(h.Height))
	laced := byte(0)
	if h.Interlaced {
		laced = 1
	}
	w.chunk("IHDR", append(head, byte(h.Depth), byte(h.Color), 0, 0, laced))
	w.chunk("tEXt", []byte("Comment\x00text"))
	if h.Color == Palette {
		p := make([]byte, 3<<h.Depth)
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		w.chunk("PLTE", p)
	}
	if alpha {
		switch h.Color {
		case Palette:
			w.chunk("tRNS", []byte{0, 128})
		case Grey:
			w.chunk("tRNS", []byte{0, 1})
		case RGB:
			w.chunk("tRNS", []byte{0, 1, 0, 2, 0, 3})
		}
	}
	half := data.Len() / 2
	w.chunk("IDAT", data.Bytes()[:half])
	w.chunk("IDAT", nil)
	w.chunk("IDAT", data.Bytes()[half:])
	w.chunk("tEXt", []byte("Comment\x00again"))
	w.chunk("IEND", nil)
	return out.Bytes()
}

func readAll(data []byte) (*Reader, [][]byte, error) {
	d, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	var rows [][]byte
	for {
		row, err := d.Next()
		if err == io.EOF {
			return d, rows, nil
		}
		if err != nil {
			return d, rows, err
		}
		rows = append(rows, bytes.Clone(row))
	}
}

// The standard library reads the same samples from every kind of image, interlaced images included.
func TestReadAsImagePNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range kinds {
		for _, size := range [][2]int{{1, 1}, {3, 5}, {8, 8}, {17, 9}, {2, 1}, {33, 2}} {
			for i := range 4 {
				h := Header{Width: size[0], Height: size[1], Depth: k.depth, Color: k.color, Interlaced: i&1 != 0}
				name := fmt.Sprintf("%+v, alpha %t", h, i&2 != 0)
				data := file(h, i&2 != 0, r)
				want, err := stdpng.Decode(bytes.NewReader(data))
				if err != nil {
					t.Fatal(name, err)
				}
				d, rows, err := readAll(data)
				if err != nil || len(rows) != h.Height {
					t.Fatalf("%s: %d rows, error %v", name, len(rows), err)
				}
				if got := strings.Join(d.Skipped, " "); got != "tEXt" {
					t.Errorf("%s: Skipped = %s", name, got)
				}
				for y := range rows {
					for x := range h.Width {
						got, want := pixel(d, rows[y], x), straight(want, x, y)
						if want.A == 0 && got.A == 0 { // the standard library drops the colour of a transparent pixel
							continue
						}
						if got != want {
							t.Fatalf("%s: pixel %d, %d is %v, want %v", name, x, y, got, want)
						}
					}
				}
			}
		}
	}
}

// straight returns a pixel as stored in the image, not multiplied by alpha.
func straight(m image.Image, x, y int) color.NRGBA64 {
	wide := func(c uint8) uint16 { return uint16(c) * 0x101 }
	switch c := m.At(x, y).(type) {
	case color.NRGBA64:
		return c
	case color.NRGBA:
		return color.NRGBA64{R: wide(c.R), G: wide(c.G), B: wide(c.B), A: wide(c.A)}
	default: // without alpha
		return color.NRGBA64Model.Convert(c).(color.NRGBA64)
	}
}

// pixel returns pixel x of a row.
func pixel(d *Reader, row []byte, x int) color.NRGBA64 {
	n := d.Channels()
	var s [4]uint16
	for i := range n {
		switch at := x*n + i; {
		case d.Depth == 16:
			s[i] = binary.BigEndian.Uint16(row[2*at:])
		case d.IsBits():
			s[i] = uint16(row[at]) * 0xffff
		default:
			s[i] = uint16(row[at]) * 0x101
		}
	}
	switch n {
	case 1:
		return color.NRGBA64{R: s[0], G: s[0], B: s[0], A: 0xffff}
	case 2:
		return color.NRGBA64{R: s[0], G: s[0], B: s[0], A: s[1]}
	case 3:
		return color.NRGBA64{R: s[0], G: s[1], B: s[2], A: 0xffff}
	}
	return color.NRGBA64{R: s[0], G: s[1], B: s[2], A: s[3]}
}

// A written image reads back the same, here and in the standard library.
func TestWrite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	kinds := []kind{{Grey, 1}, {Grey, 8}, {Grey, 16}, {GreyAlpha, 8}, {GreyAlpha, 16}, {RGB, 8}, {RGB, 16}, {RGBA, 8}, {RGBA, 16}}
	for i, k := range append(kinds, kinds...) {
		h := Header{Width: 301, Height: 97, Depth: k.depth, Color: k.color}
		if i >= len(kinds) { // rows that are filtered in pieces, but for single bits
			h.Width, h.Height = pieceSize+5, 4
		}
		var b bytes.Buffer
		w, err := NewWriter(&b, h)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]byte
		for y := range h.Height {
			row := make([]byte, h.rowBytes(h.Width))
			for i := range row {
				row[i] = byte(i + y*y)
				if y%3 == 0 {
					row[i] = byte(r.Uint32())
				}
			}
			want = append(want, row)
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, rows, err := readAll(b.Bytes())
		if err != nil {
			t.Fatalf("%+v: %v", h, err)
		}
		for y, row := range rows {
			if h.Depth == 1 {
				row = PackBits(nil, row)
				row[len(row)-1] |= want[y][len(row)-1] & 7 // the pixels leave three bits unused
			}
			if !bytes.Equal(row, want[y]) {
				t.Fatalf("%+v: row %d differs", h, y)
			}
		}
		if _, err := stdpng.Decode(&b); err != nil {
			t.Errorf("%+v: image/png: %v", h, err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, h := range []Header{{}, {Width: 1}, {Width: 1, Height: -1, Depth: 8}, {Width: 1, Height: 1, Depth: 3}, {Width: 1, Height: 1, Depth: 8, Color: 1},
		{Width: 1, Height: 1, Depth: 4, Color: RGB}, {Width: 1, Height: 1, Depth: 8, Color: Palette}, {Width: 1, Height: 1, Depth: 8, Interlaced: true}} {
		if _, err := NewWriter(io.Discard, h); err == nil {
			t.Errorf("NewWriter(%+v) has no error", h)
		}
	}
	w, err := NewWriter(io.Discard, Header{Width: 2, Height: 1, Depth: 8})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]byte{1}); err == nil {
		t.Error("a short row has no error")
	}
	if err := w.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Close without rows: %v, want io.ErrShortWrite", err)
	}
}

// Damaged files give errors with an offset within the file, and cost no memory.
func TestHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	good := file(Header{Width: 4, Height: 4, Depth: 8, Color: Palette}, true, r)
	grey := file(Header{Width: 4, Height: 4, Depth: 8}, false, r)
	chunked := func(change func(b []byte) []byte) []byte { return change(bytes.Clone(grey)) }
	giant := func(color byte, interlaced byte) []byte {
		var out bytes.Buffer
		out.WriteString(signature)
		w := &Writer{w: &out}
		w.chunk("IHDR", []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0, 16, color, 0, 0, interlaced})
		w.chunk("IDAT", grey[bytes.Index(grey, []byte("IDAT"))+4:][:10])
		w.chunk("IEND", nil)
		return out.Bytes()
	}
	for _, tt := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "byte 0: unexpected EOF", nil},
		{"not a PNG", "is no PNG file", []byte("\x93NUMPY\x01\x00")},
		{"100000 by 100000 pixels", "EOF", giant(RGBA, 0)},
		{"the same interlaced", "EOF", giant(RGBA, 1)},
		{"an odd size", "byte 16: ", chunked(func(b []byte) []byte { return rehead(b, func(h []byte) { h[0] = 0xff }) })},
		{"no width", "an image of 0 by 4 pixels", chunked(func(b []byte) []byte { return rehead(b, func(h []byte) { h[3] = 0 }) })},
		{"odd depth", "colour type 0 with 7 bits", chunked(func(b []byte) []byte { return rehead(b, func(h []byte) { h[8] = 7 }) })},
		{"damaged header", "byte 29: chunk IHDR has the checksum", chunked(func(b []byte) []byte { b[20] = 9; return b })},
		{"too many rows", "EOF", chunked(func(b []byte) []byte { return rehead(b, func(h []byte) { h[7] = 5 }) })},
		{"too few rows", "more pixels than the image has", chunked(func(b []byte) []byte { return rehead(b, func(h []byte) { h[7] = 3 }) })},
		{"no palette", "pixels before the palette they need", without(good, "PLTE", "tRNS")},
		{"a short palette", "palette of 0 bytes", emptied(good, "PLTE")},
		{"cut", "EOF", good[:len(good)-20]},
		{"no end", "unexpected EOF", good[:len(good)-12]},
		{"an odd name", "where the name of a chunk should be", bytes.Replace(grey, []byte("tEXt"), []byte("t\x00Xt"), 1)},
		{"a chunk that has to be known", "has to be understood", bytes.Replace(grey, []byte("tEXt"), []byte("TEXt"), 1)},
		{"a long chunk", "want at most 2147483647", chunked(func(b []byte) []byte { b[33] = 0xff; return b })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := readAll(tt.data)
			runtime.ReadMemStats(&after)
			var e *Error
			if err == nil || !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			if e.Offset < 0 || e.Offset > int64(len(tt.data)) {
				t.Errorf("offset %d of a file of %d bytes", e.Offset, len(tt.data))
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
				t.Errorf("%d bytes allocated for a file of %d", took, len(tt.data))
			}
		})
	}
}

// without removes chunks.
func without(b []byte, names ...string) []byte {
	for _, name := range names {
		at := bytes.Index(b, []byte(name)) - 4
		n := int(binary.BigEndian.Uint32(b[at:]))
		b = append(bytes.Clone(b[:at]), b[at+12+n:]...)
	}
	return b
}

// emptied replaces a chunk with an empty one.
func emptied(b []byte, name string) []byte {
	at := bytes.Index(b, []byte(name)) - 4
	var empty bytes.Buffer
	(&Writer{w: &empty}).chunk(name, nil)
	return append(append(bytes.Clone(b[:at]), empty.Bytes()...), without(b, name)[at:]...)
}

// rehead changes the header and updates its checksum.
func rehead(b []byte, change func(h []byte)) []byte {
	change(b[16:29])
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

// Any input gives an error, or rows of the length that the header states.
func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for i, k := range kinds {
		f.Add(file(Header{Width: 5, Height: 3, Depth: k.depth, Color: k.color, Interlaced: i%2 == 0}, i%3 == 0, r))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, rows, err := readAll(data)
		if err != nil {
			return
		}
		for _, row := range rows {
			if want := d.Width * d.Channels() * max(d.Depth/8, 1); len(row) != want {
				t.Fatalf("a row of %d bytes, want %d", len(row), want)
			}
		}
	})
}
