package format_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// typeOf returns the type of a literal as it follows 'descr': in a header. It fails the test on an error.
func typeOf(t testing.TB, literal string) dtype.Type {
	t.Helper()
	typ, err := dtype.ParseDescr(literal)
	if err != nil {
		t.Fatalf("ParseDescr(%s): %v", literal, err)
	}
	return typ
}

// mustAppend returns the header as bytes and fails the test on an error.
func mustAppend(t testing.TB, h format.Header) []byte {
	t.Helper()
	b, err := h.Append(nil)
	if err != nil {
		t.Fatalf("Append of %s %v: %v", h.DType, h.Shape, err)
	}
	return b
}

func le[T any](values ...T) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return b
}

// Complete files that NumPy 1.24.2 and 2.3.5 wrote, by the first half of their SHA-256.
func TestGoldenFiles(t *testing.T) {
	for _, tt := range []struct {
		expr    string
		descr   string
		fortran bool
		shape   []int
		version format.Version
		data    []byte
		size    int
		sum     string
	}{
		{expr: "arange(3, <i4)", descr: "'<i4'", shape: []int{3}, data: le[int32](0, 1, 2), size: 140, sum: "c8b16caa0f7bbe2bf06df66bd02f201f"},
		{expr: "array(1.5)", descr: "'<f8'", data: le(1.5), size: 136, sum: "e5bfe3c71116d779d35cc63375ccfdb4"},
		{expr: "zeros((0,), <f8)", descr: "'<f8'", shape: []int{0}, size: 128, sum: "fdee2f2368bf2af9c942f32cce9d982e"},
		{expr: "arange(6, <u2).reshape(2, 3)", descr: "'<u2'", shape: []int{2, 3}, data: le[uint16](0, 1, 2, 3, 4, 5), size: 140, sum: "6233a0de9d44550df16ae1db35d10fcf"},
		{expr: "asfortranarray of it", descr: "'<u2'", fortran: true, shape: []int{2, 3}, data: le[uint16](0, 3, 1, 4, 2, 5), size: 140, sum: "f8f26850627cc972766e251127823edc"},
		{expr: "strided >i2", descr: "'>i2'", shape: []int{2, 2}, data: []byte{0, 0, 0, 2, 0, 8, 0, 10}, size: 136, sum: "99754f1524eb318aa0f8ffc7fd63bc04"},
		{expr: "array([True, False])", descr: "'|b1'", shape: []int{2}, data: []byte{1, 0}, size: 130, sum: "4257418724eeadfcfc6affd95584b6da"},
		{expr: "array(['a', 'bcé'])", descr: "'<U3'", shape: []int{2}, data: le([]rune{'a', 0, 0, 'b', 'c', 'é'}...), size: 152, sum: "6a8b99c5cffc2ab2584f25fd5ea5d8a5"},
		{expr: "array([b'a', b'bc'])", descr: "'|S2'", shape: []int{2}, data: []byte("a\x00bc"), size: 132, sum: "f6b02ff3f08bfc0f2ba4299bfb99a4d7"},
		{expr: "array(['2020-01-02', 'NaT'], M8[D])", descr: "'<M8[D]'", shape: []int{2}, data: le[int64](18263, math.MinInt64), size: 144, sum: "84275b1080aef38704c196c6af95a13a"},
		{expr: "array([1, -1], m8[25s])", descr: "'<m8[25s]'", shape: []int{2}, data: le[int64](1, -1), size: 144, sum: "843a3627e409874448d0d5e5fedc1c82"},
		{expr: "records", descr: "[('a', '<i4'), ('b', '<f8', (2,)), ('c', [('d', 'S3')])]", shape: []int{2}, data: make([]byte, 46), size: 238, sum: "b39fc029234ddba332ad4b19c588b718"},
		{expr: "aligned records", descr: "[('f0', 'i1'), ('', 'V3'), ('f1', '<i4'), ('f2', 'i1'), ('', 'V3')]", shape: []int{1}, data: make([]byte, 12), size: 204, sum: "f8d5c61382f4deb2aad85ef526598e23"},
		{expr: "title", descr: "[(('T', 'n'), '<i4')]", shape: []int{1}, data: make([]byte, 4), size: 132, sum: "096defd6e1e26289e2884f08b039cc04"},
		{expr: "é", descr: "[('é', '<i4')]", shape: []int{1}, data: make([]byte, 4), size: 132, sum: "eb1ca700f44ca52a8cccb543542bfef0"},
		{expr: "整", descr: "[('整', '<i4')]", shape: []int{1}, data: make([]byte, 4), size: 132, sum: "12218b11f7aeed9773599c2d9686415e"},
		{expr: "zeros(3, [])", descr: "[]", shape: []int{3}, size: 128, sum: "daa0242420eb63227435d7125362a70c"},
		{expr: "zeros(2, <c16)", descr: "'<c16'", shape: []int{2}, data: make([]byte, 32), size: 160, sum: "c06d78d60e11f631cd16bb53119cebaa"},
		{expr: "version 2.0", descr: "'<i4'", shape: []int{3}, version: format.V2, data: le[int32](0, 1, 2), size: 140, sum: "a34b5be819e387c4c19c7d40b9a024bc"},
		{expr: "version 3.0", descr: "'<i4'", shape: []int{3}, version: format.V3, data: le[int32](0, 1, 2), size: 140, sum: "9722cdb2b5086af3ceb9ea61ee210509"},
	} {
		h := format.Header{Version: tt.version, DType: typeOf(t, tt.descr), FortranOrder: tt.fortran, Shape: tt.shape}
		file := append(mustAppend(t, h), tt.data...)
		sum := sha256.Sum256(file)
		if got := hex.EncodeToString(sum[:16]); len(file) != tt.size || got != tt.sum {
			t.Errorf("%s: %d bytes, sum %s, want %d, %s\n%q", tt.expr, len(file), got, tt.size, tt.sum, file)
		}
		if h.NBytes() != int64(len(tt.data)) {
			t.Errorf("%s: NBytes %d, want %d", tt.expr, h.NBytes(), len(tt.data))
		}
	}
}

