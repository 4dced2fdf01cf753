package order

import (
	"context"
	"io"
	"io/fs"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bulk"
)

// WriteFile writes the rows to an .npy file, which takes the place of an old one at the end.
func (s *Sorted) WriteFile(ctx context.Context, path string) error {
	h, head, err := s.head()
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	size := int64(len(head)) + h.NBytes()
	if info, e := f.Stat(); s.counted != nil && e == nil && info.Mode().IsRegular() {
		err = s.writeCounted(ctx, f, head, size)
	} else if err = f.Reserve(size); err == nil {
		err = s.write(ctx, f, head)
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return f.Commit(s.encoder.Sync)
}

// Write writes the rows to w as an .npy file.
func (s *Sorted) Write(ctx context.Context, w io.Writer) error {
	_, head, err := s.head()
	if err != nil {
		return err
	}
	return s.write(ctx, w, head)
}

// head returns the header of the file, and its bytes.
func (s *Sorted) head() (h format.Header, head []byte, err error) {
	h = format.Header{DType: s.dtype, Shape: s.shape, Version: s.encoder.Version}
	head, err = h.Append(nil)
	return h, head, err
}

func (s *Sorted) write(ctx context.Context, w io.Writer, head []byte) error {
	if _, err := w.Write(head); err != nil {
		return err
	}
	done, total := int64(0), int64(s.shape[0])*int64(s.rowBytes())
	return s.pieces(ctx, func(rows []byte) error {
		_, err := w.Write(rows)
		if done += int64(len(rows)); s.progress != nil {
			s.progress(total+done, 2*total)
		}
		return err
	})
}

// writeCounted writes the rows to a file, of size bytes at the end. Many zero rows become a hole.
func (s *Sorted) writeCounted(ctx context.Context, f sparseWriter, head []byte, size int64) error {
	if err := s.counted.check(s.counted.copies); err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil { // a file system that cannot hold the file says so, and there may be a hole at the end
		return err
	}
	if _, err := f.Write(head); err != nil {
		return err
	}
	write := func(rows []byte) error { _, err := f.Write(rows); return err }
	return s.counts(ctx, func(rows []byte, times int) error {
		if hole := int64(len(rows)) * int64(times); times > 1 && bulk.IsZero(rows) {
			_, err := f.Seek(hole, io.SeekCurrent)
			return err
		}
		return copiesOf(ctx, rows, times, write)
	})
}
