package matlab_test

import (
	"bytes"
	"compress/zlib"
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
	"github.com/npygo/npy/matlab"
)

// An element of a MAT-file of version 5, little-endian and padded.
func element(typ uint32, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, typ)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// array returns an array of a class. The caller chooses its data.
func array(name string, class, flags byte, dims []int32, data ...[]byte) []byte {
	b := element(6, []byte{class, flags, 0, 0, 0, 0, 0, 0})
	shape, _ := binary.Append(nil, binary.LittleEndian, dims)
	b = append(b, element(5, shape)...)
	b = append(b, element(1, []byte(name))...)
	return element(14, append(b, bytes.Join(data, nil)...))
}

// file returns a MAT-file.
func file(variables ...[]byte) []byte {
	head := make([]byte, 128)
	copy(head, "MATLAB 5.0 MAT-file")
	copy(head[124:], "\x00\x01IM")
	return append(head, bytes.Join(variables, nil)...)
}

// compressed returns a compressed variable.
func compressed(variable []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(variable)
	z.Close()
	head := binary.LittleEndian.AppendUint32(nil, 15)
	head = binary.LittleEndian.AppendUint32(head, uint32(b.Len()))
	return append(head, b.Bytes()...)
}

// readAll reads every array of a file, and returns the errors.
func readAll(d matlab.Decoder, data []byte) (paths []string, err error) {
	m, err := d.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var all []error
	for e := range m.Entries() {
		paths = append(paths, e.Path)
		if e.Err != nil {
			all = append(all, e.Err)
			continue
		}
		if e.Group {
			continue
		}
		src, err := m.Source(e.Path)
		if err == nil {
			_, err = src.ReadAll(context.Background())
		}
		if err == nil {
			for _, err = range src.Blocks(context.Background(), 1<<16) {
			}
		}
		all = append(all, err)
	}
	return paths, errors.Join(all...)
}

func TestHostile(t *testing.T) {
	deep := array("", 6, 0, []int32{1, 1}, element(9, make([]byte, 8)))
	for range 200 {
		deep = array("", 1, 0, []int32{1, 1}, deep)
	}
	bomb := element(14, make([]byte, 1<<20))
	binary.LittleEndian.PutUint32(bomb[4:], 1<<31)
	names := make([]byte, 64)
	copy(names, "x")
	copy(names[32:], "y")
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"an array of 2**62 elements", file(array("x", 6, 0, []int32{1<<31 - 1, 1<<31 - 1, 2})), "too many elements"},
		{"an array of 2**40 bytes", file(array("x", 9, 0, []int32{1 << 20, 1 << 20}, element(2, make([]byte, 8)))), "byte"},
		{"a negative dimension", file(array("x", 6, 0, []int32{-1, 1})), "dimension 0 is -1"},
		{"one dimension", file(array("x", 6, 0, []int32{1})), "at least two"},
		{"an element longer than the file", file(array("x", 6, 0, []int32{1, 1}, element(9, make([]byte, 8))))[:180], "x: byte 180: 8 bytes are needed and 0 are left"},
		{"an array longer than its variable", file(array("x", 6, 0, []int32{4, 1}, element(9, make([]byte, 8)))), "8 bytes for 4 elements"},
		{"a packed element of 5 bytes", file(array("x", 6, 0, []int32{1, 1}, []byte{9, 0, 5, 0, 0, 0, 0, 0})), "room for 4"},
		{"a name with a slash", file(array("a/b", 6, 0, []int32{1, 1}, element(9, make([]byte, 8)))), "slash"},
		{"a cell of 2**20 arrays", file(array("c", 1, 0, []int32{1 << 10, 1 << 10})), "1048576 arrays in 0 bytes"},
		{"a struct of 2**21 fields", file(array("s", 2, 0, []int32{1 << 20, 1}, element(5, []byte{32, 0, 0, 0}), element(1, names))), "bytes"},
		{"field names of no bytes", file(array("s", 2, 0, []int32{1, 1}, element(5, []byte{0, 0, 0, 0}), element(1, names))), "of 0 bytes each"},
		{"200 cells in each other", file(append([]byte{}, array("c", 1, 0, []int32{1, 1}, deep)...)), "nested deeper than MaxDepth 100"},
		{"a zlib stream of 1 KB for 2 GB", file(compressed(bomb)), "cannot have"},
		{"a zlib stream that ends early", file(compressed(array("x", 6, 0, []int32{1, 2}, element(9, make([]byte, 16)))[:64])), "decompressed variable: unexpected EOF"},
		{"no zlib stream", file(element(15, make([]byte, 8))), "zlib"},
		{"a sparse matrix of 2**31 elements", file(array("s", 5, 0, []int32{1, 1}, element(5, make([]byte, 8)), element(5, []byte{0, 0, 0, 0, 255, 255, 255, 127}), element(9, nil))), "2147483647 elements"},
		{"text of 2**25 blanks", file(array("t", 4, 0, []int32{1, 1 << 25}, element(16, nil))), "0 bytes for"},
		{"an unknown class", file(array("x", 77, 0, []int32{1, 1})), "unknown class 77"},
		{"an unknown type", file(array("x", 6, 0, []int32{1, 1}, element(77, make([]byte, 8)))), "numbers of type 77"},
		{"an object", file(array("x", 3, 0, []int32{1, 1})), "unsupported operation"},
		{"version 4: a matrix of 2**62 elements", []byte("\x00\x00\x00\x00\xff\xff\xff\x7f\xff\xff\xff\x7f\x00\x00\x00\x00\x02\x00\x00\x00x\x00"), "x: byte 0"},
	} {
		_, err := readAll(matlab.Decoder{}, tt.data)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Cells of version 7.3 that contain themselves, or each other twice, 40 times over.
func TestLoops(t *testing.T) {
	data, err := os.ReadFile("testdata/loop73.mat")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := readAll(matlab.Decoder{MaxEntries: 1000}, data)
	if err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("error %v", err)
	}
	var over *npy.LimitError
	if !errors.As(err, &over) || over.Name != "MaxEntries" || len(paths) > 1000 {
		t.Errorf("%d entries, error %v", len(paths), over)
	}
}

