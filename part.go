package npy

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/source"
)

// FromHeader returns the array that h describes over data, the bytes after the header of a file. Trailing data is
// ignored. The array shares the memory of data. Data that ends early is a [*format.Error] that wraps
// io.ErrUnexpectedEOF. Arrays of objects are [ErrObjects].
func FromHeader(h format.Header, data []byte) (*Array, error) {
	if err := check(h); err != nil {
		return nil, err
	}
	if h.NBytes() > int64(len(data)) {
		return nil, source.ErrShort(h, int64(len(data)))
	}
	return newArray(h, data[:h.NBytes():h.NBytes()]), nil
}

// A Part is the bytes of a file that an index needs, so that a program reads only these bytes: from an archive, over
// a network. [Part.Read] reads them; [Part.Ranges] lists the reads.
type Part struct {
	// Start and End are the range of the elements' bytes that the index touches, counted from the first byte after
	// the header. The range may contain bytes that the index does not touch. Both are 0 if nothing is selected.
	Start, End int64

	array *Array // without data
}

// PartOf finds the bytes that a[index...] needs of the array a that h describes. The errors are the errors of
// [Array.Slice], and [ErrObjects].
func PartOf(h format.Header, index ...Index) (Part, error) {
	if err := check(h); err != nil {
		return Part{}, err
	}
	a, err := newArray(h, nil).Slice(index...)
	if err != nil {
		return Part{}, err
	}
	return partOf(a), nil
}

// partOf returns the Part for the view a of an array in a file. The view has places for its elements, but no data.
func partOf(a *Array) Part {
	low, high := a.nd.Extent()
	return Part{int64(low), int64(high), a}
}

// DType returns the type of the elements of a[index...].
func (p Part) DType() dtype.Type { return p.array.nd.DType }

// Shape returns the number of elements of a[index...] along each axis. The slice is a copy.
func (p Part) Shape() []int { return slices.Clone(p.array.nd.Shape) }

// Slice returns the part a[index...][more...]. The errors are the errors of [Array.Slice].
func (p Part) Slice(more ...Index) (Part, error) {
	a, err := p.array.Slice(more...)
	if err != nil {
		return Part{}, err
	}
	return partOf(a), nil
}

// Array returns a[index...], given the bytes of the file from Start to End, whose memory it shares. Data of another
// length is an error.
func (p Part) Array(data []byte) (*Array, error) {
	if int64(len(data)) != p.End-p.Start {
		return nil, fmt.Errorf("npy: %d bytes given for a part of %d", len(data), p.End-p.Start)
	}
	a := *p.array
	a.nd.Data = data
	a.nd.Offset -= int(p.Start)
	return &a, nil
}
