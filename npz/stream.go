package npz

import (
	"compress/bzip2"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/zipfile"
)

// stream returns a reader of a member's contents. offset is the offset of its data in the file.
func (z *Reader) stream(e *zipfile.Entry, offset int64) (io.ReadCloser, error) {
	src := io.NewSectionReader(z.r, offset, e.CompressedSize)
	if open, ok := z.dec.Methods[Method(e.Method)]; ok {
		r, err := open(src, e.Size)
		if err != nil {
			return nil, err
		}
		c, ok := r.(io.Closer)
		if !ok {
			return io.NopCloser(bounded.Progress(r)), nil
		}
		return struct {
			io.Reader
			io.Closer
		}{bounded.Progress(r), c}, nil
	}
	switch Method(e.Method) {
	case Store:
		return io.NopCloser(src), nil
	case Deflate:
		return flate.NewReader(src), nil
	case Bzip2:
		return io.NopCloser(bzip2.NewReader(src)), nil
	case Zstd:
		r, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow(e.Size)))
		if err != nil {
			return nil, err
		}
		return r.IOReadCloser(), nil
	}
	return nil, &MethodError{Method(e.Method)}
}

// zstdWindow returns the largest window for a member of a size, at most 128 MB. Encoders that do not know the size
// ask for up to 8 MB, other encoders for at most the size.
func zstdWindow(size int64) uint64 {
	return uint64(min(max(size, 8<<20), 128<<20))
}

// A checkedReader reads a member to its end and compares its size and checksum with the directory.
type checkedReader struct {
	r       io.ReadCloser
	archive *closable.ReaderAt
	e       *zipfile.Entry
	n       int64
	sum     uint32
	err     error // of a read: it stays, because io.ReadFull ignores an error that comes with all that it wants
	closed  bool
}

// checkedStream returns a reader of a member's contents. offset is the offset of its data in the file.
func (z *Reader) checkedStream(e *zipfile.Entry, offset int64) (*checkedReader, error) {
	r, err := z.stream(e, offset)
	if err != nil {
		return nil, err
	}
	return &checkedReader{r: r, archive: z.r, e: e}, nil
}

// end verifies that the member was read to its end and is correct.
func (c *checkedReader) end() error {
	_, err := io.ReadFull(c, make([]byte, 1))
	if err == io.EOF {
		return nil
	}
	return err
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if c.closed || c.archive.Check() != nil {
		return 0, about(c.e, closable.ErrClosed)
	}
	if c.err != nil {
		return 0, c.err
	}
	var n int
	n, c.err = c.read(p)
	return n, c.err
}

func (c *checkedReader) read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	switch {
	case c.n > c.e.Size:
		return 0, errorf(c.e, "it has more than the %d bytes that the directory says", c.e.Size)
	case err == io.EOF && c.n < c.e.Size:
		return n, errorf(c.e, "it ends after %d of %d bytes: %w", c.n, c.e.Size, io.ErrUnexpectedEOF)
	case err == io.EOF && c.sum != c.e.CRC32:
		return n, errChecksum(c.e, c.sum)
	case err != nil && err != io.EOF:
		return n, about(c.e, err)
	}
	return n, err
}

func (c *checkedReader) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return c.r.Close()
}
