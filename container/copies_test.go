package container_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
)

// Arrays that know their equal elements become members with the bytes of all elements, in either order, and are held against the
// limits of their source where the member takes as long as its elements.
func TestPutRuns(t *testing.T) {
	rng := oracle.Rand(t)
	for i, o := range []container.WriteOptions{{}, {Store: true}, {Zstd: true}, {Level: 1}} {
		a, err := npy.New([]dtype.Type{dtype.Float64, dtype.Int16, dtype.Bytes(3)}[i%3], 700, 1000)
		must(t, err)
		data, _ := a.ViewBytes()
		for range rng.IntN(4) {
			at := rng.IntN(len(data))
			copy(data[at:], bytes.Repeat([]byte{1, 2, 3, 4}, 1+rng.IntN(1000)))
		}
		if rng.IntN(2) == 0 {
			a = a.T()
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		put := func(most int64) error {
			return container.NPZ(npz.Decoder{}, npz.Encoder{}).Create(path, o, func(w container.Writer) error {
				return container.Put(context.Background(), w, container.Entry{Path: "x"}, nil, npytest.Regioned(a, most))
			})
		}
		if err := put(1 << 62); err != nil {
			t.Fatal(err)
		}
		z, err := npz.Open(path)
		must(t, err)
		got, err := z.Array("x")
		must(t, err)
		if !bytes.Equal(got.Bytes(), a.Bytes()) || !got.DType().Equal(a.DType()) || got.IsFortran() != a.IsFortran() {
			t.Errorf("%+v: other elements", o)
		}
		z.Close()
		err = put(1 << 20)
		var over *npy.LimitError
		if compressed := !o.Store && !o.Zstd && a.DType().ItemSize() != 3; compressed != (err == nil) || err != nil && !errors.As(err, &over) {
			info, _ := os.Stat(path)
			t.Errorf("%+v, at most 1 MiB: error %v, %v", o, err, info)
		}
	}
}
