package appending

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// commit makes the file refer to the new data: first the superblock has the new end, then the nodes that stay know
// their neighbours, and the header has the new index and the new shape at the end.
func (j *appendJob) commit() error {
	eof, fields, err := j.places()
	if err != nil {
		j.undo()
		return err
	}
	rows := uint64(j.d.Space.Dims[0] + j.rows)
	writes, olds, err := j.headerWrites(fields, rows)
	if err == nil {
		err = j.sync()
	}
	if err != nil {
		j.undo()
		return err
	}
	_, end, err := j.change([]numberPlace{eof}, []uint64{uint64(j.f.Base + j.out.End)})
	if err == nil && !j.isWhole(end) {
		err = errDivided
	}
	if err != nil {
		j.undo()
		return err
	}
	j.placed = true
	for _, w := range append([]fieldWrite{end}, j.patch...) {
		if _, err := j.file.WriteAt(w.data, w.at); err != nil {
			j.err = err
			return err
		}
	}
	if err := j.sync(); err != nil {
		j.err = err
		return err
	}
	for i, w := range writes {
		if n, err := j.file.WriteAt(w.data, w.at); err != nil {
			_, _ = j.file.WriteAt(olds[i].data[:n], w.at) // a part of it would be neither
			j.err = err
			return err
		}
	}
	if j.err = j.sync(); j.err != nil {
		return j.err
	}
	return j.finish()
}

var errDivided = fmt.Errorf("its header lies across the end of a sector, so that a power failure could divide a change of it; write the file again: %w", errors.ErrUnsupported)

// headerWrites returns the writes that change the header: one if the index and the shape lie together, else two. The index
// comes first: with it the old rows are complete.
func (j *appendJob) headerWrites(fields [2]numberPlace, rows uint64) (writes, olds []fieldWrite, err error) {
	add := func(places []numberPlace, values []uint64) error {
		now, then, err := j.change(places, values)
		if err == nil && !j.isWhole(then) {
			err = errDivided
		}
		if err == nil && len(then.data) > 0 {
			writes, olds = append(writes, then), append(olds, now)
		}
		return err
	}
	err = add(fields[:], []uint64{rows, j.root})
	if err == nil || fields[0].end > 0 {
		return writes, olds, err
	}
	if err = add(fields[1:], []uint64{j.root}); err == nil {
		err = add(fields[:1], []uint64{rows})
	}
	return writes, olds, err
}

func (j *appendJob) sync() error {
	if j.settings.Sync {
		return j.file.Sync()
	}
	return nil
}

// finish reads the file again, and remembers which places are free now.
func (j *appendJob) finish() error {
	j.tail = j.band
	j.File.free = storage.Merged(append(j.out.Free, j.freed...))
	if err := j.load(j.f.Base + max(j.f.Size, j.out.End)); err != nil {
		j.err = err
		return err
	}
	return nil
}
