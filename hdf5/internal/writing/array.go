package writing

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// minCompressed is the size of the smallest arrays that are compressed, in bytes. The index of chunks takes 2 KiB or more.
const minCompressed = 8 << 10

// An arrayWriter writes a dataset: the elements as they come, the object header after them.
type arrayWriter struct {
	w          *contents
	path       string
	shape      []int
	null       bool     // there is no shape
	limits     []uint64 // the largest dimensions; nil if none can grow
	chunks     []int
	t          dtype.Type
	meaning    *container.Meaning
	form       *Form // nil for Python objects, until they have come
	fill       *npy.Array
	fillBytes  []byte // the fill value as it lies in the file; nil for zeros
	left       int    // elements that are to come
	attributes structure.HeaderBuilder
	axes       axes
	lost       []container.Loss // that are not reported yet
	node       *member

	addr    int64      // of the next bytes, if the array is contiguous
	data    uint64     // where they begin, or of the index of the chunks
	sink    *ChunkSink // nil if it is contiguous
	filters []chunkfilter.Filter
	kept    []byte // the elements that refer to other objects, and
	refs    []structure.PendingRef
	closed  bool
	late    bool // the header is written at the end
}

// newArray checks the entry of an array. Nothing is written.
func (w *contents) newArray(e container.Entry) (*arrayWriter, error) {
	if len(e.Shape) > structure.MaxRank {
		return nil, diag.Wrap("hdf5", errRank(len(e.Shape)))
	}
	if err := (format.Header{DType: e.DType, Shape: e.Shape}).Validate(); err != nil {
		return nil, err
	}
	a := &arrayWriter{w: w, path: e.Path, shape: slices.Clone(e.Shape), null: e.Null, chunks: e.Chunks, t: e.DType, data: storage.Undefined, node: &member{}}
	a.lost = lossesOf(e)
	a.left = nd.Size(a.shape)
	if e.Null && a.left > 0 {
		return nil, diag.Errorf("hdf5", "a null dataspace for an array of shape %v", e.Shape)
	}
	if err := a.setLimits(e); err != nil {
		return nil, err
	}
	f, err := a.formOf(e)
	if err != nil {
		return nil, err
	}
	a.axes = axesOf(e)
	a.setFill(e)
	if n, ok := bounded.Count(a.shape, f.size); !ok {
		return nil, diag.Wrap("hdf5", bounded.Over("", 0, n, "the array is too large for this machine"))
	}
	if len(a.chunks) == 0 || !fitSlab(a.chunks, a.shape, f.size) {
		a.chunks = nil
	}
	if a.chunked(f, e.Fletcher32) {
		if a.chunks == nil {
			a.chunks = chooseChunks(a.shape, a.limits, f.size)
		}
		if err := checkChunks(a.chunks, a.shape, a.limits, f.size); err != nil {
			return nil, err
		}
		a.filters = w.settings.filters(f.size, e.Fletcher32)
	} else {
		if e.Fletcher32 {
			a.lost = append(a.lost, container.Loss{Path: e.Path, What: "the checksums", Detail: "HDF5 has them for arrays in chunks"})
		}
		if e.MaxShape != nil && a.limits != nil {
			a.lost = append(a.lost, container.Loss{Path: e.Path, What: "the maximum shape", Detail: "the array can never have an element"})
		}
		a.chunks, a.limits = nil, nil
	}
	if !e.DType.HasObject() {
		a.form = f
	}
	return a, nil
}

// setLimits takes the largest shape of an entry, or lets the first axis grow.
func (a *arrayWriter) setLimits(e container.Entry) error {
	unlimitedRows := a.w.settings.Unlimited && len(a.shape) > 0
	if e.Null || e.MaxShape == nil && !unlimitedRows {
		return nil
	}
	if e.MaxShape != nil && len(e.MaxShape) != len(a.shape) {
		return diag.Errorf("hdf5", "a maximum shape of %d dimensions for an array of %d", len(e.MaxShape), len(a.shape))
	}
	a.limits = make([]uint64, len(a.shape))
	for i, n := range a.shape {
		a.limits[i] = uint64(n)
		switch {
		case e.MaxShape == nil:
		case e.MaxShape[i] == container.Unlimited:
			a.limits[i] = structure.Unlimited
		case e.MaxShape[i] < n:
			return diag.Errorf("hdf5", "the maximum of axis %d is %d, and the array has %d", i, e.MaxShape[i], n)
		default:
			a.limits[i] = uint64(e.MaxShape[i])
		}
	}
	if unlimitedRows {
		a.limits[0] = structure.Unlimited
	}
	return nil
}

