package format_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy/format"
)

// framed prepends magic, version and length to the bytes of a header.
func framed(v format.Version, header string) string {
	n := len(header)
	if v == format.V1 {
		return format.Magic + string([]byte{v.Major, v.Minor, byte(n), byte(n >> 8)}) + header
	}
	return format.Magic + string([]byte{v.Major, v.Minor, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) + header
}

// checkReaders reads the header of a file from every kind of reader, and checks that the data comes next.
func checkReaders(t *testing.T, file []byte, want format.Header) {
	t.Helper()
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"plain":               func(r io.Reader) io.Reader { return r },
		"one byte":            iotest.OneByteReader,
		"half":                iotest.HalfReader,
		"data with the error": func(r io.Reader) io.Reader { return iotest.DataErrReader(r) },
	} {
		source := bytes.NewReader(file)
		h, err := format.ReadHeader(wrap(source))
		if err != nil || !reflect.DeepEqual(h, want) {
			t.Errorf("%s: got %+v, %v, want %+v", name, h, err, want)
		}
		if rest := int64(source.Len()); rest != int64(len(file))-want.DataOffset && name != "data with the error" { // this reader reads ahead
			t.Errorf("%s: %d bytes are left, want %d", name, rest, int64(len(file))-want.DataOffset)
		}
	}
}

const simple = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"

func TestReadSequence(t *testing.T) {
	one := framed(format.V1, simple+"  \n") + strings.Repeat("x", 96)
	two := framed(format.V3, strings.Replace(simple, "(3, 4)", "()", 1)) + "12345678"
	r := iotest.OneByteReader(strings.NewReader(one + two))
	for _, n := range []int64{96, 8} {
		h, err := format.ReadHeader(r)
		if err != nil || h.NBytes() != n {
			t.Fatalf("got %+v, %v, want %d bytes", h, err, n)
		}
		if _, err := io.CopyN(io.Discard, r, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := format.ReadHeader(r); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF itself", err)
	}
	if _, err := format.ParseHeader(nil); err != io.EOF {
		t.Errorf("without data: %v, want io.EOF itself", err)
	}
	if _, err := (format.Decoder{}).HeaderSize(nil); err != io.EOF {
		t.Errorf("without data: %v, want io.EOF itself", err)
	}
}

// A file that ends anywhere within its header is malformed, and the error has the offset of its end.
func TestTruncated(t *testing.T) {
	for _, v := range []format.Version{format.V1, format.V2, format.V3} {
		file := framed(v, simple+"   \n")
		for n := 1; n < len(file); n++ {
			_, parsed := format.ParseHeader([]byte(file[:n]))
			_, read := format.ReadHeader(iotest.OneByteReader(strings.NewReader(file[:n])))
			for _, err := range []error{parsed, read} {
				var e *format.Error
				if !errors.As(err, &e) || e.Offset != int64(n) || !errors.Is(err, io.ErrUnexpectedEOF) || e.Path != "" {
					t.Errorf("version %s, %d bytes: %v", v, n, err)
				}
			}
			if parsed.Error() != read.Error() {
				t.Errorf("version %s, %d bytes: %v from bytes, %v from a reader", v, n, parsed, read)
			}
		}
	}
}

// Errors of the source are not errors of the format.
func TestSourceErrors(t *testing.T) {
	broken := errors.New("broken")
	file := framed(format.V2, simple+strings.Repeat(" ", 3000))
	for _, n := range []int{0, 3, 7, 8, 9, 12, 20, len(file) - 1} {
		_, err := format.ReadHeader(io.MultiReader(strings.NewReader(file[:n]), iotest.ErrReader(broken)))
		var e *format.Error
		if !errors.Is(err, broken) || errors.As(err, &e) || err.Error() != "npy: reading the header: broken" {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	_, err := format.ReadHeader(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(file))))
	if !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("timeout: %v", err)
	}
}

func TestHeaderSize(t *testing.T) {
	for v, prefix := range map[format.Version]int{format.V1: 10, format.V2: 12, format.V3: 12} {
		file := framed(v, simple)
		for n := 12; n <= len(file); n++ {
			got, err := format.Decoder{}.HeaderSize([]byte(file[:n]))
			if err != nil || got != len(simple)+prefix {
				t.Fatalf("version %s, %d bytes: %d, %v", v, n, got, err)
			}
		}
		if _, err := (format.Decoder{}).HeaderSize([]byte(file[:prefix-1])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("version %s: %v", v, err)
		}
	}
}

