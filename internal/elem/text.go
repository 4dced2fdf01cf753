package elem

import (
	"bytes"
	"encoding/binary"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/scalar"
)

func bytesCodec(t dtype.Type) codec {
	return codec{
		format: func(dst, item []byte) ([]byte, error) {
			return escape.AppendBytes(dst, bytes.TrimRight(item, "\x00")), nil
		},
		parse: func(item []byte, text string) error {
			n := escape.BytesLen(text)
			if n > len(item) {
				return &Error{text, t, errTooLong(n, len(item), "bytes")}
			}
			escape.PutBytes(item, text)
			if n > 0 && item[n-1] == 0 {
				return &Error{text, t, errTrailingNUL}
			}
			clear(item[n:])
			return nil
		},
	}
}

func strCodec(t dtype.Type) codec {
	big := isBig(t)
	return codec{
		format: func(dst, item []byte) ([]byte, error) {
			start := len(dst)
			dst, err := scalar.AppendUCS4(dst, item, big)
			if tail := dst[start:]; bytes.IndexByte(tail, '\\') >= 0 || bytes.IndexByte(tail, 0xed) >= 0 {
				dst, err = escape.AppendStr(dst[:start], string(tail))
			}
			return dst, err
		},
		parse: func(item []byte, text string) error {
			if err := putStr(item, text, big); err != nil {
				return &Error{text, t, err}
			}
			return nil
		},
	}
}

func putStr(item []byte, text string, big bool) error {
	n, last := min(escape.PlainLen(text), len(item)/4), rune(-1)
	for i, c := range []byte(text[:n]) {
		if last = rune(c); big {
			binary.BigEndian.PutUint32(item[4*i:], uint32(c))
		} else {
			binary.LittleEndian.PutUint32(item[4*i:], uint32(c))
		}
	}
	rest := text[n:]
	if rest == "" {
		clear(item[4*n:])
	}
	for at := 4 * n; rest != ""; at += 4 {
		r, size := escape.NextRune(rest)
		switch {
		case r < 0:
			return scalar.ErrUTF8
		case at == len(item):
			return errTooLong(escape.StrLen(text), len(item)/4, "characters")
		case big:
			binary.BigEndian.PutUint32(item[at:], uint32(r))
		default:
			binary.LittleEndian.PutUint32(item[at:], uint32(r))
		}
		rest, last = rest[size:], r
		if rest == "" {
			clear(item[at+4:])
		}
	}
	if last == 0 {
		return errTrailingNUL
	}
	return nil
}
