package npz_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/zipfile"
	"github.com/npygo/npy/npz"
)

// A bad member returns its error from every function, and the good member beside it still returns its array.
func TestBadMembers(t *testing.T) {
	good := stored("good.npy", file[int32](t, 4))
	bad := func(change func(p *part)) part {
		p := stored("bad.npy", file[int32](t, 8))
		change(&p)
		return p
	}
	zeros := deflated(t, "bad.npy", make([]byte, 1<<20))
	for _, c := range []struct {
		name, why string
		part      part
		want      string
		is        error
	}{
		{name: "encrypted", why: "zipfile raises", part: bad(func(p *part) { p.flags = 1 }), want: "encrypted"},
		{name: "strong encryption", why: "bit 6 alone", part: bad(func(p *part) { p.flags = 1 << 6 }), want: "encrypted"},
		{name: "patch", why: "zipfile raises", part: bad(func(p *part) { p.flags = 1 << 5 }), want: "patch"},
		{name: "unknown method", why: "PPMd", part: bad(func(p *part) { p.method = 98 }), want: "method 98", is: errors.ErrUnsupported},
		{name: "LZMA", why: "not without a decompressor", part: bad(func(p *part) { p.method = npz.LZMA }), want: "Decoder.Methods", is: errors.ErrUnsupported},
		{name: "checksum", why: "a flipped bit", part: bad(func(p *part) { p.crc ^= 1 }), want: "CRC-32"},
		{name: "other name", why: "File name in directory and header differ", part: bad(func(p *part) { p.local = "worse.npy" }), want: `another name, "worse.npy"`},
		{name: "other name of the same length", why: "compared byte by byte", part: bad(func(p *part) { p.local = "bed.npy" }), want: "another name"},
		{name: "header behind the end", why: "an offset of 2 GB", part: bad(func(p *part) { p.at = 1 << 31 }), want: "where the next member begins"},
		{name: "stored in other sizes", why: "one of the two is a lie", part: bad(func(p *part) { p.size++ }), want: "stored without compression, but"},
		{name: "deflate that cannot be", why: "4 GB from 1 KB", part: part{name: "bad.npy", method: npz.Deflate, data: zeros.data, size: math.MaxUint32 - 1}, want: "cannot decode to"},
		{name: "deflate of more", why: "the stream goes on", part: part{name: "bad.npy", method: npz.Deflate, data: zeros.data, size: zeros.size - 1}, want: "longer"},
		{name: "deflate of less", why: "the stream ends early", part: part{name: "bad.npy", method: npz.Deflate, data: zeros.data, size: zeros.size + 1}, want: "shorter than its decoded size"},
		{name: "no deflate", why: "reserved block type", part: part{name: "bad.npy", method: npz.Deflate, data: []byte{7, 7, 7, 7}, size: 30}, want: "corrupt"},
		{name: "zstd bomb by its sizes", why: "4 GB from 4 KB", part: part{name: "bad.npy", method: npz.Zstd, data: make([]byte, 4<<10), size: math.MaxUint32 - 1}, want: "MaxRatio 1032", is: npy.ErrLimit},
		{name: "no zstd", why: "zeros", part: part{name: "bad.npy", method: npz.Zstd, data: make([]byte, 40), size: 40}, want: "magic"},
		{name: "no bzip2", why: "zeros", part: part{name: "bad.npy", method: npz.Bzip2, data: make([]byte, 40), size: 40}, want: "bzip2"},
		{name: "not UTF-8", why: "the flag says it is", part: bad(func(p *part) { p.name, p.flags = "bad\xff.npy", 1<<11 }), want: "not UTF-8"},
		{name: "zip64 without its size", why: "zipfile raises", part: bad(func(p *part) { p.size, p.extra = math.MaxUint32, extraField(1, nil) }), want: "lacks the size"},
		{name: "zip64 with a negative size", why: "64 bits, unsigned", part: bad(func(p *part) {
			p.size, p.extra = math.MaxUint32, extraField(1, bytes.Repeat([]byte{0xff}, 8))
		}), want: "larger than any file"},
		{name: "empty", why: "no array of no bytes", part: stored("bad.npy", nil), want: "not an npy file", is: format.ErrMagic},
		{name: "no array", why: "another file in the archive", part: stored("bad.npy", []byte("hello, world")), want: "not an npy file", is: format.ErrMagic},
		{name: "half a header", why: "the member ends in it", part: stored("bad.npy", file[int32](t, 4)[:60]), want: "header ends", is: io.ErrUnexpectedEOF},
		{name: "half an array", why: "the member ends in it", part: stored("bad.npy", file[int32](t, 400)[:1000]), want: "ends after", is: io.ErrUnexpectedEOF},
	} {
		for order, parts := range [][]part{{c.part, good}, {good, c.part}} {
			data := archive(parts...)
			z := open(t, data)
			_, err := z.Array(strings.TrimSuffix(strings.ReplaceAll(c.part.name, "\xff", "\uFFFD"), ".npy"))
			var e *npz.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s (%s), %d: error is %v, want one with %q", c.name, c.why, order, err, c.want)
			}
			if a, err := z.Array("good"); err != nil || a.Len() != 4 {
				t.Errorf("%s, %d: the good member beside it: %v", c.name, order, err)
			}
		}
	}
}

