package npy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func parse(text string) dtype.Type { return must(dtype.Parse(text)) }

// golden has the first half of the SHA-256 of the whole file, as np.save of NumPy 1.24.2 and 2.3.5 writes it.
var golden = []struct {
	expression string
	array      func() *npy.Array
	sum        string
}{
	{`np.arange(3,dtype="<i4")`, func() *npy.Array { return le("<i4", []int32{0, 1, 2}) }, "c8b16caa0f7bbe2bf06df66bd02f201f"},
	{`np.array(1.5)`, func() *npy.Array { return must(le("<f8", []float64{1.5}).Reshape()) }, "e5bfe3c71116d779d35cc63375ccfdb4"},
	{`np.zeros((0,),"<f8")`, func() *npy.Array { return must(npy.New(parse("<f8"), 0)) }, "fdee2f2368bf2af9c942f32cce9d982e"},
	{`np.arange(6,dtype="<u2").reshape(2,3)`, func() *npy.Array { return le("<u2", []uint16{0, 1, 2, 3, 4, 5}, 2, 3) }, "6233a0de9d44550df16ae1db35d10fcf"},
	{`asfortranarray(np.arange(6,dtype="<u2").reshape(2,3))`, func() *npy.Array { return le("<u2", []uint16{0, 1, 2, 3, 4, 5}, 2, 3).Fortran() }, "f8f26850627cc972766e251127823edc"},
	{`np.arange(12,dtype=">i2").reshape(3,4)[::2,::2]`, func() *npy.Array {
		a := le(">i2", []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
		return must(a.Slice(must(npy.ParseIndex("::2,::2"))...))
	}, "99754f1524eb318aa0f8ffc7fd63bc04"},
	{`np.array([True,False])`, func() *npy.Array { return le("?", []bool{true, false}) }, "4257418724eeadfcfc6affd95584b6da"},
	{`np.array(["a","bcé"])`, func() *npy.Array { return le("<U3", []string{"a", "bcé"}) }, "6a8b99c5cffc2ab2584f25fd5ea5d8a5"},
	{`np.array([b"a",b"bc"])`, func() *npy.Array { return le("S2", [][]byte{[]byte("a"), []byte("bc")}) }, "f6b02ff3f08bfc0f2ba4299bfb99a4d7"},
	{`np.array(["2020-01-02","NaT"],"M8[D]")`, func() *npy.Array { return le("<M8[D]", scalar.Datetime64s(18263, scalar.NaT)) }, "84275b1080aef38704c196c6af95a13a"},
	{`np.array([1,-1],"m8[25s]")`, func() *npy.Array { return le("<m8[25s]", scalar.Timedelta64s(1, -1)) }, "843a3627e409874448d0d5e5fedc1c82"},
	{`np.zeros(2,[("a","<i4"),("b","<f8",(2,)),("c",[("d","S3")])])`, zeros("[('a','<i4'),('b','<f8',(2,)),('c',[('d','S3')])]", 2), "b39fc029234ddba332ad4b19c588b718"},
	{`np.zeros(1,np.dtype("i1,i4,i1",align=True))`, zeros("[('f0','i1'),('','V3'),('f1','<i4'),('f2','i1'),('','V3')]", 1), "f8d5c61382f4deb2aad85ef526598e23"},
	{`np.zeros(1,[(("T","n"),"<i4")])`, zeros("[(('T','n'),'<i4')]", 1), "096defd6e1e26289e2884f08b039cc04"},
	{`np.zeros(1,[("é","<i4")])`, zeros("[('é','<i4')]", 1), "eb1ca700f44ca52a8cccb543542bfef0"},
	{`np.zeros(1,[("整","<i4")])`, zeros("[('整','<i4')]", 1), "12218b11f7aeed9773599c2d9686415e"},
	{`np.zeros(3,np.dtype([]))`, zeros("[]", 3), "daa0242420eb63227435d7125362a70c"},
	{`np.zeros(2,"<c16")`, zeros("<c16", 2), "c06d78d60e11f631cd16bb53119cebaa"},
}

// le returns an array of a dtype that is the same on every machine.
func le[T npy.Element](descr string, data []T, shape ...int) *npy.Array {
	return must(npy.FromSliceAs(parse(descr), data, shape...))
}

func zeros(descr string, n int) func() *npy.Array {
	return func() *npy.Array { return must(npy.New(parse(descr), n)) }
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		var buf bytes.Buffer
		if err := npy.Write(&buf, g.array()); err != nil {
			t.Errorf("%s: %v", g.expression, err)
			continue
		}
		if sum := sha256.Sum256(buf.Bytes()); hex.EncodeToString(sum[:16]) != g.sum {
			t.Errorf("%s: other bytes: %q", g.expression, buf.Bytes())
		}
	}
	for version, sum := range map[format.Version]string{format.V2: "a34b5be819e387c4c19c7d40b9a024bc", format.V3: "9722cdb2b5086af3ceb9ea61ee210509"} {
		var buf bytes.Buffer
		if err := (npy.Encoder{Version: version}).Write(&buf, le("<i4", []int32{0, 1, 2})); err != nil {
			t.Fatal(err)
		}
		if s := sha256.Sum256(buf.Bytes()); hex.EncodeToString(s[:16]) != sum {
			t.Errorf("version %s: other bytes", version)
		}
	}
}

