package npy

import (
	"context"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/source"
)

// ReadInto reads all elements of src in C order, as Go values, into the memory of dst if its capacity is large enough,
// and into new memory if not. The length of dst does not matter. Together with [Source.Select] it reads any part of a
// file into memory of the caller:
//
//	part, err := file.Select(npy.Span(1000, 2000))
//	buf, err = npy.ReadInto(ctx, buf, part)
//
// T must satisfy the conditions of [Load]. The shape is the Shape of src. After an error the contents of dst are
// undefined.
func ReadInto[T Element](ctx context.Context, dst []T, src Source) ([]T, error) {
	return Loader[T]{}.ReadInto(ctx, dst, src)
}

// ReadInto is the function [ReadInto] with the Casting and MaxBytes of l.
func (l Loader[T]) ReadInto(ctx context.Context, dst []T, src Source) ([]T, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t := src.DType()
	if t.HasObject() {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return l.copyInto(dst, a)
	}
	h := format.Header{DType: t, Shape: src.Shape()}
	if err := l.checkSize(h, src); err != nil {
		return nil, err
	}
	_, inMemory := src.(*Array)
	known := inMemory || fileOf(src) != nil // the elements are as many as the shape says
	boxes, view := boxesOf(src)
	if !known || !view.IsC() || !sharesMemory[T](t.WithByteOrder(dtype.NativeEndian)) {
		return l.decodePieces(ctx, dst, src)
	}
	dst = bulk.Reuse(dst, h.Size())
	raw, _ := bulk.Bytes(dst)
	whole := nd.Box{Origin: make([]int, view.NDim()), Shape: view.nd.Shape}
	if _, err := boxes.ReadBox(ctx, &view.nd, whole, raw); err != nil {
		return nil, err
	}
	swapElements(raw, t)
	return dst, nil
}

// checkSize checks the size of elements that are read from src against MaxBytes of l and of the file of src.
func (l Loader[T]) checkSize(h format.Header, src Source) error {
	if err := check(h); err != nil {
		return err
	}
	if err := source.CheckSize(h.NBytes(), l.MaxBytes); err != nil {
		return err
	}
	if f := fileOf(src); f != nil {
		return f.wrap(source.CheckSize(h.NBytes(), f.dec.MaxBytes))
	}
	return nil
}

// decodePieces converts the elements of src piece by piece.
func (l Loader[T]) decodePieces(ctx context.Context, dst []T, src Source) ([]T, error) {
	t := src.DType()
	decode, err := l.decoder(t)
	if err != nil {
		return nil, err
	}
	if err := checkEmptyItems(nd.Size(src.Shape()), t.ItemSize()); err != nil {
		return nil, err
	}
	dst = dst[:0]
	for piece, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return nil, err
		}
		raw, _ := piece.ViewBytes()
		first, n := len(dst), piece.Size()
		dst = slices.Grow(dst, n)[:first+n]
		if err := decodeBlocks(decode, dst[first:], raw, first); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// Take returns the elements at positions of the first axis, in the order of rows: numpy.take(src, rows, axis=0), or
// src[[3, 1, 1]]. Negative positions count from the end, and a position may come more than once. A position that is
// out of range is an [*IndexError] with its value. The result has memory of its own, in C order.
//
// From a file, rows that lie close together are read together, as [Decoder.ReadOptions] say, and several reads
// run at the same time. Any other Source is asked for each group of rows that follow each other; a [Stream] is read
// as a whole.
func Take(ctx context.Context, src Source, rows []int) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t, shape, err := takeShape(src, rows)
	if err != nil {
		return nil, err
	}
	if t.HasObject() {
		return takeObjects(ctx, src, rows, shape)
	}
	h := format.Header{DType: t, Shape: shape}
	if err := (Loader[byte]{}).checkSize(h, src); err != nil {
		return nil, err
	}
	data := bulk.MakeFill[byte](int(h.NBytes()))
	if err := takeRows(ctx, data, src, rows); err != nil {
		return nil, err
	}
	return newArray(h, data), nil
}

// TakeInto is [Take] as Go values, in the memory of dst if its capacity is large enough. T must satisfy the conditions
// of [Load]. A loop that reads one minibatch after another passes the result of the previous call:
//
//	for batch := range slices.Chunk(rand.Perm(n), 256) {
//		if buf, err = npy.TakeInto(ctx, buf, file, batch); err != nil {
//			return err
//		}
//		train(buf)
//	}
//
// After an error the contents of dst are undefined.
func TakeInto[T Element](ctx context.Context, dst []T, src Source, rows []int) ([]T, error) {
	return Loader[T]{}.TakeInto(ctx, dst, src, rows)
}

// TakeInto is the function [TakeInto] with the Casting and MaxBytes of l.
func (l Loader[T]) TakeInto(ctx context.Context, dst []T, src Source, rows []int) ([]T, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t, shape, err := takeShape(src, rows)
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: t, Shape: shape}
	if !t.HasObject() {
		if err := l.checkSize(h, src); err != nil {
			return nil, err
		}
	}
	if t.HasObject() || !sharesMemory[T](t.WithByteOrder(dtype.NativeEndian)) {
		a, err := Take(ctx, src, rows)
		if err != nil {
			return nil, err
		}
		return l.copyInto(dst, a)
	}
	dst = bulk.Reuse(dst, h.Size())
	raw, _ := bulk.Bytes(dst)
	if err := takeRows(ctx, raw, src, rows); err != nil {
		return nil, err
	}
	swapElements(raw, t)
	return dst, nil
}

