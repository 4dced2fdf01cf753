package chunkgrid

import (
	"slices"
	"sync"

	"github.com/npygo/npy"
)

// A band is the chunks that several blocks of one pass have a part of. Blocks of a few rows go several times along chunks that are
// tall and lie side by side; the band keeps decoded chunks until the pass has left them. What exceeds keptChunks is decoded again
// for each block. The least recently used chunk does not make room for others: it would be the one that is needed next.
type band struct {
	pass selection // everything that the pass reads
	axes int       // the first axes of the result: while their chunks stay the same, chunks are read again

	at []int // the positions of the band in the grid along these axes

	mu     sync.Mutex
	chunks map[Chunk][]byte // decoded
	bytes  int              // of decoded chunks, and of chunks that are being decoded
	free   [][]byte         // memory of chunks that were left
}

// bandOf returns the band of a pass over p, in blocks that have one position along each axis before cut. It is nil if no chunk is read
// twice.
func (r *Array) bandOf(p npy.Selection, cut int) *band {
	if r.Index == nil {
		return nil
	}
	b := &band{pass: selectionOf(p, r.Shape, r.Chunk, r.ItemSize), chunks: map[Chunk][]byte{}}
	for axis := range min(cut+1, len(b.pass.shape)) {
		b.axes++
		if a, ok := b.pass.along(axis); ok && a.n > 1 && a.chunk > max(a.step, -a.step) { // a chunk has several positions
			return b
		}
	}
	return nil
}

// enter begins a block at a position of the pass, and drops the chunks that the pass has left.
func (b *band) enter(low []int) {
	if b == nil {
		return
	}
	at := make([]int, b.axes)
	for axis := range at {
		if a, ok := b.pass.along(axis); ok {
			at[axis] = (a.start + low[axis]*a.step) / a.chunk
		}
	}
	if slices.Equal(at, b.at) {
		return
	}
	b.at, b.bytes = at, 0
	for _, data := range b.chunks {
		b.free = append(b.free, data)
	}
	clear(b.chunks)
}

// chunk returns a chunk that is kept, and true, or memory for one that is to be decoded and kept. The memory is nil if x, the part of
// the chunk that is wanted, is all that the pass reads of the chunk, or if the band is full.
func (b *band) chunk(c Chunk, x *inChunk, size int) (data []byte, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if data := b.chunks[c]; data != nil {
		return data, true
	}
	if b.bytes+size > keptChunks || b.isAll(x) {
		return nil, false
	}
	b.bytes += size
	if n := len(b.free); n > 0 {
		data, b.free = b.free[n-1], b.free[:n-1]
	}
	return Grow(data, size), false
}

// isAll reports whether x is all that the pass reads of a chunk.
func (b *band) isAll(x *inChunk) bool {
	for j, a := range b.pass.axes {
		if low, high := a.inChunk(x.grid[j]); high-low > x.high[j]-x.low[j] {
			return false
		}
	}
	return true
}

// keep keeps a chunk that was decoded into memory of the band.
func (b *band) keep(c Chunk, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chunks[c] = data
}
