package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// bomb is the decoded size of a ratio bomb, at full size. Four times as much is little more than the limits admit for a
// file of 1 MB.
const bomb = 256 << 20

// growingBombs are small inputs that decode to n bytes.
var growingBombs = []growing{
	{"b-deflate.npz", bomb, bombOf("(%d,)", func(data io.Reader, n int64) string { return zipFrom(zip.Deflate, "a.npy", data, n) })},
	{"b-fortran.npz", bomb, bombOf("(%d, 4)", func(data io.Reader, n int64) string { return zipFrom(zip.Deflate, "a.npy", data, n) })},
	{"b-wide.npz", bomb, bombOf("(4, %d)", func(data io.Reader, n int64) string { return zipFrom(zip.Deflate, "a.npy", data, n) })},
	{"b-name.npz", bomb, bombOf("(%d,)", func(data io.Reader, n int64) string { return zipFrom(zip.Deflate, "../a.npy", data, n) })},
	{"b-text.npz", bomb, func(n int) string { return zipFrom(zip.Deflate, "a.txt", zeroReader(n), int64(n)) }},
	{"b-zstd.npz", bomb, bombOf("(%d,)", func(data io.Reader, n int64) string { return zipFrom(zstdMethod, "a.npy", data, n) })},
	{"b-lzma.npz", bomb / 4, bombOf("(%d,)", func(data io.Reader, n int64) string { return zipFrom(lzmaMethod, "a.npy", data, n) })},
	{"b-bzip2.npz", bomb, func(n int) string {
		packed, size, sum := bzip2Zeros(n)
		return zipRaw([]zipMember{{"a.npy", bzip2Method, packed, size, sum}})
	}},
	{"b-objects.npz", bomb, func(n int) string {
		s := objectFile(n, strings.Repeat("N", n))
		return zipFrom(zip.Deflate, "a.npy", strings.NewReader(s), int64(len(s)))
	}},

	{"b-npy.npy.gz", bomb, bombOf("(%d,)", gzipFrom)},
	{"b-npy.npy.zst", bomb, bombOf("(%d,)", zstdFrom)},
	{"b-npy.npy.xz", bomb, bombOf("(%d,)", xzFrom)},
	{"b-npy.npy.bz2", bomb, func(n int) string {
		packed, _, _ := bzip2Zeros(n)
		return packed
	}},
	{"b-fortran.npy.gz", bomb, bombOf("(%d, 4)", gzipFrom)},
	{"b-table.csv.gz", bomb / 16, textBomb("0,0\n", gzipFrom)},
	{"b-table.csv.zst", bomb / 16, textBomb("0,0\n", zstdFrom)},
	{"b-table.tsv.gz", bomb / 16, textBomb("0\t0\n", gzipFrom)},
	{"b-table.txt.gz", bomb / 16, textBomb("0 0\n", gzipFrom)},
	{"b-long.csv.gz", bomb, textBomb("x", gzipFrom)},
	{"b-lines.ndjson.gz", bomb / 16, textBomb("0\n", gzipFrom)},
	{"b-list.json.gz", bomb / 32, func(n int) string {
		s := "[" + strings.Repeat("0,", n/2) + "0]"
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-lists.json.gz", bomb / 32, func(n int) string {
		s := "[" + strings.Repeat("[],", n/3) + "[]]"
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-pickle.pkl.gz", bomb, func(n int) string {
		s := "\x80\x03(" + strings.Repeat("N", n) + "l."
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-marks.pkl.gz", bomb, func(n int) string {
		s := "\x80\x03" + strings.Repeat("(", n)
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-memo.pkl.gz", bomb, func(n int) string {
		s := "\x80\x04N" + strings.Repeat("\x94", n) + "."
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-lists.pkl.gz", bomb, func(n int) string {
		s := "\x80\x04(" + strings.Repeat("]", n) + "l."
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},
	{"b-archive.npz.gz", bomb, func(n int) string {
		s := zipWith(zip.Store, 1, func(int) (string, string) { return "a.npy", zeros(n) })
		return gzipFrom(strings.NewReader(s), int64(len(s)))
	}},

	{"b-image.png", bomb, func(n int) string { return pngZeros(n>>14, 1<<14) }},
	{"b-row.png", bomb / 8, func(n int) string { return pngZeros(1, n) }},

	{"b-chunk.h5", bomb / 8, hdf5Bomb(func(n int) (shape, chunk []int) { return []int{n}, []int{n} })},
	{"b-chunks.h5", bomb, hdf5Bomb(func(n int) (shape, chunk []int) { return []int{n}, []int{1 << 20} })},
	{"b-columns.h5", bomb, hdf5Bomb(func(n int) (shape, chunk []int) { return []int{n / 16, 16}, []int{n / 16, 1} })},
	{"b-tiles.h5", bomb, hdf5Bomb(func(n int) (shape, chunk []int) { return []int{n >> 13, 1 << 13}, []int{1 << 10, 1 << 10} })},
	{"b-column.mat", bomb, matBomb(func(n int) []int { return []int{n, 1} })},
	{"b-row.mat", bomb, matBomb(func(n int) []int { return []int{1, n} })},
	{"b-square.mat", bomb, matBomb(func(n int) []int { return []int{n >> 12, 1 << 12} })},
}

// isBomb reports whether a small input decodes to many bytes, which no subcommand may hold.
func (g growing) isBomb() bool { return strings.HasPrefix(g.name, "b-") }

// bombOf returns a generator of an array of n zeros, packed.
func bombOf(shape string, pack func(data io.Reader, n int64) string) func(n int) string {
	return func(n int) string {
		n = n / 4 * 4
		rows := n
		if strings.Contains(shape, "4") {
			rows /= 4
		}
		head := v1(fmt.Sprintf("{'descr': '|u1', 'fortran_order': %s, 'shape': %s, }", map[bool]string{true: "True", false: "False"}[strings.HasSuffix(shape, "4)")], fmt.Sprintf(shape, rows)))
		return pack(io.MultiReader(strings.NewReader(head), zeroReader(n)), int64(len(head)+n))
	}
}

func textBomb(line string, pack func(data io.Reader, n int64) string) func(n int) string {
	return func(n int) string {
		s := strings.Repeat(line, n/len(line))
		return pack(strings.NewReader(s), int64(len(s)))
	}
}

// zeroReader returns a reader of n zeros.
func zeroReader(n int) io.Reader { return io.LimitReader(zeroBytes{}, int64(n)) }

type zeroBytes struct{}

func (zeroBytes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// packed returns data as compressed by a compressor.
func packed(data io.Reader, open func(io.Writer) (io.WriteCloser, error)) string {
	var b bytes.Buffer
	w, err := open(&b)
	if err == nil {
		_, err = io.CopyBuffer(struct{ io.Writer }{w}, data, make([]byte, 1<<20))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}

func gzipFrom(data io.Reader, _ int64) string {
	return packed(data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) })
}

func zstdFrom(data io.Reader, _ int64) string {
	return packed(data, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) })
}

