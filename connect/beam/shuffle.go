package npyio

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/remote"
)

// windowBytes is the size of the windows within which a shuffle permutes rows.
const windowBytes = 16 << 20

// shuffle writes rows in random order. The blocks of the whole Dataset are permuted; a shard has some of them, one after
// another, in windows whose rows are permuted. It returns the shape of what it wrote.
func (fn *writeFn) shuffle(ctx context.Context, x shard) ([]int, error) {
	g := grid{fn.Data.Shape[0], fn.Data.rowsOf(blockBytes)}
	blocks := rand.New(rand.NewPCG(fn.Options.Seed, 0)).Perm(int(g.blocks()))
	start, end := cut(len(blocks), fn.Options.Shards, x.Number)
	each := fn.Data.rowsOf(windowBytes)/g.Each + 1
	e := container.Entry{Path: container.NPYPath, DType: fn.Data.dtype(), Shape: append([]int{0}, fn.Data.Shape[1:]...)}
	var windows []npy.Source
	for ; start < end; start += each {
		w, err := fn.window(ctx, g, blocks[start:min(start+each, end)])
		if err != nil {
			return nil, err
		}
		windows = append(windows, w)
		e.Shape[0] += w.Shape()[0]
	}
	random := rand.New(rand.NewPCG(fn.Options.Seed, 1+uint64(x.Number)))
	return e.Shape, fn.create(ctx, fn.path(x.name()), e, func(w container.ArrayWriter) error {
		for _, src := range windows {
			rows, err := src.ReadAll(ctx)
			if err == nil {
				rows, err = permute(rows, random)
			}
			if err == nil {
				rows, err = fn.array.cast(rows)
			}
			if err == nil {
				err = w.Write(rows)
			}
			if err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// permute returns the rows of an array in random order.
func permute(a *npy.Array, random *rand.Rand) (*npy.Array, error) {
	n := a.Shape()[0]
	if a.NBytes() == 0 {
		return a, nil
	}
	from, ok := a.ViewBytes()
	if !ok {
		from = a.Bytes()
	}
	to := make([]byte, 0, len(from))
	size := len(from) / n
	for _, i := range random.Perm(n) {
		to = append(to, from[i*size:(i+1)*size]...)
	}
	return npy.FromBytes(a.DType(), to, a.Shape()...)
}

// window returns the rows of some blocks, one after another.
func (fn *writeFn) window(ctx context.Context, g grid, blocks []int) (npy.Source, error) {
	var all []npy.Source
	for _, i := range blocks {
		start, end := g.at(int64(i))
		rows, err := fn.array.rows(ctx, start, end)
		if err != nil {
			return nil, err
		}
		all = append(all, rows)
	}
	return npy.Concat(0, all...)
}

// create creates an .npy file at a path or a URL, which appears as a whole, of the blocks that write writes.
func (fn *writeFn) create(ctx context.Context, path string, e container.Entry, write func(w container.ArrayWriter) error) error {
	f := container.NPY(npy.Decoder{}, npy.Encoder{})
	begin := func(w container.Writer) error {
		a, err := w.Begin(e, nil)
		if err != nil {
			return err
		}
		return write(a)
	}
	if !remote.IsURL(path) {
		return f.Create(path, container.WriteOptions{}, begin)
	}
	return put(ctx, path, func(w io.Writer) error {
		out, err := f.New(w.(io.WriteSeeker), container.WriteOptions{})
		if err == nil {
			err = begin(out)
		}
		if err == nil {
			err = out.Close()
		}
		return err
	})
}
