package chunkfilter_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/npygo/npy/internal/chunkfilter"
)

// decodeAnything decodes bytes that may be no chunk. Whatever src is, the memory outside of dst is unchanged, the
// result is within the bound, and a second run gives the same.
func decodeAnything(t *testing.T, filters []chunkfilter.Filter, size int, src []byte, mask uint32) {
	t.Helper()
	p, err := chunkfilter.New(filters, size)
	if err != nil {
		return
	}
	results := [2][]byte{}
	var errs [2]error
	for i := range results {
		buf := bytes.Repeat([]byte{0xa5}, size+64)
		errs[i] = p.Decode(buf[:size:size], src, mask)
		if bytes.Count(buf[size:], []byte{0xa5}) != 64 {
			t.Fatal("it wrote after the end of the chunk")
		}
		results[i] = buf[:size]
	}
	if (errs[0] == nil) != (errs[1] == nil) {
		t.Fatalf("error %v, then error %v", errs[0], errs[1])
	}
	if errs[0] == nil {
		if !bytes.Equal(results[0], results[1]) {
			t.Fatal("other bytes the second time")
		}
		if n := p.Bound(len(src), mask); n < size {
			t.Fatalf("%d bytes decode to %d, and the bound is %d", len(src), size, n)
		}
	}
}

func fuzzFilter(f *testing.F, ids ...uint16) {
	for _, v := range readVectors(f) {
		for _, filter := range v.Filters {
			for _, id := range ids {
				if filter.ID != id {
					continue
				}
				v.pipeline(f)
				last := len(v.Filters) - 1
				var values [5]uint32
				copy(values[:], v.Filters[last].Values)
				f.Add(v.Stored, len(v.Data), byte(0), values[2], values[3], values[4])
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, size int, order byte, a, b, c uint32) {
		if size < 0 || size > 1<<20 {
			return
		}
		for _, id := range ids {
			one := chunkfilter.Filter{ID: id, Values: []uint32{a % 10, b, a, b, c}}
			shuffle := chunkfilter.Filter{ID: chunkfilter.Shuffle, Values: []uint32{a}}
			sum := chunkfilter.Filter{ID: chunkfilter.Fletcher32}
			list := [][]chunkfilter.Filter{{one}, {shuffle, one}, {sum, one}, {one, one}, {one, shuffle, sum}}[order%5]
			decodeAnything(t, list, size, src, uint32(order>>4))
		}
	})
}

func FuzzDeflate(f *testing.F)    { fuzzFilter(f, chunkfilter.Deflate) }
func FuzzChecksum(f *testing.F)   { fuzzFilter(f, chunkfilter.Shuffle, chunkfilter.Fletcher32) }
func FuzzLZF(f *testing.F)        { fuzzFilter(f, chunkfilter.LZF) }
func FuzzBlosc(f *testing.F)      { fuzzFilter(f, chunkfilter.Blosc) }
func FuzzLZ4(f *testing.F)        { fuzzFilter(f, chunkfilter.LZ4) }
func FuzzBitshuffle(f *testing.F) { fuzzFilter(f, chunkfilter.Bitshuffle) }
func FuzzZstd(f *testing.F)       { fuzzFilter(f, chunkfilter.Zstd) }
func FuzzBZip2(f *testing.F)      { fuzzFilter(f, chunkfilter.BZip2) }

// FuzzBits has all parameters of the filters that work on bits.
func FuzzBits(f *testing.F) {
	ids := []uint16{chunkfilter.Szip, chunkfilter.Nbit, chunkfilter.ScaleOffset}
	for _, v := range readVectors(f) {
		for i, id := range ids {
			if v.Filters[0].ID != id {
				continue
			}
			var values []byte
			for _, x := range v.Filters[0].Values {
				values = binary.LittleEndian.AppendUint32(values, x)
			}
			f.Add(v.Stored, len(v.Data), byte(i), values)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, size int, which byte, values []byte) {
		if size < 0 || size > 1<<20 {
			return
		}
		filter := chunkfilter.Filter{ID: ids[which%3]}
		for ; len(values) >= 4; values = values[4:] {
			filter.Values = append(filter.Values, binary.LittleEndian.Uint32(values))
		}
		decodeAnything(t, []chunkfilter.Filter{filter}, size, src, 0)
		decodeAnything(t, []chunkfilter.Filter{filter, {ID: chunkfilter.Deflate}}, size, src, 2)
	})
}

// Every byte of every vector changed, and every length, ends in an error or in bytes, in bounds.
func TestMutations(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			step := 1 + len(v.Stored)/300
			for i := 0; i < len(v.Stored); i += step {
				changed := bytes.Clone(v.Stored)
				for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff, changed[i] ^ 4, changed[i] + 1} {
					changed[i] = b
					decodeAnything(t, v.Filters, len(v.Data), changed, v.Mask)
				}
				decodeAnything(t, v.Filters, len(v.Data), v.Stored[:i], v.Mask)
			}
			decodeAnything(t, v.Filters, len(v.Data)-1, v.Stored, v.Mask)
			decodeAnything(t, v.Filters, len(v.Data)+1, v.Stored, v.Mask)
		})
	}
}
