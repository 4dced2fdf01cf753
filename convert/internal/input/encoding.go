package input

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/bounded"
)

// UTF8 returns a reader of the text of r as UTF-8.
func UTF8(r io.Reader, e options.Encoding) (io.Reader, error) {
	if e != "" {
		var err error
		if e, err = options.ParseEncoding(string(e)); err != nil {
			return nil, err
		}
	}
	if e == "" || e == options.UTF16 {
		mark := make([]byte, 2)
		n, err := bounded.ReadUpTo(r, mark)
		if err != nil && err != io.EOF {
			return nil, err
		}
		mark = mark[:n]
		found := bytesOrder(mark)
		switch {
		case found != "":
			e = found
		case e == options.UTF16:
			e = options.UTF16LE
		}
		if found == "" && n > 0 {
			r = io.MultiReader(bytes.NewReader(mark), r)
		}
	}
	switch e {
	case options.Latin1, options.Windows1252:
		return &recoder{r: r, decode: byteDecoder(e)}, nil
	case options.UTF16LE, options.UTF16BE:
		return &recoder{r: r, decode: utf16Decoder(e == options.UTF16BE)}, nil
	}
	return r, nil
}

// bytesOrder returns the encoding that a byte order mark of UTF-16 announces, or "".
func bytesOrder(mark []byte) options.Encoding {
	switch string(mark) {
	case "\xff\xfe":
		return options.UTF16LE
	case "\xfe\xff":
		return options.UTF16BE
	}
	return ""
}

// A recoder reads the text of r as UTF-8.
type recoder struct {
	r      io.Reader
	decode func(dst, src []byte, end bool) (_ []byte, used int) // appends the UTF-8 of src; less than 4 bytes may be unused
	in     [32 << 10]byte
	kept   int    // bytes in in
	out    []byte // not returned yet
	buf    []byte // the memory of out
	err    error
}

// Read implements io.Reader.
func (d *recoder) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		n, err := d.r.Read(d.in[d.kept:])
		d.err = err
		d.kept += n
		used := 0
		d.buf, used = d.decode(d.buf[:0], d.in[:d.kept], err == io.EOF)
		d.kept = copy(d.in[:], d.in[used:d.kept])
		d.out = d.buf
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// windows1252 has the characters of the bytes 0x80 to 0x9f, as in Python's codec cp1252. The five bytes without a
// character are control characters, as browsers read them.
var windows1252 = [32]rune{
	0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
}

func byteDecoder(e options.Encoding) func(dst, src []byte, end bool) ([]byte, int) {
	return func(dst, src []byte, _ bool) ([]byte, int) {
		for _, c := range src {
			switch {
			case c < utf8.RuneSelf:
				dst = append(dst, c)
			case c < 0xa0 && e == options.Windows1252:
				dst = utf8.AppendRune(dst, windows1252[c-0x80])
			default:
				dst = utf8.AppendRune(dst, rune(c))
			}
		}
		return dst, len(src)
	}
}

// utf16Decoder decodes UTF-16. A lone surrogate and half a unit at the end become U+FFFD.
func utf16Decoder(big bool) func(dst, src []byte, end bool) ([]byte, int) {
	unit := func(b []byte) rune {
		if big {
			return rune(b[0])<<8 | rune(b[1])
		}
		return rune(b[1])<<8 | rune(b[0])
	}
	return func(dst, src []byte, end bool) ([]byte, int) {
		i := 0
		for ; i+2 <= len(src); i += 2 {
			c := unit(src[i:])
			if utf16.IsSurrogate(c) {
				if i+4 > len(src) && !end {
					return dst, i
				}
				if i+4 <= len(src) {
					if pair := utf16.DecodeRune(c, unit(src[i+2:])); pair != utf8.RuneError {
						c = pair
						i += 2
					}
				}
			}
			dst = utf8.AppendRune(dst, c) // a lone surrogate becomes U+FFFD
		}
		if end && i < len(src) {
			return utf8.AppendRune(dst, utf8.RuneError), len(src)
		}
		return dst, i
	}
}
