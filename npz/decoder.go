package npz

import (
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/zipfile"
)

// A Decoder opens archives with limits of the caller's choice. [Open] and [NewReader] use the zero Decoder, which is
// safe for untrusted archives.
type Decoder struct {
	// Array has the limits for each member. Its MaxBytes also limits members that are not arrays.
	Array npy.Decoder

	// MaxMembers limits the number of members. 0 stands for [DefaultMaxMembers], a negative number for no limit.
	MaxMembers int

	// MaxRatio limits the size of a member divided by its compressed size. 0 stands for [DefaultMaxRatio], which all
	// members together may exceed by up to 256 MiB in total; a negative number stands for no limit. The limit matters
	// for methods other than deflate, whose ratio is at most 1032: for zeros it is 32,768 with Zstandard and about
	// 7,000 with LZMA.
	MaxRatio int

	// Methods has decompressors for methods that this package does not know, such as LZMA, by the number of the
	// method.
	Methods map[Method]Decompressor

	// IndexFile is the path of a file in which [Reader.BuildIndex] keeps its results, so that the next Reader of the
	// same archive need not decode the member again. "" means no file. A file that is missing, damaged, or belongs to
	// another archive or an earlier state of this one, is ignored and replaced. A program that can write this file
	// can choose the values that [Reader.Slice] returns: protect it as well as the archive.
	IndexFile string
}

// The default limits of a [Decoder].
const (
	DefaultMaxMembers = 1 << 20
	DefaultMaxRatio   = 1032 // the ratio of deflate
)

// freeRatio is the number of bytes by which the members of an archive may exceed [DefaultMaxRatio].
const freeRatio = 256 << 20

// A Decompressor returns a reader for the size bytes of a member, given its compressed data. If the reader is an
// io.Closer it is closed after use.
//
// For LZMA, r begins with the prefix of APPNOTE 5.8.8: two bytes with a version, two with the length of the
// properties, which is 5, and the properties. The stream after them may lack an end mark, and then only size tells
// where it ends.
type Decompressor func(r io.Reader, size int64) (io.Reader, error)

// Open is the function of the same name with the limits of d.
func (d Decoder) Open(path string) (*Reader, error) { return closable.Open(path, d.newReader) }

// NewReader is the function of the same name with the limits of d.
func (d Decoder) NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	return d.newReader(closable.New(r, nil), size)
}

func (d Decoder) newReader(r *closable.ReaderAt, size int64) (*Reader, error) {
	dir, err := zipfile.ReadDirectory(r, size, d.limits())
	if err != nil {
		return nil, public(err)
	}
	z := &Reader{dec: d, r: r, size: size, dir: dir}
	z.window = window{r: r, size: size, b: dir.Tail, offset: dir.TailOffset}
	return z, nil
}

func (d Decoder) limits() zipfile.Limits {
	limits := zipfile.Limits{Members: orDefault(d.MaxMembers, DefaultMaxMembers), Ratio: int64(orDefault(d.MaxRatio, DefaultMaxRatio))}
	if d.MaxRatio == 0 {
		limits.Free = freeRatio
	}
	return limits
}

// orDefault resolves a limit: 0 is the default, a negative number no limit.
func orDefault(limit, def int) int {
	switch {
	case limit == 0:
		return def
	case limit < 0:
		return int(^uint(0) >> 1)
	}
	return limit
}

// checkSize checks the declared size of a member against MaxBytes, before memory is allocated. MaxBytes does not
// count the header of an array.
func (d Decoder) checkSize(e *zipfile.Entry) error {
	const maxInt = int64(^uint(0) >> 1)
	most := d.Array.MaxBytes
	if most > 0 && e.Size-most > int64(orDefault(d.Array.MaxHeader, format.DefaultMaxHeader))+12 {
		return about(e, bounded.Over("MaxBytes", most, e.Size, "%d bytes are over MaxBytes %d", e.Size, most))
	}
	if e.Size > maxInt || e.CompressedSize > maxInt {
		return about(e, bounded.Over("", math.MaxInt, e.Size, "%d bytes are more than this machine can address", e.Size))
	}
	return nil
}

// checkBytes checks the number of bytes to be read against MaxBytes.
func (d Decoder) checkBytes(n int64) error {
	if most := d.Array.MaxBytes; most > 0 && n > most {
		return bounded.Over("MaxBytes", most, n, "%d bytes of elements are over MaxBytes %d", n, most)
	}
	return nil
}