// A damaged variable does not hide the next.
func TestOddNeighbours(t *testing.T) {
	good := array("good", 6, 0, []int32{1, 1}, element(9, make([]byte, 8)))
	paths, err := readAll(matlab.Decoder{}, file(array("bad", 77, 0, []int32{1, 1}), good, element(15, make([]byte, 8)), compressed(good)[:30]))
	if want := "bad good ?byte256 ?byte272"; strings.Join(paths, " ") != want {
		t.Errorf("paths %q, want %q", paths, want)
	}
	var e *matlab.Error
	if !errors.As(err, &e) {
		t.Errorf("error %v has no *matlab.Error", err)
	}
}

func TestLimits(t *testing.T) {
	var cells [][]byte
	for range 100 {
		cells = append(cells, element(14, nil))
	}
	data := file(array("c", 1, 0, []int32{100, 1}, cells...))
	var over *npy.LimitError
	if _, err := readAll(matlab.Decoder{MaxEntries: 50}, data); !errors.As(err, &over) || over.Name != "MaxEntries" {
		t.Errorf("101 entries: error %v", err)
	}
	if paths, err := readAll(matlab.Decoder{MaxEntries: 101}, data); err != nil || len(paths) != 101 {
		t.Errorf("%d entries, error %v", len(paths), err)
	}
	big := file(compressed(array("x", 9, 0, []int32{1000, 1000}, element(2, make([]byte, 1000000)))))
	if _, err := readAll(matlab.Decoder{MaxBytes: 1000}, big); !errors.As(err, &over) || over.Name != "MaxBytes" {
		t.Errorf("an array of 1 MB: error %v", err)
	}
}

// Memory follows the bytes that are there.
func TestMemoryFollowsTheFile(t *testing.T) {
	x := array("x", 9, 0, []int32{1 << 15, 1 << 15}, element(2, make([]byte, 64)))
	claim := compressed(element(14, x))
	data := file(claim, x)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readAll(matlab.Decoder{}, data); err == nil {
		t.Error("no error")
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("a file of %d bytes took %d bytes of memory", len(data), took)
	}
}

// A damaged compressed variable is found by its checksum.
func TestChecksum(t *testing.T) {
	data := file(compressed(array("x", 9, 0, []int32{1, 8}, element(2, []byte("abcdefgh")))))
	data[len(data)-1] ^= 1
	if _, err := readAll(matlab.Decoder{}, data); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v, want one about the checksum", err)
	}
}

func TestErrors(t *testing.T) {
	m, err := matlab.Open("testdata/nested.mat")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Entry("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Entry: error %v", err)
	}
	if _, err := m.Source("s"); err == nil || !strings.Contains(err.Error(), "group") {
		t.Errorf("Source of a group: error %v", err)
	}
	if _, err := m.Attributes("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Attributes: error %v", err)
	}
	src, err := m.Source("s/x")
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	if _, err := src.ReadAll(context.Background()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: error %v", err)
	}
	for _, text := range []string{"", "x", "\x93NUMPY", strings.Repeat("MATLAB", 40)} {
		if _, err := matlab.NewReader(strings.NewReader(text), int64(len(text))); err == nil {
			t.Errorf("%.20q is no error", text)
		}
	}
}

func FuzzReader(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.mat")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := readAll(matlab.Decoder{MaxBytes: 1 << 20, MaxEntries: 10000}, data)
		if err == io.EOF {
			t.Error("a bare io.EOF")
		}
	})
}
