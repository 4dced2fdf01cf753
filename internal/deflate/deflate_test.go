package deflate_test

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/inflate"
	"github.com/npygo/npy/internal/oracle"
)

// A set is test data typical of arrays.
type set struct {
	name string
	data []byte
}

// numbers returns n numbers of size bytes, little-endian.
func numbers(n, size int, v func(i int) uint64) []byte {
	b := make([]byte, 0, n*size)
	for i := range n {
		u := v(i)
		for k := range size {
			b = append(b, byte(u>>(8*k)))
		}
	}
	return b
}

// sets returns the sets, of n bytes each.
func sets(n int) []set {
	r := rand.New(rand.NewPCG(1, 2))
	walk := 0.0
	blobs := make([]byte, n)
	for i := 0; i < n; {
		run := 200 + r.IntN(3000)
		for k := 0; k < run && i < n; k++ {
			blobs[i] = byte(run & 1)
			i++
		}
	}
	bools := make([]byte, n)
	image := make([]byte, n)
	for i := range bools {
		if r.IntN(50) == 0 {
			bools[i] = 1
		}
		image[i] = byte(128 + 60*math.Sin(float64(i%1024)/50) + 40*math.Sin(float64(i/1024)/70) + 6*r.NormFloat64())
	}
	return []set{
		{"float64 normal", numbers(n/8, 8, func(int) uint64 { return math.Float64bits(r.NormFloat64()) })},
		{"float32 smooth", numbers(n/4, 4, func(i int) uint64 {
			walk += r.NormFloat64()
			return uint64(math.Float32bits(float32(math.Sin(float64(i)/1000) + walk*1e-4)))
		})},
		{"float64 rounded", numbers(n/8, 8, func(int) uint64 { return math.Float64bits(math.Round(r.NormFloat64()*1000) / 100) })},
		{"int64 small", numbers(n/8, 8, func(int) uint64 { return uint64(r.Int64N(1000)) })},
		{"int32 labels", numbers(n/4, 4, func(i int) uint64 { return uint64(i%1024/100 + i/1024/64*10) })},
		{"bool random", bools},
		{"bool blobs", blobs},
		{"uint8 image", image},
	}
}

// compress returns data as a stream of pieces, after a check that it decodes.
func compress(t *testing.T, level int, data []byte) []byte {
	t.Helper()
	var out []byte
	c := deflate.NewCompressor(level)
	for i := 0; ; i += deflate.PieceSize {
		end := min(i+deflate.PieceSize, len(data))
		out = c.Append(out, data[i:end], end == len(data))
		if end == len(data) {
			break
		}
	}
	dst := make([]byte, len(data))
	var d inflate.Decoder
	if n, err := d.Inflate(dst, out); err != nil || n != len(out) || !bytes.Equal(dst, data) {
		t.Fatalf("%d bytes at level %d: decoded %d of %d, error %v", len(data), level, n, len(out), err)
	}
	return out
}

// checkSizes compares the sizes of Auto with the sizes of another compressor: in total at most 3 % larger, and for each
// set at most 10 % or 1.5 % of the raw size.
func checkSizes(t *testing.T, sets []set, other string, sizes []int) {
	t.Helper()
	ours, theirs := 0, 0
	for i, s := range sets {
		n, m := len(compress(t, deflate.Auto, s.data)), sizes[i]
		ours, theirs = ours+n, theirs+m
		line := fmt.Sprintf("%-16s %9d bytes, %s %9d: %+.2f%%, of raw %+.2f%%", s.name, n, other, m,
			100*float64(n-m)/float64(m), 100*float64(n-m)/float64(len(s.data)))
		t.Log(line)
		if n-m > max(m/10, len(s.data)*15/1000) {
			t.Error(line)
		}
	}
	if float64(ours) > 1.03*float64(theirs) {
		t.Errorf("all sets: %d bytes, %s %d", ours, other, theirs)
	}
}

// The compressor of the standard library is similar to zlib, and always available.
func TestSizes(t *testing.T) {
	all := sets(1 << 20)
	sizes := make([]int, len(all))
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, 6)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		buf.Reset()
		w.Reset(&buf)
		_, _ = w.Write(s.data) // writing to memory cannot fail
		_ = w.Close()
		sizes[i] = buf.Len()
	}
	checkSizes(t, all, "compress/flate", sizes)
}

func TestSizesBesideZlib(t *testing.T) {
	all := sets(8 << 20)
	var in []byte
	for _, s := range all {
		in = append(in, s.data...)
	}
	const script = `
import sys, json, zlib
d, n, sizes = sys.stdin.buffer.read(), int(sys.argv[1]), []
for i in range(0, len(d), n):
    c = zlib.compressobj(6, zlib.DEFLATED, -15)
    sizes.append(len(c.compress(d[i:i+n]) + c.flush()))
print(json.dumps(sizes))
`
	var sizes []int
	if err := json.Unmarshal(oracle.Python(t, script, in, strconv.Itoa(8<<20)), &sizes); err != nil {
		t.Fatal(err)
	}
	checkSizes(t, all, "zlib", sizes)
}

// A repeated row looks like noise to a search window of one row or less.
func TestRepeatedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1000, 10_000, 30_000} {
		row := make([]byte, n)
		for i := range row {
			row[i] = byte(r.Uint32())
		}
		data := bytes.Repeat(row, 2<<20/n)
		if out := compress(t, deflate.Auto, data); len(out) > 3*n+len(data)/50 {
			t.Errorf("rows of %d bytes: %d of %d bytes are left", n, len(out), len(data))
		}
	}
}

// Data that was compressed earlier makes no difference, and pieces of any size form a stream.
func TestPieces(t *testing.T) {
	noise := sets(1 << 16)[0].data
	for _, level := range []int{deflate.Auto, 1, 2, 3, 4, 5, 6, 7, 8, 9} {
		used := deflate.NewCompressor(level)
		used.Append(nil, noise, false)
		for _, data := range [][]byte{nil, {1}, noise[:100], bytes.Repeat(noise[:77], 5000)} {
			want := deflate.NewCompressor(level).Append([]byte("x"), data, true)
			if got := used.Append([]byte("x"), data, true); !bytes.Equal(got, want) {
				t.Errorf("level %d, %d bytes: a compressor that was used gives others", level, len(data))
			}
			stream := used.Append(nil, data, false)
			first := len(stream)
			stream = used.Append(used.Append(stream, noise, false), nil, true)
			for _, c := range []struct{ in, want []byte }{{stream, append(bytes.Clone(data), noise...)}, {stream[first:], noise}} {
				dst := make([]byte, len(c.want))
				var d inflate.Decoder
				if n, err := d.Inflate(dst, c.in); err != nil || n != len(c.in) || !bytes.Equal(dst, c.want) {
					t.Errorf("level %d, %d bytes: decoded %d of %d, error %v", level, len(data), n, len(c.in), err)
				}
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, s := range sets(deflate.PieceSize) {
		b.Run(s.name, func(b *testing.B) {
			c := deflate.NewCompressor(deflate.Auto)
			var out []byte
			b.SetBytes(int64(len(s.data)))
			for b.Loop() {
				out = c.Append(out[:0], s.data, true)
			}
		})
	}
}
