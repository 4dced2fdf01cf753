package chunkfilter

import (
	"cmp"
	"errors"
	"fmt"
)

// The registered identifiers of filters that are decoded.
const (
	Deflate     = 1
	Shuffle     = 2
	Fletcher32  = 3
	Szip        = 4
	Nbit        = 5
	ScaleOffset = 6
	BZip2       = 307
	LZF         = 32000
	Blosc       = 32001
	LZ4         = 32004
	Bitshuffle  = 32008
	Zstd        = 32015
)

// names has the registered names of filters, from the registry of the HDF Group.
var names = map[uint16]string{
	Deflate: "gzip", Shuffle: "shuffle", Fletcher32: "fletcher32", Szip: "szip", Nbit: "nbit", ScaleOffset: "scaleoffset",
	257: "hzip", 258: "fpzip", 305: "lzo", BZip2: "bzip2",
	LZF: "lzf", Blosc: "blosc", 32002: "mafisc", 32003: "snappy", LZ4: "lz4", 32005: "apax", 32006: "cbf",
	32007: "jpeg-xr", Bitshuffle: "bitshuffle", 32009: "spdp", 32010: "lpc-rice", 32011: "ccsds-123",
	32012: "jpeg-ls", 32013: "zfp", 32014: "fpzip", Zstd: "zstd", 32016: "b3d", 32017: "sz", 32018: "fcidecomp",
	32019: "jpeg", 32020: "vbz", 32021: "fapec", 32022: "bitgroom", 32023: "granular bitround", 32024: "sz3",
	32025: "delta-rice", 32026: "blosc2", 32027: "flac", 32028: "sperr", 32029: "terse", 32030: "ffmpeg",
}

// Label returns the name of a filter for people: its registered name, else the name in the file, else its number.
func (f Filter) Label() string {
	return cmp.Or(names[f.ID], f.Name, fmt.Sprint(f.ID))
}

// String returns the number of a filter and its name.
func (f Filter) String() string {
	name := cmp.Or(names[f.ID], f.Name)
	if name == "" {
		return fmt.Sprint(f.ID)
	}
	return fmt.Sprintf("%d (%.40q)", f.ID, name)
}

// step returns the decoder of the filter.
func (f Filter) step() (step, error) {
	switch f.ID {
	case Deflate:
		return newDeflate(f.Values), nil
	case Shuffle:
		return newShuffle(f.Values), nil
	case Fletcher32:
		return fletcher{}, nil
	case Szip:
		return newSzip(f.Values), nil
	case Nbit:
		return newNbit(f.Values), nil
	case ScaleOffset:
		return newScaleOffset(f.Values)
	case BZip2:
		return bzipped{}, nil
	case LZF:
		return lzf{}, nil
	case Blosc:
		return blosc{}, nil
	case LZ4:
		return lz4Blocks{}, nil
	case Bitshuffle:
		return newBitshuffle(f.Values)
	case Zstd:
		return newZstd(f.Values), nil
	}
	return nil, fmt.Errorf("this filter is not decoded: %w", errors.ErrUnsupported)
}

// A faulty filter has invalid parameters. It matters only to chunks that it has encoded: libhdf5 adds some filters
// without parameters to datasets that they do not suit, whose chunks all lack them.
type faulty struct {
	unfixed
	err error
}

func (faulty) ratio() int { return 1 }

func (f faulty) decode(*scratch, []byte, []byte, bool) (int, error) {
	return 0, fmt.Errorf("%w: %w", ErrCorrupt, f.err)
}

// unfixed are the sizes of compressors: their result is of any size up to twice the data and some more, which is more
// than any of them makes of data that it cannot compress.
type unfixed struct{}

func (unfixed) grow(n int) (int, bool) { return 2*n + 64<<10, false }
