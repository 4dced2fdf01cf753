// Package chunkfilter decodes and encodes the chunks of HDF5 datasets: one slice of bytes through a pipeline of
// filters, such as shuffle and deflate. It knows nothing of arrays and files.
//
// Decoding never writes more than the size of a chunk, whatever the data says, and its time is bounded by that size and
// the size of the data.
package chunkfilter

import (
	"errors"
	"fmt"
	"math"
)

// A Filter is one step of a pipeline, as HDF5's filter pipeline message describes it.
type Filter struct {
	ID     uint16
	Flags  uint16 // bit 0: the filter is optional, so that a chunk may lack it
	Name   string // in the file; often empty
	Values []uint32
}

// A Pipeline decodes and encodes chunks of one size. It is for concurrent use.
type Pipeline struct {
	filters []Filter
	steps   []step
	size    int // of a decoded chunk
}

// A step is a filter with its parameters.
type step interface {
	// decode undoes the filter: it decodes src into dst and returns the number of bytes. If exact is set the result must
	// fill dst, and otherwise it may be shorter.
	decode(s *scratch, dst, src []byte, exact bool) (int, error)
	// grow says how the size of the data changes: n decoded bytes become at most grow(n) encoded bytes, exactly so if fixed
	// is set.
	grow(n int) (most int, fixed bool)
	// ratio is the most decoded bytes that one encoded byte can hold.
	ratio() int
}

// An encoder is a step that can also encode. It appends the result to dst.
type encoder interface {
	encode(s *scratch, dst, src []byte) ([]byte, error)
}

// A summed is a step that adds a checksum of its input, and verifies it.
type summed interface {
	// checksum returns the name of the checksum: "Adler-32".
	checksum() string
}

// Checksum returns the name of a checksum that notices every change of a bit in a stored chunk that changes the decoded
// chunk, or "" if there is none. One filter with a checksum is enough: data that passes its checksum was sound for the
// filters before it.
func (p *Pipeline) Checksum(mask uint32) string {
	for i, s := range p.steps {
		if s, ok := s.(summed); ok && mask>>i&1 == 0 {
			return s.checksum()
		}
	}
	return ""
}

// ErrCorrupt is wrapped by errors about data that is malformed.
var ErrCorrupt = errors.New("corrupt data")

// corrupt returns an ErrCorrupt for the data at a byte.
func corrupt(at int, format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %w", ErrCorrupt, at, fmt.Errorf(format, args...))
}

// maxFilters is HDF5's H5Z_MAX_NFILTERS.
const maxFilters = 32

// New returns the pipeline for chunks of chunkSize decoded bytes. The filters have the order in which they encode. A
// filter that is unknown, or that is known but not decoded here, is an error that names it and wraps
// [errors.ErrUnsupported].
func New(filters []Filter, chunkSize int) (*Pipeline, error) {
	if chunkSize < 0 || chunkSize > math.MaxInt/4 {
		return nil, fmt.Errorf("chunks of %d bytes", chunkSize)
	}
	if len(filters) > maxFilters {
		return nil, fmt.Errorf("%d filters, and HDF5 allows %d", len(filters), maxFilters)
	}
	p := &Pipeline{filters: filters, size: chunkSize}
	for _, f := range filters {
		s, err := f.step()
		if err != nil {
			return nil, fmt.Errorf("filter %s: %w", f, err)
		}
		if d, ok := s.(deflated); ok && len(p.steps) > 0 {
			if before, ok := p.steps[len(p.steps)-1].(shuffle); ok {
				d.planes = before.size
				s = d
			}
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// Decode decodes a stored chunk into dst, whose length must be the size of a chunk. Bit i of mask says that the chunk
// lacks filter i. After an error the contents of dst are undefined. dst and src must not overlap.
func (p *Pipeline) Decode(dst, src []byte, mask uint32) error {
	if len(dst) != p.size {
		panic(fmt.Sprintf("chunkfilter: %d bytes for a chunk of %d", len(dst), p.size))
	}
	first := 0
	for first < len(p.steps) && mask>>first&1 != 0 {
		first++
	}
	if first == len(p.steps) {
		if len(src) != len(dst) {
			return fmt.Errorf("%w: the chunk has %d bytes without a filter, and needs %d", ErrCorrupt, len(src), len(dst))
		}
		copy(dst, src)
		return nil
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	for i := len(p.steps) - 1; i >= first; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		out, exact := dst, true
		if i > first {
			var most int
			most, exact = p.sizeAfter(i, mask)
			out = s.buffer(i, most)
		}
		n, err := p.steps[i].decode(s, out, src, exact)
		if err == nil && exact && n != len(out) {
			err = fmt.Errorf("%w: it decodes to %d bytes instead of %d", ErrCorrupt, n, len(out))
		}
		if err != nil {
			return fmt.Errorf("filter %s: %w", p.filters[i], err)
		}
		src = out[:n]
	}
	return nil
}

// sizeAfter returns the size of a chunk after the filters before i have encoded it, and whether it is known or only a
// limit.
func (p *Pipeline) sizeAfter(i int, mask uint32) (size int, exact bool) {
	size, exact = p.size, true
	for k := range i {
		if mask>>k&1 != 0 {
			continue
		}
		n, fixed := p.steps[k].grow(size)
		size, exact = n, exact && fixed
	}
	return size, exact
}

// Bound returns the most bytes that n stored bytes can decode to, at most the size of a chunk. A caller that compares it
// with the size of a chunk before it allocates one is safe from chunks that are large only in their description.
func (p *Pipeline) Bound(n int, mask uint32) int {
	for i := len(p.steps) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		if r := p.steps[i].ratio(); n > p.size/r {
			return p.size
		} else {
			n *= r
		}
	}
	return min(n, p.size)
}

// Encode appends the encoded chunk src to dst. A filter that is only decoded here is an error that wraps
// [errors.ErrUnsupported].
func (p *Pipeline) Encode(dst, src []byte) ([]byte, error) {
	if len(src) != p.size {
		panic(fmt.Sprintf("chunkfilter: %d bytes for a chunk of %d", len(src), p.size))
	}
	if len(p.steps) == 0 {
		return append(dst, src...), nil
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	for i, f := range p.steps {
		e, ok := f.(encoder)
		if !ok {
			return nil, fmt.Errorf("filter %s cannot encode: %w", p.filters[i], errors.ErrUnsupported)
		}
		var err error
		if i == len(p.steps)-1 {
			dst, err = e.encode(s, dst, src)
		} else {
			src, err = e.encode(s, s.buffer(i, 0), src)
			s.keep(i, src)
		}
		if err != nil {
			return nil, fmt.Errorf("filter %s: %w", p.filters[i], err)
		}
	}
	return dst, nil
}