func TestMaxHeader(t *testing.T) {
	for _, tt := range []struct {
		max, length int
		ok          bool
	}{
		{0, 65536, true}, {0, 65537, false}, {100, 100, true}, {100, 101, false}, {-1, 1 << 20, true}, {1 << 20, 1 << 20, true}, {1 << 20, 1<<20 + 1, false}, {1, 59, false},
	} {
		file := framed(format.V2, simple+strings.Repeat(" ", tt.length-len(simple)))
		d := format.Decoder{MaxHeader: tt.max}
		_, parsed := d.ParseHeader([]byte(file))
		_, read := d.ReadHeader(strings.NewReader(file))
		for _, err := range []error{parsed, read} {
			if (err == nil) != tt.ok || err != nil && !errors.Is(err, format.ErrLimit) {
				t.Errorf("MaxHeader %d, header of %d: %v", tt.max, tt.length, err)
			}
		}
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A small file that claims a header of 4 GiB costs little memory, even without a limit.
func TestClaim(t *testing.T) {
	for _, claim := range []string{"\xf0\xff\xff\xff", "\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\x00\x00\x00\x10"} {
		file := format.Magic + "\x02\x00" + claim + simple + strings.Repeat(" ", 79)
		for _, limit := range []int{0, -1} {
			d := format.Decoder{MaxHeader: limit}
			var read, parsed error
			if n := allocated(func() { _, read = d.ReadHeader(strings.NewReader(file)) }); n > 1<<21 {
				t.Errorf("MaxHeader %d: reading %q allocates %d bytes", limit, claim, n)
			}
			if n := allocated(func() { _, parsed = d.ParseHeader([]byte(file)) }); n > 1<<14 {
				t.Errorf("MaxHeader %d: parsing %q allocates %d bytes", limit, claim, n)
			}
			for _, err := range []error{read, parsed} {
				if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, format.ErrLimit) {
					t.Errorf("MaxHeader %d, %q: %v", limit, claim, err)
				}
			}
		}
	}
}

// The worst headers that the default limit admits cost a small multiple of their length.
func TestMemory(t *testing.T) {
	head, tail := "{'fortran_order': False, 'shape': (3,), 'descr': ", "}"
	fill := func(s string) string { return strings.Repeat(s, 65000/len(s)) }
	for _, text := range []string{
		fill("["), fill("("), "{" + fill("1:1,"), head + "[" + fill("('',''),") + "]" + tail, head + "'" + fill("V1,") + "V1'" + tail,
		"{'descr': '<f8', 'fortran_order': False, 'shape': (" + fill("1,") + ")}", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + fill("9") + ",)}",
		fill("\xe9"), "'" + fill("\\x41") + "'", head + "[('" + fill("\xe9") + "', '<f8')]" + tail, fill("#\n"), fill("'' "), fill("-"), fill("{"),
	} {
		for _, v := range []format.Version{format.V1, format.V2, format.V3} {
			file := []byte(framed(v, text))
			if n := allocated(func() { _, _ = format.ParseHeader(file) }); n > uint64(300*len(file)) {
				t.Errorf("version %s, %.40q…: %d bytes allocate %d", v, text, len(file), n)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	file := []byte(framed(format.V1, simple+strings.Repeat(" ", 58)+"\n"))
	var r bytes.Reader
	for name, f := range map[string]func(){
		"ParseHeader": func() { _, _ = format.ParseHeader(file) },
		"ReadHeader":  func() { r.Reset(file); _, _ = format.ReadHeader(&r) },
	} {
		if n := testing.AllocsPerRun(100, f); n > 3 {
			t.Errorf("%s allocates %v times", name, n)
		} else {
			t.Logf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkParseHeader(b *testing.B) {
	for name, h := range map[string]format.Header{
		"plain":  {DType: typeOf(b, "'<f8'"), Shape: []int{3, 4}},
		"struct": {DType: typeOf(b, "[('time', '<M8[us]'), ('', '|V4'), ('lat', '<f8'), ('lon', '<f8'), ('wave', '>i2', (3, 500))]"), Shape: []int{1000}},
	} {
		file := mustAppend(b, h)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.ParseHeader(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadHeader(b *testing.B) {
	file := mustAppend(b, format.Header{DType: typeOf(b, "'<f8'"), Shape: []int{3, 4}})
	var r bytes.Reader
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(file)
		if _, err := format.ReadHeader(&r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	h := format.Header{DType: typeOf(b, "'<f8'"), Shape: []int{3, 4}}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = h.Append(buf[:0]); err != nil {
			b.Fatal(err)
		}
	}
}
