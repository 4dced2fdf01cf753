package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/source"
)

// An Opener opens a part: a file of this machine ([Dir]), a member of an archive, a file of a server. The Closer may be
// nil. Arrays that ReadAll of the Source returns must stay valid after Close. Several goroutines may call an Opener at
// the same time, and a part that was closed is opened again.
//
// ctx is the context of the read that needs the part. The part stays open after the read, so do not open it with ctx if it
// ends with its context, as a file of package remote does: use context.WithoutCancel(ctx).
type Opener func(ctx context.Context, p Part) (npy.Source, io.Closer, error)

// Options configures how the parts of an array are opened.
type Options struct {
	// MaxOpen is the number of parts that stay open between reads, 64 by default; a negative number means none. More
	// parts are open only while they are read.
	MaxOpen int
}

const defaultMaxOpen = 64

// An Array is many parts as one array. It is an [npy.Source]; several goroutines may use it. It must be closed.
type Array struct {
	joined   npy.Source
	manifest Manifest
	pool     *pool
}

// Open returns the array that a manifest describes, and opens nothing. A part is opened by open when it is first needed. The
// parts of the manifest are shared, and must not be changed until the Array is closed: there may be a million of them.
func (m Manifest) Open(open Opener) (*Array, error) { return Options{}.Open(m, open) }

// Open is [Manifest.Open] with options.
func (o Options) Open(m Manifest, open Opener) (*Array, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m.Shape = slices.Clone(m.Shape)
	p := newPool(m.Parts, open, o.MaxOpen)
	joined, err := npy.ConcatFunc(m.DType, m.Shape, m.Axis, m.ends(), func(i int) npy.Source {
		src := source.Lazy(m.DType, m.PartShape(i), func(ctx context.Context) (npy.Source, func(), error) { return p.take(ctx, i) })
		return named{src, m.Parts[i].Path}
	})
	if err != nil {
		return nil, err
	}
	return &Array{joined, m, p}, nil
}

// ends returns where each part ends along the axis.
func (m Manifest) ends() []int {
	ends := make([]int, len(m.Parts))
	n := 0
	for i, p := range m.Parts {
		n += p.Rows
		ends[i] = n
	}
	return ends
}

// OpenFile opens the array of a manifest in a file. Its parts are .npy files of the same folder, or below it.
func OpenFile(path string) (*Array, error) {
	m, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return m.Open(Dir(filepath.Dir(path), npy.Decoder{}))
}

// DType implements [npy.Source].
func (a *Array) DType() dtype.Type { return a.joined.DType() }

// Shape implements [npy.Source].
func (a *Array) Shape() []int { return a.joined.Shape() }

// Select implements [npy.Source].
func (a *Array) Select(index ...npy.Index) (npy.Source, error) { return a.joined.Select(index...) }

// Blocks implements [npy.Source].
func (a *Array) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return a.joined.Blocks(ctx, memory)
}

// ReadAll implements [npy.Source].
func (a *Array) ReadAll(ctx context.Context) (*npy.Array, error) { return a.joined.ReadAll(ctx) }

// Manifest returns the manifest of the array. The result must not be changed.
func (a *Array) Manifest() Manifest { return a.manifest }

// Close closes all parts. A part that is being read is closed after the read. Every later read fails with an error that
// wraps [fs.ErrClosed]. It returns the error of closing a part.
func (a *Array) Close() error { return a.pool.close() }

// named is the Source of a part, whose errors name the part.
type named struct {
	npy.Source
	path string
}

// Select implements [npy.Source].
func (n named) Select(index ...npy.Index) (npy.Source, error) {
	src, err := n.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	return named{src, n.path}, nil
}

// ReadAll implements [npy.Source].
func (n named) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := n.Source.ReadAll(ctx)
	return a, n.failed(ctx, err)
}

// Blocks implements [npy.Source].
func (n named) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		for block, err := range n.Source.Blocks(ctx, memory) {
			if !yield(block, n.failed(ctx, err)) {
				return
			}
		}
	}
}

// failed returns an error of reading with the path of the part, unless the context ended the read or the error has the path.
func (n named) failed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &PartError{Path: n.path, Err: err}
}

// A PartError is an error of one part of an array.
type PartError struct {
	Path string // of the part
	Err  error  // of opening or reading it, or how it differs from what the manifest says
}

// Error returns one line with the path.
func (e *PartError) Error() string {
	var path *os.PathError
	if errors.As(e.Err, &path) && e.Err == error(path) {
		return fmt.Sprintf("part %q: %v", e.Path, path.Err)
	}
	return fmt.Sprintf("part %q: %s", e.Path, diag.Fault(e.Err, ""))
}

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// checkJoin returns an error unless an array with a dtype and a shape can be part of the array.
func (m Manifest) checkJoin(t dtype.Type, shape []int) error {
	if !t.Equal(m.DType) {
		return fmt.Errorf("dtype %s, want %s as in the first part", t, m.DType)
	}
	if len(shape) != len(m.Shape) {
		return fmt.Errorf("%d dimensions, want %d as in the first part", len(shape), len(m.Shape))
	}
	for i, n := range shape {
		if i != m.Axis && n != m.Shape[i] {
			return fmt.Errorf("shape %v, want that of the first part, but for axis %d: %v", shape, m.Axis, m.Shape)
		}
	}
	return nil
}
