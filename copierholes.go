package npy

import (
	"bytes"
	"context"
	"slices"

	"github.com/npygo/npy/internal/blockwise"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
)

// leastHole is the number of bytes from which zeros that a source knows are not written: the file has a hole there.
const leastHole = 1 << 20

// A copyPart is a job that writes only the regions of its source that are not holes of the destination.
type copyPart struct {
	*blockwise.Job
	regions *Regions        // of the view; nil to copy it all
	isHole  map[string]bool // by the bytes of a value of the source
	hole    int64           // bytes
}

// partsOf finds the holes of jobs, if the destination is a file, and their bytes.
func partsOf(ctx context.Context, jobs []*blockwise.Job, regular bool) (all []copyPart, holes int64, err error) {
	for _, x := range jobs {
		p := copyPart{Job: x}
		if regular {
			p, err = partOfJob(ctx, x)
		} else {
			err = checkJob(x, x.NBytes())
		}
		if err != nil {
			return nil, 0, err
		}
		all, holes = append(all, p), holes+p.hole
	}
	return all, holes, nil
}

// partOfJob finds the holes of a job. It returns an error if the rest is more than the source allows to be read.
func partOfJob(ctx context.Context, x *blockwise.Job) (p copyPart, err error) {
	p = copyPart{Job: x, isHole: map[string]bool{}}
	r, err := regionsOfJob(ctx, x)
	if err != nil {
		return p, err
	}
	if r != nil {
		for region := range r.All {
			hole, err := p.skips(region)
			if err != nil {
				return p, err
			}
			if hole {
				p.regions = r
				p.hole += int64(region.Size() * x.Header.DType.ItemSize())
			}
		}
	}
	return p, checkJob(x, x.NBytes()-p.hole)
}

// regionsOfJob returns the regions of the view of a job, or nil if writing all of it costs as little.
func regionsOfJob(ctx context.Context, x *blockwise.Job) (*Regions, error) {
	switch s := x.Source.(type) {
	case *stored:
		src := &stored{s.from, arrayOf(x.View), s.version}
		r, err := RegionsOf(ctx, src)
		if !r.pay(src) {
			return nil, err
		}
		return r, nil
	case selectedBoxes:
		r, err := RegionsOf(ctx, s.src)
		if !r.pay(s.src) {
			return nil, err
		}
		return s.regions(r), nil
	}
	return nil, nil
}

// regions returns regions of the source as regions of the view.
func (s selectedBoxes) regions(r *Regions) *Regions {
	return &Regions{r.Constant, func(yield func(Region) bool) {
		for region := range r.All {
			view := Region{make([]int, len(s.axes)), make([]int, len(s.axes)), region.Value}
			for i, axis := range s.axes {
				view.Origin[i], view.Shape[i] = region.Origin[axis], region.Shape[axis]
			}
			if !yield(view) {
				return
			}
		}
	}}
}

// checkJob returns an error if a job may not read as much as it takes to write n bytes.
func checkJob(x *blockwise.Job, n int64) error {
	if s, ok := x.Source.(selectedBoxes); ok {
		return checkBytes(s.src, n/int64(max(x.Header.DType.ItemSize(), 1))*int64(x.View.DType.ItemSize()))
	}
	return nil
}

// skips reports whether a region becomes a hole: enough zeros in the destination.
func (p copyPart) skips(r Region) (bool, error) {
	if r.Value == nil || r.Size()*p.Header.DType.ItemSize() < leastHole {
		return false, nil
	}
	key := elementBytes(r.Value)
	hole, known := p.isHole[string(key)]
	if known {
		return hole, nil
	}
	value, err := p.One(bytes.Clone(key))
	hole = err == nil && bulk.IsZero(value)
	p.isHole[string(key)] = hole
	return hole, err
}

// run copies the regions that are not holes.
func (p copyPart) run(ctx context.Context, report func(n int)) error {
	if p.regions == nil {
		return p.Run(ctx, report)
	}
	for r := range p.regions.All {
		hole, err := p.skips(r)
		if err != nil {
			return err
		}
		if hole {
			report(r.Size() * p.Header.DType.ItemSize())
			continue
		}
		x := *p.Job
		b := nd.Box{Origin: slices.Clone(r.Origin), Shape: slices.Clone(r.Shape)}
		x.View = x.View.Box(b)
		for i, at := range p.Origin {
			b.Origin[i] += at
		}
		x.Origin = b.Origin
		if s, ok := x.Source.(selectedBoxes); ok {
			if x.Source, err = s.part(r); err != nil {
				return err
			}
		}
		if err := x.Run(ctx, report); err != nil {
			return err
		}
	}
	return nil
}

// part returns the boxes of a region of the view.
func (s selectedBoxes) part(r Region) (selectedBoxes, error) {
	index := make([]Index, len(s.axes))
	for i, x := range r.Index() {
		index[s.axes[i]] = x
	}
	src, err := s.src.Select(index...)
	return selectedBoxes{src, s.axes}, err
}
