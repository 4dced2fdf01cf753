package npz

import (
	"fmt"

	"github.com/npygo/npy/internal/zipfile"
)

// A Method is how a member is compressed, by its number in the ZIP format (APPNOTE 4.4.5).
type Method uint16

// The methods that NumPy's archives have: np.savez stores, np.savez_compressed deflates. The others are read by NumPy
// too (zstd from Python 3.14 on) and written by other tools. LZMA needs an entry in [Decoder.Methods].
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
