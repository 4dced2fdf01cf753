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
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/nd"
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
// never seen half-written, and an error leaves the old file unchanged.
func (c Copier) WriteFile(ctx context.Context, path string, src Source) error {
	x, err := c.job(ctx, src)
	if err != nil {
		return err
	}
	return c.create(ctx, path, []*copyJob{x}, x.head)
}

// Write writes src to w, in sequence. A change of order takes more reads than in [Copier.WriteFile].
func (c Copier) Write(ctx context.Context, w io.Writer, src Source) error {
	x, err := c.job(ctx, src)
	if err != nil {
		return err
	}
	head, err := x.head.Append(nil)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	x.sequence, x.w = true, w
	return x.run(ctx, c.report(x.h))
}

// WriteData is [Copier.Write] without the header: it writes the elements alone, in the order of the copy.
func (c Copier) WriteData(ctx context.Context, w io.Writer, src Source) error {
	x, err := c.job(ctx, src)
	if err != nil {
		return err
	}
	x.sequence, x.w = true, w
	return x.run(ctx, c.report(x.h))
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
func (c Copier) create(ctx context.Context, path string, parts []*copyJob, h format.Header) error {
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

func (c Copier) writeTo(ctx context.Context, f *atomicfile.File, parts []*copyJob, h format.Header, head []byte) error {
	if err := f.Reserve(int64(len(head)) + h.NBytes()); err != nil {
		return err
	}
	if _, err := f.Write(head); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() && len(parts) > 1 {
		return fmt.Errorf("npy: a pipe or device cannot be written at any place: %w; name a file", errors.ErrUnsupported)
	}
	report := c.report(h)
	for _, x := range parts {
		x.at, x.offset = f, int64(len(head))
		x.sequence, x.w = !info.Mode().IsRegular(), f
		if err := x.run(ctx, report); err != nil {
			return err
		}
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

// job plans the copy of one source, which fills the whole destination.
func (c Copier) job(ctx context.Context, src Source) (*copyJob, error) {
	if err := noObjects(src.DType(), "; ReadAll and Encoder copy them as a whole"); err != nil {
		return nil, err
	}
	src, err := c.source(ctx, src)
	if err != nil {
		return nil, err
	}
	x := &copyJob{memory: c.memory(), reserved: reservedMemory, pieceMax: sequenceBlock}
	x.src, x.view = boxesOf(src)
	if err := x.src.check(); err != nil {
		return nil, x.src.wrap(err)
	}
	selection, selects := x.src.(selectedBoxes) // a selection cannot give every view
	var shape []int                             // the new shape, if elements must be moved for it
	order := c.Order
	if c.Axes != nil {
		if x.view, err = x.view.Transpose(c.Axes...); err != nil {
			return nil, x.src.wrap(err)
		}
		if selects {
			x.src = selectedBoxes{selection.src, transposed(selection.axes, c.Axes)}
		}
	}
	if c.Shape != nil {
		if shape, err = nd.Reshaped(x.view.nd.DType, x.view.Size(), c.Shape); err != nil {
			return nil, x.src.wrap(err)
		}
		if g, ok := x.view.nd.Regroup(shape, order == FortranOrder); ok && (!selects || slices.Equal(shape, x.view.nd.Shape)) {
			x.view, shape, order = x.view.view(g), nil, KeepOrder
		} else if order == KeepOrder {
			order = COrder
		}
	}
	x.h = format.Header{Version: c.Encoder.Version, DType: x.view.nd.DType, Shape: x.view.nd.Shape, FortranOrder: x.view.header().FortranOrder}
	if c.DType.IsValid() {
		x.h.DType = cast.Target(x.view.nd.DType, c.DType)
	}
	if c.Fields != nil || c.Rename != nil {
		if c.DType.IsValid() {
			return nil, errors.New("npy: a copy of picked or renamed fields has no other DType; copy it once more")
		}
		if x.picks, x.h.DType, err = picksOf(x.view.nd.DType, c.Fields, c.Rename); err != nil {
			return nil, x.src.wrap(err)
		}
	}
	if order != KeepOrder {
		x.h.FortranOrder = order == FortranOrder
	}
	x.head = x.h
	if shape != nil {
		x.head.Shape = shape
	}
	for _, h := range []*format.Header{&x.h, &x.head} {
		h.FortranOrder = newArray(*h, nil).header().FortranOrder // false where C order is the same
	}
	return x, x.src.wrap(x.check(c.Casting))
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
	defaultMemory = 256 << 20
	memoryMin     = 32 << 20
)

func (c Copier) memory() int64 {
	if c.Memory <= 0 {
		return defaultMemory
	}
	return max(c.Memory, memoryMin)
}

// concat plans the copy of each source, and returns the header of the whole array.
func (c Copier) concat(ctx context.Context, axis int, sources []Source) ([]*copyJob, format.Header, error) {
	switch {
	case len(sources) == 0:
		return nil, format.Header{}, errors.New("npy: no arrays to concatenate")
	case c.Shape != nil:
		return nil, format.Header{}, errors.New("npy: Shape is for one array, and not for several in one")
	}
	all := make([]*copyJob, len(sources))
	for i, src := range sources {
		x, err := c.job(ctx, src)
		if err != nil {
			return nil, format.Header{}, err
		}
		all[i] = x
	}
	h := all[0].h
	ndim := len(h.Shape)
	if axis < -ndim || axis >= ndim {
		return nil, h, fmt.Errorf("npy: axis %d is out of bounds for arrays of %d dimensions", axis, ndim)
	}
	axis = (axis + ndim) % ndim
	h.Shape = slices.Clone(h.Shape)
	h.Shape[axis] = 0
	for i, x := range all {
		if err := x.joins(h, axis); err != nil {
			return nil, h, fmt.Errorf("npy: array %d of %d: %w", i+1, len(all), err)
		}
		x.origin = make([]int, ndim)
		x.origin[axis] = h.Shape[axis]
		h.Shape[axis] += x.h.Shape[axis]
		if err := h.Validate(); err != nil {
			return nil, h, err
		}
	}
	switch c.Order {
	case KeepOrder:
		h.FortranOrder = joinedInFortran(h, all)
	default:
		h.FortranOrder = c.Order == FortranOrder
	}
	h.FortranOrder = newArray(h, nil).header().FortranOrder // false where C order is the same
	for _, x := range all {
		x.h = h
	}
	return all, h, nil
}

// joinedInFortran reports whether numpy.concatenate gives the array that h describes the strides of Fortran order.
// NumPy sorts the axes by their strides in the sources, ignoring axes of length 1. C order wins where the sources
// differ. (PyArray_CreateMultiSortedStridePerm in NumPy 1.24 and 2.5)
func joinedInFortran(h format.Header, sources []*copyJob) bool {
	axes := make([]int, 0, len(h.Shape)) // from the slowest to the fastest
	for axis := range h.Shape {
		at := len(axes)
		for i := len(axes) - 1; i >= 0; i-- {
			faster, told := isFaster(axes[i], axis, sources)
			if told && !faster {
				break
			}
			if told {
				at = i
			}
		}
		axes = slices.Insert(axes, at, axis)
	}
	a := newArray(h, nil)
	step := h.DType.ItemSize()
	for _, axis := range slices.Backward(axes) {
		a.nd.Strides[axis] = step
		step *= max(h.Shape[axis], 1)
	}
	return a.header().FortranOrder
}

// isFaster reports whether axis i has smaller strides than axis j in all sources where both axes have other lengths
// than 1. told is false if there is no such source.
func isFaster(i, j int, sources []*copyJob) (faster, told bool) {
	for _, x := range sources {
		a := x.view
		if a.nd.Shape[i] == 1 || a.nd.Shape[j] == 1 {
			continue
		}
		if told = true; abs(a.nd.Strides[j]) <= abs(a.nd.Strides[i]) {
			return false, true
		}
		faster = true
	}
	return faster, told
}

func abs(x int) int { return max(x, -x) }