// Gathering in pieces gives the same bytes as gathering at once.
func TestWriteLayouts(t *testing.T) {
	data := make([]uint16, 1<<21)
	for i := range data {
		data[i] = uint16(i * 31)
	}
	a := must(npy.FromSlice(data, 2, 1<<10, 1<<10))
	wide := must(npy.FromSlice(data, 2, 1<<20))
	for name, b := range map[string]*npy.Array{
		"C": a, "Fortran": a.Fortran(), "transposed": must(a.Transpose(1, 0, 2)), "reversed": must(a.Slice(npy.All().By(-1))),
		"columns": must(a.Slice(npy.Ellipsis(), npy.All().By(3))), "long rows": must(wide.Slice(npy.All(), npy.All().By(-1))),
		"one": must(a.Slice(npy.At(1), npy.At(2), npy.At(3))), "none": must(a.Slice(npy.SpanTo(0))), "a column": must(wide.Slice(npy.All(), npy.At(7))),
	} {
		var buf bytes.Buffer
		if err := npy.Write(&buf, b); err != nil {
			t.Fatal(err)
		}
		h := must(format.ParseHeader(buf.Bytes()))
		want := b.Bytes()
		if h.FortranOrder {
			want = b.T().Bytes()
		}
		if h.FortranOrder != (name == "Fortran") || !slices.Equal(h.Shape, b.Shape()) || !bytes.Equal(buf.Bytes()[h.DataOffset:], want) {
			t.Errorf("%s: written wrong: %+v", name, h)
		}
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left < len(p) {
		return w.left, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

var errFull = errors.New("no space left")

func TestWriteErrors(t *testing.T) {
	a := must(npy.FromSlice(make([]float64, 10000), 100, 100))
	b := must(a.Slice(npy.All(), npy.All().By(2)))
	for _, x := range []*npy.Array{a, b} {
		for _, left := range []int{0, 100, 200, 20000} {
			if err := npy.Write(&failingWriter{left}, x); !errors.Is(err, errFull) {
				t.Errorf("a writer that fails after %d bytes: %v", left, err)
			}
		}
	}
	e := npy.Encoder{Version: format.V1}
	if err := e.Write(&bytes.Buffer{}, zeros("[('整','<i4')]", 1)()); err == nil || !strings.Contains(err.Error(), "use version 3.0") {
		t.Errorf("a name outside Latin-1 in version 1.0: %v", err)
	}
	if err := (npy.Encoder{Version: format.Version{Major: 9}}).Write(&bytes.Buffer{}, a); err == nil {
		t.Error("version 9.0 is written")
	}
}

// A write that fails leaves the old file and no other.
func TestWriteFileLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	old := []byte("precious")
	if err := os.WriteFile(path, old, 0o640); err != nil {
		t.Fatal(err)
	}
	bad := npy.Encoder{Version: format.V1}
	if err := bad.WriteFile(path, zeros("[('整','<i4')]", 1)()); err == nil {
		t.Fatal("no error")
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, old) {
		t.Errorf("the old file is now %q", got)
	}
	if err := npy.Save(path, []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are now %v", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	err := npy.Save(filepath.Join(dir, "no", "such.npy"), []int8{1})
	var pe *fs.PathError
	if !errors.As(err, &pe) || !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(pe.Path, "such.npy") {
		t.Errorf("saving into a missing folder: %v", err)
	}
}

func TestSaveErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	for name, err := range map[string]error{
		"wrong shape":       npy.Save(path, []float64{1, 2}, 3),
		"negative":          npy.Save(path, []float64{1, 2}, -1),
		"overflow":          npy.Save(path, []float64{}, math.MaxInt, math.MaxInt),
		"no step":           npy.Save(path, scalar.Datetime64s(1)),
		"NUL at the end":    npy.Save(path, []string{"a\x00"}),
		"NUL in bytes":      npy.Save(path, [][]byte{{1, 0}}),
		"not UTF-8":         npy.Save(path, []string{"\xff"}),
		"too many dims":     npy.Save(path, []float64{1}, slices.Repeat([]int{1}, 65)...),
		"zero by nothing":   npy.Save(path, []float64{1}, 0),
		"a folder":          npy.Save(filepath.Dir(path), []float64{1}),
		"subarray as dtype": func() error { _, err := npy.New(parse("(2,)i4"), 3); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}

// killed is set for the child process of TestKill: it writes the same file over and over.
const killed = "NPY_TEST_WRITE_FOREVER"

func TestMain(m *testing.M) {
	if path := os.Getenv(killed); path != "" {
		writeForever(path)
	}
	os.Exit(m.Run())
}

func writeForever(path string) {
	for i := 0; ; i++ {
		if err := npy.WriteFile(path, killArray(i%2)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if i == 1 {
			fmt.Println("started")
		}
	}
}

func killArray(which int) *npy.Array {
	data := make([]int64, 200_000*(which+1))
	for i := range data {
		data[i] = int64(i + which)
	}
	return must(npy.FromSlice(data))
}

// A process that is killed at any point leaves one of the two whole files.
func TestKill(t *testing.T) {
	if oracle.Emulated {
		t.Skip("processes start too slowly under emulation")
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	for i := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killed+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*700) * time.Microsecond) // the moment of the kill
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		if want := killArray(a.Len()/200_000 - 1); !bytes.Equal(a.Bytes(), want.Bytes()) {
			t.Fatalf("after kill %d: the file holds something else", i)
		}
	}
}

func TestFromSliceShapes(t *testing.T) {
	data := []int16{1, 2, 3, 4, 5, 6}
	for _, tt := range []struct {
		n     int
		shape []int
		want  []int // nil for an error
	}{
		{6, nil, []int{6}},
		{6, []int{6}, []int{6}},
		{6, []int{2, 3}, []int{2, 3}},
		{6, []int{1, 6, 1}, []int{1, 6, 1}},
		{1, []int{}, []int{}}, // the shape that Load returns for a single element
		{0, nil, []int{0}},
		{0, []int{3, 0}, []int{3, 0}},
		{6, []int{}, nil},
		{0, []int{}, nil},
		{6, []int{5}, nil},
		{6, []int{2, 2}, nil},
		{6, []int{-1}, nil},
		{6, []int{-2, -3}, nil},
		{6, []int{6, 0}, nil},
		{6, []int{math.MaxInt, 2}, nil},
		{0, []int{math.MaxInt/2 + 1, 4}, nil}, // wraps to 0 elements
	} {
		a, err := npy.FromSlice(data[:tt.n], tt.shape...)
		if (err != nil) != (tt.want == nil) || err == nil && !slices.Equal(a.Shape(), tt.want) {
			t.Errorf("FromSlice of %d elements, shape %v: %v, error %v, want %v", tt.n, tt.shape, a, err, tt.want)
		}
	}
	_, err := npy.FromSlice(data, 2, 2)
	if want := "npy: 6 elements given for shape (2, 2), which has 4"; err == nil || err.Error() != want {
		t.Errorf("FromSlice: error %v, want %s", err, want)
	}
}

func TestFromSliceShares(t *testing.T) {
	numbers := []float64{1, 2}
	a := must(npy.FromSlice(numbers))
	numbers[1] = 3
	if got := must(npy.As[float64](a)).At(1); (got == 3) != bulk.Shares {
		t.Errorf("FromSlice shares numbers: %v, want %v", got == 3, bulk.Shares)
	}
	bools := []bool{false}
	b := must(npy.FromSlice(bools))
	bools[0] = true
	if must(npy.As[bool](b)).At(0) {
		t.Error("FromSlice shares bools")
	}
	swapped := must(npy.FromSliceAs(dtype.Float64.WithByteOrder(other()), numbers))
	numbers[1] = 4
	if must(npy.As[float64](swapped)).At(1) != 3 {
		t.Error("FromSliceAs shares numbers of another byte order")
	}
}

// other is the byte order that is not native.
func other() dtype.ByteOrder {
	if dtype.NativeEndian == dtype.BigEndian {
		return dtype.LittleEndian
	}
	return dtype.BigEndian
}

func TestFromSliceDTypes(t *testing.T) {
	native := func(descr string) string { return parse(descr).Descr() }
	for _, tt := range []struct {
		a    *npy.Array
		want string
		raw  []byte // nil where it depends on the machine
	}{
		{must(npy.FromSlice([]string{"a", "bcd", ""})), native("U3"), nil},
		{must(npy.FromSlice([]string{"é😀"})), native("U2"), nil},
		{must(npy.FromSlice([]string{})), native("U1"), []byte{}},
		{must(npy.FromSlice([]string{""})), native("U1"), []byte{0, 0, 0, 0}},
		{must(npy.FromSlice([][]byte{[]byte("a"), []byte("b\x00c"), nil})), "|S3", []byte("a\x00\x00b\x00c\x00\x00\x00")},
		{must(npy.FromSlice([][]byte{{}})), "|S1", []byte{0}},
		{must(npy.FromSlice([]bool{true, false})), "|b1", []byte{1, 0}},
		{le(">U2", []string{"a"}), ">U2", []byte{0, 0, 0, 'a', 0, 0, 0, 0}},
		{le("<U2", []string{"a"}), "<U2", []byte{'a', 0, 0, 0, 0, 0, 0, 0}},
		{le("S4", [][]byte{[]byte("ab")}), "|S4", []byte("ab\x00\x00")},
		{le("V2", [][]byte{{1, 0}, {0, 2}}), "|V2", []byte{1, 0, 0, 2}},
		{le(">M8[D]", scalar.Datetime64s(1)), ">M8[D]", []byte{0, 0, 0, 0, 0, 0, 0, 1}},
		{le(">c8", []complex64{1 + 2i}), ">c8", []byte{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}},
		{le("<i4", []int32{-2}), "<i4", []byte{0xfe, 0xff, 0xff, 0xff}},
		{le("S0", [][]byte{{}, {}}), "|S0", []byte{}},
	} {
		if tt.a.DType().Descr() != tt.want || tt.raw != nil && !bytes.Equal(tt.a.Bytes(), tt.raw) {
			t.Errorf("dtype %s, bytes % x, want %s, % x", tt.a.DType(), tt.a.Bytes(), tt.want, tt.raw)
		}
	}
}

func TestFromSliceErrors(t *testing.T) {
	fromString := func(descr string, s ...string) error { _, err := npy.FromSliceAs(parse(descr), s); return err }
	fromBytes := func(descr string, b ...string) error {
		data := make([][]byte, len(b))
		for i, s := range b {
			data[i] = []byte(s)
		}
		_, err := npy.FromSliceAs(parse(descr), data)
		return err
	}
	dropped := "NumPy drops NULs at the end of strings and bytes, so the value would change; use dtype.Void for binary data"
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"long string", fromString("U2", "ab", "abc"), "npy: element 1: "},
		{"NUL at the end", fromString("U4", "ab\x00"), "npy: element 0: " + dropped},
		{"only NUL", fromString("U4", "\x00"), "npy: element 0: " + dropped},
		{"not UTF-8", fromString("U4", "a", "b\xff"), "npy: element 1: "},
		{"long bytes", fromBytes("S2", "ab", "abc"), "npy: element 1: 3 bytes are too long for dtype |S2"},
		{"NUL at the end of bytes", fromBytes("S4", "ab\x00"), "npy: element 0: " + dropped},
		{"any bytes in S0", fromBytes("S0", "a"), "npy: element 0: 1 bytes are too long for dtype |S0"},
		{"short void", fromBytes("V3", "ab"), "npy: element 0: 2 bytes given for dtype |V3"},
		{"long void", fromBytes("V3", "abcd"), "npy: element 0: 4 bytes given for dtype |V3"},
		{"string as S", fromString("S3", "a"), "npy: dtype |S3 and Go type string do not fit: "},
		{"bytes as U", fromBytes("<U3", "a"), "npy: dtype <U3 and Go type []uint8 do not fit: "},
		{"bytes as a struct", fromBytes("[('x','|V1')]", "a"), "npy: dtype [('x', '|V1')] and Go type []uint8 do not fit: "},
		{"subarray", fromBytes("('|V1',(2,))", "a"), "npy: subarray "},
		{"objects", fromString("O", "a"), "npy: dtype |O: "},
	} {
		if tt.err == nil || !strings.HasPrefix(tt.err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.name, tt.err, tt.want)
		}
	}
	if _, err := npy.FromSliceAs(dtype.Type{}, []int8{1}); err == nil {
		t.Error("FromSliceAs without a dtype succeeded")
	}
	if _, err := npy.FromSlice([]string{"ab\xff"}); !errors.Is(err, scalar.ErrUTF8) {
		t.Errorf("FromSlice of malformed UTF-8: error %v, want %v", err, scalar.ErrUTF8)
	}
	if err := fromString("U1", "ab"); !errors.As(err, new(*scalar.LengthError)) {
		t.Errorf("FromSliceAs of a long string: error %v, want a LengthError", err)
	}
	for _, err := range []error{
		second(npy.FromSlice(scalar.Timedelta64s(1))), second(npy.FromSliceAs(dtype.Int64, []int32{1})),
		second(npy.FromSliceAs(dtype.Int32, []uint32{1})), second(npy.FromSliceAs(dtype.Uint8, []bool{true})),
		second(npy.FromSliceAs(dtype.Int64, scalar.Datetime64s(1))), second(npy.FromSliceAs(parse("m8[s]"), scalar.Datetime64s(1))),
		second(npy.FromSliceAs(parse("V4"), []scalar.BFloat16{{Bits: 1}})), second(npy.FromSliceAs(dtype.Float64, []scalar.LongDouble{{}})),
	} {
		if !errors.As(err, new(*npy.TypeError)) {
			t.Errorf("a dtype that is not that of the Go type: error %v, want a TypeError", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Numbers keep every bit on the way to a file's bytes and back.
func TestFromSliceKeepsBits(t *testing.T) {
	nan32, nan64 := math.Float32frombits(0x7fa01234), math.Float64frombits(0x7ff4000000001234)
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		f4 := must(npy.As[float32](must(npy.FromSliceAs(dtype.Float32.WithByteOrder(order), []float32{nan32})))).ToSlice()
		f8 := must(npy.As[float64](must(npy.FromSliceAs(dtype.Float64.WithByteOrder(order), []float64{nan64})))).ToSlice()
		if a, b := math.Float32bits(f4[0]), math.Float64bits(f8[0]); b != 0x7ff4000000001234 || a != 0x7fa01234 {
			t.Errorf("order %s: NaNs come back as %#x and %#x", order, a, b)
		}
		padded := scalar.LongDouble{Mantissa: 1 << 63, SignExp: 16383, Pad: [6]byte{1, 2, 3, 4, 5, 6}}
		x := must(npy.As[scalar.LongDouble](must(npy.FromSliceAs(dtype.LongDouble.WithByteOrder(order), []scalar.LongDouble{padded})))).At(0)
		if x != padded {
			t.Errorf("order %s: long double comes back as %+v, want %+v", order, x, padded)
		}
	}
}

func TestAsType(t *testing.T) {
	six := countTo(2, 3)
	for _, tt := range []struct {
		name  string
		a     *npy.Array
		descr string
		want  *npy.Array // nil for an error
	}{
		{"itself", six, dtype.Int32.Descr(), six},
		{"other order", six, ">i4", le(">i4", []int32{0, 1, 2, 3, 4, 5}, 2, 3)},
		{"wider", six, "<i8", le("<i8", []int64{0, 1, 2, 3, 4, 5}, 2, 3)},
		{"float", six, ">f8", le(">f8", []float64{0, 1, 2, 3, 4, 5}, 2, 3)},
		{"complex", six, "<c16", le("<c16", []complex128{0, 1, 2, 3, 4, 5}, 2, 3)},
		{"transposed", six.T(), "<i8", le("<i8", []int64{0, 3, 1, 4, 2, 5}, 3, 2)},
		{"no dimensions", countTo(), "<i8", must(le("<i8", []int64{0}).Reshape())},
		{"empty", countTo(0, 4), "<i8", le("<i8", []int64{}, 0, 4)},
		{"bool to int", le("?", []bool{true}), "<i4", le("<i4", []int32{1})},
		{"bytes 0 to 255 to bool", must(npy.FromBytes(dtype.Bool, []byte{7}, 1)), "<u2", le("<u2", []uint16{1})},
		{"unsigned to signed", le("u1", []uint8{255}), "<i2", le("<i2", []int16{255})},
		{"half to single", le("<f2", []scalar.Float16{{Bits: 0x3c00}}), "<f4", le("<f4", []float32{1})},
		{"half, order", le("<f2", []scalar.Float16{{Bits: 0x3c00}}), ">f2", le(">f2", []scalar.Float16{{Bits: 0x3c00}})},
		{"bfloat16 to double", le("bfloat16", []scalar.BFloat16{{Bits: 0x3f80}}), "<f8", le("<f8", []float64{1})},
		{"time, order", le("<M8[s]", scalar.Datetime64s(5)), ">M8[s]", le(">M8[s]", scalar.Datetime64s(5))},
		{"finer time", le("<M8[s]", scalar.Datetime64s(5, scalar.NaT)), ">M8[ms]", le(">M8[ms]", scalar.Datetime64s(5000, scalar.NaT))},
		{"finer span", le("<m8[25s]", scalar.Timedelta64s(-2)), "<m8[5s]", le("<m8[5s]", scalar.Timedelta64s(-10))},
		{"generic span", le("<m8", scalar.Timedelta64s(5, scalar.NaT)), ">m8[25s]", le(">m8[25s]", scalar.Timedelta64s(5, scalar.NaT))},
		{"generic time", le(">M8", scalar.Datetime64s(5)), "<M8[D]", le("<M8[D]", scalar.Datetime64s(5))},
		{"years as dates", le("<M8[Y]", scalar.Datetime64s(1)), "<M8[h]", le("<M8[h]", scalar.Datetime64s(365*24))},
		{"byte to half", le("i1", []int8{-128}), "<f2", le("<f2", []scalar.Float16{{Bits: 0xd800}})},
		{"unsigned byte to half", le("u1", []uint8{255}), ">f2", le(">f2", []scalar.Float16{{Bits: 0x5bf8}})},
		{"bool to half", le("?", []bool{true}), "<f2", le("<f2", []scalar.Float16{{Bits: 0x3c00}})},
		{"long to long double", le("<i8", []int64{-1}), "<f16", le("<f16", []scalar.LongDouble{{Mantissa: 1 << 63, SignExp: 0x8000 | 16383}})},
		{"float to long complex", le("<f4", []float32{1}), "<c32", le("<c32", []scalar.LongComplex{{Real: scalar.LongDouble{Mantissa: 1 << 63, SignExp: 16383}}})},
		{"longer string", le("<U1", []string{"é"}), ">U3", le(">U3", []string{"é"})},
		{"shorter string with room", le("<U3", []string{"é"}), "<U1", le("<U1", []string{"é"})},
		{"longer bytes", le("S1", [][]byte{[]byte("a")}), "S3", le("S3", [][]byte{[]byte("a")})},
		{"long double, size", le("<f12", []scalar.LongDouble{{Mantissa: 1 << 63, SignExp: 16383}}), "<f16", le("<f16", []scalar.LongDouble{{Mantissa: 1 << 63, SignExp: 16383}})},
		{"complex32", le("complex32", []scalar.Complex32{{Real: scalar.Float16{Bits: 0x3c00}}}), "<c8", le("<c8", []complex64{1})},

		{"narrower", six, "<i2", nil},
		{"unsigned", six, "<u8", nil},
		{"float without the digits", six, "<f4", nil},
		{"float to int", le("<f4", []float32{1}), "<i8", nil},
		{"complex to real", le("<c8", []complex64{1}), "<f8", nil},
		{"int to bool", six, "?", nil},
		{"generic time as years", le("<M8", scalar.Datetime64s(5)), "<M8[Y]", nil},
		{"coarser time", le("<M8[ms]", scalar.Datetime64s(5000)), "<M8[s]", nil},
		{"time out of range", le("<M8[s]", scalar.Datetime64s(1<<60)), "<M8[ns]", nil},
		{"years as days", le("<m8[Y]", scalar.Timedelta64s(5)), "<m8[D]", nil},
		{"number to text that may be too short", six, "<U10", nil},
		{"time to span", le("<M8[s]", scalar.Datetime64s(5)), "<m8[s]", nil},
		{"time to int", le("<M8[s]", scalar.Datetime64s(5)), "<i8", nil},
		{"string to int", le("<U1", []string{"1"}), "<i8", nil},
		{"string to bytes", le("<U1", []string{"1"}), "S1", nil},
		{"string without room", le("<U3", []string{"abc"}), "<U2", nil},
		{"number to struct", six, "[('x','<i4')]", nil},
		{"struct to number", must(npy.New(parse("[('x','<i4')]"), 1)), "<i4", nil},
		{"int to object", six, "O", nil},
		{"int to void", six, "V4", nil},
	} {
		typ := parse(tt.descr)
		b, err := tt.a.AsType(typ)
		if (err != nil) != (tt.want == nil) {
			t.Errorf("%s: AsType from %s to %s: error %v, want one: %v", tt.name, tt.a.DType(), typ, err, tt.want == nil)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "npy: ") {
				t.Errorf("%s: error %q does not begin with the package", tt.name, err)
			}
			continue
		}
		if tt.want != nil && (!b.DType().Equal(typ) || !slices.Equal(b.Shape(), tt.want.Shape()) || !bytes.Equal(b.Bytes(), tt.want.Bytes()) || b.IsFortran() != tt.a.IsFortran()) {
			t.Errorf("%s: AsType from %s to %s: shape %v, bytes % x, want %v, % x", tt.name, tt.a.DType(), typ, b.Shape(), b.Bytes(), tt.want.Shape(), tt.want.Bytes())
		}
	}
	b := must(six.AsType(six.DType()))
	if b.Item(0, 0)[0] = 9; six.Item(0, 0)[0] == 9 {
		t.Error("AsType to the same dtype shares memory")
	}
	_, err := six.AsType(dtype.Int16)
	if want := fmt.Sprintf("npy: no conversion from dtype %s to %s keeps every value; same_kind casting allows it", dtype.Int32, dtype.Int16); err == nil || err.Error() != want {
		t.Errorf("AsType: error %v, want %s", err, want)
	}
}

// Every pair of plain dtypes converts if a Go type holds both, and then the values stay.
func TestAsTypeTable(t *testing.T) {
	plain := []string{"?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"}
	for _, from := range plain {
		for _, to := range plain {
			i := slices.IndexFunc(everyElement, func(e element) bool { return e.own[0] == to })
			a := must(npy.New(parse(from), 3))
			a.Item(1)[0] = 1 // true, or another value
			b, err := a.AsType(parse(to).WithByteOrder(other()))
			if want := everyValueFits(everyElement[i], from); (err == nil) != want {
				t.Errorf("AsType from %s to %s: error %v, want none: %v", from, to, err, want)
			}
			if err != nil {
				continue
			}
			if x, y := smallValues(a), smallValues(b); !slices.Equal(x, y) {
				t.Errorf("AsType from %s to %s changes %v to %v", from, to, x, y)
			}
		}
	}
}

// smallValues returns numbers that are small enough for any type.
func smallValues(a *npy.Array) []complex128 {
	if v, err := npy.As[complex128](a); err == nil {
		return v.ToSlice()
	}
	var values []complex128
	if v, err := npy.As[uint64](a); err == nil {
		for x := range v.Values() {
			values = append(values, complex(float64(x), 0))
		}
		return values
	}
	for x := range must(npy.As[int64](a)).Values() {
		values = append(values, complex(float64(x), 0))
	}
	return values
}

func TestAsTypeStruct(t *testing.T) {
	const little = "[('a','|u1'),('','|V3'),(('title','b'),'<i4'),('n',[('p','<f2',(2,)),('q','<U1')]),('s','|S2'),('g','<f16'),('m','<M8[s]',(0,))]"
	from := parse(little)
	to := from.WithByteOrder(dtype.BigEndian)
	a := must(npy.New(from, 3, 2))
	raw, _ := a.ViewBytes()
	for i := range raw {
		raw[i] = byte(i)%100 + 1
	}
	for i := range 6 { // a code point
		q := must(must(a.Field("n")).Field("q")).Item(i/2, i%2)
		copy(q, []byte{'x', byte(i), 0, 0})
	}
	b, err := a.T().AsType(to)
	if err != nil {
		t.Fatal(err)
	}
	if !b.DType().Equal(to) || !slices.Equal(b.Shape(), []int{2, 3}) {
		t.Fatalf("AsType: dtype %s, shape %v", b.DType(), b.Shape())
	}
	for i := range 2 {
		for j := range 3 {
			x, y := a.Item(j, i), b.Item(i, j)
			want := bytes.Clone(x)
			for _, swap := range [][2]int{{4, 4}, {8, 2}, {10, 2}, {12, 4}, {18, 16}} {
				slices.Reverse(want[swap[0] : swap[0]+swap[1]])
			}
			if !bytes.Equal(y, want) {
				t.Errorf("element %d, %d: % x, want % x", i, j, y, want)
			}
		}
	}
	back := must(b.AsType(from))
	if !bytes.Equal(back.Bytes(), a.T().Bytes()) {
		t.Error("a struct does not come back from another byte order")
	}
	if wider := must(a.AsType(parse(strings.Replace(little, "'<i4'", "'<i8'", 1)))); !bytes.Equal(must(wider.Field("b")).Bytes(), must(must(a.Field("b")).AsType(dtype.Int64.WithByteOrder(dtype.LittleEndian))).Bytes()) {
		t.Errorf("a field becomes %v", must(wider.Field("b")))
	}
	if renamed := must(a.AsType(parse(strings.Replace(little, "'s'", "'t'", 1)))); !bytes.Equal(must(renamed.Field("t")).Bytes(), must(a.Field("s")).Bytes()) {
		t.Errorf("a field with another name becomes %v", must(renamed.Field("t")))
	}
	for _, descr := range []string{
		strings.Replace(little, "'<i4'", "'<i2'", 1), "[('a','|u1')]", little[:len(little)-1] + ",('z','|u1')]",
	} {
		if _, err := a.AsType(parse(descr)); err == nil {
			t.Errorf("AsType from %s to %s succeeded", from, descr)
		}
	}
}

// A file is replaced whole or not at all, and nothing else stays in its folder.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	broken := errors.New("broken")
	for _, test := range []struct {
		text string
		err  error
		want string
	}{{"first", nil, "first"}, {"second", broken, "first"}, {"third", nil, "third"}} {
		err := npy.ReplaceFile(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, test.text); err != nil {
				return err
			}
			return test.err
		})
		if err != test.err {
			t.Errorf("%s: error %v, want %v", test.text, err, test.err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != test.want {
			t.Errorf("%s: the file has %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) != 1 {
		t.Errorf("the folder has %q, %v", names, err)
	}
}

func ExampleReplaceFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "report.txt")
	err = npy.ReplaceFile(path, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "all is well")
		return err
	})
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(path)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// all is well
	// <nil>
}

