package writing

import (
	"encoding/binary"
	"math"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// chunkTarget is the size of the chunks that are chosen, in bytes. It is the size of libhdf5's cache, which holds no
// larger chunks: each of their rows would be decompressed anew.
const chunkTarget = 1 << 20

// ChunkK is half the number of entries of a chunk index node: superblock 0 has no other.
const ChunkK = 32

// chooseChunks returns the shape of chunks of up to chunkTarget bytes for an array in C order: whole rows, so that the
// elements of a chunk follow each other. All chunks are about equal. If the first axis can grow, its chunks can be longer
// than the array. limits are the largest dimensions, nil if they equal shape.
func chooseChunks(shape []int, limits []uint64, itemSize int) []int {
	chunks := make([]int, len(shape))
	room := max(chunkTarget/itemSize, 1)
	for i := len(shape) - 1; i >= 0; i-- {
		n := max(shape[i], 1)
		if i == 0 && limits != nil {
			n = max(n, int(min(uint64(room), limits[0])))
		}
		pieces := (n + room - 1) / room
		chunks[i] = (n + pieces - 1) / pieces
		room /= chunks[i]
		if pieces > 1 {
			room = 1
		}
	}
	return chunks
}

// checkChunks returns an error unless a dataset can have chunks of a shape.
func checkChunks(chunks, shape []int, limits []uint64, itemSize int) error {
	if len(chunks) != len(shape) {
		return diag.Errorf("hdf5", "chunks of %d dimensions for an array of %d", len(chunks), len(shape))
	}
	size := int64(itemSize)
	for i, n := range chunks {
		switch {
		case n < 1 || int64(n) > math.MaxUint32:
			return diag.Errorf("hdf5", "chunks of %d along axis %d", n, i)
		case n > max(shape[i], 1) && (limits == nil || uint64(n) > limits[i]):
			return diag.Errorf("hdf5", "chunks of %d along axis %d, which has %d", n, i, shape[i])
		case size > math.MaxUint32/int64(n):
			return diag.Errorf("hdf5", "chunks of shape %v have 4 GiB or more, the limit of HDF5", chunks)
		}
		size *= int64(n)
	}
	return nil
}

// A chunkPlace is where a chunk is in the file.
type chunkPlace struct {
	Addr   uint64
	Size   uint32
	Number int // of the chunk, in C order
}

// A chunkGrid is an array that is cut into chunks. Their order is C order.
type chunkGrid struct {
	Shape, chunks []int
	Counts        []int // chunks along each axis
	itemSize      int
	First         int // the row of the file at which the array begins
}

func NewChunkGrid(shape, chunks []int, itemSize int) *chunkGrid {
	g := &chunkGrid{Shape: shape, chunks: chunks, itemSize: itemSize, Counts: make([]int, len(shape))}
	for i, n := range shape {
		g.Counts[i] = (n + chunks[i] - 1) / chunks[i]
	}
	return g
}

func (g *chunkGrid) chunkBytes() int { return nd.Size(g.chunks) * g.itemSize }

// AppendKey appends the key of chunk i to a node of the index: its size, the filters that it lacks, its first element,
// and 0 for the bytes of the element. The key at the end has the first row after all chunks.
func (g *chunkGrid) AppendKey(b []byte, i int, size uint32) []byte {
	b = binary.LittleEndian.AppendUint32(b, size)
	b = binary.LittleEndian.AppendUint32(b, 0)
	at := len(b)
	b = append(b, make([]byte, 8*(len(g.Shape)+1))...)
	for axis := len(g.Shape) - 1; axis >= 0; axis-- {
		n := i
		if axis > 0 {
			n, i = i%g.Counts[axis], i/g.Counts[axis]
		}
		binary.LittleEndian.PutUint64(b[at+8*axis:], uint64(n)*uint64(g.chunks[axis]))
	}
	row := b[at:]
	binary.LittleEndian.PutUint64(row, binary.LittleEndian.Uint64(row)+uint64(g.First))
	return b
}

// writeIndex writes the B-tree of the chunks.
func (g *chunkGrid) writeIndex(out *storage.Output, stored []chunkPlace) (root uint64, err error) {
	t := structure.TreeBuilder{Kind: structure.TreeChunk, K: ChunkK, KeySize: 8 + 8*(len(g.Shape)+1), N: len(stored)}
	t.AppendKey = func(b []byte, i int) []byte {
		if i == len(stored) {
			return g.AppendKey(b, nd.Size(g.Counts), 0)
		}
		return g.AppendKey(b, stored[i].Number, stored[i].Size)
	}
	t.Addr = func(i int) uint64 { return stored[i].Addr }
	return t.Write(out)
}

// slabAxis returns the first axis along which a chunk has more than one element. The chunks that share its elements are
// the slab that a writer collects.
func (g *chunkGrid) slabAxis() (axis int) {
	for axis < len(g.chunks)-1 && g.chunks[axis] == 1 {
		axis++
	}
	return axis
}
