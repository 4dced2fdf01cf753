package writing

import (
	"bytes"
	"context"
	"math"
	"slices"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A chunkPiece is a chunk on its way to the file, or the end of an array after its chunks.
type chunkPiece struct {
	raw, encoded []byte
	sink         *ChunkSink
	number       int          // of the chunk, in C order
	absent       bool         // all elements are the fill value, and the chunk is not written
	end          func() error // nil for a chunk
}

// A chunkPipeline encodes chunks on several goroutines, and commits them in the order in which they come. The arrays of
// a file share one, so that the chunks of several small ones are encoded at once. It is used, and commits, on one
// goroutine.
type chunkPipeline struct {
	*par.Pipeline[*chunkPiece]
	free []*chunkPiece
}

// NewChunkPipeline starts a pipeline. 0 workers stand for the limit of [npy.SetWorkers].
func NewChunkPipeline(workers int) *chunkPipeline {
	if workers == 0 {
		workers = par.Workers()
	}
	q := &chunkPipeline{}
	q.Pipeline = par.NewPipeline(context.Background(), workers, 2*workers, encodeChunk, q.commit)
	return q
}

func encodeChunk(_ int, p *chunkPiece) (err error) {
	if p.end != nil {
		return nil
	}
	if p.absent = !p.sink.Dense && p.sink.isFill(p.raw); !p.absent {
		p.encoded, err = p.sink.filters.Encode(p.encoded[:0], p.raw)
	}
	return err
}

func (q *chunkPipeline) commit(p *chunkPiece) error {
	if p.end != nil {
		return p.end()
	}
	var err error
	if !p.absent {
		err = p.sink.commit(p.number, p.encoded)
	}
	p.sink = nil
	q.free = append(q.free, p)
	return err
}

// piece returns a chunk of a size, whose contents are undefined.
func (q *chunkPipeline) piece(size int) *chunkPiece {
	for n := len(q.free); n > 0; n = len(q.free) {
		p := q.free[n-1]
		q.free = q.free[:n-1]
		if cap(p.raw) >= size && cap(p.raw)/4 <= max(size, chunkTarget) {
			p.raw = p.raw[:size]
			return p
		}
	}
	return &chunkPiece{raw: make([]byte, size)}
}

// A ChunkSink takes the bytes of elements in C order, and sends them on as chunks. It collects a slab at a time: one chunk
// if chunks have whole rows, else all chunks that are cut from the same rows.
type ChunkSink struct {
	*chunkGrid
	out      *storage.Output
	filters  *chunkfilter.Pipeline
	pipeline *chunkPipeline
	Stored   []chunkPlace
	next     int  // the number of the next chunk
	Dense    bool // chunks that have only the fill value are written

	axis  int         // of the slab
	inner int         // bytes of one index of this axis
	done  int         // elements along this axis before the slab
	slab  []byte      // nil if a chunk is a slab, and the bytes go to it
	piece *chunkPiece // the chunk that is a slab; nil if it is empty
	full  int         // bytes in the slab

	Fill []byte // the element after the end of the array; nil for zeros
}

// MaxSlab is the limit for the bytes that are collected to be cut into chunks.
const MaxSlab = 512 << 20

func NewChunkSink(out *storage.Output, q *chunkPipeline, g *chunkGrid, filters []chunkfilter.Filter) (*ChunkSink, error) {
	encoder, err := chunkfilter.New(filters, g.chunkBytes())
	if err != nil {
		return nil, diag.Wrap("hdf5", err)
	}
	s := &ChunkSink{chunkGrid: g, out: out, filters: encoder, pipeline: q, axis: g.slabAxis()}
	s.inner = nd.Size(g.Shape[s.axis+1:]) * g.itemSize
	if n := g.slabBytes(); n > 0 {
		s.slab = make([]byte, n)
	}
	return s, nil
}

// slabBytes returns the number of bytes that are collected to be cut into chunks: 0 if a chunk is a slab, and -1 if they are more
// than an int.
func (g *chunkGrid) slabBytes() int {
	axis := g.slabAxis()
	if slices.Equal(g.chunks[axis+1:], g.Shape[axis+1:]) {
		return 0
	}
	n, ok := bounded.Mul(nd.Size(g.Shape[axis+1:])*g.itemSize, min(g.chunks[axis], g.Shape[axis]))
	if !ok {
		return -1
	}
	return n
}

// fitSlab reports whether chunks of a shape can be cut from an array that comes in C order. For wide arrays, whose rows of
// one chunk do not fit in memory together, the writer chooses other chunks.
func fitSlab(chunks, shape []int, itemSize int) bool {
	if len(chunks) != len(shape) || len(shape) == 0 {
		return true // an error elsewhere
	}
	g := &chunkGrid{Shape: shape, chunks: chunks, itemSize: itemSize}
	n := g.slabBytes()
	return 0 <= n && n <= MaxSlab
}

// commit writes an encoded chunk.
func (s *ChunkSink) commit(number int, encoded []byte) error {
	if int64(len(encoded)) > math.MaxUint32 {
		return diag.New("hdf5", "a compressed chunk of 4 GiB or more")
	}
	addr, err := s.out.Put(encoded)
	s.Stored = append(s.Stored, chunkPlace{addr, uint32(len(encoded)), number})
	return err
}

func (s *ChunkSink) newPiece() *chunkPiece {
	p := s.pipeline.piece(s.chunkBytes())
	p.sink, p.number = s, s.next
	s.next++
	return p
}

// index writes the B-tree of the chunks, after the last of them, and returns its address.
func (s *ChunkSink) index() (root uint64, err error) {
	if len(s.Stored) == 0 {
		return storage.Undefined, nil
	}
	return s.writeIndex(s.out, s.Stored)
}

// Write takes the next bytes.
func (s *ChunkSink) Write(data []byte) error {
	for len(data) > 0 {
		to := s.slab
		if to == nil {
			if s.piece == nil {
				s.piece = s.newPiece()
			}
			to = s.piece.raw
		}
		want := s.inner * min(s.chunks[s.axis], s.Shape[s.axis]-s.done)
		n := copy(to[s.full:want], data)
		data = data[n:]
		if s.full += n; s.full == want {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends the chunks of the slab on their way.
func (s *ChunkSink) flush() error {
	rows := s.full / s.inner
	full := s.full
	s.full = 0
	if s.done += rows; s.done == s.Shape[s.axis] {
		s.done = 0
	}
	if p := s.piece; p != nil {
		s.piece = nil
		s.pad(p.raw[full:])
		return s.pipeline.Push(p)
	}
	return s.cut(rows)
}

// cut cuts the slab into chunks.
func (s *ChunkSink) cut(rows int) error {
	shape := append([]int{rows}, s.Shape[s.axis+1:]...)
	chunks := s.chunks[s.axis:]
	at := make([]int, len(shape)) // the first element of a chunk
	for {
		p := s.newPiece()
		s.gather(p.raw, shape, chunks, at)
		if err := s.pipeline.Push(p); err != nil {
			return err
		}
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i] += chunks[i]; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return nil
		}
	}
}

// gather copies a chunk from the slab, which has a shape. The chunk may have more elements.
func (s *ChunkSink) gather(dst []byte, shape, chunks, at []int) {
	s.pad(dst)
	strides, chunkStrides := nd.Strides(shape, s.itemSize, false), nd.Strides(chunks, s.itemSize, false)
	part := make([]int, len(shape))
	start := 0
	for i := range shape {
		part[i] = min(chunks[i], shape[i]-at[i])
		start += at[i] * strides[i]
	}
	bulk.CopyBytes(dst, 0, chunkStrides, s.slab, start, strides, part, s.itemSize)
}

// pad fills the elements of a chunk that the array does not have.
func (s *ChunkSink) pad(b []byte) {
	if s.Fill == nil {
		clear(b)
	} else if len(b) > 0 {
		bulk.Repeat(b, s.Fill)
	}
}

// isFill reports whether elements all are the fill value.
func (s *ChunkSink) isFill(data []byte) bool {
	n := s.itemSize
	if s.Fill != nil && !bytes.Equal(data[:n], s.Fill) {
		return false
	}
	for _, b := range data[:n] {
		if s.Fill == nil && b != 0 {
			return false
		}
	}
	return bytes.Equal(data[n:], data[:len(data)-n])
}
