package bounded_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
	"github.com/npygo/npy/record"
)

// A stuck reader returns some bytes and then, forever, neither bytes nor an error. It panics after too many reads.
type stuck struct {
	data  []byte
	empty int
}

func (s *stuck) Read(b []byte) (int, error) {
	if len(s.data) == 0 {
		if s.empty++; s.empty > 5000 {
			panic("the reader was asked 5000 times")
		}
		return 0, nil
	}
	n := copy(b, s.data)
	s.data = s.data[n:]
	return n, nil
}

// Every function that reads from an io.Reader ends with io.ErrNoProgress, wherever the reader stops making progress, and with
// an error if the reader says that its data is truncated.
func TestReadersEnd(t *testing.T) {
	type row struct {
		A int64 `npy:"a"`
	}
	ints := must(npy.New(dtype.Int64, 3000))
	file := written(t, npy.Encoder{}, ints)
	rows := written(t, npy.Encoder{}, must(npy.New(must(dtype.Parse("[('a', '<i8')]")), 3000)))
	things := must(npy.FromObjects([]any{"some text", int64(1), &pickle.List{Items: []any{"more"}}}))
	thing := written(t, npy.Encoder{Objects: objects.Encoder{}}, things)
	var dumped, drawn bytes.Buffer
	if err := errors.Join((&pickle.Encoder{}).Encode(&dumped, &pickle.List{Items: []any{"a text", int64(1 << 40)}}), png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 30, 30)))); err != nil {
		t.Fatal(err)
	}
	text := func(f convert.Format) func(r io.Reader) error {
		return func(r io.Reader) error {
			_, _, err := convert.Read(context.Background(), r, f, convert.ReadOptions{})
			return err
		}
	}
	for _, x := range []struct {
		name string
		data []byte
		read func(r io.Reader) error
	}{
		{"npy.Read", file, func(r io.Reader) error { _, err := npy.Read(r); return err }},
		{"npy.Read of objects", thing, func(r io.Reader) error {
			_, err := npy.Decoder{Objects: objects.Decoder{}}.Read(r)
			return err
		}},
		{"npy.LoadFrom", file, func(r io.Reader) error { _, _, err := npy.LoadFrom[int64](r); return err }},
		{"npy.LoadFrom int", file, func(r io.Reader) error { _, _, err := npy.LoadFrom[int](r); return err }},
		{"npy.RowReader", file, func(r io.Reader) error {
			rows, err := npy.NewRowReader[int64](r)
			for err == nil {
				_, err = rows.Next(make([]int64, 100))
			}
			return err
		}},
		{"record.LoadFrom", rows, func(r io.Reader) error { _, _, err := record.LoadFrom[row](r); return err }},
		{"format.ReadHeader", file[:128], func(r io.Reader) error { _, err := format.ReadHeader(r); return err }},
		{"pickle.Decode", dumped.Bytes(), func(r io.Reader) error { _, err := pickle.Decoder{}.Decode(r); return err }},
		{"audit.One", dumped.Bytes(), func(r io.Reader) error { return audit.One(r).Err }},
		{"pickle.Disassemble", dumped.Bytes(), func(r io.Reader) error { return pickle.Disassemble(io.Discard, r) }},
		{"convert.Read csv", []byte("a,b\n1,2\n"), text("csv")},
		{"convert.Read txt", []byte("1 2\n3 4\n"), text("txt")},
		{"convert.Read json", []byte("[1, 2, 3]"), text("json")},
		{"convert.Read ndjson", []byte("[1, 2]\n[3, 4]\n"), text("ndjson")},
		{"convert.Read png", drawn.Bytes(), text("png")},
		{"diff.OfStream", file, func(r io.Reader) error {
			h, err := format.ReadHeader(r)
			if err != nil {
				return err
			}
			side, err := npy.NewStream(h, r)
			if err != nil {
				return err
			}
			_, err = diff.Compare(context.Background(), side, ints, diff.Options{})
			return err
		}},
		{"npz.Writer.AddFrom", file, func(r io.Reader) error {
			w, err := npz.NewWriter(io.Discard)
			if err != nil {
				return err
			}
			return w.AddFrom("a.npy", r)
		}},
		{"npz.Decoder.Methods", file, func(r io.Reader) error {
			z, err := npz.Decoder{Methods: map[npz.Method]npz.Decompressor{99: func(io.Reader, int64) (io.Reader, error) { return r, nil }}}.NewReader(archive(t, file))
			if err == nil {
				_, err = z.Array("a")
			}
			return err
		}},
	} {
		if x.name == "npy.LoadFrom int" && strconv.IntSize == 32 { // a 32-bit int cannot hold these values
			continue
		}
		for n := range len(x.data) {
			if n > 300 && n%1111 != 0 {
				continue
			}
			if err := x.read(&stuck{data: x.data[:n]}); !errors.Is(err, io.ErrNoProgress) {
				t.Fatalf("%s: after %d of %d bytes: error %v", x.name, n, len(x.data), err)
			}
			cut := func() io.Reader { // as a truncated compressed stream
				return io.MultiReader(bytes.NewReader(x.data[:n]), iotest.ErrReader(io.ErrUnexpectedEOF))
			}
			for _, r := range []io.Reader{cut(), iotest.DataErrReader(cut())} {
				if err := x.read(r); err == nil {
					t.Fatalf("%s: no error for a stream that ends early, after %d of %d bytes", x.name, n, len(x.data))
				}
			}
		}
		if err := x.read(iotest.DataErrReader(&pausing{data: x.data})); err != nil && err != io.EOF {
			t.Errorf("%s: of a reader that pauses: error %v", x.name, err)
		}
	}
}

