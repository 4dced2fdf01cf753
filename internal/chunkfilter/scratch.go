package chunkfilter

import (
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/inflate"
)

// A scratch is the memory of one goroutine for one chunk. It is reused.
type scratch struct {
	between    [2][]byte // data between two filters; neighbours never share one
	block      []byte    // for filters that work in blocks
	planes     []byte    // for bits that become bytes
	inflater   inflate.Decoder
	deflaters  map[int]*deflate.Compressor
	zstdReader *zstd.Decoder
	zstdWriter map[zstd.EncoderLevel]*zstd.Encoder
}

// keptMemory is the largest buffer that is kept for the next chunk.
const keptMemory = 64 << 20

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// buffer returns n bytes with undefined contents for the data after filter i.
func (s *scratch) buffer(i, n int) []byte { return room(&s.between[i&1], n) }

// keep makes b, which has outgrown the buffer of filter i, that buffer.
func (s *scratch) keep(i int, b []byte) {
	if cap(b) <= keptMemory {
		s.between[i&1] = b
	}
}

// room returns n bytes with undefined contents, in *b if they fit there.
func room(b *[]byte, n int) []byte {
	if n <= cap(*b) {
		return (*b)[:n]
	}
	fresh := make([]byte, n)
	if n <= keptMemory {
		*b = fresh
	}
	return fresh
}

// unzstd decodes whole frames of zstd into dst and returns the number of bytes.
func (s *scratch) unzstd(dst, src []byte) (int, error) {
	if s.zstdReader == nil {
		s.zstdReader, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(zstdWindow)) // the options are valid
	}
	out, err := s.zstdReader.DecodeAll(src, dst[:0:len(dst)])
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return copy(dst, out), nil // out is dst, unless the decoder chose memory of its own
}

// zstdWindow is the largest window of a frame. The output serves as the window, so it costs no memory.
const zstdWindow = math.MaxUint32
