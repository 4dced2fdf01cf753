package npy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/blockwise"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/plumbing"
)

// An Order is the order of elements in memory or in a file, NumPy's order='K', 'C' and 'F'.
type Order int

const (
	KeepOrder    Order = iota // the order of the source
	COrder                    // the last index runs fastest
	FortranOrder              // the first index runs fastest
)

// A Copier copies arrays of any size from file to file in bounded memory. It writes the bytes of np.save for
// a.transpose(axes).astype(dtype, order=order), each as far as it is set, or with a Shape for
// a.transpose(axes).reshape(shape, order=order).astype(dtype). The zero Copier changes nothing. A Copier may be used
// by several goroutines.
type Copier struct {
	// Encoder has the settings of the files written.
	Encoder Encoder

	// Axes is the order of the axes of the copy, as for [Array.Transpose]. nil keeps the order.
	Axes []int

	// Shape is the shape of the copy, np.reshape with order=Order: elements are taken and put in C order, or in
	// Fortran order if Order is FortranOrder. The file has the order that np.save gives the result. Where NumPy makes
	// a view, that order may differ: the same shape again changes nothing. One dimension may be -1 and is worked out.
	// nil keeps the shape. Concat takes only nil.
	Shape []int

	// Fields picks fields of records, in this order and without padding between them, rfn.repack_fields(a[Fields]).
	// nil keeps all fields as they are, but without padding if there is a Rename.
	Fields []string

	// Rename gives fields other names, rfn.rename_fields. Neither Rename nor Fields can be combined with a DType.
	Rename map[string]string

	// DType is the dtype of the copy. The zero Type keeps the dtype.
	DType dtype.Type

	// Casting selects the conversions to DType that are allowed, as for [Array.Cast]. By default DType must hold
	// every value of the old dtype.
	Casting Casting

	// Order is the order of the copy. KeepOrder is the order of np.save: Fortran order for an array that is
	// contiguous in Fortran order, else C order.
	Order Order

	// Memory is the target for the process's total memory, in bytes, if the process does nothing else. 0 means 256
	// MiB. The minimum is 32 MiB, or more where one element needs more. When the order changes, more memory makes
	// reads and writes longer.
	Memory int64

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes of elements written
	// and the total number. nil means no calls.
	Progress func(done, total int64)
}

// WriteFile writes src to a file. It writes a temporary file in the same folder and renames it at the end: path is
// never seen half-written, and an error leaves the old file unchanged. A megabyte or more of zeros that src knows ([RegionsOf])
// is not written: the file is sparse, with a hole there, where the file system has holes.
func (c Copier) WriteFile(ctx context.Context, path string, src Source) error {
	x, h, err := c.job(ctx, src)
	if err != nil {
		return err
	}
	return c.create(ctx, path, []*blockwise.Job{x}, h)
}

// Write writes src to w, in sequence. A change of order takes more reads than in [Copier.WriteFile].
func (c Copier) Write(ctx context.Context, w io.Writer, src Source) error {
	x, h, err := c.job(ctx, src)
	if err != nil {
		return err
	}
	head, err := h.Append(nil)
	if err == nil {
		err = checkJob(x, x.NBytes())
	}
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return c.inSequence(ctx, w, x, h)
}

// WriteData is [Copier.Write] without the header: it writes the elements alone, in the order of the copy.
func (c Copier) WriteData(ctx context.Context, w io.Writer, src Source) error {
	x, h, err := c.job(ctx, src)
	if err == nil {
		err = checkJob(x, x.NBytes())
	}
	if err != nil {
		return err
	}
	return c.inSequence(ctx, w, x, h)
}

// inSequence writes the elements of a job to w.
func (c Copier) inSequence(ctx context.Context, w io.Writer, x *blockwise.Job, h format.Header) error {
	x.Sequence, x.W = true, w
	return x.Run(ctx, c.report(h))
}

// Concat writes several arrays one after another along an axis, numpy.concatenate. A negative axis counts from the
// end. All arrays must have the same shape except along that axis, and the same dtype unless DType is set. The copy
// has the order that NumPy gives it: Fortran order if all arrays are in Fortran order. An array in both orders, such
// as a single column, counts as Fortran order.
func (c Copier) Concat(ctx context.Context, path string, axis int, sources ...Source) error {
	all, h, err := c.concat(ctx, axis, sources)
	if err != nil {
		return &fs.PathError{Op: "concat", Path: path, Err: err}
	}
	return c.create(ctx, path, all, h)
}

// create writes an array from its parts.
func (c Copier) create(ctx context.Context, path string, parts []*blockwise.Job, h format.Header) error {
	head, err := h.Append(nil)
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := c.writeTo(ctx, f, parts, h, head); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return f.Commit(c.Encoder.Sync)
}

