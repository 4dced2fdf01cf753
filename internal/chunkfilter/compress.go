//go:build !npyread

package chunkfilter

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/deflate"
)

// A program that only reads, see internal/readonly, has no compressors.

func (d deflated) encode(s *scratch, dst, src []byte) ([]byte, error) {
	c := s.deflaters[d.level]
	if c == nil {
		if s.deflaters == nil {
			s.deflaters = map[int]*deflate.Compressor{}
		}
		c = deflate.NewCompressor(d.level)
		s.deflaters[d.level] = c
	}
	dst = append(dst, zlibHead...)
	if d.planes > 1 && d.level == deflate.Auto {
		dst = c.AppendPlanes(dst, src, d.planes)
	} else {
		dst = c.Append(dst, src, true)
	}
	return binary.BigEndian.AppendUint32(dst, bulk.Adler32(src)), nil
}

func (z zstandard) encode(s *scratch, dst, src []byte) ([]byte, error) {
	w := s.zstdWriter[z.level]
	if w == nil {
		if s.zstdWriter == nil {
			s.zstdWriter = map[zstd.EncoderLevel]*zstd.Encoder{}
		}
		// The options are valid. A frame says its size, which the decoder of the HDF5 plugin needs.
		w, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(z.level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
		s.zstdWriter[z.level] = w
	}
	return w.EncodeAll(src, dst), nil
}
