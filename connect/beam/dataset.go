package npyio

import (
	"context"
	"errors"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/parts"
)

// A Dataset describes an array whose elements are in one or more files, one after another along the first axis. It holds no
// elements and no open files. Workers get it as JSON.
type Dataset struct {
	DType string       // as dtype.Type.Descr writes it
	Shape []int        // of the whole array
	Parts []parts.Part // the files, with their rows and versions
}

// Open returns the array in the files that match the patterns, in this order; the files of one pattern are sorted by name and
// by number. It reads the headers of all files. All must have the same dtype, and the same shape but for the first axis.
func Open(ctx context.Context, patterns ...string) (Dataset, error) {
	var paths []string
	for _, pattern := range patterns {
		found, err := expand(ctx, pattern)
		if err != nil {
			return Dataset{}, err
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		return Dataset{}, errors.New("npyio: no files; name at least one")
	}
	var mu sync.Mutex
	versions := map[string]string{}
	m, err := parts.Scan(ctx, 0, paths, func(ctx context.Context, p parts.Part) (npy.Source, closer, error) {
		a, err := openArray(ctx, p.Path)
		if err != nil {
			return nil, nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		versions[p.Path] = a.version
		return a.Source, a, nil
	})
	if err != nil {
		return Dataset{}, err
	}
	if m.DType.HasObject() {
		return Dataset{}, &parts.PartError{Path: paths[0], Err: npy.ErrObjects}
	}
	for i := range m.Parts {
		m.Parts[i].ETag = versions[m.Parts[i].Path]
	}
	return Dataset{DType: m.DType.Descr(), Shape: m.Shape, Parts: m.Parts}, nil
}

// open returns the array, whose files are opened as they are read.
func (d Dataset) open() (*parts.Array, error) {
	t, err := dtype.Parse(d.DType)
	if err != nil {
		return nil, err
	}
	m := parts.Manifest{DType: t, Shape: d.Shape, Parts: d.Parts}
	return parts.Options{MaxOpen: openFiles}.Open(m, openPart)
}

// openFiles is the number of files that each worker thread keeps open.
const openFiles = 8

// A span is a range of the fixed blocks of a Dataset. It is all that travels to workers.
type span struct{ Start, End int64 }

// blockBytes is the size of a block, unless one row is larger.
const blockBytes = 1 << 20

// blockRows returns the number of rows of each block but the last.
func (d Dataset) blockRows() int { return max(blockBytes/max(d.rowBytes(), 1), 1) }

// rowBytes returns the size of one row.
func (d Dataset) rowBytes() int {
	t, err := dtype.Parse(d.DType)
	if err != nil || len(d.Shape) == 0 {
		return 0
	}
	return int(format.Header{DType: t, Shape: d.Shape[1:]}.NBytes())
}

// blocks returns the number of blocks.
func (d Dataset) blocks() int64 {
	each := d.blockRows()
	return int64((d.Shape[0] + each - 1) / each)
}

// rows returns the rows of block i.
func (d Dataset) rows(i int64) (start, end int) {
	each := d.blockRows()
	start = int(i) * each
	return start, min(start+each, d.Shape[0])
}
