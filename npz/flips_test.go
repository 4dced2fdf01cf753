package npz_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/flips"
	"github.com/npygo/npy/npz"
)

// The checksum of a member, its header and the directory say the same, so no changed bit goes unnoticed, whatever the method.
func TestFlips(t *testing.T) {
	a, err := npy.FromSlice(make([]float64, 60), 6, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Size() {
		a.Item(i/10, i%10)[6] = byte(i)
	}
	empty, err := npy.FromSlice([]int32{}, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for name, e := range map[string]npz.Encoder{"store": {Store: true}, "deflate": {}, "zstd": {Zstd: true}} {
		var b bytes.Buffer
		w, err := e.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		for member, a := range map[string]*npy.Array{"a": a, "f": a.T(), "empty": empty} {
			if err := w.Add(member, a); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	files["deflate in pieces"] = archive(inPieces("a.npy", file[int32](t, 300), 9), inPieces("b.npy", file[float64](t, 5), 6))
	if files["bzip2"], err = os.ReadFile("testdata/flips/bzip2.npz"); err != nil {
		t.Fatal(err)
	}
	var all []flips.Format
	for name, data := range files {
		all = append(all, flips.Format{Name: "npz, " + name, File: data, Read: flips.Contents(container.NPZ(npz.Decoder{}, npz.Encoder{}))})
	}
	flips.Test(t, all...)
}
