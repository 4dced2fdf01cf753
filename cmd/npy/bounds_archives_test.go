package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"
)

// growingArchives are archives of any size.
var growingArchives = []growing{
	{"z-members.npz", 1000, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("a%d.npy", i), small })
	}},
	{"z-deflated.npz", 1000, func(n int) string {
		return zipWith(zip.Deflate, n, func(i int) (string, string) { return fmt.Sprintf("a%d.npy", i), small })
	}},
	{"z-same.npz", 2000, func(n int) string { return zipOf(n, func(i int) (string, string) { return "a.npy", small }) }},
	{"z-texts.npz", 1000, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("a%d.txt", i), "read me" })
	}},
	{"z-bad.npz", 2000, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("a%d.npy", i), "no array" })
	}},
	{"z-slash.npz", 2000, func(n int) string { return zipOf(n, func(i int) (string, string) { return "x/", "" }) }},
	{"z-slashes.npz", 2000, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("x%d/", i), "" })
	}},
	{"z-deep.npz", 1000, func(n int) string {
		return zipOf(1, func(i int) (string, string) { return strings.Repeat("a/", n) + "b.npy", small })
	}},
	{"z-deeps.npz", 100, func(n int) string {
		return zipOf(n, func(i int) (string, string) {
			return fmt.Sprintf("%d", i) + strings.Repeat("/a", n) + "/b.npy", small
		})
	}},
	{"z-names.npz", 20, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("%d", i) + longText(60000) + ".npy", small })
	}},
	{"z-one-name.npz", 1000, func(n int) string {
		return zipOf(n, func(i int) (string, string) {
			if i == 0 {
				return longText(60000) + ".npy", small
			}
			return fmt.Sprintf("a%d.npy", i), small
		})
	}},
	{"z-claims.npz", 1000, func(n int) string {
		file := plain("'<f8'", "(1000000000000,)", 8)
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("a%d.npy", i), file })
	}},
	{"z-bombs.npz", 20, func(n int) string { return zipPacked(zstdMethod, 1000000, n) }},
	{"z-objects.npz", 500, func(n int) string {
		file := objectFile(1, pickleStr("text"))
		return zipOf(n, func(i int) (string, string) { return fmt.Sprintf("a%d.npy", i), file })
	}},
	{"z-zeros.npz", 2000000, func(n int) string {
		return zipWith(zip.Deflate, 1, func(i int) (string, string) { return "a.npy", zeros(n) })
	}},
	{"z-zstd.npz", 2000000, func(n int) string { return zipPacked(zstdMethod, n, 1) }},
	{"z-lzma.npz", 2000000, func(n int) string { return zipPacked(lzmaMethod, n, 1) }},
	{"z-overlap.npz", 2000, func(n int) string { return overlapping(n) }},
	{"z-comment.npz", 20000, func(n int) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		w.SetComment(longText(min(n, 65000)))
		w.Close()
		return b.String()
	}},
	{"z-prefix.npz", 100000, func(n int) string {
		return longText(n) + zipOf(1, func(i int) (string, string) { return "a.npy", small })
	}},
}

func zipOf(n int, member func(i int) (name, data string)) string {
	return zipWith(zip.Store, n, member)
}

func zipWith(method uint16, n int, member func(i int) (name, data string)) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		name, data := member(i)
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = f.Write([]byte(data))
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

const (
	zstdMethod = 93
	lzmaMethod = 14
)

// zipPacked returns an archive with members of n zeros in a method that archive/zip lacks.
func zipPacked(method uint16, n, members int) string {
	data := []byte(zeros(n))
	var packed bytes.Buffer
	switch method {
	case zstdMethod:
		w, _ := zstd.NewWriter(&packed)
		w.Write(data)
		w.Close()
	case lzmaMethod:
		var alone bytes.Buffer
		w, err := lzma.WriterConfig{Size: int64(len(data)), SizeInHeader: true}.NewWriter(&alone)
		if err != nil {
			panic(err)
		}
		w.Write(data)
		w.Close()
		packed.WriteString("\x09\x14\x05\x00")
		packed.Write(alone.Bytes()[:5])
		packed.Write(alone.Bytes()[13:])
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range members {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: fmt.Sprintf("a%d.npy", i), Method: method, CRC32: crc32.ChecksumIEEE(data),
			CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(data)),
		})
		if err != nil {
			panic(err)
		}
		f.Write(packed.Bytes())
	}
	w.Close()
	return b.String()
}

// overlapping returns an archive whose n members all have the same offset.
func overlapping(n int) string {
	b := []byte(zipOf(n, func(i int) (string, string) { return "a.npy", small }))
	for at := bytes.Index(b, []byte("PK\x01\x02")); ; {
		copy(b[at+42:], "\x00\x00\x00\x00")
		next := bytes.Index(b[at+4:], []byte("PK\x01\x02"))
		if next < 0 {
			return string(b)
		}
		at += 4 + next
	}
}
