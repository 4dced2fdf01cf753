package npyio

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
)

// windowBytes is the size of the windows within which a shuffle permutes rows.
const windowBytes = 16 << 20

// shuffle writes rows in random order. The blocks of the whole Dataset are permuted; a shard has some of them, one after
// another, in windows whose rows are permuted. It returns the shape of what it wrote.
func (fn *writeFn) shuffle(ctx context.Context, x shard, _ int64) ([]int, error) {
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
		var rows, mixed []byte
		for _, src := range windows {
			var err error
			if rows, err = read(ctx, rows[:0], src); err != nil {
				return err
			}
			n := src.Shape()[0]
			for order, each := random.Perm(n), fn.Data.rowsOf(blockBytes); len(order) > 0; {
				some := order[:min(each, len(order))]
				order = order[len(some):]
				mixed = mixed[:0]
				for _, row := range some {
					mixed = append(mixed, rows[row*(len(rows)/n):][:len(rows)/n]...)
				}
				if err := fn.put(w, mixed, len(some)); err != nil {
					return err
				}
			}
		}
		return w.Close()
	})
}

// read appends the bytes of all elements in C order.
func read(ctx context.Context, to []byte, src npy.Source) ([]byte, error) {
	h := format.Header{DType: src.DType(), Shape: src.Shape()}
	if n := int(h.NBytes()); cap(to) < n {
		to = make([]byte, 0, n)
	}
	for piece, err := range src.Blocks(ctx, blockBytes) {
		if err != nil {
			return to, err
		}
		data, _ := piece.ViewBytes() // pieces are in C order
		to = append(to, data...)
	}
	return to, nil
}

// put writes some rows.
func (fn *writeFn) put(w container.ArrayWriter, data []byte, rows int) error {
	a, err := npy.FromBytes(fn.Data.stored(), data, append([]int{rows}, fn.Data.Shape[1:]...)...)
	if err == nil {
		a, err = fn.array.cast(a)
	}
	if err == nil {
		err = w.Write(a)
	}
	return err
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
