package hdf5

import (
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// A space is a dataspace: the shape of a dataset or an attribute.
type space struct {
	dims []int
	most []uint64 // the largest dims, undefined for unlimited ones; as long as dims
	null bool     // there are no elements, and no shape
}

// maxShape returns the largest shape, with the dimensions of elements that are arrays, or nil if the shape cannot change.
func (s space) maxShape(elements []int) []int {
	grows := false
	most := make([]int, len(s.dims))
	for i, n := range s.dims {
		switch m := s.most[i]; {
		case m == unlimited:
			most[i] = container.Unlimited
		default:
			most[i] = int(min(max(m, uint64(n)), maxInt))
		}
		grows = grows || most[i] != n
	}
	if !grows || s.null {
		return nil
	}
	return append(most, elements...)
}

// unlimited is a dimension without a largest value.
const unlimited = undefined

// space reads a dataspace message.
func (f *file) space(c *cursor) (space, error) {
	version, rank, flags := c.version(1, 2), c.u8(), c.u8()
	var s space
	if version == 1 {
		c.skip(5)
	} else if kind := c.u8(); c.err == nil {
		if kind > 2 {
			c.unsupported("dataspaces of class %d", kind)
		}
		s.null = kind == 2
	}
	if c.err == nil && rank > rankLimit {
		c.fail("%d dimensions, and HDF5 allows %d", rank, rankLimit)
	}
	if c.err != nil {
		return s, c.err
	}
	s.dims, s.most = make([]int, rank), make([]uint64, rank)
	for i := range rank {
		s.dims[i] = c.size()
		s.most[i] = uint64(s.dims[i])
	}
	if flags&1 != 0 {
		for i := range rank {
			s.most[i] = c.length()
		}
	}
	if s.null {
		s.dims, s.most = []int{0}, []uint64{0}
	}
	return s, c.err
}

var _ = [1]struct{}{}[rankLimit/(dtype.MaxDims+1)] // every shape of HDF5 is one of NumPy
