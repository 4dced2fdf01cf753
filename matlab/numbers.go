package matlab

import (
	"context"
	"encoding/binary"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// byteOrder returns the byte order of dtypes in a file.
func byteOrder(o binary.ByteOrder) dtype.ByteOrder {
	if o == binary.BigEndian {
		return dtype.BigEndian
	}
	return dtype.LittleEndian
}

// numbers completes the node of a numeric array.
func (b *builder) numbers(n *node, x *matrix) error {
	class, ok := classTypes[x.class]
	if !ok {
		return x.scan.fail(x.start, "unknown class %d", x.class)
	}
	var re part
	if x.body < x.end || x.count() > 0 { // an empty array may lack them
		var err error
		if re, err = x.whole(x.body, x.count()); err != nil {
			return err
		}
	}
	class = class.WithByteOrder(byteOrder(x.scan.order))
	n.DType = class
	switch {
	case x.flags&flagComplex != 0:
		n.DType = complexOf(class)
		if x.class == classInt64 || x.class == classUint64 {
			n.Notes = append(n.Notes, "parts of 64-bit integers, rounded to float64")
		}
	case x.flags&flagLogical != 0:
		n.DType = dtype.Bool
	}
	n.Shape, n.FortranOrder = x.dims, x.count() > 0 && !isLine(x.dims)
	if x.count() == 0 {
		n.source = x.checked(n.Path, func() (npy.Source, error) { return npy.New(n.DType, x.dims...) })
		return nil
	}
	n.Stored = b.sizeOf(x, x.end-re.data)
	n.source = func() (npy.Source, error) {
		src, err := b.numberSource(x, re, n.DType)
		return src, named(err, n.Path)
	}
	return nil
}

// needs says which elements of an array are the last. If the array is a compressed variable, reading them verifies its
// checksum.
func (x *matrix) needs(p part) {
	if z := x.scan.zlib; z != nil && x.start == 0 {
		size := int64(p.t.ItemSize())
		z.need.Store(p.data + p.n/size*size)
	}
}

// checked returns a function that gives a Source. If the array is in a compressed variable, it verifies its checksum first:
// nothing else does for an array of which the file has no bytes.
func (x *matrix) checked(path string, source func() (npy.Source, error)) func() (npy.Source, error) {
	if x.scan.zlib == nil {
		return source
	}
	return func() (npy.Source, error) {
		if err := x.scan.zlib.check(); err != nil {
			return nil, named(err, path)
		}
		return source()
	}
}

// complexOf returns the dtype of complex numbers whose parts have a class.
func complexOf(class dtype.Type) dtype.Type {
	t := dtype.Complex128
	if class.Kind() == dtype.KindFloat && class.ItemSize() == 4 {
		t = dtype.Complex64
	}
	return t.WithByteOrder(class.ByteOrder())
}

// isLine reports whether C order and Fortran order are the same.
func isLine(dims []int) bool {
	long := 0
	for _, n := range dims {
		if n > 1 {
			long++
		}
	}
	return long < 2
}

// sizeOf returns the number of bytes of an array in the file, or of the whole variable if it is compressed.
func (b *builder) sizeOf(x *matrix, n int64) int64 {
	if b.stored < 0 {
		return n
	}
	if x.name != "" { // the variable, not a member of it
		return b.stored
	}
	return 0
}

// A part is the stored numbers of an array: all of them, or their real or imaginary parts.
type part struct {
	tag
	t dtype.Type // as they are stored
}

// part reads the tag of n numbers.
func (x *matrix) part(at int64, n int) (part, error) {
	t, err := x.scan.tag(at, x.end)
	if err != nil {
		return part{}, err
	}
	stored, ok := storedTypes[t.typ]
	switch {
	case !ok:
		return part{}, x.scan.fail(at, "numbers of type %d", t.typ)
	case t.n/int64(stored.ItemSize()) < int64(n):
		return part{}, x.scan.fail(at, "%d bytes for %d elements of %s: %w", t.n, n, stored.Name(), io.ErrUnexpectedEOF)
	}
	return part{t, stored.WithByteOrder(byteOrder(x.scan.order))}, nil
}

// whole is part for an element that has no more than n numbers.
func (x *matrix) whole(at int64, n int) (part, error) {
	p, err := x.part(at, n)
	if err == nil && p.n/int64(p.t.ItemSize()) > int64(n) {
		err = x.scan.fail(at, "%d bytes for %d elements of %s", p.n, n, p.t.Name())
	}
	return p, err
}

// numberSource returns the Source of a numeric array as dtype t.
func (b *builder) numberSource(x *matrix, re part, t dtype.Type) (npy.Source, error) {
	src, err := b.storedPart(x.scan.space, re, x.dims)
	if err != nil {
		return nil, err
	}
	if x.flags&flagComplex == 0 {
		x.needs(re)
		return npy.Cast(src, t, npy.UnsafeCasting)
	}
	own := &scanner{space: x.scan.space, order: x.scan.order} // several goroutines may ask
	y := *x
	y.scan = own
	im, err := y.whole(re.next, x.count())
	if err != nil {
		return nil, err
	}
	x.needs(im)
	imaginary, err := b.storedPart(x.scan.space, im, x.dims)
	if err != nil {
		return nil, err
	}
	return joinParts(t, src, imaginary)
}

// joinParts returns the Source of complex numbers from the Sources of their parts. t is complex64 or complex128 in any
// byte order.
func joinParts(t dtype.Type, re, im npy.Source) (npy.Source, error) {
	part := dtype.Float64
	if t.ItemSize() == 8 {
		part = dtype.Float32
	}
	part = part.WithByteOrder(t.ByteOrder())
	parts := []npy.Source{re, im}
	for i, src := range parts {
		var err error
		if parts[i], err = npy.Cast(src, part, npy.UnsafeCasting); err != nil {
			return nil, err
		}
	}
	size := part.ItemSize()
	return npy.Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		for i, b := range src {
			bulk.Copy(dst, i*size, []int{2 * size, 1}, b, 0, []int{size, 1}, []int{n, size})
		}
		return nil
	}, parts...)
}

