package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/ulikunitz/xz"
)

// Files that are compressed as a whole, a.npy.gz and table.csv.zst, are recognised by their first bytes. They are read as
// a pipe is, in sequence.

// A Compression is a way to compress a file as a whole.
type Compression struct {
	Ending string // of file names, with the dot
	name   string
	is     func(head []byte) bool // decides by the first magicBytes
	sum    func(head []byte) bool // reports whether the data has a checksum; nil for a format that always has one
	reader func(r *bufio.Reader) (io.ReadCloser, error)
	writer func(w io.Writer) (io.WriteCloser, error) // nil if npy cannot write it
}

// magicBytes is the number of bytes by which compressed files are recognised.
const magicBytes = 10

// maxDictionary is the largest dictionary of a compressed file, in bytes. xz -9 needs 64 MiB, zstd --long 128 MiB.
const maxDictionary = 128 << 20

var compressions = []Compression{
	{
		Ending: ".gz", name: "gzip",
		is:     func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) },
		reader: func(r *bufio.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
		writer: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	},
	{
		Ending: ".zst", name: "zstd",
		is: func(head []byte) bool {
			isFrame := bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd"))
			skippable := len(head) > 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
			return isFrame || skippable
		},
		sum: func(head []byte) bool { return head[0] == 0x28 && head[4]&4 != 0 }, // not if the first frame is one to skip
		reader: func(r *bufio.Reader) (io.ReadCloser, error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxDictionary), zstd.WithDecoderLowmem(true))
			if err != nil {
				return nil, err
			}
			return z.IOReadCloser(), nil
		},
		writer: func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	},
	{
		Ending: ".bz2", name: "bzip2",
		is: func(head []byte) bool {
			return len(head) == magicBytes && string(head[:3]) == "BZh" && (string(head[4:]) == "1AY&SY" || string(head[4:]) == "\x17\x72\x45\x38\x50\x90")
		},
		reader: func(r *bufio.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil },
	},
	{
		Ending: ".xz", name: "xz",
		is:     func(head []byte) bool { return bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")) },
		sum:    func(head []byte) bool { return len(head) > 7 && head[7] != 0 },
		reader: newXZReader,
		writer: func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	},
}

// CompressionOf returns the compression that the ending of a path names, and the path without it.
func CompressionOf(path string) (c *Compression, plain string) {
	ending := strings.ToLower(filepath.Ext(path))
	i := slices.IndexFunc(compressions, func(c Compression) bool { return c.Ending == ending })
	if i < 0 {
		return nil, path
	}
	return &compressions[i], path[:len(path)-len(ending)]
}

// NewWriter returns a writer whose input is compressed and written to w. It must be closed.
func (c *Compression) NewWriter(w io.Writer) (io.WriteCloser, error) {
	if c.writer == nil {
		return nil, fmt.Errorf("npy cannot write %s; write .gz, .zst or .xz", c.name)
	}
	return c.writer(w)
}

// decompress returns the content of a file that is compressed as a whole, and nil for any other file. head holds its first
// bytes.
func (o Opener) decompress(r io.Reader, head []byte) (*decompressor, error) {
	i := slices.IndexFunc(compressions, func(c Compression) bool { return c.is(head) })
	if i < 0 || o.Raw {
		return nil, nil
	}
	c := compressions[i]
	counting := &countingReader{r: r}
	z, err := c.reader(bufio.NewReaderSize(counting, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	d := &decompressor{r: z, checked: c.sum == nil || c.sum(head), in: counting, name: c.name, ratio: int64(o.Limits.Archive().MaxRatio), free: 256 << 20}
	if d.ratio == 0 {
		d.ratio = npz.DefaultMaxRatio
	}
	return d, nil
}

// A decompressor reads compressed data, whose ratio is limited.
type decompressor struct {
	r       io.ReadCloser
	checked bool // the data has a checksum
	in      *countingReader
	name    string
	ratio   int64 // negative for no limit
	free    int64 // bytes that may be read at any ratio
	n       int64 // bytes read
	err     error // of a read: it stays, because io.ReadFull ignores an error that comes with all that it wants
}

// A stream is a file that is read in sequence.
type stream struct {
	io.Reader
	io.Closer
	compressed bool // as a whole
}

// IsCompressed reports whether a file that [Opener.Bytes] has opened is compressed as a whole.
func IsCompressed(f io.Reader) bool {
	s, ok := f.(*stream)
	return ok && s.compressed
}

// HasChecksum reports whether a checksum protects the whole file of an open target, or every part of a manifest.
func (t Target) HasChecksum() bool {
	if t.file != nil && t.file.joined != nil {
		return !slices.ContainsFunc(t.file.joined.Manifest().Parts, func(p parts.Part) bool { return p.CRC32 == "" })
	}
	d := t.decompressor()
	return d != nil && d.checked
}

// Rest reads the rest of a file that [Opener.Bytes] has opened and that is compressed as a whole, since its checksum is at its
// end. r reads on where f has been read to. The rest of other files may have no end, and is not read.
func Rest(f, r io.Reader) error {
	if !IsCompressed(f) {
		return nil
	}
	_, err := io.Copy(io.Discard, r)
	return err
}

// Read implements io.Reader.
func (d *decompressor) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	var n int
	n, d.err = d.read(p)
	return n, d.err
}

func (d *decompressor) read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	d.n += int64(n)
	if d.ratio > 0 && d.n > d.free && d.n/d.ratio > d.in.n.Load() {
		return 0, &npy.LimitError{Name: "MaxRatio", Limit: d.ratio, What: fmt.Sprintf("%s: the data is over MaxRatio %d times the compressed data", d.name, d.ratio)}
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", d.name, err)
	}
	return n, err
}

// A countingReader counts the bytes that are read. A goroutine of the decompressor may read ahead.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// CompressedEndings returns the endings of files that are compressed as a whole, with the dot.
func CompressedEndings() []string {
	var endings []string
	for _, c := range compressions {
		endings = append(endings, c.Ending)
	}
	return endings
}
