package structure

import (
	"encoding/binary"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
)

// A Space is a dataspace: the shape of a dataset or an attribute.
type Space struct {
	Dims []int
	Most []uint64 // the largest dims, undefined for unlimited ones; as long as dims
	Null bool     // there are no elements, and no shape
}

// MaxShape returns the largest shape, with the dimensions of elements that are arrays, or nil if the shape cannot change.
func (s Space) MaxShape(elements []int) []int {
	grows := false
	most := make([]int, len(s.Dims))
	for i, n := range s.Dims {
		switch m := s.Most[i]; {
		case m == Unlimited:
			most[i] = container.Unlimited
		default:
			most[i] = int(min(max(m, uint64(n)), storage.MaxInt))
		}
		grows = grows || most[i] != n
	}
	if !grows || s.Null {
		return nil
	}
	return append(most, elements...)
}

// Unlimited is a dimension without a largest value.
const Unlimited = storage.Undefined

// ReadSpace reads a dataspace message.
func ReadSpace(c *storage.Cursor) (Space, error) {
	version, rank, flags := c.Version(1, 2), c.U8(), c.U8()
	var s Space
	if version == 1 {
		c.Skip(5)
	} else if kind := c.U8(); c.Err == nil {
		if kind > 2 {
			c.Unsupported("dataspaces of class %d", kind)
		}
		s.Null = kind == 2
	}
	if c.Err == nil && rank > MaxRank {
		c.Fail("%d dimensions, and HDF5 allows %d", rank, MaxRank)
	}
	if c.Err != nil {
		return s, c.Err
	}
	s.Dims, s.Most = make([]int, rank), make([]uint64, rank)
	for i := range rank {
		s.Dims[i] = c.Size()
		s.Most[i] = uint64(s.Dims[i])
	}
	if flags&1 != 0 {
		for i := range rank {
			s.Most[i] = c.Length()
		}
	}
	if s.Null {
		s.Dims, s.Most = []int{0}, []uint64{0}
	}
	return s, c.Err
}

var _ = [1]struct{}{}[MaxRank/(dtype.MaxDims+1)] // every shape of HDF5 is one of NumPy

// Dataspace returns the data of a dataspace message. limits are the largest dimensions, nil if they equal shape.
func Dataspace(shape []int, limits []uint64) []byte {
	flags := byte(0)
	if limits != nil {
		flags = 1
	}
	b := []byte{1, byte(len(shape)), flags, 0, 0, 0, 0, 0}
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, n := range limits {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// NullDataspace returns the data of a dataspace message that says that there are no elements and no shape.
func NullDataspace() []byte { return []byte{2, 0, 0, 2} }
