package chunkgrid

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
)

// gridStore is an array of uint32 in chunks that count how often they are decoded. Each element is its own number.
type gridStore struct {
	shape, chunk []int
	decoded      atomic.Int64
}

func (*gridStore) Check() error                      { return nil }
func (*gridStore) About(err error) error             { return err }
func (*gridStore) CheckBytes(int64) error            { return nil }
func (*gridStore) Expand(int) error                  { return nil }
func (*gridStore) IsPlain(Chunk, bool) (bool, error) { return false, nil }
func (*gridStore) At(Chunk) (io.ReaderAt, int64)     { return nil, 0 }
func (*gridStore) Read([]byte, Chunk) error          { return nil }
func (*gridStore) Failed(_ Chunk, err error) error   { return err }

func (g *gridStore) counts() []uint64 {
	counts := make([]uint64, len(g.shape))
	for i, n := range g.shape {
		counts[i] = uint64((n + g.chunk[i] - 1) / g.chunk[i])
	}
	return counts
}

func (g *gridStore) Find(grid []int) (Chunk, bool, error) {
	n, _ := Number(grid, g.counts())
	return Chunk{At: 1 + n, Size: 1}, true, nil
}

func (g *gridStore) All(_ context.Context, visit func(grid []int, c Chunk) error) error {
	counts, grid := g.counts(), make([]int, len(g.shape))
	for n := uint64(0); Position(n, counts, grid) && uint64(grid[0]) < counts[0]; n++ {
		if err := visit(grid, Chunk{At: 1 + n, Size: 1}); err != nil {
			return err
		}
	}
	return nil
}

func (g *gridStore) Decode(b []byte, c Chunk, _ *[]byte) error {
	g.decoded.Add(1)
	grid := make([]int, len(g.shape))
	Position(c.At-1, g.counts(), grid)
	strides, i := nd.Strides(g.shape, 1, false), 0
	walk(g.chunk, func(at []int) {
		number := 0
		for j := range at {
			number += (grid[j]*g.chunk[j] + at[j]) * strides[j]
		}
		binary.LittleEndian.PutUint32(b[4*i:], uint32(number))
		i++
	})
	return nil
}

// A pass decodes each chunk once, whatever the blocks, if the chunks that lie side by side can be kept.
func TestPassDecodesOnce(t *testing.T) {
	for _, x := range []struct {
		shape, chunk []int
		index        []npy.Index
		decoded      int64
	}{
		{[]int{100, 64}, []int{100, 4}, nil, 16},                                     // one band
		{[]int{100, 64}, []int{30, 4}, nil, 64},                                      // bands, the last not complete
		{[]int{100, 64}, []int{1, 64}, nil, 100},                                     // rows
		{[]int{100, 64}, []int{3, 64}, nil, 34},                                      // whole rows, several in a chunk
		{[]int{20, 2000}, []int{7, 300}, nil, 21},                                    // rows of several blocks
		{[]int{5, 20, 200}, []int{2, 7, 30}, nil, 3 * 3 * 7},                         // three axes
		{[]int{5, 20, 200}, []int{1, 7, 30}, nil, 5 * 3 * 7},                         // and the first axis is cut at each position
		{[]int{5, 20, 200}, []int{2, 1, 30}, nil, 3 * 20 * 7},                        // or the second
		{[]int{100, 64}, []int{30, 4}, []npy.Index{npy.Span(80, 10).By(-3)}, 3 * 16}, // backwards
		{[]int{100, 64}, []int{4, 4}, []npy.Index{npy.All(), npy.Span(0, 64).By(2)}, 25 * 16},
	} {
		g := &gridStore{shape: x.shape, chunk: x.chunk}
		open := func() npy.Source {
			a := &Array{Shape: x.shape, Chunk: x.chunk, ItemSize: 4, Rank: len(x.shape), Index: g, Complete: true, Store: g, Cache: &Cache{}}
			whole, err := a.Source(dtype.Uint32)
			if err != nil {
				t.Fatal(err)
			}
			src, err := whole.Select(x.index...)
			if err != nil {
				t.Fatal(err)
			}
			return src
		}
		want, err := open().ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if size := want.Size(); x.index == nil && int(want.Bytes()[4*size-4])|int(want.Bytes()[4*size-3])<<8 != (size-1)&0xffff {
			t.Fatalf("%v in %v: the last element is wrong", x.shape, x.chunk)
		}
		g.decoded.Store(0)
		var got []byte
		for block, err := range open().Blocks(context.Background(), 1000) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, block.Bytes()...)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%v in %v: the blocks have other elements", x.shape, x.chunk)
		}
		if n := g.decoded.Load(); n != x.decoded {
			t.Errorf("%v in chunks of %v, %v: %d chunks decoded, not %d", x.shape, x.chunk, x.index, n, x.decoded)
		}
	}
}

// A band that is larger than what is kept keeps the chunks that it met first.
func TestBandIsBounded(t *testing.T) {
	b := &band{pass: selection{axes: []selectedAxis{{chunk: 8, step: 1, n: 8}}}, axes: 1, chunks: map[Chunk][]byte{}}
	part := &inChunk{[]int{0}, []int{0}, []int{1}}
	b.at = []int{0}
	const size = keptChunks / 4
	for round := range 2 {
		for at := range uint64(6) {
			c := Chunk{At: at, Size: 1}
			data, known := b.chunk(c, part, size)
			if known != (round > 0 && at < 4) || (data != nil) != (at < 4) {
				t.Errorf("round %d, chunk %d: %d bytes, %v", round, at, len(data), known)
			}
			if data != nil {
				b.keep(c, data)
			}
		}
	}
	if b.bytes > keptChunks {
		t.Errorf("%d bytes are kept", b.bytes)
	}
}
