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
	"github.com/npygo/npy/hdf5/internal/chunkindex"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/chunkgrid"
	"github.com/npygo/npy/internal/nd"
)

// A dataset is an array of a file.
type dataset struct {
	f       *file
	h       *structure.Header
	path    string
	t       *structure.Datatype
	coding  coding
	space   structure.Space
	layout  structure.Layout
	filters []chunkfilter.Filter
	fill    []byte
	header  format.Header // of the array

	pipeline   *chunkfilter.Pipeline // decodes the chunks; nil if they have no filters
	chunkBytes int                   // of a decoded chunk; 0 if this machine cannot address it
}

var errNotDataset = errors.New("not an array")

// dataset reads what the header of a dataset says.
func (f *file) dataset(h *structure.Header, path string) (*dataset, error) {
	d := &dataset{f: f, h: h, path: path}
	if err := d.messages(); err != nil {
		return d, fault.About(path, err)
	}
	return d, fault.About(path, d.check())
}

// messages reads the messages of the header.
func (d *dataset) messages() (err error) {
	c := d.h.Message(structure.DataspaceMessage, "dataspace message")
	if d.space, err = structure.ReadSpace(&c); err != nil {
		return err
	}
	c = d.h.Message(structure.DatatypeMessage, "datatype message")
	if d.t, err = structure.ReadDatatype(&c); err != nil {
		return err
	}
	c = d.h.Message(structure.LayoutMessage, "layout message")
	if d.layout, err = structure.ReadLayout(&c, d.rank()); err != nil {
		return err
	}
	if d.h.Has(structure.ExternalMessage) {
		return fault.Unsupported("external file list", d.f.Offset(d.h.At), "the elements are in other files, and no other file is opened")
	}
	if m, ok := d.h.Find(structure.PipelineMessage); ok {
		c = d.h.Cursor(m, "filter pipeline message")
		if d.filters, err = structure.ReadFilters(&c); err != nil {
			return err
		}
	}
	if d.fill, err = d.h.Fill(d.t.Size); err != nil {
		return err
	}
	if d.coding, err = codingOf(d.t, d.f); err != nil {
		return d.f.Failed("datatype message", d.h.At, err)
	}
	n, _ := bounded.Count(d.layout.Chunk, d.t.Size)
	d.chunkBytes = n * d.t.Size
	d.header = format.Header{DType: d.coding.t, Shape: d.space.Dims}
	if t := d.coding.t; t.IsSubarray() {
		d.header = format.Header{DType: t.Elem(), Shape: slices.Concat(d.space.Dims, t.SubShape())}
	}
	return nil
}

