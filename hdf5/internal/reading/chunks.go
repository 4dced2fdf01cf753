package reading

import (
	"io"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/internal/chunkgrid"
)

// A datasetChunks is the chunks of a dataset as they are in the file.
type datasetChunks struct{ d *Dataset }

// Check implements Store.
func (s datasetChunks) Check() error { return s.d.f.Reader.Check() }

// About implements Store.
func (s datasetChunks) About(err error) error { return fault.About(s.d.path, err) }

// CheckBytes implements Store.
func (s datasetChunks) CheckBytes(n int64) error {
	return s.About(s.d.f.limits.checkSize(n, s.d.f.Size))
}

// Expand implements Store.
func (s datasetChunks) Expand(n int) error { return s.d.f.expand(n) }

// IsPlain implements Store.
func (s datasetChunks) IsPlain(c chunkgrid.Chunk, edge bool) (bool, error) {
	d := s.d
	if d.pipeline == nil || d.Layout.Whole && edge {
		if c.Size < uint64(d.chunkBytes) {
			return true, s.Failed(c, fault.Malformed(fault.ErrShortChunk))
		}
		return true, d.f.Check("chunk", c.At, uint64(d.chunkBytes))
	}
	if err := d.f.Check("chunk", c.At, c.Size); err != nil {
		return false, err
	}
	return false, d.f.limits.checkChunk(d.chunkBytes, c.Size)
}

// At implements Store.
func (s datasetChunks) At(c chunkgrid.Chunk) (io.ReaderAt, int64) {
	return s.d.f.Reader, s.d.f.Base + int64(c.At)
}

// Read implements Store.
func (s datasetChunks) Read(b []byte, c chunkgrid.Chunk) error { return s.d.f.ReadFull(b, int64(c.At)) }

// Decode implements Store.
func (s datasetChunks) Decode(b []byte, c chunkgrid.Chunk, memory *[]byte) error {
	d := s.d
	if uint64(d.pipeline.Bound(int(c.Size), c.Mask)) < uint64(len(b)) {
		return fault.Malformed(fault.ErrShortChunk)
	}
	if ratio := d.f.limits.Ratio; ratio > 0 && int64(len(b))/ratio > int64(c.Size) {
		if err := d.f.expand(len(b)); err != nil {
			return err
		}
	}
	stored := chunkgrid.Grow(*memory, int(c.Size))
	if *memory = stored; len(stored) == 0 {
		return fault.Malformed(fault.ErrShortChunk)
	}
	if err := s.Read(stored, c); err != nil {
		return err
	}
	return d.pipeline.Decode(b, stored, c.Mask)
}

// Failed implements Store.
func (s datasetChunks) Failed(c chunkgrid.Chunk, err error) error {
	return s.d.f.Failed("chunk", c.At, err)
}
