package blockwise

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/nd"
)

// memory reads boxes of an array in memory.
type memory struct{ fail error }

func (m memory) ReadBox(_ context.Context, view *nd.Array, b nd.Box, buf []byte) (nd.Array, error) {
	b.Shape = slices.Clone(b.Shape)
	box := view.Box(b)
	to := box.Compact(box.DType, buf[:box.NBytes()])
	to.Fill(&box)
	return to, m.fail
}

func (m memory) Announce(*nd.Array) {}

func (m memory) Wrap(err error) error { return err }

// file is a destination in memory.
type file []byte

func (f file) WriteAt(b []byte, at int64) (int, error) { return copy(f[at:], b), nil }

// counted returns an array of int16 from 0 up, with its axes permuted.
func counted(t *testing.T, r *rand.Rand) nd.Array {
	t.Helper()
	shape := make([]int, 1+r.IntN(4))
	for i := range shape {
		shape[i] = 1 + r.IntN(7)
	}
	var data []byte
	for i := range nd.Size(shape) {
		data = binary.LittleEndian.AppendUint16(data, uint16(i))
	}
	a := nd.New(dtype.Int16, shape, r.IntN(2) == 0, data)
	a, err := a.Transpose(r.Perm(len(shape)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// In any amount of memory, a job writes the elements of the whole array, converted and in the order of the destination.
func TestRun(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 1000 {
		a := counted(t, r)
		x := &Job{Source: memory{}, View: a, Memory: int64(r.IntN(300)), BlockMax: 1 << 10}
		x.Header = format.Header{DType: dtype.Int16, Shape: a.Shape, FortranOrder: r.IntN(2) == 0}
		want := a
		if r.IntN(2) == 0 {
			x.Header.DType = dtype.Int64
			var err error
			if x.Convert, err = cast.For(dtype.Int16, dtype.Int64, cast.Safe); err != nil {
				t.Fatal(err)
			}
			wide := make([]byte, 8*a.Size())
			if err := x.Convert(wide, a.Gather(false), a.Size()); err != nil {
				t.Fatal(err)
			}
			want = nd.New(dtype.Int64, a.Shape, false, wide)
		}
		x.Offset = int64(r.IntN(9))
		out := make(file, x.Offset+x.Header.NBytes())
		x.At = out
		done := 0
		if err := x.Run(context.Background(), func(n int) { done += n }); err != nil || done != want.NBytes() {
			t.Fatalf("%d of %d bytes, %v", done, want.NBytes(), err)
		}
		if !bytes.Equal(out[x.Offset:], want.Gather(x.Header.FortranOrder)) {
			t.Fatalf("shape %v strides %v to Fortran order %v in memory %d: other bytes", a.Shape, a.Strides, x.Header.FortranOrder, x.Memory)
		}
		var stream bytes.Buffer
		x.Sequence, x.W = true, &stream
		if err := x.Run(context.Background(), func(int) {}); err != nil || !bytes.Equal(stream.Bytes(), want.Gather(x.Header.FortranOrder)) {
			t.Fatalf("shape %v strides %v in sequence: other bytes, %v", a.Shape, a.Strides, err)
		}
	}
}

// Picks that continue each other are joined, and take the fields in the order of the destination.
func TestPicks(t *testing.T) {
	from, err := dtype.Parse("[('a','u1'),('b','u1'),('c','u1')]")
	if err != nil {
		t.Fatal(err)
	}
	to, err := dtype.Parse("[('c','u1'),('a','u1'),('b','u1')]")
	if err != nil {
		t.Fatal(err)
	}
	picks := AppendPick(AppendPick(AppendPick(nil, Pick{2, 0, 1}), Pick{0, 1, 1}), Pick{1, 2, 1})
	if want := []Pick{{2, 0, 1}, {0, 1, 2}}; !slices.Equal(picks, want) {
		t.Fatalf("picks %v, want %v", picks, want)
	}
	x := &Job{Source: memory{}, View: nd.New(from, []int{3}, false, []byte("abcdefghi")), Memory: 1 << 10, BlockMax: 1 << 10, Picks: picks}
	x.Header = format.Header{DType: to, Shape: []int{3}}
	out := make(file, 9)
	x.At = out
	if err := x.Run(context.Background(), func(int) {}); err != nil || string(out) != "cabfdeigh" {
		t.Errorf("picked %q, %v", out, err)
	}
}

// An error of the source, and the end of the context, end a job.
func TestEnds(t *testing.T) {
	x := &Job{Source: memory{}, View: nd.New(dtype.Uint8, []int{100}, false, make([]byte, 100)), Memory: 20, BlockMax: 10, Sequence: true}
	x.Header = x.View.Header()
	ctx, cancel := context.WithCancel(context.Background())
	blocks := 0
	err := x.Each(ctx, func(nd.Box, []byte) error {
		if blocks++; blocks == 3 {
			cancel()
		}
		return nil
	})
	if blocks != 3 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d blocks after cancel at 3: %v", blocks, err)
	}
	broken := errors.New("broken")
	x.Source = memory{broken}
	if err := x.Run(context.Background(), func(int) {}); err != broken {
		t.Errorf("error %v, want that of the source", err)
	}
}
