package chunkgrid

import (
	"sync"

	"github.com/npygo/npy/internal/bulk"
)

// A chunk is decoded as a whole, even for one element of it. A large chunk that is read in parts, block after
// block, is decoded once and kept.

const (
	largeChunk = 8 << 20  // bytes of a chunk that is read in blocks
	keptChunks = 64 << 20 // bytes of decoded chunks that are kept; one chunk may be larger
	aloneChunk = 16 << 20 // bytes of chunks that are decoded one after another, because decoders need memory of their size
)

// A decodedChunk is a large chunk in memory.
type decodedChunk struct {
	at   uint64
	data []byte
}

// Cache holds the large chunks of a file, in memory, that were read last, the last of them at the end.
type Cache struct {
	sync.Mutex
	kept  []decodedChunk
	bytes int
}

// chunk returns the size bytes of the chunk at an address, which decode decodes unless they are kept.
func (l *Cache) chunk(at uint64, size int, decode func([]byte) error) ([]byte, error) {
	for i, c := range l.kept {
		if c.at == at && len(c.data) == size {
			l.kept = append(append(l.kept[:i:i], l.kept[i+1:]...), c)
			return c.data, nil
		}
	}
	data := l.room(size)
	if err := decode(data); err != nil {
		return nil, err
	}
	l.kept = append(l.kept, decodedChunk{at, data})
	l.bytes += cap(data)
	return data, nil
}

// room returns memory for a chunk. Chunks that were read before all others make room for it, with their memory.
func (l *Cache) room(size int) []byte {
	var data []byte
	for len(l.kept) > 0 && l.bytes+size > keptChunks {
		data = l.kept[0].data
		l.kept[0] = decodedChunk{}
		l.kept, l.bytes = l.kept[1:], l.bytes-cap(data)
	}
	return Grow(data, size)
}

// Grow returns n bytes of memory, of b if it is large enough.
func Grow(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	return bulk.MakeDirty(n)
}