// A Saver converts Go values to its DType as the Casting of its Encoder allows: the same elements as Cast of an array gives, whole
// and in rows. What it refuses names the Casting that allows it.
func TestSaverCasting(t *testing.T) {
	floats := []float64{1.5, -2, 1e300, 0.1}
	for _, tt := range []struct {
		t       string
		casting npy.Casting
		want    string // of the error
	}{
		{"<f8", npy.SafeCasting, ""},
		{">f8", npy.SafeCasting, ""},
		{"<c16", npy.SafeCasting, ""},
		{"<f4", npy.SafeCasting, "npy: dtype <f4 and Go type float64 do not fit: the dtype of this Go type is " + npy.DTypeOf[float64]().Descr() + ", or allow the change with Encoder.Casting: npy.SameKindCasting"},
		{"<f4", npy.SameKindCasting, "element 2: "}, // out of range
		{"<f4", npy.UnsafeCasting, ""},
		{"<i2", npy.SameKindCasting, "npy: dtype <i2 and Go type float64 do not fit: the dtype of this Go type is " + npy.DTypeOf[float64]().Descr() + ", or allow the change with Encoder.Casting: npy.UnsafeCasting"},
		{"<i2", npy.UnsafeCasting, ""},
		{"<U40", npy.SafeCasting, ""},
		{"<M8[s]", npy.SameKindCasting, "npy: dtype <M8[s] and Go type float64 do not fit: "},
	} {
		to := parse(tt.t)
		s := npy.Saver[float64]{DType: to, Array: npy.Encoder{Casting: tt.casting}}
		var whole, rows bytes.Buffer
		err := s.SaveTo(&whole, floats, 2, 2)
		w, rowErr := s.NewRowWriter(&rows, 2, 2)
		if rowErr == nil {
			rowErr = errors.Join(w.Write(floats), w.Close())
		}
		if tt.want != "" {
			if err == nil || rowErr == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(rowErr.Error(), tt.want) {
				t.Errorf("float64 saved as %s, %s: errors %v and %v, want %q", tt.t, tt.casting, err, rowErr, tt.want)
			}
			continue
		}
		var want bytes.Buffer
		a := must(must(npy.FromSlice(floats, 2, 2)).Cast(to, npy.UnsafeCasting))
		if err := errors.Join(err, rowErr, npy.Write(&want, a)); err != nil {
			t.Errorf("float64 saved as %s, %s: %v", tt.t, tt.casting, err)
		} else if !bytes.Equal(whole.Bytes(), want.Bytes()) || !bytes.Equal(rows.Bytes(), want.Bytes()) {
			t.Errorf("float64 saved as %s, %s: %q and %q, want %q", tt.t, tt.casting, whole.Bytes(), rows.Bytes(), want.Bytes())
		}
	}
	for to, casting := range map[string]npy.Casting{"<U1": npy.UnsafeCasting, "<i4": npy.UnsafeCasting} { // text is never cut, and never a number
		err := npy.Saver[string]{DType: parse(to), Array: npy.Encoder{Casting: casting}}.SaveTo(io.Discard, []string{"12"})
		if err == nil {
			t.Errorf("text was saved as %s", to)
		}
	}
	if err := (npy.Saver[bool]{DType: dtype.Uint8}).SaveTo(io.Discard, []bool{true}); err != nil {
		t.Errorf("bools as numbers: %v", err)
	}
}
