package netcdf_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/netcdf"
)

// words returns numbers of four bytes, big-endian; a string stands for its bytes.
func words(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(p))
		}
	}
	return b
}

// readAll reads every array and attribute of a file, and returns the errors.
func readAll(d netcdf.Decoder, data []byte) (paths []string, err error) {
	f, err := d.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var all []error
	for e := range f.Entries() {
		paths = append(paths, e.Path)
		if e.Err != nil {
			all = append(all, e.Err)
			continue
		}
		src, err := f.Source(e.Path)
		if err == nil {
			_, err = src.ReadAll(context.Background())
		}
		if err == nil {
			for _, err = range src.Blocks(context.Background(), 1<<16) {
			}
		}
		_, errAttributes := f.Attributes(e.Path)
		all = append(all, err, errAttributes)
	}
	return paths, errors.Join(all...)
}

func TestHostile(t *testing.T) {
	const dim, varTag, attr = 10, 11, 12
	none := words(0, 0)
	x := func(dims, more []byte, vars ...any) []byte {
		return bytes.Join([][]byte{words("CDF\x01", 2), dims, none, words(vars...), more}, nil)
	}
	two := words(dim, 2, 1, "t\x00\x00\x00", 0, 1, "x\x00\x00\x00", 3)
	huge := words(dim, 2, 1, "t\x00\x00\x00", 0, 1, "x\x00\x00\x00", 1<<31-1)
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"a list of 2**31-1 dimensions", x(words(dim, 1<<31-1), nil), "a list of 2147483647 items in"},
		{"a negative number of variables", x(two, nil, varTag, -1), "-1 is negative"},
		{"another tag", x(two, nil, 99, 1), "tag 99, want 11"},
		{"a name longer than the file", x(two, nil, varTag, 1, 1<<30, "nam ", 0, 0, 0, 0, 0), "1073741824 bytes are needed"},
		{"attributes longer than the file", bytes.Join([][]byte{words("CDF\x01", 0), none, words(attr, 1, 1, "a   ", 6, 1<<30)}, nil), "1073741824 values in 0 bytes"},
		{"an attribute of an unknown type", bytes.Join([][]byte{words("CDF\x01", 0), none, words(attr, 1, 1, "a   ", 60, 1, 0)}, nil), "unknown type 60"},
		{"a variable of a dimension that is not there", x(two, nil, varTag, 1, 1, "v   ", 1, 7, 0, 0, 6, 24, 100), "dimension 0 is number 7 of 2"},
		{"records along the second dimension", x(two, nil, varTag, 1, 1, "v   ", 2, 1, 0, 0, 0, 6, 24, 100), "is not the first"},
		{"an unknown type", x(two, nil, varTag, 1, 1, "v   ", 1, 1, 0, 0, 60, 24, 100), "unknown type 60"},
		{"a variable of 2**93 elements", x(huge, nil, varTag, 1, 1, "v   ", 3, 1, 1, 1, 0, 0, 6, 24, 100), "v: byte"},
		{"a variable of 2**31 bytes", x(huge, nil, varTag, 1, 1, "v   ", 1, 1, 0, 0, 1, 24, 10), "are needed and"},
		{"100 dimensions", x(two, words(make100()...), varTag, 1, 1, "v   ", 100), "100 dimensions, more than 64"},
		{"records before each other", x(two, make([]byte, 400), varTag, 2, 1, "v   ", 2, 0, 1, 0, 0, 6, 24, 100, 1, "w   ", 1, 0, 0, 0, 6, 8, 300), "begins 200 bytes after"},
		{"two variables with one name", x(two, make([]byte, 400), varTag, 2, 1, "v   ", 1, 1, 0, 0, 6, 24, 100, 1, "v   ", 1, 1, 0, 0, 6, 24, 100), "occurs twice"},
		{"a name with a slash", x(two, make([]byte, 400), varTag, 1, 3, "a/b ", 1, 1, 0, 0, 6, 24, 100), "slash"},
		{"2**32-2 records", bytes.Join([][]byte{words("CDF\x01", -2), two, none, words(varTag, 1, 1, "v   ", 1, 0, 0, 0, 6, 8, 76)}, nil), "v: byte"},
		{"a file that ends within the header", x(two, nil, varTag, 1, 1, "v   ", 1), "unexpected EOF"},
	} {
		_, err := readAll(netcdf.Decoder{}, tt.data)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// make100 returns the rest of a variable with 100 dimensions.
func make100() []any {
	var rest []any
	for range 100 {
		rest = append(rest, 1)
	}
	return append(rest, 0, 0, 6, 24, 100)
}

// A record size of a variable that cannot be read is not guessed, and fixed variables are still read.
func TestOddNeighbours(t *testing.T) {
	data := must(os.ReadFile("testdata/cdf2.nc"))
	i := bytes.Index(data, []byte("rec_i2"))
	copy(data[i+16:], words(200)) // after the number of dimensions and the dimension time
	_, err := readAll(netcdf.Decoder{}, data)
	if err == nil || !strings.Contains(err.Error(), "rec_f8: byte") || !strings.Contains(err.Error(), "the size of the records is not known") {
		t.Errorf("error %v", err)
	}
	f := must(netcdf.NewReader(bytes.NewReader(data), int64(len(data))))
	if src, err := f.Source("fixed_i4"); err != nil || src.DType().ItemSize() != 4 {
		t.Errorf("a fixed variable: error %v", err)
	}
}

// A file cut at any byte gives errors or the right elements.
func TestCut(t *testing.T) {
	for _, name := range []string{"cdf1.nc", "cdf5.nc", "alone.nc"} {
		data := must(os.ReadFile(filepath.Join("testdata", name)))
		for n := range data {
			if _, err := readAll(netcdf.Decoder{}, data[:n]); err == nil && n < len(data)-8 {
				t.Errorf("%s, %d of %d bytes: no error", name, n, len(data))
			}
		}
	}
}

// Memory follows the bytes that are there.
func TestMemoryFollowsTheFile(t *testing.T) {
	data := bytes.Join([][]byte{words("CDF\x02", 1<<30), words(10, 2, 1, "t\x00\x00\x00", 0, 1, "x\x00\x00\x00", 1<<28), words(0, 0), words(11, 1, 1, "v   ", 2, 0, 1, 0, 0, 6, -1, 0, 100)}, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readAll(netcdf.Decoder{}, data); err == nil {
		t.Error("no error")
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("a file of %d bytes took %d bytes of memory", len(data), took)
	}
}

func TestErrors(t *testing.T) {
	f, err := netcdf.Open("testdata/cdf1.nc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Entry("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Entry: error %v", err)
	}
	if _, err := f.Attributes("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Attributes: error %v", err)
	}
	for _, path := range []string{"fixed_i4", "rec_f8"} {
		src := must(f.Source(path))
		defer func() {
			if _, err := src.ReadAll(context.Background()); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s after Close: error %v", path, err)
			}
		}()
	}
	f.Close()
	for _, text := range []string{"", "CDF", "CDF\x03", "\x93NUMPY", "CDF\x01"} {
		if _, err := netcdf.NewReader(strings.NewReader(text), int64(len(text))); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

// A selection of a record variable reads the bytes of the selection and little more.
func TestReadsLittle(t *testing.T) {
	var all []named
	for _, name := range []string{"a", "b", "c"} {
		e := named{Source: must(npy.New(must(npy.FromSlice([]float64{0})).DType(), 50, 4000))}
		e.e.Path, e.e.Dims = name, []string{"time", "x"}
		all = append(all, e)
	}
	_, data := save(t, netcdf.Encoder{Record: "time"}, all...)
	r := &countingReader{r: bytes.NewReader(data)}
	f := must(netcdf.NewReader(r, int64(len(data))))
	src := must(must(f.Source("b")).Select(npy.Span(10, 12), npy.Span(5, 105)))
	r.n = 0
	if a := must(src.ReadAll(context.Background())); a.NBytes() != 1600 || r.n > 2000 {
		t.Errorf("%d bytes of elements took %d bytes of %d", a.NBytes(), r.n, len(data))
	}
}

type countingReader struct {
	r io.ReaderAt
	n int
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.n += n
	return n, err
}

func FuzzReader(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.nc")
	for _, name := range names {
		f.Add(must(os.ReadFile(name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := netcdf.Decoder{Array: npy.Decoder{MaxBytes: 1 << 20}}
		if _, err := readAll(d, data); err == io.EOF {
			t.Error("a bare io.EOF")
		}
	})
}
