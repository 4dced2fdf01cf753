package chunkfilter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/oracle"
)

// A vector is a chunk that libhdf5 has encoded.
type vector struct {
	Name    string
	Filters []chunkfilter.Filter
	Mask    uint32
	Stored  []byte
	Data    []byte
}

func (v vector) pipeline(t testing.TB) *chunkfilter.Pipeline {
	t.Helper()
	p, err := chunkfilter.New(v.Filters, len(v.Data))
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return p
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/chunks.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) < 40 {
		t.Fatal(len(vectors), "vectors, error", err)
	}
	return vectors
}

func (v vector) check(t *testing.T) {
	t.Helper()
	p := v.pipeline(t)
	dst := bytes.Repeat([]byte{0xa5}, len(v.Data)+64)
	if err := p.Decode(dst[:len(v.Data):len(v.Data)], v.Stored, v.Mask); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if !bytes.Equal(dst[:len(v.Data)], v.Data) {
		t.Fatalf("%s: other bytes", v.Name)
	}
	if bytes.Count(dst[len(v.Data):], []byte{0xa5}) != 64 {
		t.Fatalf("%s: it wrote after the end of the chunk", v.Name)
	}
	if got := p.Bound(len(v.Stored), v.Mask); got != len(v.Data) {
		t.Fatalf("%s: %d bytes can decode to %d at most, and are %d", v.Name, len(v.Stored), got, len(v.Data))
	}
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, v.check)
	}
}

// A Pipeline is for several goroutines.
func TestConcurrent(t *testing.T) {
	for _, v := range readVectors(t) {
		p := v.pipeline(t)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				dst := make([]byte, len(v.Data))
				for range 5 {
					if err := p.Decode(dst, v.Stored, v.Mask); err != nil || !bytes.Equal(dst, v.Data) {
						t.Errorf("%s: error %v, or other bytes", v.Name, err)
					}
				}
			})
		}
		wait.Wait()
	}
}

// Random chunks decode as in libhdf5.
func TestLive(t *testing.T) {
	script, err := os.ReadFile("testdata/gen.py")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	out := oracle.Module(t, "h5py, tables", string(script), fmt.Sprint(oracle.Seed(t)), fmt.Sprint(oracle.Cases(t, 60)))
	if err := json.Unmarshal(out, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		v.check(t)
	}
}

// encodable are pipelines of filters that encode, for elements of eight bytes.
var encodable = [][]chunkfilter.Filter{
	{},
	{{ID: chunkfilter.Deflate, Values: []uint32{4}}},
	{{ID: chunkfilter.Deflate, Values: []uint32{0}}},
	{{ID: chunkfilter.Deflate}},
	{{ID: chunkfilter.Shuffle, Values: []uint32{8}}, {ID: chunkfilter.Deflate, Values: []uint32{9}}},
	{{ID: chunkfilter.Shuffle, Values: []uint32{8}}, {ID: chunkfilter.Deflate, Values: []uint32{1}}, {ID: chunkfilter.Fletcher32}},
	{{ID: chunkfilter.Fletcher32}, {ID: chunkfilter.Shuffle, Values: []uint32{8}}, {ID: chunkfilter.Zstd, Values: []uint32{3}}},
	{{ID: chunkfilter.Shuffle, Values: []uint32{8}}, {ID: chunkfilter.Zstd}},
	{{ID: chunkfilter.Zstd}, {ID: chunkfilter.Deflate}, {ID: chunkfilter.Fletcher32}},
}

func samples() [][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 3003)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	steps := make([]byte, 100_000)
	for i := range steps {
		steps[i] = byte(i / 8 >> (i % 8 * 4))
	}
	return [][]byte{{}, {7}, noise, steps, make([]byte, 300_000)}
}

func TestEncode(t *testing.T) {
	for _, filters := range encodable {
		for _, data := range samples() {
			p, err := chunkfilter.New(filters, len(data))
			if err != nil {
				t.Fatal(err)
			}
			prefix := []byte("prefix")
			stored, err := p.Encode(prefix, data)
			if err != nil || !bytes.HasPrefix(stored, prefix) {
				t.Fatalf("%v, %d bytes: error %v, or no prefix", filters, len(data), err)
			}
			got := make([]byte, len(data))
			if err := p.Decode(got, stored[len(prefix):], 0); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%v, %d bytes: error %v, or other bytes", filters, len(data), err)
			}
		}
	}
}

func TestNotEncoded(t *testing.T) {
	p, err := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Blosc}}, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Encode(nil, make([]byte, 8)); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "blosc") {
		t.Fatalf("error %v", err)
	}
}

