package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/nd"
)

// minCompressed is the size of the smallest arrays that are compressed, in bytes. The index of chunks takes 2 KiB or more.
const minCompressed = 8 << 10

// An arrayWriter writes a dataset: the elements as they come, the object header after them.
type arrayWriter struct {
	w          *Writer
	path       string
	shape      []int
	chunks     []int
	t          dtype.Type
	form       *form // nil for Python objects, until they have come
	left       int   // elements that are to come
	attributes headerBuilder
	node       *member

	grows   bool
	addr    int64      // of the next bytes, if the array is contiguous
	data    uint64     // where they begin
	sink    *chunkSink // nil if it is contiguous
	filters []chunkfilter.Filter
	closed  bool
}

// newArray checks the entry of an array. Nothing is written.
func (w *Writer) newArray(e container.Entry) (*arrayWriter, error) {
	if len(e.Shape) > rankLimit {
		return nil, fmt.Errorf("hdf5: %w", errRank(len(e.Shape)))
	}
	if err := (format.Header{DType: e.DType, Shape: e.Shape}).Validate(); err != nil {
		return nil, err
	}
	a := &arrayWriter{w: w, path: e.Path, shape: slices.Clone(e.Shape), chunks: e.Chunks, t: e.DType, node: &member{}}
	a.left = nd.Size(a.shape)
	a.grows = w.settings.Unlimited && len(a.shape) > 0
	f, err := formOf(e.DType, true) // of objects, bytes are the same
	if err != nil {
		return nil, err
	}
	if n, ok := bounded.Count(a.shape, f.size); !ok {
		return nil, bounded.Over("", 0, n, "hdf5: the array is too large for this machine")
	}
	if a.chunks != nil && !fitSlab(a.chunks, a.shape, f.size) {
		a.chunks = nil
	}
	if a.chunked(f) {
		if a.chunks == nil {
			a.chunks = chooseChunks(a.shape, f.size, a.grows)
		}
		if err := checkChunks(a.chunks, a.shape, f.size, a.grows); err != nil {
			return nil, err
		}
		a.filters = w.settings.filters(f.size)
	} else {
		a.chunks = nil
	}
	if !e.DType.HasObject() {
		a.form = f
	}
	return a, nil
}

// chunked reports whether the array is written in chunks. Elements of a growing array may be missing, but not whole rows.
func (a *arrayWriter) chunked(f *form) bool {
	switch {
	case len(a.shape) == 0 || a.left == 0 && !(a.grows && nd.Size(a.shape[1:]) > 0):
		return false
	case a.chunks != nil || a.grows:
		return true
	}
	return !a.w.settings.Store && a.left*f.size >= minCompressed
}

// filters returns the filters for elements of a size.
func (e Encoder) filters(itemSize int) []chunkfilter.Filter {
	if e.Store {
		return nil
	}
	var filters []chunkfilter.Filter
	if itemSize > 1 {
		filters = append(filters, chunkfilter.Filter{ID: chunkfilter.Shuffle, Flags: 1, Values: []uint32{uint32(itemSize)}})
	}
	if e.Zstd {
		level := e.Level
		if level == 0 {
			level = 3
		}
		return append(filters, chunkfilter.Filter{ID: chunkfilter.Zstd, Flags: 1, Values: []uint32{uint32(level)}})
	}
	return append(filters, chunkfilter.Filter{ID: chunkfilter.Deflate, Flags: 1, Values: []uint32{uint32(e.Level)}})
}

