package hdf5

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
)

// A seekBuffer is a file in memory.
type seekBuffer struct {
	data []byte
	at   int64
}

func (b *seekBuffer) Write(p []byte) (int, error) {
	if n := int(b.at) + len(p); n > len(b.data) {
		b.data = append(b.data, make([]byte, n-len(b.data))...)
	}
	b.at += int64(copy(b.data[b.at:], p))
	return len(p), nil
}

func (b *seekBuffer) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += int64(len(b.data))
	}
	b.at = offset
	return offset, nil
}

// smooth returns an array of rounded floats in little-endian order, the same on every machine.
func smooth(rows, columns int) *npy.Array {
	a := must(npy.New(must(dtype.Parse("<f4")), rows, columns))
	data := make([]byte, 0, a.NBytes())
	for i := range rows * columns {
		x := uint64(i) * uint64(i) / 1000
		data = append(data, byte(i), byte(x>>8), byte(x>>16), 0x40)
	}
	return must(npy.FromBytes(a.DType(), data, rows, columns))
}

// The bytes of a file are the same on all machines, with any number of workers.
func TestWriteBytes(t *testing.T) {
	for want, e := range map[string]Encoder{
		"stored":         {Store: true},
		"chosen":         {},
		"level 6":        {Level: 6},
		"growing stored": {Store: true, Unlimited: true, UserBlock: bytes.Repeat([]byte("u"), 512)},
	} {
		for _, workers := range []int{1, 3} {
			e.Workers = workers
			var b seekBuffer
			w := must(e.NewWriter(&b))
			a := smooth(900, 700)
			for _, c := range []struct {
				path   string
				chunks []int
				a      *npy.Array
			}{{"a", nil, a}, {"g/b", []int{100, 33}, a}, {"g/c", nil, must(a.Slice(npy.At(3)))}, {"größe", nil, text("a", "ü", "")}} {
				attributes := []container.Attribute{attribute("unit", one("µm")), attribute("n", must(npy.FromBytes(must(dtype.Parse("<i2")), []byte{1, 2})))}
				if err := container.Put(context.Background(), w, container.Entry{Path: c.path, Chunks: c.chunks}, attributes, c.a); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", sha256.Sum256(b.data))[:16]; got != wantBytes[want] {
				t.Errorf("%s, %d workers: %d bytes, SHA-256 %s", want, workers, len(b.data), got)
			}
			r := must(NewReader(bytes.NewReader(b.data), int64(len(b.data))))
			wantEqual(t, "g/b", must(must(r.Source("g/b")).ReadAll(context.Background())), a)
		}
	}
}

// wantBytes are the first digits of the checksums.
var wantBytes = map[string]string{
	"stored": "4e0f6c89cd296976", "chosen": "a6d62015c75e586c", "level 6": "b121fe256f8e1bc3", "growing stored": "2987de58015d23ed",
}

// An array larger than the memory that is used comes in blocks.
func TestWriteLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("256 MiB are written")
	}
	for _, e := range []Encoder{{}, {Store: true}} {
		for _, chunks := range [][]int{nil, {64, 100}} {
			path := filepath.Join(t.TempDir(), "a.h5")
			w := must(e.Create(path))
			const rows, columns = 1 << 15, 1 << 10
			a := must(w.Begin(container.Entry{Path: "a", DType: dtype.Int64, Shape: []int{rows, columns}, Chunks: chunks}, nil))
			block := must(npy.New(dtype.Int64, 256, columns))
			most := uint64(0)
			start := heapBytes()
			for range rows / 256 {
				if err := a.Write(block); err != nil {
					t.Fatal(err)
				}
				most = max(most, heapBytes())
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if limit := uint64(16+8*par.Workers()) << 20; most > start+limit {
				t.Errorf("%+v, chunks %v: %d MiB in use, want at most %d", e, chunks, (most-start)>>20, limit>>20)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// heapBytes returns the memory that is in use.
func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
