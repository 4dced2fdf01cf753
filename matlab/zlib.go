package matlab

import (
	"context"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"io"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/par"
)

// A zlibWriter compresses a stream in pieces, on several goroutines. Close ends the stream. After reset it writes the next
// stream with the same memory, 1.4 MB.
type zlibWriter struct {
	w           io.Writer
	n           int64 // bytes written to w
	sum         hash.Hash32
	pipeline    *par.Pipeline[*piece]
	compressors []*deflate.Compressor
	level       int
	next        *piece
	free        []*piece
}

// A piece is part of a stream on its way to the file.
type piece struct {
	raw, out []byte
	last     bool
}

func newZlibWriter(w io.Writer, level, workers int) *zlibWriter {
	if workers <= 0 {
		workers = par.Workers()
	}
	z := &zlibWriter{w: w, sum: adler32.New(), level: level, compressors: make([]*deflate.Compressor, workers), next: &piece{}}
	z.pipeline = par.NewPipeline(context.Background(), workers, 2*workers, z.compress, z.emit)
	return z
}

func (z *zlibWriter) reset() {
	z.n = 0
	z.sum.Reset()
}

func (z *zlibWriter) compress(w int, p *piece) error {
	if z.compressors[w] == nil {
		z.compressors[w] = deflate.NewCompressor(z.level)
	}
	p.out = z.compressors[w].Append(p.out[:0], p.raw, p.last)
	return nil
}

func (z *zlibWriter) emit(p *piece) error {
	err := z.write(p.out)
	p.raw, p.last = p.raw[:0], false
	z.free = append(z.free, p)
	return err
}

func (z *zlibWriter) write(b []byte) error {
	if z.n == 0 {
		z.n = 2
		if _, err := z.w.Write([]byte{0x78, 0x9c}); err != nil { // a window of 32 KiB, the default level
			return err
		}
	}
	z.n += int64(len(b))
	_, err := z.w.Write(b)
	return err
}

// Write implements io.Writer.
func (z *zlibWriter) Write(b []byte) (int, error) {
	n := len(b)
	z.sum.Write(b)
	for len(b) > 0 {
		if len(z.next.raw) == deflate.PieceSize {
			if err := z.push(); err != nil {
				return 0, err
			}
		}
		k := min(len(b), deflate.PieceSize-len(z.next.raw))
		z.next.raw = append(z.next.raw, b[:k]...)
		b = b[k:]
	}
	return n, nil
}

func (z *zlibWriter) push() error {
	p := z.next
	if k := len(z.free); k > 0 {
		z.next, z.free = z.free[k-1], z.free[:k-1]
	} else {
		z.next = &piece{}
	}
	return z.pipeline.Push(p)
}

// Close writes the last piece and the checksum.
func (z *zlibWriter) Close() error {
	z.next.last = true
	if err := z.push(); err != nil {
		return err
	}
	if err := z.pipeline.Drain(); err != nil {
		return err
	}
	return z.write(binary.BigEndian.AppendUint32(nil, z.sum.Sum32()))
}
