package npz

import (
	"fmt"

	"github.com/npygo/npy/internal/zipfile"
)

// A Method is a method of compression, by its number in the ZIP format (APPNOTE 4.4.5).
type Method uint16

// The methods in NumPy's archives: np.savez stores, np.savez_compressed deflates. NumPy reads the others too (zstd
// from Python 3.14 on), and other tools write them. LZMA needs an entry in [Decoder.Methods].
const (
	Store   Method = zipfile.Store
	Deflate Method = zipfile.Deflate
	Bzip2   Method = zipfile.Bzip2
	LZMA    Method = zipfile.LZMA
	Zstd    Method = zipfile.Zstd
)

// String returns the name of the method, or its number if it is none of the constants.
func (m Method) String() string {
	switch m {
	case Store:
		return "store"
	case Deflate:
		return "deflate"
	case Bzip2:
		return "bzip2"
	case LZMA:
		return "LZMA"
	case Zstd:
		return "zstd"
	}
	return fmt.Sprintf("method %d", uint16(m))
}