func (c Copier) writeTo(ctx context.Context, f *atomicfile.File, parts []*blockwise.Job, h format.Header, head []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	regular := info.Mode().IsRegular()
	if !regular && len(parts) > 1 {
		return diag.Errorf("npy", "a pipe or device cannot be written at any offset: %w; write to a file", errors.ErrUnsupported)
	}
	all, holes, err := partsOf(ctx, parts, regular)
	if err != nil {
		return err
	}
	size := int64(len(head)) + h.NBytes()
	if holes == 0 {
		if err := f.Reserve(size); err != nil {
			return err
		}
	}
	if _, err := f.Write(head); err != nil {
		return err
	}
	report := c.report(h)
	for _, p := range all {
		p.At, p.Offset = plumbing.CopyTo(f), int64(len(head))
		p.Sequence, p.W = !regular, f
		if err := p.run(ctx, report); err != nil {
			return err
		}
	}
	if holes > 0 { // there may be one at the end
		return f.Truncate(size)
	}
	return nil
}

// report returns a function that counts the bytes written.
func (c Copier) report(h format.Header) func(n int) {
	done, total := int64(0), h.NBytes()
	return func(n int) {
		if done += int64(n); c.Progress != nil {
			c.Progress(done, total)
		}
	}
}

// job plans the copy of one source, which fills the whole destination, and returns the header of the file. The header
// of the job has another shape where elements must be moved for the new one.
func (c Copier) job(ctx context.Context, src Source) (*blockwise.Job, format.Header, error) {
	if err := noObjects(src.DType(), "; ReadAll and Encoder copy them as a whole"); err != nil {
		return nil, format.Header{}, err
	}
	src, err := c.source(ctx, src)
	if err != nil {
		return nil, format.Header{}, err
	}
	boxes, view := boxesOf(src)
	if s, ok := boxes.(*stored); ok && s.from.check() != nil {
		return nil, format.Header{}, s.Wrap(s.from.check())
	}
	x := &blockwise.Job{Source: boxes, View: view.nd, Memory: c.memory(), Reserved: reservedMemory, BlockMax: sequenceBlock}
	h, err := c.plan(x)
	return x, h, boxes.Wrap(err)
}

// plan sets the view, the conversion and the header of a job, and returns the header of the file.
func (c Copier) plan(x *blockwise.Job) (format.Header, error) {
	shape, order, err := c.arrange(x)
	if err != nil {
		return format.Header{}, err
	}
	x.Header = x.View.Header()
	x.Header.Version = c.Encoder.Version
	if c.DType.IsValid() {
		x.Header.DType = cast.Target(x.View.DType, c.DType)
	}
	if c.Fields != nil || c.Rename != nil {
		if c.DType.IsValid() {
			return format.Header{}, diag.New("npy", "Fields and Rename cannot be combined with DType; make a second copy")
		}
		if x.Picks, x.Header.DType, err = picksOf(x.View.DType, c.Fields, c.Rename); err != nil {
			return format.Header{}, err
		}
	}
	if order != KeepOrder {
		x.Header.FortranOrder = order == FortranOrder
	}
	head := x.Header
	head.Shape = shape
	for _, h := range []*format.Header{&x.Header, &head} {
		h.FortranOrder = inFortranOrder(*h)
	}
	return head, c.convert(x)
}

// arrange gives the view of a job the axes and the shape of the copy. It returns the shape of the copy, and an order
// other than KeepOrder if the elements must be moved.
func (c Copier) arrange(x *blockwise.Job) (shape []int, order Order, err error) {
	selection, selects := x.Source.(selectedBoxes) // a selection cannot give every view
	if c.Axes != nil {
		if x.View, err = x.View.Transpose(c.Axes); err != nil {
			return nil, 0, err
		}
		if selects {
			x.Source = selectedBoxes{selection.src, transposed(selection.axes, c.Axes)}
		}
	}
	if c.Shape == nil {
		return x.View.Shape, c.Order, nil
	}
	if shape, err = nd.Reshaped(x.View.DType, x.View.Size(), c.Shape); err != nil {
		return nil, 0, err
	}
	g, ok := x.View.Regroup(shape, c.Order == FortranOrder)
	switch {
	case ok && (!selects || slices.Equal(shape, x.View.Shape)):
		x.View = g
		return shape, KeepOrder, nil
	case c.Order == KeepOrder:
		return shape, COrder, nil
	}
	return shape, c.Order, nil
}

// convert sets the conversion of the elements, or returns an error if they cannot be converted.
func (c Copier) convert(x *blockwise.Job) (err error) {
	from, to := x.View.DType, x.Header.DType
	if from.Equal(to) || x.Picks != nil {
		return nil
	}
	if err := check(x.Header); err != nil {
		return err
	}
	if x.Convert, err = casterFor(from, to, c.Casting); err != nil {
		return err
	}
	return checkEmptyItems(x.View.Size(), from.ItemSize())
}