func TestGoldenBytes(t *testing.T) {
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }" + strings.Repeat(" ", 60) + "\n"
	got, err := format.Header{DType: typeOf(t, "'<i4'"), Shape: []int{3}}.Append([]byte("x"))
	if err != nil || string(got) != "x"+want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

// The size of a header does not change while the first dimension grows (test_header_growth_axis, numpy 2.x, where the
// names are 7 characters shorter because the text has dtype(…) around the list).
func TestGrowth(t *testing.T) {
	for _, tt := range []struct {
		fortran      bool
		spaces, want int
	}{{false, 29, 128}, {false, 30, 192}, {true, 30, 128}, {true, 31, 192}} {
		typ := typeOf(t, "[('"+strings.Repeat(" ", tt.spaces)+"', '<i8')]")
		for n := 1; n <= math.MaxInt/16/10; n *= 10 {
			h := format.Header{DType: typ, FortranOrder: tt.fortran, Shape: []int{n, 2}}
			if tt.fortran {
				h.Shape = []int{2, n}
			}
			if got := len(mustAppend(t, h)); got != tt.want {
				t.Errorf("name of %d, Fortran %t, %v: %d bytes, want %d", tt.spaces, tt.fortran, h.Shape, got, tt.want)
			}
		}
	}
}

// withText returns the header of a struct whose header text, including the spaces for growth, has n bytes.
func withText(t *testing.T, n int) format.Header {
	t.Helper()
	empty := format.Header{DType: typeOf(t, "[('', '|i1')]"), Shape: []int{1}}
	text := strings.TrimSuffix(string(mustAppend(t, empty)[10:]), "\n")
	used := len(strings.TrimRight(text, " ")) + 20
	return format.Header{DType: typeOf(t, "[('"+strings.Repeat("a", n-used)+"', '|i1')]"), Shape: []int{1}}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		name string
		why  string
		text int
		want format.Version
		size int
	}{
		{"one space", "the padding is never empty", 116, format.V1, 128},
		{"a block of spaces", "64 rather than none", 117, format.V1, 192},
		{"largest of 1.0", "65,524 bytes of text", 65524, format.V1, 65536},
		{"smallest of 2.0", "one more", 65525, format.V2, 65600},
	} {
		h := withText(t, tt.text)
		b := mustAppend(t, h)
		if got := (format.Version{Major: b[6], Minor: b[7]}); got != tt.want || len(b) != tt.size {
			t.Errorf("%s: version %s of %d bytes, want %s of %d", tt.name, got, len(b), tt.want, tt.size)
		}
		if len(b)%format.ArrayAlign != 0 || b[len(b)-1] != '\n' || b[len(b)-2] != ' ' {
			t.Errorf("%s: header ends in %q", tt.name, b[len(b)-2:])
		}
		got, err := format.Decoder{MaxHeader: -1}.ParseHeader(b)
		if err != nil || !got.Equal(h) || got.DataOffset != int64(len(b)) {
			t.Errorf("%s: read back: %v", tt.name, err)
		}
	}
}