func TestNoHeader(t *testing.T) {
	data := archive(stored("a.npy", file[int32](t, 3)))
	copy(data, "PK\x03\x05")
	if _, err := open(t, data).Array("a"); err == nil || !strings.Contains(err.Error(), "its local header is missing") {
		t.Errorf("a member without its header: %v", err)
	}
}

// Overlapping members would let an archive of a few kilobytes hold terabytes.
func TestOverlap(t *testing.T) {
	kernel := deflated(t, "b.npy", make([]byte, 1<<20))
	over := stored("a.npy", archive(kernel)[:70]) // contains the header of the next member
	data := archive(over, kernel)
	at := bytes.Index(data, []byte("PK\x01\x02"))
	le.PutUint32(data[at+20:], 200) // reaches into b
	le.PutUint32(data[at+24:], 200)
	z := open(t, data)
	if _, err := z.Bytes("a"); err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("a member that reaches into the next: %v", err)
	}
	if _, err := z.Bytes("b"); err != nil {
		t.Errorf("the member it reaches into: %v", err)
	}
	same := kernel
	same.name, same.local = "c.npy", "c.npy"
	data = archive(kernel, same)
	at = bytes.LastIndex(data, []byte("PK\x01\x02"))
	le.PutUint32(data[at+42:], 0) // both at offset 0
	z = open(t, data)
	failed := 0
	for _, e := range z.Entries() {
		if e.Err != nil {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("of two members in one place %d fail, want 1", failed)
	}
}

// An array is never larger than its member, and memory never exceeds the limits.
func TestLimits(t *testing.T) {
	data := archive(stored("a.npy", file[float64](t, 20_000)), deflated(t, "b.npy", file[float64](t, 20_000)), stored("c", make([]byte, 200_000)))
	d := npz.Decoder{Array: npy.Decoder{MaxBytes: 100_000}}
	z, err := d.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if _, err := z.Array(name); !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "MaxBytes 100000") {
			t.Errorf("Array(%q) over MaxBytes: %v", name, err)
		}
		if _, err := z.Slice(name); !errors.Is(err, npy.ErrLimit) {
			t.Errorf("Slice(%q) over MaxBytes: %v", name, err)
		}
		if a, err := z.Slice(name, npy.SpanTo(10)); err != nil || a.Len() != 10 {
			t.Errorf("Slice(%q) of ten: %v", name, err)
		}
	}
	if _, err := z.Bytes("c"); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("Bytes over MaxBytes: %v", err)
	}
	d = npz.Decoder{MaxMembers: 2}
	if _, err = d.NewReader(bytes.NewReader(data), int64(len(data))); !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "MaxMembers") {
		t.Errorf("3 members with MaxMembers 2: %v", err)
	}
	d = npz.Decoder{MaxMembers: -1, MaxRatio: -1, Array: npy.Decoder{MaxHeader: 10}}
	if z, err = d.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func() error{
		func() error { _, err := z.Array("a"); return err },
		func() error { _, err := z.Info("b"); return err },
	} {
		if err := read(); !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "MaxHeader") {
			t.Errorf("header over MaxHeader: %v", err)
		}
	}
}