// source returns src, or the whole of it in memory where a copy needs a view that a selection cannot give.
func (c Copier) source(ctx context.Context, src Source) (Source, error) {
	reader, _ := boxesOf(src)
	if _, selects := reader.(selectedBoxes); selects && c.Shape != nil && (c.Order == FortranOrder || c.Axes != nil) {
		return src.ReadAll(ctx)
	}
	return Rereadable(ctx, src)
}

// transposed returns the axes of the source in the order of a transposed view.
func transposed(axes, order []int) []int {
	out := make([]int, len(order))
	for i, axis := range order {
		if axis < 0 {
			axis += len(axes)
		}
		out[i] = axes[axis]
	}
	return out
}

const (
	defaultMemory  = 256 << 20
	reservedMemory = 26 << 20 // used besides blocks: the Go runtime, buffers of readers
	sequenceBlock  = 4 << 20  // larger blocks gain nothing where the order stays
)

func (c Copier) memory() int64 {
	if c.Memory <= 0 {
		return defaultMemory
	}
	return max(c.Memory, plumbing.MinMemory)
}

// concat plans the copy of each source, and returns the header of the whole array.
func (c Copier) concat(ctx context.Context, axis int, sources []Source) ([]*blockwise.Job, format.Header, error) {
	switch {
	case len(sources) == 0:
		return nil, format.Header{}, errNoArrays
	case c.Shape != nil:
		return nil, format.Header{}, diag.New("npy", "Shape applies to one array, not to a concatenation")
	}
	all, views := make([]*blockwise.Job, len(sources)), make([]nd.Array, len(sources))
	for i, src := range sources {
		x, _, err := c.job(ctx, src)
		if err != nil {
			return nil, format.Header{}, err
		}
		all[i], views[i] = x, x.View
		err = fields.CheckOrder(x.View.DType, views[0].DType)
		if err == nil && c.DType.IsValid() {
			err = fields.CheckOrder(x.View.DType, c.DType)
		}
		if err != nil {
			return nil, format.Header{}, diag.Errorf("npy", "array %d of %d: %w", i+1, len(sources), err)
		}
	}
	h := all[0].Header
	ndim := len(h.Shape)
	axis, err := joinedAxis(axis, ndim)
	if err != nil {
		return nil, h, err
	}
	h.Shape = slices.Clone(h.Shape)
	h.Shape[axis] = 0
	for i, x := range all {
		if err := joins(x.Header, h, axis, "set DType to convert all arrays"); err != nil {
			return nil, h, diag.Errorf("npy", "array %d of %d: %w", i+1, len(all), err)
		}
		x.Origin = make([]int, ndim)
		x.Origin[axis] = h.Shape[axis]
		h.Shape[axis] += x.Header.Shape[axis]
		if err := h.Validate(); err != nil {
			return nil, h, err
		}
	}
	switch c.Order {
	case KeepOrder:
		h.FortranOrder = nd.JoinedInFortran(h.DType, h.Shape, views)
	default:
		h.FortranOrder = c.Order == FortranOrder
	}
	h.FortranOrder = inFortranOrder(h)
	for _, x := range all {
		x.Header = h
	}
	return all, h, nil
}

// joins returns an error unless the array that x describes can follow others, which h describes, along an axis. way is the
// way out if the dtypes differ.
func joins(x, h format.Header, axis int, way string) error {
	if !x.DType.Equal(h.DType) {
		return fmt.Errorf("dtype %s, want %s; %s", x.DType, h.DType, way)
	}
	shape := slices.Clone(x.Shape)
	if len(shape) == len(h.Shape) {
		shape[axis] = h.Shape[axis]
	}
	if !slices.Equal(shape, h.Shape) {
		return fmt.Errorf("shape %s differs from the others along an axis other than %d", format.ShapeString(x.Shape), axis)
	}
	return nil
}

// picksOf returns the picks for some fields of t, and the struct of these fields. A nil names means all fields. The
// fields of the struct are in the order of names, without padding between them, and some have new names.
func picksOf(t dtype.Type, names []string, rename map[string]string) ([]blockwise.Pick, dtype.Type, error) {
	if names == nil {
		for _, f := range t.Fields() {
			names = append(names, f.Name)
		}
	}
	var picks []blockwise.Pick
	fields, end := make([]dtype.Field, len(names)), 0
	for i, name := range names {
		f, ok := t.FieldByName(name)
		if !ok {
			return nil, t, &FieldError{DType: t, Path: name}
		}
		p := blockwise.Pick{From: f.Offset, To: end, Size: f.DType.ItemSize()}
		picks = blockwise.AppendPick(picks, p)
		if other, ok := rename[f.Name]; ok {
			f.Name = other
		}
		f.Offset = end
		fields[i], end = f, end+p.Size
	}
	picked := make(map[string]bool, len(names))
	for _, name := range names {
		picked[name] = true
	}
	for name := range rename {
		if !picked[name] {
			return nil, t, diag.Errorf("npy", "no field %q to rename among %q", name, names)
		}
	}
	to, err := dtype.Struct(-1, fields...)
	return picks, to, err
}
