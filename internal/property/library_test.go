package property_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/scalar"
)

// Programs get NumPy's values, in every Go type that holds them all, and an error for every other type.
func TestLibraryBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "library", Cases: 2500, Case: newLibrary}, differences)
}

// A libraryCase is an array and a program's request.
type libraryCase struct {
	A      *p.Array    `json:"a"`
	Op     string      `json:"op"`
	Go     string      `json:"go"` // the type of Go
	T      string      `json:"t"`  // and the dtype of its values
	Narrow bool        `json:"narrow"`
	Fields [][2]string `json:"fields"`

	element  element
	record   recordType
	n        int // rows at a time
	maxBytes int64
}

func newLibrary(g *p.G, e *p.Env) *p.Case {
	c := &libraryCase{Op: p.Pick(g, "load", "load", "record"), n: g.Between(1, 7), Fields: [][2]string{}}
	small := g.Chance(10) && e.Have(p.Small) != 0
	switch {
	case small:
		c.Op, c.T = "small", p.Pick(g, "f4", "f8")
		c.A = g.ArrayOf(p.Named(p.Pick(g, p.SmallNames...)), g.Shape(60), 0)
	case c.Op == "record":
		c.newRecord(g)
	default:
		c.element = p.Pick(g, elements...)
		c.Go, c.T = c.element.name, c.element.descr
		t := g.Plain(p.Plain)
		if g.Chance(40) {
			t = p.Parsed(p.Pick(g, "<", ">") + p.Pick(g, "i1", "u1", "i2", "b1", "f2", "f4", "i4", "u2"))
		}
		if g.Chance(20) && c.T != "" && c.T != "M8" && c.T != "m8" {
			t = p.Parsed(p.Pick(g, "<", ">") + c.T)
		}
		c.A = g.ArrayOf(t, g.Shape(p.Pick(g, 10, 60, 500, 20_000)), 0)
		c.Narrow = g.Chance(10)
		if g.Chance(10) {
			c.maxBytes = int64(g.Between(1, 2*max(c.A.NBytes(), 1)))
		}
	}
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%s %s %s of %s", c.Op, c.Go, c.Fields, c.A)
	}}
}

// An element is a Go type and the ways to load it.
type element struct {
	name, descr string
	ways        func(c *libraryCase, path string, file []byte) []loading
}

// A loading is one way to get elements: as bytes or texts, with their shape, or an error.
type loading struct {
	name  string
	data  []byte
	texts []string
	shape []int
	err   error
}

// elementOf returns the row of the table for a type.
func elementOf[T npy.Element](name, descr string) element {
	return element{name, descr, func(c *libraryCase, path string, file []byte) []loading {
		var all []loading
		add := func(what string, data []T, shape []int, err error) {
			l := loading{name: what, shape: shape, err: err}
			if err == nil {
				l.data, l.texts = told(c, data)
			}
			all = append(all, l)
		}
		if !c.Narrow {
			data, shape, err := npy.Load[T](path)
			add("Load", data, shape, err)
			data, shape, err = npy.LoadInto(make([]T, 3, 40), path)
			add("LoadInto", data, shape, err)
			v, err := npy.As[T](c.A.Array)
			if err == nil {
				add("As", v.ToSlice(), v.Shape(), nil)
			} else {
				add("As", nil, nil, err)
			}
			m := must(mmap.Open(path))
			data, shape, err = mmap.Load[T](m)
			add("mmap.Load", data, shape, err)
			_ = m.Close()
			data, shape, err = ofMember[T](c)
			add("npz.Load", data, shape, err)
		}
		var d npy.Decoder
		if from, to := c.A.Array.DType(), npy.DTypeOf[T](); c.Narrow && from.Kind() == to.Kind() && from.ItemSize() == 2*to.ItemSize() &&
			(to.Equal(dtype.Float32) || to.Equal(dtype.Complex64)) {
			d.Casting = npy.UnsafeCasting
		}
		data, shape, err := npy.Loader[T](d).LoadFrom(iotest.OneByteReader(bytes.NewReader(file)))
		add("LoadFrom", data, shape, err)
		data, shape, err = byRows[T](file, d, c.n)
		add("RowReader", data, shape, err)
		return all
	}}
}