func TestAppendErrors(t *testing.T) {
	i4, wide := typeOf(t, "'<i4'"), typeOf(t, "[('整', '<i4')]")
	for _, tt := range []struct {
		name string
		h    format.Header
		want string
	}{
		{"no dtype", format.Header{}, "npy: header without a dtype"},
		{"negative dimension", format.Header{DType: i4, Shape: []int{2, -1}}, "npy: negative dimension -1"},
		{"too large", format.Header{DType: i4, Shape: []int{math.MaxInt / 4, 2}}, "of 4-byte elements is larger than memory can be"},
		{"too many dimensions", format.Header{DType: i4, Shape: make([]int, 65)}, "npy: 65 dimensions, at most 64 are possible"},
		{"subarray", format.Header{DType: typeOf(t, "('<i4', (2,))")}, "npy: subarray ('<i4', (2,)) cannot be the dtype of an array: move its dimensions into the shape"},
		{"version 1.0 and Unicode", format.Header{DType: wide, Version: format.V1}, "npy: version 1.0 cannot hold the header: character outside Latin-1: '整'; use version 3.0"},
		{"version 2.0 and Unicode", format.Header{DType: wide, Version: format.V2}, "npy: version 2.0 cannot hold the header: character outside Latin-1: '整'; use version 3.0"},
		{"version 1.0 too long", func() format.Header { h := withText(t, 65525); h.Version = format.V1; return h }(), "npy: header of 65590 bytes is too long for version 1.0"},
		{"version 0.0 with a minor", format.Header{DType: i4, Version: format.Version{Minor: 1}}, "npy: version 0.1 cannot be written, want 1.0, 2.0 or 3.0"},
		{"version 4.0", format.Header{DType: i4, Version: format.Version{Major: 4}}, "npy: version 4.0 cannot be written, want 1.0, 2.0 or 3.0"},
	} {
		got, err := tt.h.Append([]byte("x"))
		if err == nil || !strings.Contains(err.Error(), tt.want) || string(got) != "x" {
			t.Errorf("%s: got %q, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

// A question is a header for NumPy to write.
type question struct {
	Descr   string `json:"descr"`
	Order   bool   `json:"order"`
	Shape   []int  `json:"shape"`
	Version []int  `json:"version"`
}

func TestWriteLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	descrs := []string{"'<f8'", "'>i4'", "'|b1'", "'<M8[25s]'", "'<U17'", "'|O'", "[]", "'|S0'", "[('a', '<i4'), ('', '|V4'), ('b', '>f8', (2, 3))]",
		"[('é', '<i4')]", "[('整', '<i4')]", "[('\\u2028', '<i4')]", "[('\\ud800', '<i4')]", "[('\\x85', '<i4')]", `[("it's", '<i4'), ('"', '<i4')]`,
		"[(('T', 'n'), '<i4')]", "[((5, 'n'), '<i4')]", "[('', '<i4')]", "[('\\\\', 'u1')]", "[('\\n', 'u1')]", "[('😀', 'u1')]"}
	var questions []question
	for range 600 {
		q := question{Order: rng.IntN(2) == 0, Descr: descrs[rng.IntN(len(descrs))], Shape: []int{}}
		for range rng.IntN(5) {
			q.Shape = append(q.Shape, rng.IntN(1<<(1+rng.IntN(7))))
		}
		if rng.IntN(4) == 0 { // lengths around the alignment, and sometimes around the limit of version 1.0
			n := rng.IntN(200)
			if rng.IntN(4) == 0 {
				n += 65350
			}
			q.Descr = "[('" + strings.Repeat("n", n) + "', 'u1')]"
		}
		if rng.IntN(4) == 0 {
			q.Version = []int{1 + rng.IntN(3), 0}
		}
		questions = append(questions, q)
	}
	version, answers := askNumPy(t, questions)
	for i, q := range questions {
		h := format.Header{DType: typeOf(t, q.Descr), FortranOrder: q.Order, Shape: q.Shape}
		if q.Version != nil {
			h.Version = format.Version{Major: uint8(q.Version[0])}
		}
		want, _ := hex.DecodeString(answers[i].Bytes)
		got, err := h.Append(nil)
		switch {
		case (err != nil) != (answers[i].Error != ""):
			t.Errorf("%.200v: got error %v, NumPy %s: %s", q, err, version, answers[i].Error)
		case !bytes.Equal(got, want):
			t.Errorf("%.200v: got %.300q, NumPy %s: %.300q", q, got, version, want)
		}
	}
}

func TestHeaderSizes(t *testing.T) {
	for _, tt := range []struct {
		shape  []int
		size   int
		nbytes int64
	}{{nil, 1, 8}, {[]int{0}, 0, 0}, {[]int{3, 0, 5}, 0, 0}, {[]int{3, 4}, 12, 96}, {[]int{1 << 20, 1 << 7}, 1 << 27, 1 << 30}} {
		h := format.Header{DType: dtype.Float64, Shape: tt.shape}
		if err := h.Validate(); err != nil || h.Size() != tt.size || h.NBytes() != tt.nbytes {
			t.Errorf("%v: %d elements, %d bytes, %v", tt.shape, h.Size(), h.NBytes(), err)
		}
	}
}

func TestShapeString(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(3,)": {3}, "(3, 4)": {3, 4}, "(0, 1, 2)": {0, 1, 2}} {
		if got := format.ShapeString(shape); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestEqual(t *testing.T) {
	h := format.Header{DType: dtype.Float64, Shape: []int{3, 4}}
	for name, change := range map[string]func(*format.Header){
		"dtype": func(h *format.Header) { h.DType = dtype.Int64 }, "order": func(h *format.Header) { h.FortranOrder = true },
		"shape": func(h *format.Header) { h.Shape = []int{4, 3} }, "dimensions": func(h *format.Header) { h.Shape = []int{12} },
	} {
		g := h
		if change(&g); h.Equal(g) {
			t.Errorf("another %s is equal", name)
		}
	}
	g := format.Header{DType: dtype.Float64, Shape: []int{3, 4}, Version: format.V3, DataOffset: 192}
	if !h.Equal(g) {
		t.Error("version and offset count")
	}
}
