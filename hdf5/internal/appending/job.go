package appending

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/nd"
)

// An appendJob adds some rows.
type appendJob struct {
	*File
	rows   int
	out    *storage.Output
	end    int64 // of the file, as an address
	size   int64 // of the file in bytes, before
	first  int   // the first row that is written: the rows of the last chunks are written again
	band   []byte
	root   uint64
	freed  []storage.Span
	patch  []fieldWrite // of nodes that stay
	placed bool         // the superblock has the new end
}

// rowBytes returns the size of a row in the file.
func (a *File) rowBytes() int { return nd.Size(a.d.Space.Dims[1:]) * a.d.Type.Size }

// begin finds the end of the file, and reads the rows of the last chunks if they are not full.
func (j *appendJob) begin(ctx context.Context) error {
	f := j.f
	j.size = f.Base + f.Size
	eof, _, err := j.places()
	if err != nil {
		return err
	}
	end, err := j.readAddress(eof.at)
	if err != nil {
		return err
	}
	if end < uint64(f.Base) || end > uint64(j.size) {
		return fmt.Errorf("the file has %d bytes, and its superblock says %d: %w", j.size, end, io.ErrUnexpectedEOF)
	}
	j.end = storage.AlignedSize(int64(end) - f.Base)
	if j.start == 0 {
		j.start = j.end
	}
	j.out = storage.ResumeOutput(io.NewOffsetWriter(j.file, 0), f.Base, j.end, j.free)
	j.free = nil
	if rows := j.d.Space.Dims[0] - j.first; j.tail == nil && rows > 0 && j.rowBytes() > 0 {
		raw, err := j.d.RawSource()
		if err != nil {
			return err
		}
		part, err := raw.Select(npy.Span(j.first, j.first+rows))
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		j.tail = a.Bytes()
	}
	return nil
}

// undo frees the data that was written: nothing refers to it.
func (j *appendJob) undo() {
	j.free = nil
	if j.out != nil && !j.placed {
		_ = j.file.Truncate(j.size) // frees the space on a full disk
	}
}
