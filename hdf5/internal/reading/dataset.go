package reading

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

// A Dataset is an array of a file.
type Dataset struct {
	f       *File
	Object  *structure.Header
	path    string
	Type    *structure.Datatype
	Coding  coding
	Space   structure.Space
	Layout  structure.Layout
	Filters []chunkfilter.Filter
	Fill    []byte
	Header  format.Header // of the array

	pipeline   *chunkfilter.Pipeline // decodes the chunks; nil if they have no filters
	chunkBytes int                   // of a decoded chunk; 0 if this machine cannot address it
}

var errNotDataset = errors.New("not an array")

// dataset reads the header of a dataset.
func (f *File) dataset(h *structure.Header, path string) (*Dataset, error) {
	d := &Dataset{f: f, Object: h, path: path}
	if err := d.messages(); err != nil {
		return d, fault.About(path, err)
	}
	return d, fault.About(path, d.check())
}

// messages reads the messages of the header.
func (d *Dataset) messages() (err error) {
	c := d.Object.Message(structure.DataspaceMessage, "dataspace message")
	if d.Space, err = structure.ReadSpace(&c); err != nil {
		return err
	}
	c = d.Object.Message(structure.DatatypeMessage, "datatype message")
	if d.Type, err = structure.ReadDatatype(&c); err != nil {
		return err
	}
	c = d.Object.Message(structure.LayoutMessage, "layout message")
	if d.Layout, err = structure.ReadLayout(&c, d.rank()); err != nil {
		return err
	}
	if d.Object.Has(structure.ExternalMessage) {
		return fault.Unsupported("external file list", d.f.Offset(d.Object.At), "the elements are in other files, and no other file is opened")
	}
	if m, ok := d.Object.Find(structure.PipelineMessage); ok {
		c = d.Object.Cursor(m, "filter pipeline message")
		if d.Filters, err = structure.ReadFilters(&c); err != nil {
			return err
		}
	}
	if d.Fill, err = d.Object.Fill(d.Type.Size); err != nil {
		return err
	}
	if d.Coding, err = codingOf(d.Type, d.f); err != nil {
		return d.f.Failed("datatype message", d.Object.At, err)
	}
	n, _ := bounded.Count(d.Layout.Chunk, d.Type.Size)
	d.chunkBytes = n * d.Type.Size
	d.Header = format.Header{DType: d.Coding.DType, Shape: d.Space.Dims}
	if t := d.Coding.DType; t.IsSubarray() {
		d.Header = format.Header{DType: t.Elem(), Shape: slices.Concat(d.Space.Dims, t.SubShape())}
	}
	return nil
}

// rank returns the number of dimensions of the dataspace.
func (d *Dataset) rank() int {
	if d.Space.Null {
		return 0
	}
	return len(d.Space.Dims)
}

// check checks the dataset without reading an element.
func (d *Dataset) check() error {
	if err := d.Header.Validate(); err != nil {
		return err
	}
	if err := d.rawHeader().Validate(); err != nil {
		return err
	}
	switch {
	case d.Space.Null || d.Header.Size() == 0 || d.Layout.Class == structure.LayoutCompact:
	case d.Layout.Class == structure.LayoutContiguous && d.Layout.At != storage.Undefined:
		n, _ := bounded.Mul(nd.Size(d.Space.Dims), d.Type.Size) // Validate has multiplied them
		return d.f.Check("contiguous elements", d.Layout.At, uint64(n))
	case d.Layout.Class == structure.LayoutChunked:
		if d.chunkBytes == 0 {
			return d.f.Failed("layout message", d.Object.At, fmt.Errorf("chunks of shape %v are more than this machine can address", d.Layout.Chunk))
		}
		if len(d.Filters) > 0 {
			var err error
			d.pipeline, err = chunkfilter.New(d.Filters, d.chunkBytes)
			return d.f.Failed("filter pipeline message", d.Object.At, err)
		}
	}
	return nil
}

// IsPlain reports whether the elements can be taken as they are in the file.
func (d *Dataset) IsPlain() bool {
	return d.Coding.plain && (d.Fill == nil || !d.Coding.DType.IsSubarray()) // its fill value is not the value of one element
}

// rawHeader returns the header of the elements as they are in the file.
func (d *Dataset) rawHeader() format.Header {
	if d.IsPlain() {
		return d.Header
	}
	return format.Header{DType: dtype.Void(d.Type.Size), Shape: d.Space.Dims}
}

// grid returns the grid of chunks.
func (d *Dataset) grid() chunkindex.Grid {
	return chunkindex.Grid{Dims: d.Space.Dims, Most: d.Space.Most, Chunk: d.Layout.Chunk, Bytes: uint64(d.chunkBytes), File: d.f.File}
}

