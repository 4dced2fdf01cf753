package items

import (
	"sync"

	"github.com/npygo/npy/internal/codec"
)

// Chunk is the number of items processed at once, small enough that the intermediate results stay in the cache.
const Chunk = 2048

// A Scratch is the memory of one goroutine.
type Scratch struct {
	Numbers codec.Buffer
	Items   []byte // of a field, contiguous
	Keys    []uint64
	Parts   []float64 // the items without NaN, or the real and then the imaginary parts
	Finite  []float64 // parts without infinities
	block   []byte
	ints    []int64
}

// Block returns the buffer for a block of n bytes of a file.
func (s *Scratch) Block(n int) []byte {
	if len(s.block) < n {
		s.block = make([]byte, n)
	}
	return s.block[:n]
}

// Idle are scratches that no goroutine uses. The many fields of a record share them.
var Idle = sync.Pool{New: func() any { return new(Scratch) }}
