package appending

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/filelock"
	"github.com/npygo/npy/internal/nd"
)

// An File adds rows to an array of an existing file. It writes the chunks first, then a new index, and the header with
// the new shape last.
type File struct {
	settings writing.Settings
	limits   reading.Limits
	file     appendFile
	path     string
	name     string // of the array
	f        *reading.File
	d        *reading.Dataset
	tail     []byte         // the rows of the last chunks if these are not full; nil if they have not been read
	start    int64          // the end of the file when it was opened, as an address
	free     []storage.Span // after start, which nothing refers to
	err      error          // final
}

// An appendFile has the methods of a file that an Appender calls.
type appendFile interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	io.Closer
}

// Open opens an array of a file for appending.
func Open(path, array string, s writing.Settings, l reading.Limits) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	a := &File{settings: s, limits: l, file: f, path: path, name: array}
	if err := a.open(f); err != nil {
		f.Close()
		return nil, a.located(err)
	}
	return a, nil
}

// located adds the name of the file to an error.
func (a *File) located(err error) error {
	var pe *fs.PathError
	if err == nil || errors.As(err, &pe) {
		return err
	}
	return &fs.PathError{Op: "append", Path: a.path, Err: err}
}

func (a *File) open(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("hdf5: only regular files can be appended to: %w", errors.ErrUnsupported)
	}
	if err := filelock.TryLock(f); err != nil {
		return fmt.Errorf("hdf5: the file is in use: %w", err)
	}
	now, err := os.Stat(a.path)
	if err != nil {
		return err
	}
	if !os.SameFile(info, now) {
		return fmt.Errorf("hdf5: the file is being replaced: %w", filelock.ErrLocked)
	}
	if err := a.load(now.Size()); err != nil {
		return err
	}
	return fault.About(a.name, a.checkRoom())
}

// checkRoom returns an error if the first axis has all the rows that it can have. An array whose last rows an Append has
// added is full, too, and that is no error.
func (a *File) checkRoom() error {
	if rows := a.d.Space.Dims[0]; a.d.Space.Most[0] == uint64(rows) {
		return fmt.Errorf("its first axis cannot grow: it has %d rows, the limit of the array; write it again with Encoder.Unlimited: %w", rows, errors.ErrUnsupported)
	}
	return nil
}

// load reads the header of the array.
func (a *File) load(size int64) (err error) {
	if a.f, err = reading.Open(closable.New(a.file, nil), size, a.limits); err == nil {
		err = a.f.CheckRoot()
	}
	if err != nil {
		return err
	}
	if a.d, err = a.f.DatasetAt(a.name); err != nil {
		return err
	}
	return fault.About(a.name, a.check())
}

// check returns an error unless rows can be added to the array in this way.
func (a *File) check() error {
	d := a.d
	refuse := func(format string, args ...any) error {
		return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
	}
	switch {
	case d.Layout.Class != structure.LayoutChunked || len(d.Space.Dims) == 0:
		return refuse("its elements are not in chunks; write it again with Encoder.Unlimited")
	case d.Layout.Index != structure.IndexBTree1 || d.Layout.Version != 3:
		return refuse("its chunks have an index of layout %d, and only B-trees of version 1 are appended to; write it again", d.Layout.Version)
	case a.f.OffsetSize != 8 || a.f.LengthSize != 8:
		return refuse("addresses of %d bytes", a.f.OffsetSize)
	}
	band := append([]int{d.Layout.Chunk[0]}, d.Space.Dims[1:]...)
	if n, ok := bounded.Count(band, d.Type.Size); !ok || n*d.Type.Size > writing.MaxSlab {
		return bounded.Over("", writing.MaxSlab, n*d.Type.Size, "the rows of a chunk have more than %d bytes together", writing.MaxSlab)
	}
	_, _, err := a.places()
	return err
}

// DType returns the dtype of the rows.
func (a *File) DType() dtype.Type { return a.d.Header.DType }

// Shape returns the present shape of the array. The slice is a copy.
func (a *File) Shape() []int { return slices.Clone(a.d.Header.Shape) }

// Limit returns the largest number of rows that the array can have, and false if there is no limit.
func (a *File) Limit() (rows int, limited bool) {
	most := a.d.Space.Most[0]
	return int(min(most, storage.MaxInt)), most != structure.Unlimited
}

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

// An appendJob adds some rows.
type appendJob struct {
	*File
	rows   int
	out    *storage.Output
	end    int64 // of the file, as an address
	size   int64 // of the file in bytes, before
	first  int   // the first row that is written: the rows of the last chunks are written again
	band   []byte
	root   uint64
	freed  []storage.Span
	patch  []fieldWrite // of nodes that stay
	placed bool         // the superblock has the new end
}

// rowBytes returns the size of a row in the file.
func (a *File) rowBytes() int { return nd.Size(a.d.Space.Dims[1:]) * a.d.Type.Size }

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

// begin finds the end of the file, and reads the rows of the last chunks if they are not full.
func (j *appendJob) begin(ctx context.Context) error {
	f := j.f
	j.size = f.Base + f.Size
	eof, _, err := j.places()
	if err != nil {
		return err
	}
	end, err := j.readAddress(eof.at)
	if err != nil {
		return err
	}
	if end < uint64(f.Base) || end > uint64(j.size) {
		return fmt.Errorf("the file has %d bytes, and its superblock says %d: %w", j.size, end, io.ErrUnexpectedEOF)
	}
	j.end = storage.AlignedSize(int64(end) - f.Base)
	if j.start == 0 {
		j.start = j.end
	}
	j.out = storage.ResumeOutput(io.NewOffsetWriter(j.file, 0), f.Base, j.end, j.free)
	j.free = nil
	if rows := j.d.Space.Dims[0] - j.first; j.tail == nil && rows > 0 && j.rowBytes() > 0 {
		raw, err := j.d.RawSource()
		if err != nil {
			return err
		}
		part, err := raw.Select(npy.Span(j.first, j.first+rows))
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		j.tail = a.Bytes()
	}
	return nil
}

// undo frees the data that was written: nothing refers to it.
func (j *appendJob) undo() {
	j.free = nil
	if j.out != nil && !j.placed {
		_ = j.file.Truncate(j.size) // frees the space on a full disk
	}
}

// Close closes the file and releases the lock. Closing twice does nothing.
func (a *File) Close() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file, a.err = nil, writing.ErrWriterClosed
	return err
}