// formOf returns the form of the elements, complete except for the kind of Python objects.
func (a *arrayWriter) formOf(e container.Entry) (*Form, error) {
	lose := func(err error) {
		a.lost = append(a.lost, container.Loss{Path: e.Path, What: "the names of an enum", Detail: err.Error()})
	}
	var err error
	if a.meaning, err = writableMeaning(e.DType, e.Meaning); err != nil {
		lose(err)
	}
	f, err := formOf(e.DType, true, a.meaning) // of objects, bytes are the same
	if err != nil && a.meaning.HasEnum() {     // many enums together
		if without, second := formOf(e.DType, true, nil); second == nil && !e.DType.HasObject() {
			lose(err)
			a.meaning = nil
			return without, nil
		}
	}
	return f, err
}

// chunked reports whether the array is written in chunks. Elements of an array that grows may be missing, but not whole rows unless
// they can grow, too.
func (a *arrayWriter) chunked(f *Form, checksum bool) bool {
	switch {
	case len(a.shape) == 0 || a.null:
		return false
	case a.limits != nil:
		return !slices.Contains(a.limits[1:], 0)
	case a.left == 0:
		return false
	case a.chunks != nil || checksum:
		return true
	}
	return !a.w.settings.Store && a.left*f.size >= minCompressed
}

// begin reserves space in the file.
func (a *arrayWriter) begin() error {
	w := a.w
	if a.chunks != nil {
		var err error
		a.sink, err = NewChunkSink(w.out, w.chunks, NewChunkGrid(a.shape, a.chunks, a.itemSize()), a.filters)
		if err != nil {
			return err
		}
	}
	if a.form == nil {
		return nil
	}
	return a.formed()
}

// formed takes the steps that need the form of the elements.
func (a *arrayWriter) formed() error {
	if err := a.encodeFill(); err != nil {
		return err
	}
	a.tell()
	if a.sink == nil && a.left > 0 && !a.meaning.Refers(container.ObjectReference) {
		return a.reserve()
	}
	return nil
}

// itemSize returns the size of an element in the file. All Python objects have one size.
func (a *arrayWriter) itemSize() int {
	if a.form != nil {
		return a.form.size
	}
	f, err := formOf(a.t, true, a.meaning)
	if err != nil {
		return structure.HeapReference
	}
	return f.size
}

// tell reports the losses, once it is sure that the array is written.
func (a *arrayWriter) tell() {
	a.w.lose(a.lost...)
	a.lost = nil
}

// reserve gives a contiguous array its place in the file, after all chunks that have come before.
func (a *arrayWriter) reserve() error {
	if err := a.w.drain(); err != nil {
		return err
	}
	a.addr = a.w.out.Reserve(int64(a.left) * int64(a.form.size))
	a.data = uint64(a.addr)
	return nil
}

// Write implements [container.ArrayWriter].
func (a *arrayWriter) Write(block *npy.Array) error {
	switch {
	case a.w.err != nil:
		return a.w.err
	case a.closed:
		return ErrWriterClosed
	case !block.DType().Equal(a.t):
		return a.error(diag.Errorf("hdf5", "a block of dtype %s in an array of %s", block.DType(), a.t))
	case block.Size() > a.left:
		return a.error(diag.New("hdf5", "more elements than the shape has"))
	}
	if a.t.HasObject() {
		if err := a.objects(block); err != nil {
			return err
		}
	}
	p := Pool{Heap: a.w.heap}
	data, err := a.form.Encode(block, &p)
	if err != nil {
		return a.error(err)
	}
	a.left -= block.Size()
	if a.meaning.Refers(container.ObjectReference) {
		a.kept, a.refs = data, p.refs
		return nil
	}
	if a.sink != nil {
		return a.error(a.sink.Write(data))
	}
	err = a.w.out.WriteAt(data, a.addr)
	a.addr += int64(len(data))
	return a.error(err)
}

