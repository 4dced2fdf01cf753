// Package holes finds the parts of sparse files that are not on disk and read as zeros.
package holes

import (
	"io"
	"os"

	"github.com/npygo/npy/internal/announce"
)

// A Range is the bytes from Start up to, but not including, End.
type Range struct{ Start, End int64 }

// least is the size of the holes that are told. Smaller ones cost as much to skip as to read.
const least = 1 << 20

// Of returns the parts of n bytes of r, from offset on, that are on disk, in order and counted from offset. It reports false if
// they are most of the bytes, or if that cannot be known: if r is not a regular file, or a section of one or a guard around it,
// or if the system does not tell. It does not move the position of the file.
func Of(r io.ReaderAt, offset, n int64) ([]Range, bool) {
	f, at, size := fileOf(r, offset, n)
	if f == nil || size < n || n < 2*least {
		return nil, false
	}
	data, ok := stored(f, at, at+n)
	for i := range data {
		data[i].Start -= at
		data[i].End -= at
	}
	return data, ok
}

// fileOf returns the file that r is, or is a section of or a guard around, and where n bytes from an offset of r are in it.
func fileOf(r io.ReaderAt, offset, n int64) (f *os.File, at, size int64) {
	for ok := true; ok; r, offset, n, ok = announce.Below(r, offset, n) {
		if f, ok := r.(*os.File); ok {
			return f, offset, n
		}
	}
	return nil, 0, 0
}
