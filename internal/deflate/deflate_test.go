package deflate_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/inflate"
)

type set struct {
	name string
	data []byte
}

func le[T any](n, size int, v func(i int) uint64) []byte {
	b := make([]byte, 0, n*size)
	for i := range n {
		u := v(i)
		for k := range size {
			b = append(b, byte(u>>(8*k)))
		}
	}
	return b
}

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
		{"float64 normal", le[int](n/8, 8, func(int) uint64 { return math.Float64bits(r.NormFloat64()) })},
		{"float32 smooth", le[int](n/4, 4, func(i int) uint64 {
			walk += r.NormFloat64()
			return uint64(math.Float32bits(float32(math.Sin(float64(i)/1000) + walk*1e-4)))
		})},
		{"float64 rounded", le[int](n/8, 8, func(int) uint64 { return math.Float64bits(math.Round(r.NormFloat64()*1000) / 100) })},
		{"int64 small", le[int](n/8, 8, func(int) uint64 { return uint64(r.Int64N(1000)) })},
		{"int32 labels", le[int](n/4, 4, func(i int) uint64 { return uint64(i%1024/100 + i/1024/64*10) })},
		{"bool random", bools},
		{"bool blobs", blobs},
		{"uint8 image", image},
	}
}

func TestSizes(t *testing.T) {
	for _, s := range sets(8 << 20) {
		var out []byte
		c := deflate.NewCompressor(deflate.Auto)
		for i := 0; i < len(s.data); i += deflate.PieceSize {
			end := min(i+deflate.PieceSize, len(s.data))
			out = c.Append(out, s.data[i:end], end == len(s.data))
		}
		dst := make([]byte, len(s.data))
		var d inflate.Decoder
		if n, err := d.Inflate(dst, out); err != nil || n != len(out) || !bytes.Equal(dst, s.data) {
			t.Fatal(s.name, n, len(out), err)
		}
		z := zlib(t, s.data)
		t.Logf("%-16s ours %8d zlib %8d %+.2f%% of zlib, %+.2f%% of raw", s.name, len(out), z, 100*float64(len(out)-z)/float64(z), 100*float64(len(out)-z)/float64(len(s.data)))
	}
}

func zlib(t testing.TB, data []byte) int {
	cmd := exec.Command("/usr/bin/python3", "-c", "import sys,zlib;c=zlib.compressobj(6,zlib.DEFLATED,-15);d=sys.stdin.buffer.read();print(len(c.compress(d)+c.flush()))")
	cmd.Stdin = bytes.NewReader(data)
	o, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(o)))
	return n
}
