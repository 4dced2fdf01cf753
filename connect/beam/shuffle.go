package npyio

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/npygo/npy"
)

// windowBytes is the size of the windows within which a shuffle permutes rows.
const windowBytes = 64 << 20

// shuffled returns the rows of a shard in random order. The blocks of all shards are permuted; a shard has some of them, one after
// another, which are cut into windows.
func (fn *writeFn) shuffled(ctx context.Context, x shard) (npy.Source, error) {
	g := grid{fn.Data.Shape[0], fn.Data.rowsOf(blockBytes)}
	random := rand.New(rand.NewPCG(fn.Options.Seed, 0))
	blocks := random.Perm(int(g.blocks()))
	start, end := cut(len(blocks), fn.Options.Shards, x.Number)
	_, size := fn.Data.rowSize()
	each := max(windowBytes/max(size*g.Each, 1), 1)
	var memory window
	windows := []npy.Source{}
	for ; start < end || len(windows) == 0; start += each {
		w, err := fn.window(ctx, g, blocks[start:min(start+each, end)], start, &memory)
		if err != nil {
			return nil, err
		}
		windows = append(windows, w)
	}
	return npy.Concat(0, windows...)
}

// A window is the rows of the window that was read last.
type window struct {
	sync.Mutex
	of   npy.Source
	rows *npy.Array
}

// window returns the rows of some blocks in random order. They are read as a whole and kept in memory until another window is
// read.
func (fn *writeFn) window(ctx context.Context, g grid, blocks []int, number int, memory *window) (npy.Source, error) {
	rows, err := fn.array.rows(ctx, 0, 0)
	all := []npy.Source{rows}
	for _, i := range blocks {
		if err != nil {
			break
		}
		start, end := g.at(int64(i))
		rows, err = fn.array.rows(ctx, start, end)
		all = append(all, rows)
	}
	if err != nil {
		return nil, err
	}
	joined, err := npy.Concat(0, all...)
	if err != nil {
		return nil, err
	}
	return npy.LazySource(joined.DType(), joined.Shape(), func(ctx context.Context) (npy.Source, func(), error) {
		memory.Lock()
		defer memory.Unlock()
		if memory.of != joined {
			order := rand.New(rand.NewPCG(fn.Options.Seed, 1+uint64(number))).Perm(joined.Shape()[0])
			read, err := joined.ReadAll(ctx)
			if err == nil {
				read, err = npy.Take(ctx, read, order)
			}
			if err != nil {
				return nil, nil, err
			}
			memory.of, memory.rows = joined, read
		}
		return memory.rows, nil, nil
	}), nil
}