// takeShape returns the dtype and the shape of the rows of src.
func takeShape(src Source, rows []int) (dtype.Type, []int, error) {
	shape := src.Shape()
	if len(shape) == 0 {
		return dtype.Type{}, nil, diag.New("npy", "an array without dimensions has no rows to take")
	}
	shape[0] = len(rows)
	return src.DType(), shape, nil
}

// takeObjects is Take for Python objects, which are read as a whole.
func takeObjects(ctx context.Context, src Source, rows, shape []int) (*Array, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	data := bulk.Make(nd.Size(shape) * a.nd.DType.ItemSize())
	if err := takeRows(ctx, data, a, rows); err != nil {
		return nil, err
	}
	taken := arrayOf(nd.New(a.nd.DType, shape, false, data))
	taken.objects = a.objects
	return taken.copyOf(a), nil
}

// takeRows copies the rows of src at the given positions to dst.
func takeRows(ctx context.Context, dst []byte, src Source, rows []int) error {
	g, err := nd.NewRows(rows, src.Shape()[0])
	if outside, ok := err.(*nd.IndexError); ok {
		return (*IndexError)(outside)
	}
	if len(dst) == 0 {
		return nil
	}
	if IsOnePass(src) || isWhole(src) {
		if src, err = src.ReadAll(ctx); err != nil {
			return err
		}
	}
	o := takeOptions(src)
	g.Cut(len(dst)/len(rows), o.gap())
	read := rowsOf(src, g.Size)
	workers := min(o.workers(int64(len(dst))), g.Groups())
	bufs := make([][]byte, max(workers, 1))
	return par.Each(ctx, g.Groups(), workers, func(w, i int) error {
		return g.Read(dst, i, &bufs[w], func(dst []byte, low, high int) error { return read(ctx, dst, low, high) })
	})
}

// takeOptions returns how to read rows of src. Sources other than files may have to read their elements in sequence,
// so they are asked for one group of rows after the other.
func takeOptions(src Source) ReadOptions {
	if f := fileOf(src); f != nil {
		return f.dec.ReadOptions
	}
	if _, ok := src.(*Array); ok {
		return ReadOptions{Gap: -1}
	}
	return ReadOptions{Workers: 1}
}

// rowsOf returns the function that reads the rows of src from low up to, but not including, high. Each has size bytes.
func rowsOf(src Source, size int) func(ctx context.Context, dst []byte, low, high int) error {
	if a, ok := src.(*Array); ok {
		if data, ok := a.nd.Bytes(); ok {
			return func(_ context.Context, dst []byte, low, _ int) error {
				copy(dst, data[low*size:])
				return nil
			}
		}
	}
	if data, ok := DataOf(src); ok {
		file := fileOf(src)
		return func(_ context.Context, dst []byte, low, _ int) error {
			err := nd.ReadFull(data, dst, int64(low)*int64(size))
			if file != nil {
				return file.wrap(err)
			}
			return err
		}
	}
	return func(ctx context.Context, dst []byte, low, high int) error {
		part, err := src.Select(Span(low, high))
		if err != nil {
			return err
		}
		if len(dst) > longRows {
			return readBlocks(ctx, dst, part)
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		a.nd.CopyTo(dst, nd.Strides(a.nd.Shape, a.nd.DType.ItemSize(), false))
		return nil
	}
}

// longRows is the number of bytes of rows from which on they are read in blocks: at once, they would be in memory twice.
const longRows = 32 << 20

// readBlocks reads all elements of src, in C order, to dst.
func readBlocks(ctx context.Context, dst []byte, src Source) error {
	for block, err := range src.Blocks(ctx, longRows) {
		if err != nil {
			return err
		}
		data, _ := block.ViewBytes() // blocks are in C order
		dst = dst[copy(dst, data):]
	}
	return nil
}

// fileOf returns the file that src is, or is a part of, and nil for every other Source.
func fileOf(src Source) *File {
	switch s := src.(type) {
	case *File:
		return s
	case *stored:
		f, _ := s.from.(*File)
		return f
	}
	return nil
}

func isWhole(src Source) bool {
	_, ok := src.(*wholeSource)
	return ok
}

// copyInto converts the elements of a into dst, or into new memory.
func (l Loader[T]) copyInto(dst []T, a *Array) ([]T, error) {
	v, err := l.As(a)
	if err != nil {
		return nil, err
	}
	dst = bulk.Reuse(dst, v.Size())
	if len(dst) > 0 {
		bulk.Copy(dst, 0, nd.Strides(v.shape, 1, false), v.data, v.start, v.strides, v.shape)
	}
	return dst, nil
}

// swapElements gives the elements of t native byte order.
func swapElements(data []byte, t dtype.Type) {
	if width := swapWidth(t); width > 1 {
		bulk.Swap(data, data, width)
	}
}