// told is the form in which elements are compared.
func told[T npy.Element](c *libraryCase, data []T) ([]byte, []string) {
	switch x := any(data).(type) {
	case []string:
		return nil, x
	case [][]byte:
		texts := make([]string, len(x))
		for i, b := range x {
			texts[i] = latin1(b)
		}
		return nil, texts
	case []scalar.Datetime64, []scalar.Timedelta64:
		return must(npy.FromSliceAs(c.A.DType.WithByteOrder(dtype.LittleEndian), data)).Bytes(), nil
	}
	return must(npy.FromSliceAs(must(dtype.Parse("<"+c.T)), data)).Bytes(), nil
}

// latin1 has a character for each byte, as Python sends them.
func latin1(b []byte) string {
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

func ofMember[T npy.Element](c *libraryCase) ([]T, []int, error) {
	var b bytes.Buffer
	w := must(npz.NewWriter(&b))
	if err := errors.Join(w.Add("x", c.A.Array), w.Close()); err != nil {
		panic(err)
	}
	return npz.Load[T](must(npz.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))), "x")
}

// byRows reads some rows with Next, some with Blocks, the rest with Rows; for an array in Fortran order the rows of its
// transpose.
func byRows[T npy.Element](file []byte, d npy.Decoder, n int) (data []T, shape []int, err error) {
	reader := bytes.NewReader(file)
	r, err := npy.Loader[T](d).NewRowReader(reader)
	if errors.Is(err, npy.ErrFortranOrder) {
		reader.Reset(file)
		if r, err = npy.Loader[T](d).NewColumnReader(reader); err == nil {
			data, err = rows(r, n)
			return fromFortran(data, r.Shape()), reversed(r.Shape()), err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	data, err = rows(r, n)
	return data, r.Header().Shape, err
}

func reversed(shape []int) []int {
	slices.Reverse(shape)
	return shape
}

// fromFortran puts elements of a transposed array into C order.
func fromFortran[T any](data []T, shape []int) []T {
	out := make([]T, 0, len(data))
	if len(data) == 0 {
		return out
	}
	index := make([]int, len(shape)) // of the array, whose axes are the axes of shape in reverse
	for range data {
		at, stride := 0, 1
		for axis := len(shape) - 1; axis >= 0; axis-- {
			at += index[len(shape)-1-axis] * stride
			stride *= shape[axis]
		}
		out = append(out, data[at])
		for axis := len(index) - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < shape[len(shape)-1-axis] {
				break
			}
			index[axis] = 0
		}
	}
	return out
}

func rows[T npy.Element](r *npy.RowReader[T], n int) (data []T, err error) {
	dst := make([]T, max(r.RowLen()*n, 1))
	for range 2 {
		got, err := r.Next(dst)
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		data = append(data, dst[:got*r.RowLen()]...)
	}
	blocks := 0
	for block, err := range r.Blocks(n) {
		if err != nil {
			return nil, err
		}
		data = append(data, block...)
		if blocks++; blocks == 2 {
			break
		}
	}
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		data = append(data, row...)
	}
	return data, nil
}

var elements = []element{
	elementOf[float64]("float64", "f8"), elementOf[float32]("float32", "f4"), elementOf[int64]("int64", "i8"), elementOf[int32]("int32", "i4"),
	elementOf[int16]("int16", "i2"), elementOf[int8]("int8", "i1"), elementOf[int]("int", "i8"), elementOf[uint64]("uint64", "u8"),
	elementOf[uint32]("uint32", "u4"), elementOf[uint16]("uint16", "u2"), elementOf[uint8]("uint8", "u1"), elementOf[uint]("uint", "u8"),
	elementOf[bool]("bool", "b1"), elementOf[complex128]("complex128", "c16"), elementOf[complex64]("complex64", "c8"),
	elementOf[string]("string", ""), elementOf[[]byte]("[]byte", ""), elementOf[scalar.Float16]("scalar.Float16", "f2"),
	elementOf[scalar.LongDouble]("scalar.LongDouble", "f16"), elementOf[scalar.LongComplex]("scalar.LongComplex", "c32"),
	elementOf[scalar.Datetime64]("scalar.Datetime64", "M8"), elementOf[scalar.Timedelta64]("scalar.Timedelta64", "m8"),
}