// A filter that is not decoded is named.
func TestRefused(t *testing.T) {
	for id, want := range map[uint16]string{
		305:   `filter 305 ("lzo")`,
		32013: `filter 32013 ("zfp")`, 32026: `filter 32026 ("blosc2")`, 33000: `filter 33000 ("mine")`,
	} {
		_, err := chunkfilter.New([]chunkfilter.Filter{{ID: id, Name: "mine"}}, 8)
		if !errors.Is(err, errors.ErrUnsupported) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("filter %d: error %v, want %s", id, err, want)
		}
	}
	if _, err := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Bitshuffle, Values: []uint32{0, 2, 4, 0, 9}}}, 8); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "codec 9") {
		t.Errorf("another codec of bitshuffle: error %v", err)
	}
	if _, err := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.ScaleOffset, Values: []uint32{1, 2, 8, 1, 4, 0, 0, 0}}}, 8); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "E-scale") {
		t.Errorf("another method of scaleoffset: error %v", err)
	}
	if _, err := chunkfilter.New(make([]chunkfilter.Filter, 33), 8); err == nil {
		t.Error("33 filters: no error")
	}
}

// nested are nbit's parameters of arrays in arrays.
func nested(depth int) (values []uint32) {
	for range depth {
		values = append(values, 2, 4)
	}
	return append(values, 4, 4)
}

// The examples of the format's description: an array, and records of a number, text and an array.
func TestNbitTypes(t *testing.T) {
	// Three records, {i16 of 10 bits, S3, 2 of i32 of 12 bits at byte 8}, whose bits are 1, "abc", 5 and -1, and so on.
	values := []uint32{23, 0, 2, 3, 16, 3, 0, 1, 2, 0, 10, 0, 2, 4, 3, 8, 2, 8, 1, 4, 0, 12, 0}
	var stored, want []byte
	bits, n := uint64(0), 0
	put := func(v uint64, k int) {
		for k--; k >= 0; k-- {
			bits, n = bits<<1|v>>k&1, n+1
			if n == 8 {
				stored, bits, n = append(stored, byte(bits)), 0, 0
			}
		}
	}
	for _, r := range [][3]uint64{{1, 5, 4095}, {1023, 2048, 7}} {
		put(r[0], 10)
		for _, c := range "abc" {
			put(uint64(c), 8)
		}
		put(r[1], 12)
		put(r[2], 12)
		want = append(want, byte(r[0]), byte(r[0]>>8), 'a', 'b', 'c', 0, 0, 0, byte(r[1]), byte(r[1]>>8), 0, 0, byte(r[2]), byte(r[2]>>8), 0, 0)
	}
	put(0, 8)
	p, err := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Nbit, Values: values}}, len(want))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(want))
	if err := p.Decode(got, stored, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x, want %x, error %v", got, want, err)
	}
}

// A filter with invalid parameters decodes nothing, but a chunk may lack it.
func TestFaulty(t *testing.T) {
	for _, f := range []chunkfilter.Filter{
		{ID: chunkfilter.Shuffle}, {ID: chunkfilter.Shuffle, Values: []uint32{0}},
		{ID: chunkfilter.ScaleOffset}, {ID: chunkfilter.ScaleOffset, Values: []uint32{2, 0, 8, 0, 3, 0, 0, 0}}, {ID: chunkfilter.ScaleOffset, Values: []uint32{0, 1, 8, 0, 4, 0, 0, 0}},
		{ID: chunkfilter.ScaleOffset, Values: []uint32{2, 0, 8, 0, 1, 0, 0, 1}}, {ID: chunkfilter.ScaleOffset, Values: []uint32{2, 0, 1<<32 - 1, 0, 1, 0, 0, 0}},
		{ID: chunkfilter.Nbit}, {ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 1, 1, 0, 9, 0}}, {ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 1, 1, 0, 0, 0}},
		{ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 5, 1, 0, 1, 0}}, {ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 2, 3, 4, 2}}, {ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 3, 3, 1, 2, 4, 2}},
		{ID: chunkfilter.Nbit, Values: append([]uint32{9, 0, 1}, nested(40)...)}, {ID: chunkfilter.Nbit, Values: []uint32{8, 0, 8, 3, 1 << 27, 1 << 27, 0, 4, 1}},
		{ID: chunkfilter.Szip}, {ID: chunkfilter.Szip, Values: []uint32{4, 3, 8, 8}}, {ID: chunkfilter.Szip, Values: []uint32{4, 34, 8, 8}}, {ID: chunkfilter.Szip, Values: []uint32{4, 2, 48, 8}},
		{ID: chunkfilter.Szip, Values: []uint32{4, 2, 8, 257}}, {ID: chunkfilter.Szip, Values: []uint32{4, 2, 0, 8}}, {ID: chunkfilter.Szip, Values: []uint32{4, 2, 8, 0}},
		{ID: chunkfilter.Bitshuffle}, {ID: chunkfilter.Bitshuffle, Values: []uint32{0, 2, 0}}, {ID: chunkfilter.Bitshuffle, Values: []uint32{0, 2, 4, 7}},
	} {
		p, err := chunkfilter.New([]chunkfilter.Filter{f}, 8)
		if err != nil {
			t.Errorf("%v: %v", f, err)
			continue
		}
		if err := p.Decode(make([]byte, 8), make([]byte, 8), 0); !errors.Is(err, chunkfilter.ErrCorrupt) || !strings.Contains(err.Error(), f.Label()) {
			t.Errorf("%v: error %v", f, err)
		}
		if err := p.Decode(make([]byte, 8), make([]byte, 8), 1); err != nil {
			t.Errorf("%v: a chunk without it: %v", f, err)
		}
	}
}