// pipelineMessageData returns the data of a filter pipeline message. The level that stands for a choice becomes zlib's
// default.
func pipelineMessageData(filters []chunkfilter.Filter) []byte {
	b := []byte{1, byte(len(filters)), 0, 0, 0, 0, 0, 0}
	names := map[uint16]string{chunkfilter.Shuffle: "shuffle", chunkfilter.Deflate: "deflate", chunkfilter.Zstd: "zstd"}
	for _, f := range filters {
		name := paddedName(names[f.ID])
		for _, x := range []int{int(f.ID), len(name), int(f.Flags), len(f.Values)} {
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		}
		b = append(b, name...)
		for _, v := range f.Values {
			if f.ID == chunkfilter.Deflate && v == 0 {
				v = 6
			}
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		if len(f.Values)%2 == 1 {
			b = append(b, 0, 0, 0, 0)
		}
	}
	return b
}

// begin reserves space in the file.
func (a *arrayWriter) begin() error {
	w := a.w
	if a.chunks != nil {
		var err error
		itemSize := heapReference
		if a.form != nil {
			itemSize = a.form.size
		}
		a.sink, err = newChunkSink(w.out, w.chunks, newChunkGrid(a.shape, a.chunks, itemSize), a.filters)
		return err
	}
	if a.data = undefined; a.left > 0 && a.form != nil {
		return a.reserve()
	}
	return nil
}

// reserve gives a contiguous array its place in the file, after all chunks that have come before.
func (a *arrayWriter) reserve() error {
	if err := a.w.drain(); err != nil {
		return err
	}
	a.addr = a.w.out.reserve(int64(a.left) * int64(a.form.size))
	a.data = uint64(a.addr)
	return nil
}

// Write implements [container.ArrayWriter].
func (a *arrayWriter) Write(block *npy.Array) error {
	switch {
	case a.w.err != nil:
		return a.w.err
	case a.closed:
		return errWriterClosed
	case !block.DType().Equal(a.t):
		return a.error(fmt.Errorf("hdf5: a block of dtype %s in an array of %s", block.DType(), a.t))
	case block.Size() > a.left:
		return a.error(errors.New("hdf5: more elements than the shape has"))
	}
	if a.t.HasObject() {
		if err := a.objects(block); err != nil {
			return a.error(err)
		}
	}
	data, err := a.form.encode(block, a.w.heap)
	if err != nil {
		return a.error(err)
	}
	a.left -= block.Size()
	if a.sink != nil {
		return a.error(a.sink.Write(data))
	}
	err = a.w.out.writeAt(data, a.addr)
	a.addr += int64(len(data))
	return a.error(err)
}

// objects decides what an array of Python objects becomes, which comes in one block.
func (a *arrayWriter) objects(block *npy.Array) error {
	if a.form != nil || block.Size() < a.left {
		return errors.New("hdf5: an array with Python objects comes in one block")
	}
	var err error
	if a.form, err = arrayForm(block); err == nil && a.sink == nil && a.left > 0 {
		err = a.reserve()
	}
	return err
}

// error makes the error of an array final: its elements are missing in the file.
func (a *arrayWriter) error(err error) error { return a.w.fail(entryError(a.path, err)) }

// Close implements [container.ArrayWriter].
func (a *arrayWriter) Close() error {
	if a.closed {
		return nil
	}
	a.closed, a.w.open = true, nil
	a.w.heap.calm()
	switch {
	case a.w.err != nil:
		return a.w.err
	case a.left > 0:
		return a.error(fmt.Errorf("hdf5: the array has ended before its last %d elements", a.left))
	case a.form == nil: // objects without elements
		a.form, _ = formOf(a.t, true)
	}
	if a.sink == nil && a.data != undefined {
		if err := a.w.out.pad(a.addr); err != nil {
			return a.error(err)
		}
	}
	return a.error(a.w.chunks.Push(&chunkPiece{end: a.finish}))
}

// finish writes the index and the object header.
func (a *arrayWriter) finish() error {
	var b headerBuilder
	var limits []uint64
	if a.grows && a.sink != nil {
		for _, n := range a.shape {
			limits = append(limits, uint64(n))
		}
		limits[0] = unlimited
	}
	b.add(dataspaceMessage, dataspace(a.shape, limits), false)
	if a.sink == nil {
		size := uint64(nd.Size(a.shape) * a.form.size)
		b.add(layoutMessage, contiguousLayout(a.data, size), false)
	} else {
		root, err := a.sink.index()
		if err != nil {
			return err
		}
		b.add(layoutMessage, chunkedLayout(root, a.chunks, a.form.size), false)
	}
	b.add(datatypeMessage, a.form.message, true)
	b.add(fillMessage, fillValue(a.sink != nil), true)
	if len(a.filters) > 0 && a.sink != nil {
		b.add(pipelineMessage, pipelineMessageData(a.filters), true)
	}
	b.buf = append(b.buf, a.attributes.buf...)
	b.count += a.attributes.count
	data, err := b.header()
	if err != nil {
		return err
	}
	if limits != nil {
		if err := a.w.out.within(sectorBytes, headHead+messageHead+8, headHead+2*messageHead+8+16*len(a.shape)+layoutIndex+8); err != nil {
			return err
		}
	}
	a.node.addr, err = a.w.out.put(data)
	return err
}

// sectorBytes is the size of the sectors of disks, which a power failure does not divide.
const sectorBytes = 512

// within moves the end of the file, so that the bytes from low to high of what is put next lie in one sector, if they can.
func (o *output) within(sector, low, high int) error {
	for at := o.end; at < o.end+int64(sector); at += 8 {
		if (o.base+at+int64(low))/int64(sector) == (o.base+at+int64(high)-1)/int64(sector) {
			gap := at - o.end
			return o.writeAt(make([]byte, gap), o.reserve(gap))
		}
	}
	return nil
}

// labelsAttribute is h5py's name for the names of dimensions.
const labelsAttribute = "DIMENSION_LABELS"

// withLabels adds the names of the dimensions to attributes that lack them.
func withLabels(attributes []container.Attribute, e container.Entry) []container.Attribute {
	named := slices.ContainsFunc(e.Dims, func(name string) bool { return name != "" })
	has := slices.ContainsFunc(attributes, func(a container.Attribute) bool { return a.Name == labelsAttribute })
	if !named || has || len(e.Dims) != len(e.Shape) {
		return attributes
	}
	labels := make([]any, len(e.Dims))
	for i, name := range e.Dims {
		labels[i] = name
	}
	value, err := npy.FromObjects(labels)
	return append(slices.Clone(attributes), container.Attribute{Name: labelsAttribute, Value: value, Err: err})
}