// A pausing reader returns nothing on every other call, which readers may do.
type pausing struct {
	data  []byte
	pause bool
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.pause = !p.pause; p.pause {
		return 0, nil
	}
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.data[:min(50, len(p.data))])
	p.data = p.data[n:]
	return n, nil
}

// ReadFull and Progress agree with package io for readers that make progress.
func TestReadFull(t *testing.T) {
	for have := range 5 {
		for want := range 5 {
			data := []byte("abcd")[:have]
			a, b := make([]byte, want), make([]byte, want)
			n, err := bounded.ReadFull(&pausing{data: data}, a)
			m, wanted := io.ReadFull(&pausing{data: data}, b)
			if n != m || err != wanted || !bytes.Equal(a, b) {
				t.Errorf("ReadFull(%q, %d bytes) = %d, %v, want %d, %v", data, want, n, err, m, wanted)
			}
			if got, err := io.ReadAll(bounded.Progress(&pausing{data: data})); err != nil || !bytes.Equal(got, data) {
				t.Errorf("ReadAll(Progress(%q)) = %q, %v", data, got, err)
			}
		}
	}
	if _, err := io.ReadAll(bounded.Progress(&stuck{data: []byte("abc")})); err != io.ErrNoProgress {
		t.Errorf("ReadAll of a stuck reader: error %v", err)
	}
}

// archive returns an archive with one member of compression method 99.
func archive(t *testing.T, data []byte) (io.ReaderAt, int64) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "a.npy", Method: 99, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))})
	if err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes()), int64(b.Len())
}

func written(t *testing.T, e npy.Encoder, a *npy.Array) []byte {
	var b bytes.Buffer
	if err := e.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The end of sound data is no error, and the early end of a truncated stream is.
func TestReadUpTo(t *testing.T) {
	for _, tt := range []struct {
		r    io.Reader
		n    int
		want error
	}{
		{strings.NewReader("abcdef"), 4, nil},
		{strings.NewReader("ab"), 2, io.EOF},
		{strings.NewReader(""), 0, io.EOF},
		{io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(io.ErrUnexpectedEOF)), 2, io.ErrUnexpectedEOF},
		{iotest.DataErrReader(strings.NewReader("abcd")), 4, nil},
	} {
		b := make([]byte, 4)
		if n, err := bounded.ReadUpTo(tt.r, b); n != tt.n || err != tt.want {
			t.Errorf("%d bytes, error %v, want %d and %v", n, err, tt.n, tt.want)
		}
	}
}