func xzFrom(data io.Reader, n int64) string {
	const piece = 4 << 20
	pack := func(data io.Reader) string {
		return packed(data, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) })
	}
	text := pack(io.LimitReader(data, n%piece+piece)) // streams may follow each other
	if rest := n/piece - 1; rest > 0 {
		text += strings.Repeat(pack(zeroReader(piece)), int(rest))
	}
	return text
}

// zipFrom returns an archive with a member of n bytes.
func zipFrom(method uint16, name string, data io.Reader, n int64) string {
	sum := crc32.NewIEEE()
	data = io.TeeReader(data, sum)
	var text string
	switch method {
	case zip.Deflate:
		text = packed(data, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	case zstdMethod:
		text = zstdFrom(data, n)
	case lzmaMethod:
		text = packed(data, func(w io.Writer) (io.WriteCloser, error) {
			return lzma.WriterConfig{Size: n, SizeInHeader: true}.NewWriter(w)
		})
		text = "\x09\x14\x05\x00" + text[:5] + text[13:]
	}
	return zipRaw([]zipMember{{name, method, text, n, sum.Sum32()}})
}

// A zipMember is a member with compressed data.
type zipMember struct {
	name   string
	method uint16
	packed string
	size   int64
	sum    uint32
}

// zipRaw returns an archive of compressed data.
func zipRaw(members []zipMember) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: m.name, Method: m.method, CRC32: m.sum, CompressedSize64: uint64(len(m.packed)), UncompressedSize64: uint64(m.size),
		})
		if err == nil {
			_, err = io.WriteString(f, m.packed)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

const bzip2Method = 12

// bzip2Texts are arrays of 1<<20 to 1<<30 zeros in bzip2, each after its length: Go writes no bzip2. They were made by
//
//	for k in range(20, 31): d = bz2.compress(npy(k)); f.write(struct.pack('<I', len(d)) + d)
//
//go:embed testdata/zeros.bz2s
var bzip2Texts []byte

// bzip2Zeros returns an array of about n zeros in bzip2, its size and its checksum.
func bzip2Zeros(n int) (text string, size int64, sum uint32) {
	k := min(max(bits.Len(uint(n)), 20), 30)
	rest := bzip2Texts
	for range k - 20 { // to the array of 1<<k
		rest = rest[4+binary.LittleEndian.Uint32(rest):]
	}
	text = string(rest[4 : 4+binary.LittleEndian.Uint32(rest)])
	head := v1(fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }", 1<<k))
	h := crc32.NewIEEE()
	io.WriteString(h, head)
	io.CopyBuffer(h, zeroReader(1<<k), make([]byte, 1<<20))
	return text, int64(len(head) + 1<<k), h.Sum32()
}

// pngZeros returns a black picture.
func pngZeros(height, width int) string {
	chunk := func(kind, data string) string {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(b, kind+data...)
		return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	pixels := packed(zeroReader(height*(width+1)), func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriterLevel(w, zlib.BestCompression) })
	return "\x89PNG\r\n\x1a\n" + chunk("IHDR", string(size)+"\x08\x00\x00\x00\x00") + chunk("IDAT", pixels) + chunk("IEND", "")
}

// hdf5Bomb returns a generator of a dataset of zeros in chunks.
func hdf5Bomb(layout func(n int) (shape, chunk []int)) func(n int) string {
	return func(n int) string {
		shape, chunk := layout(n)
		return containerOf("a.h5", func(w container.Writer) error {
			return putZeros(w, container.Entry{Path: "a", Chunks: chunk}, shape)
		})
	}
}

func matBomb(shape func(n int) []int) func(n int) string {
	return func(n int) string {
		return containerOf("a.mat", func(w container.Writer) error { return putZeros(w, container.Entry{Path: "a"}, shape(n)) })
	}
}

var noContext = context.Background()

func putZeros(w container.Writer, e container.Entry, shape []int) error {
	a, err := npy.New(dtype.Uint8, shape...)
	if err != nil {
		return err
	}
	return container.Put(noContext, w, e, nil, a)
}

// containerOf returns the file that fill writes.
func containerOf(name string, fill func(w container.Writer) error) string {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	f, ok := input.Formats(nil, npy.Decoder{}, npz.Encoder{}).ForName(name)
	if !ok {
		panic(name)
	}
	if err := f.Create(dir+"/"+name, container.WriteOptions{}, fill); err != nil {
		panic(err)
	}
	data, err := os.ReadFile(dir + "/" + name)
	if err != nil {
		panic(err)
	}
	return string(data)
}
