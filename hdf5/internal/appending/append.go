package appending

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/fields"
)

// AppendFrom adds the rows of src.
func (a *File) AppendFrom(ctx context.Context, src npy.Source) error {
	if a.err != nil {
		return a.located(a.err)
	}
	return a.located(fault.About(a.name, a.append(ctx, src)))
}

func (a *File) append(ctx context.Context, src npy.Source) error {
	shape, have := src.Shape(), a.Shape()
	if len(shape) != len(have) || !slices.Equal(shape[1:], have[1:]) {
		return fmt.Errorf("rows of shape %v cannot be appended to shape %v: all dimensions but the first must be equal", shape, have)
	}
	most, limited := a.Limit()
	if n := have[0] + shape[0]; n < have[0] || limited && n > most {
		return fmt.Errorf("%d rows after %d: the limit of the array is %d", shape[0], have[0], most)
	}
	if shape[0] == 0 {
		return nil
	}
	j := &appendJob{File: a, rows: shape[0]}
	if err := j.write(ctx, src); err != nil {
		j.undo()
		return err
	}
	return j.commit()
}

// formFor returns how rows of a source are written: nil for their bytes as they are.
func (a *File) formFor(rows *npy.Array) (*writing.Form, error) {
	t := a.d.Coding.DType
	if t.IsSubarray() {
		t = t.Elem()
	}
	if a.d.IsPlain() && t.Equal(rows.DType()) {
		return nil, nil
	}
	f, err := writing.ArrayForm(rows, nil)
	if err != nil {
		return nil, err
	}
	m, _ := a.d.Object.Find(structure.DatatypeMessage)
	c := a.d.Object.Cursor(m, "datatype message")
	if c.Err != nil {
		return nil, c.Err
	}
	text := a.d.Type.Class == structure.ClassVlen && a.d.Type.Text && len(f.Fields) == 0 && !f.Same
	if text || len(c.Data) >= len(f.Message) && slices.Equal(c.Data[:len(f.Message)], f.Message) {
		return f, nil
	}
	return nil, fmt.Errorf("rows of dtype %s cannot be appended to elements of dtype %s: %w", rows.DType(), a.d.Coding.DType, errors.ErrUnsupported)
}

// encode returns rows as they lie in the file.
func (a *File) encode(rows *npy.Array, h *structure.Heap) ([]byte, error) {
	if t := a.DType(); a.d.IsPlain() && !t.Equal(rows.DType()) {
		err := fields.CheckNames(rows.DType(), t)
		if err != nil {
			return nil, err
		}
		if rows, err = rows.AsType(t); err != nil {
			return nil, err
		}
	}
	f, err := a.formFor(rows)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return f.Encode(rows, &writing.Pool{Heap: h})
	}
	data, _ := rows.Contiguous().ViewBytes()
	return data, nil
}

// write writes chunks and index, to which nothing refers yet.
func (j *appendJob) write(ctx context.Context, src npy.Source) (err error) {
	d := j.d
	j.first = d.Space.Dims[0] - d.Space.Dims[0]%d.Layout.Chunk[0]
	if err := j.begin(ctx); err != nil {
		return err
	}
	if j.rowBytes() == 0 {
		j.root = d.Layout.At
		return nil
	}
	q := writing.NewChunkPipeline(j.settings.Workers)
	defer q.Drop()
	kept := len(j.tail) / j.rowBytes()
	grid := writing.NewChunkGrid(append([]int{kept + j.rows}, d.Space.Dims[1:]...), d.Layout.Chunk, d.Type.Size)
	sink, err := writing.NewChunkSink(j.out, q, grid, encodable(d.Filters))
	if err != nil {
		return err
	}
	sink.Fill, sink.Dense = d.Fill, true
	h := structure.NewHeap(j.out, q.Drain)
	if err := j.send(ctx, src, sink, h); err != nil {
		return err
	}
	if err := errors.Join(q.Drain(), h.Flush()); err != nil {
		return err
	}
	grid.First = j.first
	if err := j.index(sink); err != nil {
		return err
	}
	return j.out.Flush()
}

// encodable returns filters with the best way to encode: the level of gzip is chosen for each chunk.
func encodable(filters []chunkfilter.Filter) []chunkfilter.Filter {
	filters = slices.Clone(filters)
	for i := range filters {
		if filters[i].ID == chunkfilter.Deflate {
			filters[i].Values = []uint32{0}
		}
	}
	return filters
}

// send sends the rows of the last chunks and the rows of the source to a sink.
func (j *appendJob) send(ctx context.Context, src npy.Source, sink *writing.ChunkSink, h *structure.Heap) error {
	chunk := j.d.Layout.Chunk[0]
	keep := (j.d.Space.Dims[0] + j.rows - j.first) / chunk * chunk * j.rowBytes() // bytes of full chunks
	done := 0
	take := func(data []byte) error {
		if at := max(keep-done, 0); at < len(data) {
			j.band = append(j.band, data[at:]...)
		}
		done += len(data)
		return sink.Write(data)
	}
	if err := take(j.tail); err != nil {
		return err
	}
	if src.DType().HasObject() {
		rows, err := src.ReadAll(ctx)
		if err != nil {
			return err
		}
		src = rows.Contiguous()
	}
	want := done + j.rows*j.rowBytes()
	for block, err := range src.Blocks(ctx, 16<<20) {
		var data []byte
		if err == nil {
			data, err = j.encode(block, h)
		}
		if err == nil && len(data) > want-done {
			err = errors.New("the source has more elements than its shape")
		}
		if err == nil {
			err = take(data)
		}
		if err != nil {
			return err
		}
	}
	if done != want {
		return fmt.Errorf("the source has ended before its last %d bytes", want-done)
	}
	return nil
}
