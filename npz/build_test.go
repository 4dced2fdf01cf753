package npz_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/zipfile"
	"github.com/npygo/npy/npz"
)

var le = binary.LittleEndian

// A part is a member of an archive made for a test. Its header may be wrong.
type part struct {
	name   string
	local  string // the name in the local header, if it differs
	flags  uint16
	method npz.Method
	data   []byte // as stored in the archive
	size   int64  // uncompressed size
	crc    uint32
	extra  []byte // in the directory
	at     int64  // offset in the directory, if wrong
}

// stored returns a member that is stored.
func stored(name string, data []byte) part {
	return part{name: name, data: data, size: int64(len(data)), crc: crc32.ChecksumIEEE(data)}
}

// deflated returns a member that is compressed as one stream.
func deflated(t testing.TB, name string, data []byte) part {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return part{name: name, method: npz.Deflate, data: b.Bytes(), size: int64(len(data)), crc: crc32.ChecksumIEEE(data)}
}

// inPieces returns a member that is compressed in pieces of 1<<log2 bytes, with their index.
func inPieces(name string, data []byte, log2 int) part {
	p := part{name: name, method: npz.Deflate, size: int64(len(data)), crc: crc32.ChecksumIEEE(data)}
	index := []byte{1, byte(log2)}
	c := deflate.NewCompressor(6)
	for len(data) > 0 {
		n := min(1<<log2, len(data))
		before := len(p.data)
		p.data = c.Append(p.data, data[:n], n == len(data))
		if data = data[n:]; len(data) > 0 {
			index = binary.AppendUvarint(index, uint64(len(p.data)-before))
		}
	}
	p.extra = extraField(zipfile.ExtraPieces, index)
	return p
}

func extraField(kind uint16, data []byte) []byte {
	return append(le.AppendUint16(le.AppendUint16(nil, kind), uint16(len(data))), data...)
}

// archive writes members one after another, and the directory after them.
func archive(parts ...part) []byte {
	var b, directory []byte
	for _, p := range parts {
		offset := int64(len(b))
		if p.local == "" {
			p.local = p.name
		}
		if p.at == 0 {
			p.at = offset
		}
		common := func(b []byte) []byte {
			b = le.AppendUint16(append(b, 45, 0), p.flags)
			b = le.AppendUint16(b, uint16(p.method))
			b = le.AppendUint32(b, 1<<5|1)
			b = le.AppendUint32(b, p.crc)
			b = le.AppendUint32(b, uint32(len(p.data)))
			return le.AppendUint32(b, uint32(p.size))
		}
		b = le.AppendUint32(common(append(b, "PK\x03\x04"...)), uint32(len(p.local)))
		b = append(append(b, p.local...), p.data...)
		directory = common(append(directory, "PK\x01\x02\x2d\x03"...))
		directory = le.AppendUint16(directory, uint16(len(p.name)))
		directory = le.AppendUint16(directory, uint16(len(p.extra)))
		directory = append(directory, make([]byte, 10)...)
		directory = le.AppendUint32(directory, uint32(p.at))
		directory = append(append(directory, p.name...), p.extra...)
	}
	return append(append(b, directory...), endRecord(len(parts), len(directory), len(b))...)
}

func endRecord(members, size, offset int) []byte {
	b := append([]byte("PK\x05\x06"), 0, 0, 0, 0)
	b = le.AppendUint16(b, uint16(members))
	b = le.AppendUint16(b, uint16(members))
	b = le.AppendUint32(b, uint32(size))
	b = le.AppendUint32(b, uint32(offset))
	return append(b, 0, 0)
}

// open opens an archive that is in memory.
func open(t testing.TB, data []byte) *npz.Reader {
	t.Helper()
	z, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// file returns the .npy file of an array of the numbers 0, 1, 2, and so on.
func file[T int32 | float64](t testing.TB, shape ...int) []byte {
	t.Helper()
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]T, n)
	for i := range values {
		values[i] = T(i)
	}
	a, err := npy.FromSlice(values, shape...)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
