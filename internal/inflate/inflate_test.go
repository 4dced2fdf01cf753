package inflate_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	stdflate "compress/flate"

	"github.com/klauspost/compress/flate"

	"github.com/npygo/npy/internal/inflate"
)

// dataSets returns bytes typical of arrays.
func dataSets(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	sets := map[string][]byte{}
	f64 := func(v func(i int) float64) []byte {
		b := make([]byte, 0, n)
		for i := 0; len(b) < n; i++ {
			u := math.Float64bits(v(i))
			for k := range 8 {
				b = append(b, byte(u>>(8*k)))
			}
		}
		return b
	}
	f32 := func(v func(i int) float32) []byte {
		b := make([]byte, 0, n)
		for i := 0; len(b) < n; i++ {
			u := math.Float32bits(v(i))
			for k := range 4 {
				b = append(b, byte(u>>(8*k)))
			}
		}
		return b
	}
	i64 := func(v func(i int) int64) []byte {
		b := make([]byte, 0, n)
		for i := 0; len(b) < n; i++ {
			u := uint64(v(i))
			for k := range 8 {
				b = append(b, byte(u>>(8*k)))
			}
		}
		return b
	}
	sets["normal"] = f64(func(int) float64 { return r.NormFloat64() })
	sets["rounded"] = f64(func(int) float64 { return math.Round(r.NormFloat64()*100) / 100 })
	sets["smooth"] = f32(func(i int) float32 { return float32(math.Sin(float64(i)/1000) + 0.01*r.NormFloat64()) })
	sets["small"] = i64(func(int) int64 { return r.Int64N(1000) })
	sets["labels"] = i64(func(i int) int64 { return int64(i/777) % 50 })
	sets["mask"] = make([]byte, n)
	for i := range sets["mask"] {
		if r.IntN(50) == 0 {
			sets["mask"][i] = 1
		}
	}
	sets["zeros"] = make([]byte, n)
	return sets
}

func deflate(t testing.TB, data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := stdflate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func TestInflate(t *testing.T) {
	for name, data := range dataSets(1 << 20) {
		for _, level := range []int{-2, 0, 1, 6, 9} {
			for _, n := range []int{0, 1, 7, 300, 70000, len(data)} {
				src := deflate(t, data[:n], level)
				dst := make([]byte, n)
				var d inflate.Decoder
				used, err := d.Inflate(dst, append(src[:len(src):len(src)], "junk"...))
				if err != nil || used != len(src) || !bytes.Equal(dst, data[:n]) {
					t.Fatalf("%s, level %d, %d bytes: %d of %d, %v", name, level, n, used, len(src), err)
				}
			}
		}
	}
}

// From every visited point the rest decodes, whole or in part, given the preceding window.
func TestParts(t *testing.T) {
	for name, data := range dataSets(300_000) {
		src := deflate(t, data, 6)
		var d inflate.Decoder
		var points []inflate.Point
		dst := make([]byte, len(data))
		if _, err := d.Points(dst, src, 20_000, func(p inflate.Point) { points = append(points, p) }); err != nil {
			t.Fatal(err)
		}
		if points[0] != (inflate.Point{}) {
			t.Errorf("%s: the first point is %v", name, points[0])
		}
		for _, p := range points {
			history := min(int(p.Out), 32<<10)
			for _, n := range []int{0, 1, 100, 50_000, len(data) - int(p.Out)} {
				n = min(n, len(data)-int(p.Out))
				part := append(make([]byte, 0, history+n), data[int(p.Out)-history:p.Out]...)[:history+n]
				if err := d.Part(part, src[p.In/8:], history, int(p.In%8)); err != nil {
					t.Fatalf("%s from %v, %d bytes: %v", name, p, n, err)
				}
				if !bytes.Equal(part[history:], data[p.Out:int(p.Out)+n]) {
					t.Fatalf("%s from %v, %d bytes: other bytes", name, p, n)
				}
			}
			if err := d.Part(make([]byte, len(data)+1), src[p.In/8:], 0, int(p.In%8)); err == nil {
				t.Errorf("%s from %v: no error where the stream ends early", name, p)
			}
		}
	}
}

func BenchmarkInflate(b *testing.B) {
	for name, data := range dataSets(16 << 20) {
		src := deflate(b, data, 6)
		dst := make([]byte, len(data))
		b.Run(name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var d inflate.Decoder
			for b.Loop() {
				if _, err := d.Inflate(dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/klauspost", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			r := flate.NewReader(nil)
			for b.Loop() {
				r.(flate.Resetter).Reset(bytes.NewReader(src), nil)
				if _, err := io.ReadFull(r, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Pieces decode by themselves, if and only if they end at the expected byte and do not refer to earlier output.
func TestPiece(t *testing.T) {
	data := dataSets(100_000)["small"]
	var b bytes.Buffer
	w, err := stdflate.NewWriter(&b, 6)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data[:60_000])
	w.Flush()
	cut := b.Len()
	w.Write(data[60_000:])
	w.Close()
	src := b.Bytes()
	var d inflate.Decoder
	dst := make([]byte, len(data))
	if err := d.Piece(dst[:60_000], src[:cut], false); err != nil || !bytes.Equal(dst[:60_000], data[:60_000]) {
		t.Errorf("the first piece: %v", err)
	}
	if err := d.Piece(dst, src, true); err != nil || !bytes.Equal(dst, data) {
		t.Errorf("both as one: %v", err)
	}
	for name, err := range map[string]error{
		"it refers to the first":    d.Piece(dst[60_000:], src[cut:], true),
		"not said to be the last":   d.Piece(dst, src, false),
		"said to be the last":       d.Piece(dst[:60_000], src[:cut], true),
		"more room":                 d.Piece(dst[:60_001], src[:cut], false),
		"less room":                 d.Piece(dst[:59_999], src[:cut], false),
		"bytes behind it":           d.Piece(dst, append(src[:len(src):len(src)], 0), true),
		"a byte less":               d.Piece(dst[:60_000], src[:cut-1], false),
		"nothing where the last is": d.Piece(nil, nil, true),
	} {
		if err == nil {
			t.Errorf("no error: %s", name)
		}
	}
}