// If an archive is truncated or changed anywhere, reading ends with an error or with the right bytes.
func TestDamage(t *testing.T) {
	want := map[string][]byte{"a.npy": file[int32](t, 3), "b.npy": file[float64](t, 2, 2), "c.npy": file[int32](t, 300)}
	data := archive(stored("a.npy", want["a.npy"]), deflated(t, "b.npy", want["b.npy"]), inPieces("c.npy", want["c.npy"], 9))
	for n := range data {
		if _, err := npz.NewReader(bytes.NewReader(data), int64(n)); !errors.Is(err, npz.ErrArchive) {
			t.Fatalf("the first %d of %d bytes: %v, want ErrArchive", n, len(data), err)
		}
	}
	for i := range data {
		for _, bit := range []byte{1, 0x80} {
			damaged := bytes.Clone(data)
			damaged[i] ^= bit
			z, err := npz.NewReader(bytes.NewReader(damaged), int64(len(damaged)))
			if err != nil {
				continue
			}
			for _, e := range z.Entries() {
				got, err := z.Bytes(e.Name)
				if original, ok := want[e.Name]; err == nil && ok && !bytes.Equal(got, original) {
					t.Fatalf("with byte %d changed %s has other bytes and no error", i, e.Name)
				}
				z.Info(e.Name)
				z.Slice(e.Name, npy.At(0))
			}
		}
	}
}

// An archive that shrinks while it is open gives an error.
func TestShrunkArchive(t *testing.T) {
	data := archive(stored("a.npy", file[float64](t, 100_000)))
	z, err := npz.NewReader(shrinking{data}, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Array("a"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error is %v, want io.ErrUnexpectedEOF", err)
	}
}

// shrinking has the end of its data, but no bytes from 5000 up to there.
type shrinking struct{ data []byte }

func (s shrinking) ReadAt(p []byte, offset int64) (int, error) {
	if offset > int64(len(s.data)-70_000) {
		return copy(p, s.data[offset:]), nil
	}
	return bytes.NewReader(s.data[:5000]).ReadAt(p, offset)
}

// The sizes that an archive claims cost no memory.
func TestMemoryFollowsTheArchive(t *testing.T) {
	zip64 := func(size uint64) []byte { return extraField(1, binary.LittleEndian.AppendUint64(nil, size)) }
	bombs := map[string][]byte{
		"stored":  archive(part{name: "a.npy", size: math.MaxUint32, extra: zip64(1 << 40)}),
		"deflate": archive(part{name: "a.npy", method: npz.Deflate, data: make([]byte, 100), size: math.MaxUint32, extra: zip64(1 << 40)}),
		"zstd":    archive(part{name: "a.npy", method: npz.Zstd, data: make([]byte, 16<<10), size: 1 << 30}),
		"bzip2":   archive(part{name: "a.npy", method: npz.Bzip2, data: make([]byte, 16<<10), size: 1 << 30}),
		"shape":   archive(stored("a.npy", header("(1099511627776,)"))),
		"pieces": archive(part{name: "a.npy", method: npz.Deflate, data: make([]byte, 100), size: 100_000,
			extra: extraField(zipfile.ExtraPieces, append([]byte{1, 0}, bytes.Repeat([]byte{1}, 90)...))}),
		"members": append(bytes.Repeat([]byte{0}, 1000), endRecord(65535, 900, 0)...),
	}
	for name, data := range bombs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			z, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				continue
			}
			if _, err := z.Array("a"); err == nil {
				t.Errorf("%s: no error", name)
			}
			if _, err := z.Slice("a", npy.At(-1)); err == nil {
				t.Errorf("%s: no error from Slice", name)
			}
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / 10; got > 40<<20 {
			t.Errorf("%s: %d bytes allocated for an archive of %d", name, got, len(data))
		}
	}
}

// header returns the header of a float64 array of a shape, without data.
func header(shape string) []byte {
	text := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
	text += strings.Repeat(" ", 117-len(text)) + "\n"
	return append([]byte("\x93NUMPY\x01\x00\x76\x00"), text...)
}

func TestMissing(t *testing.T) {
	z := open(t, archive(stored("a.npy", nil), stored("b.npy", nil)))
	_, err := z.Array("c")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"c"`) || !strings.Contains(err.Error(), `["a" "b"]`) {
		t.Errorf("Array of a name that is not there: %v", err)
	}
	if _, err := open(t, archive()).Array("c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in an empty archive: %v", err)
	}
}