// objects chooses the form of an array of Python objects, which comes in one block.
func (a *arrayWriter) objects(block *npy.Array) error {
	if a.form != nil || block.Size() < a.left {
		return a.error(diag.New("hdf5", "an array with Python objects comes in one block"))
	}
	f, err := ArrayForm(block, a.meaning)
	if err != nil {
		a.closed = true
		a.w.root.remove(a.path)
		return &container.UnfitError{Err: entryError(a.path, err)}
	}
	a.form = f
	return a.error(a.formed())
}

// error makes the error of an array final: its elements are missing in the file.
func (a *arrayWriter) error(err error) error { return a.w.fail(entryError(a.path, err)) }

// Close implements [container.ArrayWriter].
func (a *arrayWriter) Close() error {
	if a.closed {
		return nil
	}
	a.closed = true
	a.w.heap.Calm()
	switch {
	case a.w.err != nil:
		return a.w.err
	case a.left > 0:
		return a.error(diag.Errorf("hdf5", "the array has ended before its last %d elements", a.left))
	case a.form == nil: // objects without elements
		a.form, _ = formOf(a.t, true, a.meaning)
		if err := a.formed(); err != nil {
			return a.error(err)
		}
	}
	if a.sink == nil && a.data != storage.Undefined {
		if err := a.w.out.Pad(a.addr); err != nil {
			return a.error(err)
		}
	}
	return a.error(a.w.chunks.Push(&chunkPiece{end: a.finish}))
}

// finish writes the index and the object header, or leaves the header for the end.
func (a *arrayWriter) finish() (err error) {
	if a.sink != nil && a.kept == nil {
		if a.data, err = a.sink.index(); err != nil {
			return err
		}
	}
	if a.isLate() {
		a.late, a.node.scale = true, a.axes.scale
		return nil
	}
	data, err := a.header(nil)
	if err == nil {
		err = a.place(len(data))
	}
	if err != nil {
		return err
	}
	return a.w.out.WritePadded(data, int64(a.node.addr))
}

// header returns the object header, with more attributes. Its length does not depend on addresses.
func (a *arrayWriter) header(more *structure.HeaderBuilder) ([]byte, error) {
	var b structure.HeaderBuilder
	if a.null {
		b.Add(structure.DataspaceMessage, structure.NullDataspace(), false)
	} else {
		b.Add(structure.DataspaceMessage, structure.Dataspace(a.shape, a.limits), false)
	}
	if a.chunks == nil {
		size := uint64(nd.Size(a.shape) * a.form.size)
		b.Add(structure.LayoutMessage, structure.ContiguousLayout(a.data, size), false)
	} else {
		b.Add(structure.LayoutMessage, structure.ChunkedLayout(a.data, a.chunks, a.form.size), false)
	}
	b.Add(structure.DatatypeMessage, a.form.Message, true)
	b.Add(structure.FillMessage, structure.FillValue(a.chunks != nil, a.fillBytes), true)
	if len(a.filters) > 0 {
		b.Add(structure.PipelineMessage, structure.FilterMessage(a.filters), true)
	}
	b.Append(&a.attributes)
	if more != nil {
		b.Append(more)
	}
	return b.Header(1 + a.node.links)
}

// place gives a header of a size its address. If the array can grow, its shape and the address of its index lie in one sector.
func (a *arrayWriter) place(size int) error {
	if a.limits != nil {
		if err := a.w.out.Within(storage.SectorBytes, structure.HeadHead+structure.MessageHead+8, structure.HeadHead+2*structure.MessageHead+8+16*len(a.shape)+structure.LayoutIndex+8); err != nil {
			return err
		}
	}
	a.node.addr = uint64(a.w.out.Reserve(int64(size)))
	return nil
}

// withLabels adds the names of the dimensions to attributes that lack them, of an array without scales.
func (a *arrayWriter) withLabels(attributes []container.Attribute) []container.Attribute {
	has := slices.ContainsFunc(attributes, func(a container.Attribute) bool { return a.Name == structure.LabelsAttribute })
	if a.axes.labels == nil || a.axes.scales != nil || has {
		return attributes
	}
	labels := make([]any, len(a.axes.labels))
	for i, name := range a.axes.labels {
		labels[i] = name
	}
	value, err := npy.FromObjects(labels)
	return append(slices.Clone(attributes), container.Attribute{Name: structure.LabelsAttribute, Value: value, Err: err})
}
