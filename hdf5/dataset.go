package hdf5

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/nd"
)

// A dataset is an array of a file.
type dataset struct {
	f       *file
	h       *header
	path    string
	t       *datatype
	coding  coding
	space   space
	layout  layout
	filters []chunkfilter.Filter
	fill    []byte
	header  format.Header // of the array

	pipeline   *chunkfilter.Pipeline // decodes the chunks; nil if they have no filters
	chunkBytes int                   // of a decoded chunk; 0 if this machine cannot address it
}

var errNotDataset = errors.New("not an array")

// isDataset reports whether the object with a header is a dataset.
func (h *header) isDataset() bool {
	return h.has(layoutMessage) || h.has(dataspaceMessage) && h.has(datatypeMessage)
}

// dataset reads what the header of a dataset says.
func (f *file) dataset(h *header, path string) (*dataset, error) {
	d := &dataset{f: f, h: h, path: path}
	if err := d.messages(); err != nil {
		return d, about(path, err)
	}
	return d, about(path, d.check())
}

// messages reads the messages of the header.
func (d *dataset) messages() (err error) {
	c := d.h.message(dataspaceMessage, "dataspace message")
	if d.space, err = d.f.space(&c); err != nil {
		return err
	}
	c = d.h.message(datatypeMessage, "datatype message")
	if d.t, err = d.f.datatype(&c); err != nil {
		return err
	}
	c = d.h.message(layoutMessage, "layout message")
	if d.layout, err = d.f.layout(&c, d.rank()); err != nil {
		return err
	}
	if d.h.has(externalMessage) {
		return unsupported("external file list", d.f.offset(d.h.at), "the elements are in other files, and no other file is opened")
	}
	if m, ok := d.h.find(pipelineMessage); ok {
		c = d.h.cursor(m, "filter pipeline message")
		if d.filters, err = d.f.filters(&c); err != nil {
			return err
		}
	}
	if d.fill, err = d.h.fill(d.t.size); err != nil {
		return err
	}
	if d.coding, err = d.t.coding(d.f); err != nil {
		return d.f.failed("datatype message", d.h.at, err)
	}
	n, _ := bounded.Count(d.layout.chunk, d.t.size)
	d.chunkBytes = n * d.t.size
	d.header = format.Header{DType: d.coding.t, Shape: d.space.dims}
	if t := d.coding.t; t.IsSubarray() {
		d.header = format.Header{DType: t.Elem(), Shape: slices.Concat(d.space.dims, t.SubShape())}
	}
	return nil
}

// rank returns the number of dimensions of the dataspace.
func (d *dataset) rank() int {
	if d.space.null {
		return 0
	}
	return len(d.space.dims)
}

// check checks what can be known without reading an element.
func (d *dataset) check() error {
	if err := d.header.Validate(); err != nil {
		return err
	}
	if err := d.rawHeader().Validate(); err != nil {
		return err
	}
	switch {
	case d.space.null || d.header.Size() == 0 || d.layout.class == layoutCompact:
	case d.layout.class == layoutContiguous && d.layout.at != undefined:
		n, _ := bounded.Mul(nd.Size(d.space.dims), d.t.size) // Validate has multiplied them
		return d.f.check("contiguous elements", d.layout.at, uint64(n))
	case d.layout.class == layoutChunked:
		if d.chunkBytes == 0 {
			return d.f.failed("layout message", d.h.at, fmt.Errorf("chunks of shape %v are more than this machine can address", d.layout.chunk))
		}
		if len(d.filters) > 0 {
			var err error
			d.pipeline, err = chunkfilter.New(d.filters, d.chunkBytes)
			return d.f.failed("filter pipeline message", d.h.at, err)
		}
	}
	return nil
}

// isPlain reports whether the elements can be taken as they are in the file.
func (d *dataset) isPlain() bool {
	return d.coding.plain && (d.fill == nil || !d.coding.t.IsSubarray()) // its fill value is not that of one of its elements
}

// rawHeader returns the header of the elements as they are in the file.
func (d *dataset) rawHeader() format.Header {
	if d.isPlain() {
		return d.header
	}
	return format.Header{DType: dtype.Void(d.t.size), Shape: d.space.dims}
}

// grid returns the grid of chunks.
func (d *dataset) grid() grid {
	return grid{dims: d.space.dims, most: d.space.most, chunk: d.layout.chunk, bytes: uint64(d.chunkBytes), f: d.f}
}

// index returns the index of the chunks, nil if the file has none.
func (d *dataset) index() (chunkIndex, error) {
	l := &d.layout
	if l.class != layoutChunked || l.at == undefined {
		return nil, nil
	}
	g := d.grid()
	switch l.index {
	case indexBTree1:
		return &btree1{grid: g, root: l.at}, nil
	case indexSingle:
		return singleChunk{g, l.at, l.single, l.mask}, nil
	case indexImplicit:
		return implicitIndex{g, l.at}, nil
	case indexFixed:
		return newFixedArray(g, l.at)
	case indexExtensible:
		return newExtensibleArray(g, l.at)
	}
	return newChunkTree2(g, l.at)
}

