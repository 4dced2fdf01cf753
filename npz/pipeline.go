package npz

import (
	"hash/crc32"
	"io"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/zipfile"
)

// A codec compresses a piece of a member and appends it to dst. It is for one goroutine at a time.
type codec func(dst, raw []byte, last bool) []byte

// A piece is part of a member, or all of a small one, on its way to the archive.
type piece struct {
	raw  []byte // its bytes
	buf  []byte // memory for raw, unless that is somebody else's
	out  []byte // raw compressed
	crc  uint32 // of raw
	last bool
	done chan struct{} // closed when out and crc are there
	emit func(*piece) error
}

// A pipeline compresses pieces on several goroutines and emits them in the order in which they came. It is used, and
// emits, on one goroutine. After an error nothing is on its way any more.
type pipeline struct {
	codecs   chan codec   // as many as pieces may be compressed at once; nil for those not made yet
	newCodec func() codec // nil to compress nothing
	queue    []*piece     // oldest first
	limit    int          // of the queue
	free     []*piece
}

func newPipeline(workers int, newCodec func() codec) *pipeline {
	q := &pipeline{codecs: make(chan codec, workers), newCodec: newCodec, limit: 2 * workers}
	for range workers {
		q.codecs <- nil
	}
	return q
}

// piece returns an empty piece, with memory that was used before if there is some.
func (q *pipeline) piece() *piece {
	n := len(q.free)
	if n == 0 {
		return &piece{buf: make([]byte, 0, 4<<10)}
	}
	p := q.free[n-1]
	q.free = q.free[:n-1]
	return p
}

// push starts to compress p. If enough pieces are on their way it waits for the oldest and emits it first.
func (q *pipeline) push(p *piece) error {
	if len(q.queue) >= q.limit {
		if err := q.emitOldest(); err != nil {
			q.drop()
			return err
		}
	}
	p.done = make(chan struct{})
	q.queue = append(q.queue, p)
	go q.compress(p)
	return nil
}

func (q *pipeline) compress(p *piece) {
	c := <-q.codecs
	p.crc = crc32.ChecksumIEEE(p.raw)
	if q.newCodec == nil {
		p.out = p.raw
	} else {
		if c == nil {
			c = q.newCodec()
		}
		p.out = c(p.out[:0], p.raw, p.last)
	}
	q.codecs <- c
	close(p.done)
}

func (q *pipeline) emitOldest() error {
	p := q.queue[0]
	q.queue = q.queue[1:]
	<-p.done
	err := p.emit(p)
	p.raw, p.buf, p.emit, p.last = nil, p.buf[:0], nil, false
	if q.newCodec == nil {
		p.out = nil // it was raw
	}
	q.free = append(q.free, p)
	return err
}

// drain emits all pieces that are on their way. After an error it still waits for the others: their memory may be that
// of a caller, who gets it back.
func (q *pipeline) drain() (err error) {
	for len(q.queue) > 0 && err == nil {
		err = q.emitOldest()
	}
	q.drop()
	return err
}

// drop waits for all pieces and emits none.
func (q *pipeline) drop() {
	for _, p := range q.queue {
		<-p.done
	}
	q.queue = nil
}

// A splitter is the io.Writer that a large member is written to: it cuts it into pieces of [deflate.PieceSize] bytes,
// and writes them compressed to the archive. Close sends the last piece and fills in the entry.
type splitter struct {
	pipeline *pipeline
	out      io.Writer
	entry    *zipfile.Entry
	last     *piece  // what is not sent yet, because it is not full or could be the last
	sizes    []int64 // of the pieces once compressed
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
	if shared { // the memory is the caller's once we return
		return written, s.pipeline.drain()
	}
	return written, nil
}

func (s *splitter) send(p *piece, raw []byte) error {
	p.raw, p.emit = raw, s.emit
	return s.pipeline.push(p)
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
	return s.pipeline.drain()
}