// Index returns the index of the chunks, nil if the file has none.
func (d *Dataset) Index() (chunkgrid.Index, error) {
	if d.Layout.Class != structure.LayoutChunked || d.Layout.At == storage.Undefined {
		return nil, nil
	}
	return chunkindex.Open(d.grid(), &d.Layout)
}

// Entry describes the dataset.
func (d *Dataset) Entry(ctx context.Context) container.Entry {
	h := d.Header
	e := container.Entry{Path: d.path, DType: h.DType, Shape: h.Shape, Notes: d.Coding.notes, Meaning: d.Coding.meaning, Null: d.Space.Null, Fill: d.fillArray(ctx)}
	e.MaxShape = d.Space.MaxShape(h.Shape[len(d.Space.Dims):])
	e.Fletcher32 = slices.ContainsFunc(d.Filters, func(f chunkfilter.Filter) bool { return f.ID == chunkfilter.Fletcher32 })
	d.f.dimensions(d.Object).describe(&e)
	if d.Space.Null {
		e.Notes = append(slices.Clone(e.Notes), "a null dataspace: no elements and no shape")
	}
	var names []string
	for _, f := range d.Filters {
		names = append(names, f.Label())
	}
	e.Codec = strings.Join(names, ", ")
	switch d.Layout.Class {
	case structure.LayoutCompact:
		e.Stored = int64(len(d.Layout.Data))
	case structure.LayoutContiguous:
		if d.Layout.At != storage.Undefined {
			if e.Stored = d.rawHeader().NBytes(); d.IsPlain() {
				e.At = d.f.Base + int64(d.Layout.At)
			}
		}
	case structure.LayoutChunked:
		e.Chunks = append(slices.Clone(d.Layout.Chunk), h.Shape[len(d.Space.Dims):]...)
		e.Stored, e.Checksum, e.Err = d.stored(ctx)
		e.Err = fault.About(d.path, e.Err)
	}
	return e
}

// fillArray returns the fill value: nil for zeros. The value of elements that are arrays has their shape, unless all items are equal.
func (d *Dataset) fillArray(ctx context.Context) *npy.Array {
	if d.Fill == nil {
		return nil
	}
	a, err := d.Coding.Array(ctx, d.f.Reading(), d.Fill, []int{})
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
func (d *Dataset) stored(ctx context.Context) (total int64, checksum string, err error) {
	index, err := d.Index()
	if index == nil || err != nil {
		return 0, "", err
	}
	all := d.pipeline != nil && !d.Header.DType.HasObject() // objects are elsewhere in the file
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
func (d *Dataset) source() (npy.Source, error) {
	raw, err := d.RawSource()
	if err != nil || d.IsPlain() {
		return raw, err
	}
	return &convertedSource{d: d, raw: raw, outline: d.Header}, nil
}

// RawSource returns the elements as they are in the file.
func (d *Dataset) RawSource() (npy.Source, error) {
	h, l := d.rawHeader(), &d.Layout
	dec := npy.Decoder{MaxBytes: max(d.f.limits.Bytes, 0)}
	switch {
	case d.Space.Null || l.Class == structure.LayoutCompact:
		return dec.FileOf(h, compactData{d.f, bytes.NewReader(l.Data)}, int64(len(l.Data)))
	case l.Class == structure.LayoutContiguous && l.At != storage.Undefined && h.NBytes() > 0:
		h.DataOffset = d.f.Base + int64(l.At)
		return dec.FileOf(h, d.f.Reader, d.f.Base+d.f.Size)
	}
	return d.chunked(h)
}

// chunked returns the elements of chunks, stored in the file or missing from it.
func (d *Dataset) chunked(h format.Header) (npy.Source, error) {
	index, err := d.Index()
	if err != nil {
		return nil, err
	}
	r := &chunkgrid.Array{Shape: h.Shape, Chunk: h.Shape, ItemSize: h.DType.ItemSize(), Rank: len(d.Space.Dims), Index: index, Fill: d.Fill, Store: datasetChunks{d}, Cache: &d.f.large}
	if index != nil {
		r.Complete = d.Layout.Index == structure.IndexImplicit
		r.Chunk = append(slices.Clone(d.Layout.Chunk), h.Shape[r.Rank:]...)
	}
	return r.Source(h.DType)
}

// compactData is the elements of a compact dataset, which cannot be read after Close.
type compactData struct {
	f *File
	r io.ReaderAt
}

// Check returns the error of every read after Close.
func (c compactData) Check() error { return c.f.Reader.Check() }

// ReadAt implements [io.ReaderAt].
func (c compactData) ReadAt(p []byte, at int64) (int, error) { return c.r.ReadAt(p, at) }