func (c *libraryCase) check(r *p.Report, a oracle.Answer) {
	if a.Error != "" {
		r.Equal("Python", "", a.Error+": "+a.Message)
		return
	}
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	file := must(os.ReadFile(path))
	refused := string(a.Value) == "null"
	switch c.Op {
	case "record":
		c.checkRecord(r, a, path, file, refused)
		return
	case "small":
		c.checkSmall(r, a)
		return
	}
	for _, l := range c.element.ways(c, path, file) {
		var typeError *npy.TypeError
		switch {
		case refused:
			r.True(l.name, errors.As(l.err, &typeError), fmt.Sprint(l.err, l.data, l.texts), "*npy.TypeError")
		case l.err != nil:
			r.Equal(l.name, l.err.Error(), fmt.Sprintf("%.300s", a.Value))
		case c.T == "":
			want := p.Decode[[]string](a)
			r.Equal(l.name, fmt.Sprintf("%q", append([]string{}, l.texts...)), fmt.Sprintf("%q", c.expected(want)))
		default:
			want := p.Decode[[]byte](a)
			t := must(dtype.Parse("<" + c.T))
			r.True(l.name, p.SameElements(t, l.data, want), fmt.Sprintf("%.300x", l.data), fmt.Sprintf("%.300x", want))
		}
		if l.err == nil {
			r.Equal(l.name+": shape", fmt.Sprint(l.shape), fmt.Sprint(c.A.Shape()))
		}
	}
	if c.maxBytes > 0 {
		c.limits(r, file)
	}
}

// checkSmall compares the values of a type of ml_dtypes. Each value is a float32.
func (c *libraryCase) checkSmall(r *p.Report, a oracle.Answer) {
	want := p.Decode[[]byte](a)
	got := func() ([]byte, error) {
		if c.T == "f4" {
			v, err := npy.As[float32](c.A.Array)
			if err != nil {
				return nil, err
			}
			return must(npy.FromSliceAs(must(dtype.Parse("<f4")), v.ToSlice())).Bytes(), nil
		}
		v, err := npy.As[float64](c.A.Array)
		if err != nil {
			return nil, err
		}
		return must(npy.FromSliceAs(must(dtype.Parse("<f8")), v.ToSlice())).Bytes(), nil
	}
	b, err := got()
	r.True("As "+c.T, err == nil && p.SameElements(must(dtype.Parse("<"+c.T)), b, want), fmt.Sprintf("%x %v", b, err), fmt.Sprintf("%x", want))
}

// expected returns texts as Go has them: a string of the bytes that Python sends as characters.
func (c *libraryCase) expected(want []string) []string {
	if c.Go == "string" && c.A.DType.Kind() == dtype.KindBytes {
		for i, text := range want {
			want[i] = fromLatin1(text)
		}
	}
	return want
}

func fromLatin1(text string) string {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = append(b, byte(r))
	}
	return string(b)
}

// limits reads with limits just above and below the size of the file.
func (c *libraryCase) limits(r *p.Report, file []byte) {
	_, err := npy.Decoder{MaxBytes: c.maxBytes}.Read(bytes.NewReader(file))
	over := int64(c.A.NBytes()) > c.maxBytes
	r.True("MaxBytes", errors.Is(err, npy.ErrLimit) == over && (over || err == nil), fmt.Sprint(err), fmt.Sprintf("%d bytes, at most %d: limit exceeded %v", c.A.NBytes(), c.maxBytes, over))
	header := bytes.IndexByte(file, '\n') + 1 - 10
	for _, most := range []int{header - 1, header} {
		_, err := npy.Decoder{MaxHeader: most}.Read(bytes.NewReader(file))
		over := header > most
		r.True("MaxHeader", errors.Is(err, npy.ErrLimit) == over && (over || err == nil), fmt.Sprint(err), fmt.Sprintf("header of %d, at most %d", header, most))
	}
	short := file[:len(file)-min(len(file), c.A.NBytes())+c.A.NBytes()/2]
	if c.A.NBytes() > 1 {
		_, err = npy.Read(bytes.NewReader(short))
		r.True("a file that ends early", errors.Is(err, io.ErrUnexpectedEOF) && !strings.Contains(err.Error(), "panic"), fmt.Sprint(err), "io.ErrUnexpectedEOF")
	}
}