// Both byte orders of the halves of a Fletcher-32 checksum are in files; others are errors.
func TestFletcherOrders(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7}
	p, _ := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Fletcher32}}, len(data))
	stored, err := p.Encode(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	got, n := make([]byte, len(data)), len(data)
	stored[n], stored[n+1], stored[n+2], stored[n+3] = stored[n+1], stored[n], stored[n+3], stored[n+2]
	if err := p.Decode(got, stored, 0); err != nil || !bytes.Equal(got, data) {
		t.Errorf("reversed halves: error %v", err)
	}
	stored[2] ^= 1
	if err := p.Decode(got, stored, 0); !errors.Is(err, chunkfilter.ErrCorrupt) || !strings.Contains(err.Error(), "fletcher32") {
		t.Errorf("changed data: error %v", err)
	}
}

// fletcherPlain is H5_checksum_fletcher32 of libhdf5, word by word.
func fletcherPlain(b []byte) uint32 {
	var one, two uint32
	words := len(b) / 2
	for words > 0 {
		n := min(words, 360)
		words -= n
		for ; n > 0; n-- {
			one += uint32(b[0])<<8 | uint32(b[1])
			two += one
			b = b[2:]
		}
		one, two = one&0xffff+one>>16, two&0xffff+two>>16
	}
	if len(b) == 1 {
		one += uint32(b[0]) << 8
		two += one
		one, two = one&0xffff+one>>16, two&0xffff+two>>16
	}
	one, two = one&0xffff+one>>16, two&0xffff+two>>16
	return two<<16 | one
}

func TestFletcherPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		data := make([]byte, r.IntN(5000))
		if r.IntN(50) == 0 {
			data = make([]byte, 200_000+r.IntN(9))
		}
		for fill := r.IntN(3); fill > 0 && len(data) > 0; {
			for i := range data {
				data[i] = [3]byte{0, 0xff, byte(r.Uint32())}[fill]
			}
			break
		}
		p, _ := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Fletcher32}}, len(data))
		stored, _ := p.Encode(nil, data)
		sum := fletcherPlain(data)
		want := []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}
		if !bytes.Equal(stored[len(data):], want) {
			t.Fatalf("%d bytes: Fletcher-32 is %x, want %x", len(data), stored[len(data):], want)
		}
	}
}

// A chunk that lacks a filter skips it, and its size must fit.
func TestMask(t *testing.T) {
	data := []byte("12345678")
	p, _ := chunkfilter.New([]chunkfilter.Filter{{ID: chunkfilter.Shuffle, Values: []uint32{2}}, {ID: chunkfilter.Deflate}}, 8)
	got := make([]byte, 8)
	if err := p.Decode(got, data, 3); err != nil || !bytes.Equal(got, data) {
		t.Errorf("no filter: %q, error %v", got, err)
	}
	if err := p.Decode(got, []byte("13572468"), 2); err != nil || !bytes.Equal(got, data) {
		t.Errorf("shuffle only: %q, error %v", got, err)
	}
	for mask := range uint32(4) {
		for _, n := range []int{0, 7, 9} {
			if err := p.Decode(got, make([]byte, n), mask); err == nil {
				t.Errorf("mask %d, %d bytes: no error", mask, n)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte((i/8*i/8 + i) >> (i % 8 * 8))
	}
	for _, filters := range encodable {
		p, _ := chunkfilter.New(filters, len(data))
		stored, err := p.Encode(nil, data)
		if err != nil {
			b.Fatal(err)
		}
		got := make([]byte, len(data))
		b.Run(fmt.Sprint(filters), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := p.Decode(got, stored, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