// storedPart returns the Source of the numbers of a part, as they are stored.
func (b *builder) storedPart(sp *space, p part, dims []int) (npy.Source, error) {
	return b.m.source(sp, format.Header{DType: p.t, Shape: dims, FortranOrder: true, DataOffset: p.data})
}

// source returns the Source of an array in a space.
func (m *Reader) source(sp *space, h format.Header) (npy.Source, error) {
	d := npy.Decoder{MaxBytes: m.dec.MaxBytes}
	if sp.packed >= 0 {
		d.ReadOptions = npy.ReadOptions{Workers: 1, Gap: 1 << 20}
	}
	f, err := d.FileOf(h, sp.r, sp.size)
	if err != nil {
		return nil, err
	}
	if sp.packed >= 0 {
		return sequential{f}, nil
	}
	return f, nil
}

// A sequential Source is read from its start, whatever is selected.
type sequential struct{ npy.Source }

// Header returns the header that np.save would write.
func (s sequential) Header() format.Header { return npy.HeaderOf(s.Source) }

// Select implements [npy.Source].
func (s sequential) Select(index ...npy.Index) (npy.Source, error) {
	part, err := s.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	return sequential{part}, nil
}

// InSequence reports whether the elements, in this order, come from a stream that is decompressed from its start for every read.
func (s sequential) InSequence() bool {
	_, ok := npy.DataOf(s.Source)
	return !ok
}

// StoredOrder returns the transposed array, which is read in one pass.
func (s sequential) StoredOrder() (npy.Source, bool) {
	t, reversed := npy.StoredOrder(s.Source)
	return sequential{t}, reversed
}

// Blocks implements [npy.Source]. Data in another order than the file's is read as a whole, in one pass.
func (s sequential) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	if _, ok := npy.DataOf(s.Source); ok {
		return s.Source.Blocks(ctx, memory)
	}
	return func(yield func(*npy.Array, error) bool) {
		a, err := s.ReadAll(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		a.Blocks(ctx, memory)(yield)
	}
}

// smallBytes returns all n numbers of a part, for indices and text.
func (b *builder) smallBytes(sp *space, p part, n int) ([]byte, error) {
	size := n * p.t.ItemSize()
	if most := b.m.dec.MaxBytes; most > 0 && int64(size) > most {
		return nil, bounded.Over("MaxBytes", most, size, "%d bytes of elements are over MaxBytes %d", size, most)
	}
	return bounded.ReadAll(io.NewSectionReader(sp.r, p.data, sp.size-p.data), size)
}
