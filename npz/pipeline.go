package npz

import (
	"context"
	"hash/crc32"
	"io"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

// A codec compresses a piece of a member and appends the result to dst. It is for one goroutine at a time.
type codec func(dst, raw []byte, last bool) []byte

// A piece is part of a large member, or all of a small one, on its way to the archive.
type piece struct {
	raw  []byte // its bytes
	buf  []byte // buffer for raw, unless raw is the caller's memory
	out  []byte // the compressed raw
	crc  uint32 // of raw
	last bool
	emit func(*piece) error
}

// A pipeline compresses pieces on several goroutines and emits them in their original order. It is used, and emits,
// on one goroutine. After an error it holds no more pieces.
type pipeline struct {
	*par.Pipeline[*piece]
	codecs   []codec      // one for each goroutine; nil until it is needed
	newCodec func() codec // nil to compress nothing
	free     []*piece
}

func newPipeline(workers int, newCodec func() codec) *pipeline {
	q := &pipeline{codecs: make([]codec, workers), newCodec: newCodec}
	q.Pipeline = par.NewPipeline(context.Background(), workers, 2*workers, q.compress, q.emit)
	return q
}

// piece returns an empty piece. It reuses a buffer if one is free.
func (q *pipeline) piece() *piece {
	n := len(q.free)
	if n == 0 {
		return &piece{buf: make([]byte, 0, 4<<10)}
	}
	p := q.free[n-1]
	q.free = q.free[:n-1]
	return p
}

func (q *pipeline) compress(w int, p *piece) error {
	p.crc = crc32.ChecksumIEEE(p.raw)
	if q.newCodec == nil {
		p.out = p.raw
		return nil
	}
	c := q.codecs[w]
	if c == nil {
		c = q.newCodec()
	}
	q.codecs[w] = nil // a fault within raw leaves the codec unusable
	p.out = c(p.out[:0], p.raw, p.last)
	q.codecs[w] = c
	return nil
}

func (q *pipeline) emit(p *piece) error {
	err := p.emit(p)
	p.raw, p.buf, p.emit, p.last = nil, p.buf[:0], nil, false
	if q.newCodec == nil {
		p.out = nil // it is the same memory as raw
	}
	q.free = append(q.free, p)
	return err
}

// A splitter is the io.Writer for a large member. It cuts the member into pieces of [deflate.PieceSize] bytes, and
// writes them compressed to the archive. Close sends the last piece and completes the entry.
type splitter struct {
	pipeline *pipeline
	out      io.Writer
	entry    *zipfile.Entry
	last     *piece  // not sent yet, because it is not full or may be the last
	sizes    []int64 // of the compressed pieces
}

func (s *splitter) Write(p []byte) (int, error) {
	written := len(p)
	shared := false
	for len(p) > 0 {
		if len(s.last.buf) == deflate.PieceSize {
			if err := s.send(s.last, s.last.buf); err != nil {
				return 0, err
			}
			s.last = s.pipeline.piece()
		}
		if len(s.last.buf) == 0 && len(p) > deflate.PieceSize {
			if err := s.send(s.pipeline.piece(), p[:deflate.PieceSize]); err != nil {
				return 0, err
			}
			shared, p = true, p[deflate.PieceSize:]
			continue
		}
		n := min(len(p), deflate.PieceSize-len(s.last.buf))
		s.last.buf = append(s.last.buf, p[:n]...)
		p = p[n:]
	}
	if shared { // after the return the memory belongs to the caller
		return written, s.pipeline.Drain()
	}
	return written, nil
}

func (s *splitter) send(p *piece, raw []byte) error {
	p.raw, p.emit = raw, s.emit
	return s.pipeline.Push(p)
}

func (s *splitter) emit(p *piece) error {
	s.entry.CRC32 = zipfile.CombineCRC32(s.entry.CRC32, p.crc, int64(len(p.raw)))
	s.entry.Size += int64(len(p.raw))
	s.sizes = append(s.sizes, int64(len(p.out)))
	_, err := s.out.Write(p.out)
	return err
}

func (s *splitter) Close() error {
	s.last.last = true
	if err := s.send(s.last, s.last.buf); err != nil {
		return err
	}
	return s.pipeline.Drain()
}