// rank returns the number of dimensions of the dataspace.
func (d *dataset) rank() int {
	if d.space.Null {
		return 0
	}
	return len(d.space.Dims)
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
	case d.space.Null || d.header.Size() == 0 || d.layout.Class == structure.LayoutCompact:
	case d.layout.Class == structure.LayoutContiguous && d.layout.At != storage.Undefined:
		n, _ := bounded.Mul(nd.Size(d.space.Dims), d.t.Size) // Validate has multiplied them
		return d.f.Check("contiguous elements", d.layout.At, uint64(n))
	case d.layout.Class == structure.LayoutChunked:
		if d.chunkBytes == 0 {
			return d.f.Failed("layout message", d.h.At, fmt.Errorf("chunks of shape %v are more than this machine can address", d.layout.Chunk))
		}
		if len(d.filters) > 0 {
			var err error
			d.pipeline, err = chunkfilter.New(d.filters, d.chunkBytes)
			return d.f.Failed("filter pipeline message", d.h.At, err)
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
	return format.Header{DType: dtype.Void(d.t.Size), Shape: d.space.Dims}
}

// grid returns the grid of chunks.
func (d *dataset) grid() chunkindex.Grid {
	return chunkindex.Grid{Dims: d.space.Dims, Most: d.space.Most, Chunk: d.layout.Chunk, Bytes: uint64(d.chunkBytes), File: d.f.File}
}

// index returns the index of the chunks, nil if the file has none.
func (d *dataset) index() (chunkgrid.Index, error) {
	if d.layout.Class != structure.LayoutChunked || d.layout.At == storage.Undefined {
		return nil, nil
	}
	return chunkindex.Open(d.grid(), &d.layout)
}

// entry describes the dataset.
func (d *dataset) entry(ctx context.Context) container.Entry {
	h := d.header
	e := container.Entry{Path: d.path, DType: h.DType, Shape: h.Shape, Notes: d.coding.notes, Meaning: d.coding.meaning, Null: d.space.Null, Fill: d.fillArray(ctx)}
	e.MaxShape = d.space.MaxShape(h.Shape[len(d.space.Dims):])
	e.Fletcher32 = slices.ContainsFunc(d.filters, func(f chunkfilter.Filter) bool { return f.ID == chunkfilter.Fletcher32 })
	d.f.dimensions(d.h).describe(&e)
	if d.space.Null {
		e.Notes = append(slices.Clone(e.Notes), "a null dataspace: no elements and no shape")
	}
	var names []string
	for _, f := range d.filters {
		names = append(names, f.Label())
	}
	e.Codec = strings.Join(names, ", ")
	switch d.layout.Class {
	case structure.LayoutCompact:
		e.Stored = int64(len(d.layout.Data))
	case structure.LayoutContiguous:
		if d.layout.At != storage.Undefined {
			if e.Stored = d.rawHeader().NBytes(); d.isPlain() {
				e.At = d.f.Base + int64(d.layout.At)
			}
		}
	case structure.LayoutChunked:
		e.Chunks = append(slices.Clone(d.layout.Chunk), h.Shape[len(d.space.Dims):]...)
		e.Stored, e.Checksum, e.Err = d.stored(ctx)
		e.Err = fault.About(d.path, e.Err)
	}
	return e
}

// fillArray returns the fill value: nil for zeros. The value of elements that are arrays has their shape, unless all items are equal.
func (d *dataset) fillArray(ctx context.Context) *npy.Array {
	if d.fill == nil {
		return nil
	}
	a, err := d.coding.array(ctx, d.f.Reading(), d.fill, []int{})
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
	err = index.All(ctx, func(_ []int, c chunkgrid.Chunk) error {
		total += int64(min(c.Size, uint64(d.f.Size)))
		if all {
			checksum = d.pipeline.Checksum(c.Mask)
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
	case d.space.Null || l.Class == structure.LayoutCompact:
		return dec.FileOf(h, compactData{d.f, bytes.NewReader(l.Data)}, int64(len(l.Data)))
	case l.Class == structure.LayoutContiguous && l.At != storage.Undefined && h.NBytes() > 0:
		h.DataOffset = d.f.Base + int64(l.At)
		return dec.FileOf(h, d.f.Reader, d.f.Base+d.f.Size)
	}
	return d.chunked(h)
}

// chunked returns the elements of chunks, or those that are not in the file.
func (d *dataset) chunked(h format.Header) (npy.Source, error) {
	index, err := d.index()
	if err != nil {
		return nil, err
	}
	r := &chunkgrid.Array{Shape: h.Shape, Chunk: h.Shape, ItemSize: h.DType.ItemSize(), Rank: len(d.space.Dims), Index: index, Fill: d.fill, Store: datasetChunks{d}, Cache: &d.f.large}
	if index != nil {
		r.Complete = d.layout.Index == structure.IndexImplicit
		r.Chunk = append(slices.Clone(d.layout.Chunk), h.Shape[r.Rank:]...)
	}
	return r.Source(h.DType)
}

// compactData is the elements of a compact dataset, which cannot be read after Close.
type compactData struct {
	f *file
	r io.ReaderAt
}

// Check returns the error of every read after Close.
func (c compactData) Check() error { return c.f.Reader.Check() }

// ReadAt implements [io.ReaderAt].
func (c compactData) ReadAt(p []byte, at int64) (int, error) { return c.r.ReadAt(p, at) }