// entry describes the dataset.
func (d *dataset) entry(ctx context.Context) container.Entry {
	h := d.header
	e := container.Entry{Path: d.path, DType: h.DType, Shape: h.Shape, Notes: d.coding.notes, Meaning: d.coding.meaning, Null: d.space.null, Fill: d.fillArray(ctx)}
	e.MaxShape = d.space.maxShape(h.Shape[len(d.space.dims):])
	e.Fletcher32 = slices.ContainsFunc(d.filters, func(f chunkfilter.Filter) bool { return f.ID == chunkfilter.Fletcher32 })
	d.h.dimensions().describe(&e)
	if d.space.null {
		e.Notes = append(slices.Clone(e.Notes), "a null dataspace: no elements and no shape")
	}
	var names []string
	for _, f := range d.filters {
		names = append(names, f.Label())
	}
	e.Codec = strings.Join(names, ", ")
	switch d.layout.class {
	case layoutCompact:
		e.Stored = int64(len(d.layout.data))
	case layoutContiguous:
		if d.layout.at != undefined {
			if e.Stored = d.rawHeader().NBytes(); d.isPlain() {
				e.At = d.f.base + int64(d.layout.at)
			}
		}
	case layoutChunked:
		e.Chunks = append(slices.Clone(d.layout.chunk), h.Shape[len(d.space.dims):]...)
		e.Stored, e.Checksum, e.Err = d.stored(ctx)
		e.Err = about(d.path, e.Err)
	}
	return e
}

// fillArray returns the fill value: nil for zeros. The value of elements that are arrays has their shape, unless all items are equal.
func (d *dataset) fillArray(ctx context.Context) *npy.Array {
	if d.fill == nil {
		return nil
	}
	a, err := d.coding.array(ctx, d.f.reading(), d.fill, []int{})
	if err != nil {
		return nil
	}
	if a.Size() > 0 && a.NDim() > 0 && !a.DType().HasObject() {
		data, size := a.Bytes(), a.DType().ItemSize()
		if bytes.Equal(data[size:], data[:len(data)-size]) {
			if one, err := npy.FromBytes(a.DType(), data[:size], []int{}...); err == nil {
				return one
			}
		}
	}
	return a
}

// stored returns the bytes of all chunks, and the checksum that all of them have.
func (d *dataset) stored(ctx context.Context) (total int64, checksum string, err error) {
	index, err := d.index()
	if index == nil || err != nil {
		return 0, "", err
	}
	all := d.pipeline != nil && !d.header.DType.HasObject() // objects are elsewhere in the file
	err = index.all(ctx, func(_ []int, c storedChunk) error {
		if c.at == undefined {
			return nil
		}
		total += int64(min(c.size, uint64(d.f.size)))
		if all {
			checksum = d.pipeline.Checksum(c.mask)
			all = checksum != ""
		}
		return nil
	})
	return total, checksum, err
}

// source returns the array.
func (d *dataset) source() (npy.Source, error) {
	raw, err := d.rawSource()
	if err != nil || d.isPlain() {
		return raw, err
	}
	return &convertedSource{d: d, raw: raw, outline: d.header}, nil
}

// rawSource returns the elements as they are in the file.
func (d *dataset) rawSource() (npy.Source, error) {
	h, l := d.rawHeader(), &d.layout
	dec := npy.Decoder{MaxBytes: max(d.f.limits.bytes, 0)}
	switch {
	case d.space.null || l.class == layoutCompact:
		return dec.FileOf(h, compactData{d.f, bytes.NewReader(l.data)}, int64(len(l.data)))
	case l.class == layoutContiguous && l.at != undefined && h.NBytes() > 0:
		h.DataOffset = d.f.base + int64(l.at)
		return dec.FileOf(h, d.f.r, d.f.base+d.f.size)
	}
	return d.chunked(h)
}

// chunked returns the elements of chunks, or those that are not in the file.
func (d *dataset) chunked(h format.Header) (npy.Source, error) {
	index, err := d.index()
	if err != nil {
		return nil, err
	}
	r := &chunkReader{f: d.f, path: d.path, dims: h.Shape, chunk: h.Shape, index: index, item: h.DType.ItemSize(), rank: len(d.space.dims), whole: d.layout.whole, fill: d.fill}
	if index != nil {
		r.pipeline, r.chunkBytes = d.pipeline, d.chunkBytes
		r.chunk = append(slices.Clone(d.layout.chunk), h.Shape[r.rank:]...)
		r.chunkStrides = nd.Strides(r.chunk, r.item, false)
	}
	whole, err := npy.PartOf(h)
	if err != nil {
		return nil, err
	}
	return &chunkedSource{r, whole}, nil
}

// compactData is the elements of a compact dataset, which cannot be read after Close.
type compactData struct {
	f *file
	r io.ReaderAt
}

// Check returns the error of every read after Close.
func (c compactData) Check() error { return c.f.r.Check() }

// ReadAt implements [io.ReaderAt].
func (c compactData) ReadAt(p []byte, at int64) (int, error) { return c.r.ReadAt(p, at) }
