package chunkgrid

import (
	"context"
	"io"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A Store gives access to the chunks of an array in one format: it finds their bytes, decodes them, and limits reads. It
// may be used by several goroutines.
type Store interface {
	// Check returns the error of every use after the file is closed, or nil.
	Check() error

	// About returns err with the name of the array. nil stays nil.
	About(err error) error

	// CheckBytes returns an error unless one read may have n bytes of elements.
	CheckBytes(n int64) error

	// Expand counts n bytes of elements that no chunk has. An error means that a limit is exceeded.
	Expand(n int) error

	// IsPlain reports whether the stored bytes of a chunk are its elements, after it has checked the place of the chunk.
	// edge says that the chunk is not complete within the array.
	IsPlain(c Chunk, edge bool) (bool, error)

	// At returns where the stored bytes of a chunk begin.
	At(c Chunk) (r io.ReaderAt, offset int64)

	// Read fills b with the first stored bytes of a chunk.
	Read(b []byte, c Chunk) error

	// Decode fills b with a chunk that is not plain. It uses memory, and makes it larger if it is too small.
	Decode(b []byte, c Chunk, memory *[]byte) error

	// Failed returns err with the place of a chunk. nil stays nil.
	Failed(c Chunk, err error) error
}

// An Array is an array whose elements are in chunks, or are not stored at all.
type Array struct {
	Shape    []int
	Chunk    []int  // the shape of a chunk
	ItemSize int    // bytes of an element
	Rank     int    // the axes that chunks have positions on; later axes are within an element
	Index    Index  // nil if no chunk is stored
	Complete bool   // the index has every chunk
	Fill     []byte // the element that is not stored; nil for zeros
	Store    Store
	Cache    *Cache // several arrays of a file may share it

	chunkStrides []int
	chunkBytes   int
	scratch      sync.Pool // of *chunkMemory
}

// chunkMemory has the buffers in which a goroutine decodes chunks.
type chunkMemory struct {
	stored, chunk []byte
	holds         Chunk // whose decoded elements are in chunk; size is 0 for none
	x             inChunk
}

// fewChunks is the largest number of chunks that are looked up in the index one by one.
const fewChunks = 1 << 12

// read reads a part, in C order. b keeps chunks for parts that are read later, and may be nil.
func (r *Array) read(ctx context.Context, p npy.Selection, buf []byte, b *band) (*npy.Array, error) {
	size := format.Header{DType: p.DType(), Shape: p.Shape()}.NBytes()
	zeros := false
	if buf == nil {
		if err := r.Store.CheckBytes(size); err != nil {
			return nil, err
		}
		if zeros = r.Index == nil; zeros {
			buf = bulk.Make(int(size))
		} else { // clearing it first would cost as much as reading it
			buf = bulk.MakeFill[byte](int(size))
		}
	}
	buf = buf[:size]
	if size > 0 {
		if err := r.readInto(ctx, p, buf, zeros, b); err != nil {
			return nil, err
		}
	}
	return npy.FromBytes(p.DType(), buf, p.Shape()...)
}

// readInto fills out with the elements of a part. zeros says that out is zero.
func (r *Array) readInto(ctx context.Context, p npy.Selection, out []byte, zeros bool, b *band) error {
	s := selectionOf(p, r.Shape, r.Chunk, r.ItemSize)
	if r.Index == nil {
		if err := r.Store.Expand(len(out)); err != nil {
			return err
		}
		r.fillAll(out, &s, zeros)
		return nil
	}
	counts, total := make([]int, len(s.axes)), 1
	for j, a := range s.axes {
		counts[j] = a.count()
		total *= counts[j] // at most the number of elements
	}
	if total > fewChunks {
		return r.readListed(ctx, &s, out, total, b)
	}
	strides := nd.Strides(s.shape, s.t.ItemSize(), false)
	return par.Each(ctx, total, par.Workers(), func(_, i int) error {
		m := r.memory(len(s.axes))
		defer r.scratch.Put(m)
		s.touched(i, counts, &m.x)
		c, ok, err := r.Index.Find(m.x.grid[:r.Rank])
		switch {
		case err != nil:
			return err
		case ok:
			return r.readChunk(ctx, c, &s, m, strides, out, b)
		}
		_, to := s.places(&m.x, r.chunkStrides, strides)
		to.Data = out
		if err := r.Store.Expand(to.NBytes()); err != nil {
			return err
		}
		r.fillPart(&to, &s)
		return nil
	})
}

// readListed is readInto for many chunks. It lists the stored chunks first, so that missing chunks cost nothing. total is
// the number of both.
func (r *Array) readListed(ctx context.Context, s *selection, out []byte, total int, b *band) error {
	list, err := r.listed(ctx, s)
	if err != nil {
		return err
	}
	if len(list) < total {
		if err := r.Store.Expand(len(out) / total * (total - len(list))); err != nil { // as if chunks were of one size
			return err
		}
		r.fillAll(out, s, false)
	}
	strides := nd.Strides(s.shape, s.t.ItemSize(), false)
	return par.Each(ctx, len(list), par.Workers(), func(_, i int) error {
		m := r.memory(len(s.axes))
		defer r.scratch.Put(m)
		clear(m.x.grid)
		copy(m.x.grid, list[i].grid)
		if !s.inGrid(&m.x) {
			return nil
		}
		return r.readChunk(ctx, list[i].Chunk, s, m, strides, out, b)
	})
}

// A listedChunk is a chunk that is stored, with its position.
type listedChunk struct {
	Chunk
	grid []int
}

// listed returns the stored chunks that a selection touches, each position once.
func (r *Array) listed(ctx context.Context, s *selection) ([]listedChunk, error) {
	var list []listedChunk
	known := map[int]int{}
	x := inChunk{make([]int, len(s.axes)), make([]int, len(s.axes)), make([]int, len(s.axes))}
	err := r.Index.All(ctx, func(grid []int, c Chunk) error {
		clear(x.grid)
		copy(x.grid, grid)
		if !s.inGrid(&x) {
			return nil
		}
		key := s.ordinal(&x)
		if at, ok := known[key]; ok {
			list[at].Chunk = c
			return nil
		}
		known[key] = len(list)
		list = append(list, listedChunk{c, append([]int{}, grid...)})
		return nil
	})
	return list, err
}

// memory returns memory for one goroutine.
func (r *Array) memory(rank int) *chunkMemory {
	if m, ok := r.scratch.Get().(*chunkMemory); ok {
		return m
	}
	ints := make([]int, 3*rank)
	return &chunkMemory{x: inChunk{ints[:rank], ints[rank : 2*rank], ints[2*rank:]}}
}

// readChunk reads the elements of the selection that are in one chunk, m.x, to their places in out.
func (r *Array) readChunk(ctx context.Context, c Chunk, s *selection, m *chunkMemory, strides []int, out []byte, b *band) error {
	from, to := s.places(&m.x, r.chunkStrides, strides)
	to.Data = out
	plain, err := r.Store.IsPlain(c, r.isEdge(&m.x))
	switch {
	case err != nil:
		return err
	case plain:
		err = r.readPlain(ctx, c, &from, &to, m)
	case m.holds == c && c.Size > 0: // a chunk is often read in several parts, one after another
		from.Data = m.chunk
		to.Fill(&from)
	case isWhole(from, to, r.chunkBytes):
		err = r.decodeWhole(out[to.Offset:to.Offset+r.chunkBytes], c, m)
	default:
		if from.Data, err = r.decoded(c, &m.x, m, b); from.Data != nil {
			to.Fill(&from)
		} else if err == nil {
			err = r.readLarge(c, &from, &to, m)
		}
	}
	return r.Store.Failed(c, err)
}

// decoded returns the elements of a chunk: of b if it has them or has room for them, and of m if the chunk is not large. Of a
// large chunk for which b has no room it returns nil.
func (r *Array) decoded(c Chunk, x *inChunk, m *chunkMemory, b *band) ([]byte, error) {
	if b != nil && c.Size > 0 {
		data, known := b.chunk(c, x, r.chunkBytes)
		if known {
			return data, nil
		}
		if data != nil {
			if err := r.decodeWhole(data, c, m); err != nil {
				return nil, err
			}
			b.keep(c, data)
			return data, nil
		}
	}
	if r.chunkBytes > largeChunk {
		return nil, nil
	}
	m.chunk, m.holds = Grow(m.chunk, r.chunkBytes), Chunk{}
	if err := r.Store.Decode(m.chunk, c, &m.stored); err != nil {
		return nil, err
	}
	m.holds = c
	return m.chunk, nil
}

// decodeWhole decodes a chunk whose elements are all read, to its place.
func (r *Array) decodeWhole(dst []byte, c Chunk, m *chunkMemory) error {
	if len(dst) > aloneChunk {
		r.Cache.Lock()
		defer r.Cache.Unlock()
	}
	return r.Store.Decode(dst, c, &m.stored)
}

// readLarge copies the elements that from selects of a large chunk to their places.
func (r *Array) readLarge(c Chunk, from, to *nd.Array, m *chunkMemory) (err error) {
	r.Cache.Lock()
	defer r.Cache.Unlock()
	from.Data, err = r.Cache.chunk(c.At, r.chunkBytes, func(data []byte) error { return r.Store.Decode(data, c, &m.stored) })
	if err == nil {
		to.Fill(from)
	}
	return err
}

// readPlain reads the selected elements of a chunk whose elements are stored as they are.
func (r *Array) readPlain(ctx context.Context, c Chunk, from, to *nd.Array, m *chunkMemory) error {
	if isWhole(*from, *to, r.chunkBytes) {
		return r.Store.Read(to.Data[to.Offset:to.Offset+r.chunkBytes], c)
	}
	const gap = 4 << 10
	plan := from.Plan(gap)
	m.chunk, m.holds = Grow(m.chunk, from.NBytes()), Chunk{}
	data, offset := r.Store.At(c)
	if err := plan.Read(ctx, m.chunk, data, offset, 1); err != nil {
		return err
	}
	part := from.Compact(from.DType, m.chunk)
	to.Fill(&part)
	return nil
}

// isEdge reports whether a chunk is not complete within the array.
func (r *Array) isEdge(x *inChunk) bool {
	for j := range r.Rank {
		if r.Shape[j]/r.Chunk[j] == x.grid[j] {
			return true
		}
	}
	return false
}

// fillAll sets all elements of a selection to the fill value.
func (r *Array) fillAll(out []byte, s *selection, zeros bool) {
	if r.Fill == nil {
		if !zeros {
			clear(out)
		}
		return
	}
	a := nd.New(s.t, s.shape, false, out)
	r.fillPart(&a, s)
}

// fillPart sets the elements of a, some of a selection, to the fill value.
func (r *Array) fillPart(a *nd.Array, s *selection) {
	value := r.fillOf(s, a.Shape)
	a.Fill(&value)
}

// fillOf returns the fill value of elements of a selection, as an array of the given shape.
func (r *Array) fillOf(s *selection, shape []int) nd.Array {
	value := nd.Array{DType: s.t, Shape: shape, Strides: make([]int, len(shape)), Data: r.Fill, Offset: s.within}
	if r.Fill == nil {
		value.Data, value.Offset = make([]byte, s.t.ItemSize()), 0
		return value
	}
	for i, v := range s.inner {
		value.Strides[v] = s.steps[i]
	}
	return value
}
