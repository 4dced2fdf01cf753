package reading

import (
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bounded"
)

// freeBytes is the number of bytes that a read may always have.
const freeBytes = 256 << 20

// Limits bound the resources that one file may take.
type Limits struct {
	Bytes, Ratio    int64 // 0 and -1 for no limit
	Chunk           int64 // negative for no limit
	Entries, Header int
	Total           bool // ratio is a limit of all reads together
	Unsummed        bool // checksums are not compared, so that fuzzing reaches protected structures
}

// checkSize checks the bytes of one read of a file against the limits.
func (l Limits) checkSize(n, file int64) error {
	ratio := n / max(file, 1)
	switch {
	case l.Bytes > 0 && n > l.Bytes:
		return bounded.Over("MaxBytes", l.Bytes, n, "%d bytes of elements are over MaxBytes %d", n, l.Bytes)
	case l.Ratio >= 0 && n > freeBytes && ratio > l.Ratio:
		return bounded.Over("MaxRatio", l.Ratio, ratio, "%d bytes of elements in a file of %d are over MaxRatio %d", n, file, l.Ratio)
	case uint64(n) > storage.MaxInt:
		return bounded.Over("", storage.MaxInt, n, "%d bytes are more than this machine can address", n)
	}
	return nil
}

// freeRatio is the number of bytes that a chunk of any size may have for each byte of it in the file.
const freeRatio = 64

// checkChunk checks the size of a decoded chunk against the limit. stored is its size in the file.
func (l Limits) checkChunk(n int, stored uint64) error {
	if l.Chunk < 0 || int64(n) <= l.Chunk || uint64(n)/freeRatio <= stored {
		return nil
	}
	return bounded.Over("MaxChunk", l.Chunk, int64(n), "a chunk of %d bytes, which are %d bytes in the file, is over MaxChunk %d", n, stored, l.Chunk)
}

// checkEntries checks a number of links or attributes against the limit.
func (l Limits) checkEntries(n int) error {
	if n > l.Entries {
		return bounded.Over("MaxEntries", l.Entries, n, "%d entries are over MaxEntries %d", n, l.Entries)
	}
	return nil
}
