package npy

import (
	"context"

	"github.com/npygo/npy/internal/holes"
)

// Regions tells which elements lie in holes of the file, which are zeros: see [RegionsOf]. It knows holes on Linux, of a file of
// which at most a quarter is on disk.
func (f *File) Regions(ctx context.Context) (*Regions, error) {
	if err := f.check(); err != nil {
		return nil, f.wrap(err)
	}
	if s, ok := f.whole().(*stored); ok {
		return s.Regions(ctx)
	}
	return nil, nil
}

// Regions implements the optional method of [Source], for contiguous parts of a file.
func (s *stored) Regions(ctx context.Context) (*Regions, error) {
	f, ok := s.from.(*File)
	switch {
	case !ok || s.view.NBytes() == 0:
		return nil, nil
	case f.check() != nil:
		return nil, f.wrap(f.check())
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case s.view.IsC():
		return f.holes(s.view), nil
	}
	if t := s.view.T(); t.IsC() {
		if r := f.holes(t); r != nil {
			return r.reversed(), nil
		}
	}
	return nil, nil
}

// holes returns the regions of a view in C order whose elements follow each other in the file.
func (f *File) holes(view *Array) *Regions {
	size := int64(view.nd.DType.ItemSize())
	if size > 1<<20 { // a zero of as many bytes would be made
		return nil
	}
	data, ok := holes.Of(f.r, f.source.Header.DataOffset+int64(view.nd.Offset), int64(view.NBytes()))
	if !ok {
		return nil
	}
	var runs [][2]int // of elements, whole ones
	for _, d := range data {
		low, high := int(d.Start/size), int((d.End+size-1)/size)
		if k := len(runs) - 1; k >= 0 && low <= runs[k][1] {
			runs[k][1] = high
		} else {
			runs = append(runs, [2]int{low, high})
		}
	}
	return runRegions(view.Shape(), runs, zeroOf(view.nd.DType))
}
