package hdf5

import (
	"sync"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
)

// A filtered chunk is decoded as a whole, even for one element of it. A large chunk that is read in parts, block after
// block, is decoded once and kept.

const (
	largeChunk = 8 << 20  // bytes of a chunk of which one block is a part
	keptChunks = 64 << 20 // bytes of decoded chunks that are kept; one chunk may be larger
	freeRatio  = 64       // bytes of a chunk of any size, for each byte of it in the file
	aloneChunk = 16 << 20 // bytes of chunks that are decoded one after another, because filters need memory of their size
)

// A decodedChunk is a large chunk in memory.
type decodedChunk struct {
	at   uint64
	data []byte
}

// largeChunks holds the large chunks of a file that were read last, the last of them at the end.
type largeChunks struct {
	sync.Mutex
	kept  []decodedChunk
	bytes int
}

// checkChunk checks the bytes of a decoded chunk, of which the file has stored, against the limit.
func (l limits) checkChunk(n int, stored uint64) error {
	if l.chunk < 0 || int64(n) <= l.chunk || uint64(n)/freeRatio <= stored {
		return nil
	}
	return bounded.Over("MaxChunk", l.chunk, int64(n), "a chunk of %d bytes, which are %d bytes in the file, is over MaxChunk %d", n, stored, l.chunk)
}

// decodeWhole decodes a chunk of which every element is read to its place.
func (r *chunkReader) decodeWhole(dst []byte, c storedChunk, m *chunkMemory) error {
	if len(dst) > aloneChunk {
		r.f.large.Lock()
		defer r.f.large.Unlock()
	}
	return r.decode(dst, c, m)
}

// readLarge copies the elements that from selects of a large chunk to their places.
func (r *chunkReader) readLarge(c storedChunk, from, to *nd.Array, m *chunkMemory) (err error) {
	r.f.large.Lock()
	defer r.f.large.Unlock()
	from.Data, err = r.f.large.chunk(c.at, r.chunkBytes, func(data []byte) error { return r.decode(data, c, m) })
	if err == nil {
		to.Fill(from)
	}
	return err
}

// chunk returns the size bytes of the chunk at an address, which decode decodes unless they are kept.
func (l *largeChunks) chunk(at uint64, size int, decode func([]byte) error) ([]byte, error) {
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
func (l *largeChunks) room(size int) []byte {
	var data []byte
	for len(l.kept) > 0 && l.bytes+size > keptChunks {
		data = l.kept[0].data
		l.kept[0] = decodedChunk{}
		l.kept, l.bytes = l.kept[1:], l.bytes-cap(data)
	}
	return grown(data, size)
}
