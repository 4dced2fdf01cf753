package chunkfilter

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// deflated is the filter 1: a zlib stream (RFC 1950).
type deflated struct {
	planes int // of shuffled elements, for encoding; 0 if they are not
	unfixed
	level int
}

func newDeflate(values []uint32) step {
	level := 6
	if len(values) > 0 {
		level = int(min(values[0], 9)) // of no matter when decoding
	}
	return deflated{level: level}
}

// ratio is the ratio of deflate: 258 bytes in two bits.
func (deflated) ratio() int { return 1032 }

func (deflated) decode(s *scratch, dst, src []byte, exact bool) (int, error) {
	return s.unzlib(dst, src, exact)
}

func (deflated) checksum() string { return "Adler-32" }

// zlibHead is the header of a zlib stream with the default level and a window of 32 KiB.
var zlibHead = []byte{0x78, 0x9c}

// unzlib decodes a zlib stream and checks its checksum. Bytes after the stream are ignored, as zlib's inflate does.
func (s *scratch) unzlib(dst, src []byte, exact bool) (int, error) {
	if len(src) < 2 {
		return 0, corrupt(0, "%d bytes, too few for a zlib stream", len(src))
	}
	if head := binary.BigEndian.Uint16(src); src[0]&15 != 8 || head%31 != 0 || src[1]&0x20 != 0 {
		return 0, corrupt(0, "%#04x is not the start of a zlib stream", head)
	}
	body := src[2:]
	used, err := 0, error(nil)
	if exact {
		used, err = s.inflater.Inflate(dst, body)
	} else {
		in := bytes.NewReader(body)
		r := flate.NewReader(in)
		var n int
		if n, err = readAll(r, dst); err == nil {
			used, dst = len(body)-in.Len(), dst[:n]
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	tail := body[used:]
	if len(tail) < 4 {
		return 0, corrupt(len(src), "the data ends within its checksum")
	}
	if want, got := binary.BigEndian.Uint32(tail), bulk.Adler32(dst); want != got {
		return 0, corrupt(2+used, "Adler-32 is %08x, and the data has %08x", want, got)
	}
	return len(dst), nil
}

// readAll reads r to its end, which must come before the end of dst.
func readAll(r io.Reader, dst []byte) (int, error) {
	n, err := bounded.ReadUpTo(r, dst)
	if err == io.EOF {
		return n, nil
	}
	if err == nil {
		var more int
		if more, err = bounded.ReadUpTo(r, make([]byte, 1)); more > 0 {
			err = fmt.Errorf("%w: it decodes to more than %d bytes", ErrCorrupt, len(dst))
		}
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// zstandard is the filter 32015: frames of Zstandard (RFC 8878).
type zstandard struct {
	unfixed
	level zstd.EncoderLevel
}

func newZstd(values []uint32) step {
	level := zstd.SpeedDefault
	if len(values) > 0 {
		level = zstd.EncoderLevelFromZstd(int(int32(values[0])))
	}
	return zstandard{level: level}
}

// ratio is reached by a block of equal bytes: 128 KiB in four bytes.
func (zstandard) ratio() int { return 128 << 10 / 4 }

func (zstandard) decode(s *scratch, dst, src []byte, _ bool) (int, error) { return s.unzstd(dst, src) }

// bzipped is the filter 307.
type bzipped struct{ unfixed }

// ratio is reached by 900,000 equal bytes in a block of less than 40 bytes.
func (bzipped) ratio() int { return 32 << 10 }

// checksum has the checksum of each block, and of all blocks.
func (bzipped) checksum() string { return "CRC-32" }

func (bzipped) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	n, err := readAll(bzip2.NewReader(bytes.NewReader(src)), dst)
	if err == nil && n == 0 && len(src) == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return n, nil
}
