package zipfile_test

import (
	"hash/crc32"
	"testing"

	"github.com/npygo/npy/internal/zipfile"
)

func TestCombineCRC32(t *testing.T) {
	data := make([]byte, 100_000)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	want := crc32.ChecksumIEEE(data)
	for _, cut := range []int{0, 1, 7, 4096, 65_537, len(data) - 1, len(data)} {
		a, b := crc32.ChecksumIEEE(data[:cut]), crc32.ChecksumIEEE(data[cut:])
		if got := zipfile.CombineCRC32(a, b, int64(len(data)-cut)); got != want {
			t.Errorf("cut at %d: CRC is %08x, want %08x", cut, got, want)
		}
	}
}

// Lengths beyond memory: 8 GiB of zeros after one byte, in one step and in eight.
func TestCombineCRC32Long(t *testing.T) {
	zeros := crc32.ChecksumIEEE(make([]byte, 1<<20))
	for n := int64(1 << 20); n < 1<<30; n *= 2 {
		zeros = zipfile.CombineCRC32(zeros, zeros, n)
	}
	start := crc32.ChecksumIEEE([]byte("x"))
	want, all := start, uint32(0)
	for range 8 {
		want = zipfile.CombineCRC32(want, zeros, 1<<30)
		all = zipfile.CombineCRC32(all, zeros, 1<<30)
	}
	if got := zipfile.CombineCRC32(start, all, 8<<30); got != want {
		t.Errorf("CRC is %08x, in steps %08x", got, want)
	}
}
