package npy_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

// numpyPrints prints NumPy's version and every file with its options, as JSON strings. Bytes without dimensions are
// printed as print(a[()]): only for them print(a) differs in NumPy 2, np.bytes_(b'x').
const numpyPrints = `
import os
print(json.dumps(np.__version__))
for i, options in enumerate(json.load(sys.stdin)):
    with np.printoptions(**options):
        a = np.load(os.path.join(sys.argv[1], '%d.npy' % i))
        print(json.dumps(str(a[()] if a.ndim == 0 and a.dtype.kind == 'S' else a)))
`

// Random arrays print as NumPy prints them, and the texts in print_test.go are NumPy's.
func TestPrintLikeNumPy(t *testing.T) {
	const count = 1500
	g := &printGenerator{rand.New(rand.NewPCG(1, 2))}
	c := printComparison{dir: t.TempDir()}
	for _, row := range printed {
		if row.ours == "" {
			c.add(t, row.array, npy.Printer{}, map[string]any{})
		}
	}
	for range count {
		p, options := g.printer()
		c.add(t, g.array(), p, options)
	}
	c.compare(t)
}

// A printComparison is arrays to be printed by both.
type printComparison struct {
	dir      string
	arrays   []*npy.Array
	printers []npy.Printer
	options  []map[string]any // the options of each printer for numpy.set_printoptions
}

func (c *printComparison) add(t *testing.T, a *npy.Array, p npy.Printer, options map[string]any) {
	t.Helper()
	if err := npy.WriteFile(filepath.Join(c.dir, fmt.Sprintf("%d.npy", len(c.arrays))), a); err != nil {
		t.Fatal(err)
	}
	c.arrays, c.printers, c.options = append(c.arrays, a), append(c.printers, p), append(c.options, options)
}

func (c *printComparison) compare(t *testing.T) {
	stdin := must(json.Marshal(c.options))
	out := json.NewDecoder(bytes.NewReader(oracle.NumPy(t, numpyPrints, stdin, c.dir)))
	var version string
	if err := out.Decode(&version); err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i, a := range c.arrays {
		var want string
		if err := out.Decode(&want); err != nil {
			t.Fatal(err)
		}
		p := c.printers[i]
		if strings.HasPrefix(version, "1.") {
			p.NumPy = 1
		}
		if got := sprint(t, p, a); got != want+"\n" {
			if differ++; differ <= 5 {
				t.Errorf("%+v, dtype %s, shape %v prints\n%.2000s\nwant\n%.2000s", c.printers[i], a.DType(), a.Shape(), got, want)
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d arrays differ", differ, len(c.arrays))
	}
}

// A printGenerator makes arrays that exercise every branch of printing.
type printGenerator struct{ *rand.Rand }

func (g *printGenerator) chance(percent int) bool { return g.IntN(100) < percent }

func oneOf[T any](g *printGenerator, from ...T) T { return from[g.IntN(len(from))] }

func (g *printGenerator) printer() (npy.Printer, map[string]any) {
	p, options := npy.Printer{}, map[string]any{}
	if g.chance(50) {
		return p, options
	}
	if g.chance(40) {
		p.Precision = oneOf(g, -1, 1, 2, 3, 5, 8, 12, 14, 20)
		options["precision"] = p.Precision
		if p.Precision < 0 {
			options["precision"], options["floatmode"] = 8, "unique"
		}
	}
	if g.chance(40) {
		p.Threshold = oneOf(g, -1, 1, 5, 20, 100)
		options["threshold"] = p.Threshold
		if p.Threshold < 0 {
			options["threshold"] = int64(math.MaxInt64)
		}
	}
	if g.chance(30) {
		p.EdgeItems = oneOf(g, 1, 2, 4, 10)
		options["edgeitems"] = p.EdgeItems
	}
	if g.chance(40) {
		p.LineWidth = oneOf(g, 1, 10, 20, 40, 76, 100, 1000)
		options["linewidth"] = p.LineWidth
	}
	return p, options
}

// array makes an array in C or Fortran order, or a view of one.
func (g *printGenerator) array() *npy.Array {
	shape := g.shape()
	t := g.dtype()
	if len(shape) >= 2 && g.chance(20) {
		t = g.structure(2)
	}
	if len(shape) == 0 && t.Kind() == dtype.KindStr {
		t = dtype.Bytes(5) // NumPy prints control characters as they are
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	data := make([]byte, 0, n*t.ItemSize())
	fill := g.filler(t)
	for range n {
		data = fill(data)
	}
	a := must(npy.FromBytes(t, data, shape...))
	switch g.IntN(6) {
	case 0:
		a = a.Fortran()
	case 1:
		a = a.T()
	case 2:
		if len(shape) > 0 {
			a = must(a.Slice(npy.All().By(oneOf(g, -1, 2, -3))))
		}
	case 3:
		if len(shape) > 1 {
			a = must(a.Slice(npy.Ellipsis(), npy.All().By(oneOf(g, -1, 2))))
		}
	}
	return a
}

func (g *printGenerator) shape() []int {
	switch g.IntN(10) {
	case 0:
		return nil
	case 1:
		return []int{1000 + g.IntN(5)}
	case 2:
		return []int{1 + g.IntN(60), 1 + g.IntN(60)}
	case 3:
		return []int{1 + g.IntN(4), 1 + g.IntN(12), 1 + g.IntN(40)}
	case 4, 5:
		return []int{g.IntN(30)}
	}
	shape := make([]int, 1+g.IntN(5))
	for i := range shape {
		shape[i] = 1 + g.IntN(4)
		if g.chance(2) {
			shape[i] = 0
		}
	}
	return shape
}

func (g *printGenerator) dtype() dtype.Type {
	code := oneOf(g, "?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8",
		"f2", "f4", "f8", "f16", "f2", "f4", "f8", "f16", "c8", "c16", "c32", "c8", "c16",
		"S1", "S7", "S0", "U1", "U5", "V1", "V4", "V0",
		"M8[Y]", "M8[M]", "M8[W]", "M8[D]", "M8[h]", "M8[m]", "M8[s]", "M8[25s]", "M8[us]", "M8[ns]", "m8[s]", "m8[7D]", "m8")
	order := oneOf(g, "<", ">")
	if code == "m8" {
		order = "<" // NumPy makes numbers in ">m8" 20 characters wide
	}
	return must(dtype.Parse(order + code))
}

func (g *printGenerator) structure(depth int) dtype.Type {
	fields := make([]dtype.Field, g.IntN(4))
	at := 0
	for i := range fields {
		t := g.dtype()
		if depth > 0 && g.chance(30) {
			t = g.structure(depth - 1)
		}
		if t.ItemSize() > 0 && g.chance(30) { // NumPy does not read subarrays of 0 bytes
			t = must(dtype.Subarray(t, oneOf(g, []int{2}, []int{1}, []int{0}, []int{2, 3}, []int{2, 0}, []int{1, 2, 2})...))
		}
		at += g.IntN(3)
		fields[i] = dtype.Field{Name: fmt.Sprintf("f%d", i), DType: t, Offset: at}
		at += t.ItemSize()
	}
	return must(dtype.Struct(at, fields...))
}

// filler returns a function that appends one element. All elements of a filler share a style, so that floats of one
// magnitude are as frequent as any mixture.
func (g *printGenerator) filler(t dtype.Type) func([]byte) []byte {
	switch t.Kind() {
	case dtype.KindFloat:
		return g.floats(t, t.ItemSize())
	case dtype.KindComplex:
		re, im := g.floats(t, t.ItemSize()/2), g.floats(t, t.ItemSize()/2)
		return func(data []byte) []byte { return im(re(data)) }
	case dtype.KindStr:
		return g.strings(t)
	case dtype.KindDatetime, dtype.KindTimedelta:
		return g.times(t)
	case dtype.KindInt, dtype.KindUint:
		mask := oneOf[uint64](g, math.MaxUint64, 0xff, 0xfff, 0)
		return func(data []byte) []byte { return appendOrdered(data, t, g.Uint64()&mask, t.ItemSize()) }
	}
	switch {
	case t.IsStruct():
		return g.structs(t)
	case t.IsSubarray():
		fill, n := g.filler(t.Elem()), 0
		if size := t.Elem().ItemSize(); size > 0 {
			n = t.ItemSize() / size
		}
		return func(data []byte) []byte {
			for range n {
				data = fill(data)
			}
			return data
		}
	}
	return func(data []byte) []byte { return g.bytes(data, t.ItemSize()) }
}

func (g *printGenerator) bytes(data []byte, n int) []byte {
	for range n {
		data = append(data, oneOf[byte](g, 0, 1, '\'', '"', '\\', '\n', 'a', 'b', ' ', 0x7f, 0xff))
	}
	return data
}

func (g *printGenerator) structs(t dtype.Type) func([]byte) []byte {
	fills := make([]func([]byte) []byte, t.NumField())
	for i := range fills {
		fills[i] = g.filler(t.Field(i).DType)
	}
	return func(data []byte) []byte {
		start := len(data)
		for i, fill := range fills {
			for len(data) < start+t.Field(i).Offset {
				data = append(data, 'x')
			}
			data = fill(data)
		}
		for len(data) < start+t.ItemSize() {
			data = append(data, 'x')
		}
		return data
	}
}

func (g *printGenerator) strings(t dtype.Type) func([]byte) []byte {
	return func(data []byte) []byte {
		for range t.Chars() {
			c := oneOf[uint64](g, 0, 'a', 'b', ' ', '\'', '"', '\\', '\t', '\n', '\r', 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0xe9, 0x301, 0x378,
				0x200b, 0x2028, 0x202e, 0x6574, 0xd800, 0xdfff, 0xe000, 0xfeff, 0xffff, 0x1f600, 0xe0001, 0x10ffff)
			data = appendOrdered(data, t, c, 4)
		}
		return data
	}
}

// times keeps to moments that NumPy computes without overflow.
func (g *printGenerator) times(t dtype.Type) func([]byte) []byte {
	limit := oneOf[int64](g, 10, 1000, 100_000, 2_000_000)
	nat := oneOf(g, 0, 0, 10, 100)
	return func(data []byte) []byte {
		ticks := g.Int64N(2*limit) - limit
		if t.Step().Unit == dtype.Year {
			ticks %= 20_000
		}
		if g.chance(nat) {
			ticks = scalar.NaT
		}
		return appendOrdered(data, t, uint64(ticks), 8)
	}
}

func (g *printGenerator) floats(t dtype.Type, size int) func([]byte) []byte {
	number := oneOf(g,
		func() float64 { return float64(g.IntN(100)) },
		func() float64 { return float64(g.IntN(2000)-1000) / 8 },
		func() float64 { return float64(g.IntN(20000)-10000) / 100 },
		func() float64 { return g.NormFloat64() },
		func() float64 { return g.NormFloat64() * 1e7 },
		func() float64 { return math.Pow(10, g.Float64()*24-12) },
		func() float64 { return math.Pow(10, float64(g.IntN(14)-5)) },
		func() float64 { return 1 + 999*g.Float64() },
		func() float64 { return oneOf(g, 1e-4, 1, 0.1, 9.9999e-5, 100, 1000.0001, 0.001) },
		func() float64 { return oneOf(g, 1e8, 99999999, 1e5, 99999999.9, 1e7, 12345.678) },
		func() float64 { return math.Ldexp(1, g.IntN(60)-30) },
		func() float64 { return math.Float64frombits(g.Uint64()) },
		func() float64 { return 0 },
		func() float64 { return 1e7 + 9e7*g.Float64() },
		func() float64 { return 64000 + 1500*g.Float64() },
		func() float64 { return oneOf(g, 5e-324, 1e-45, 6e-8, 3.4e38, 1.7e308, 65504) },
	)
	other, zero, raw, minus := oneOf(g, 0, 0, 0, 10, 100), oneOf(g, 0, 20), oneOf(g, 0, 0, 0, 100), oneOf(g, 0, 50)
	return func(data []byte) []byte {
		x := number()
		switch {
		case g.chance(raw):
			return g.rawFloat(data, t, size)
		case g.chance(other):
			x = oneOf(g, math.NaN(), math.Inf(1), math.Inf(-1))
		case g.chance(zero):
			x = 0
		}
		if g.chance(minus) {
			x = -x
		}
		return appendFloat(data, t, size, x)
	}
}

// rawFloat appends any bits that are a float. Not all bits are a valid long double.
func (g *printGenerator) rawFloat(data []byte, t dtype.Type, size int) []byte {
	if size < 16 {
		return appendOrdered(data, t, g.Uint64(), size)
	}
	x := scalar.LongDouble{Mantissa: g.Uint64() | 1<<63, SignExp: uint16(g.Uint32())}
	switch x.SignExp & 0x7fff {
	case 0:
		x.Mantissa &^= 1 << 63
	case 0x7fff:
		x.Mantissa = oneOf[uint64](g, 1<<63, 3<<62)
	}
	return x.AppendBytes(data, t.ByteOrder() == dtype.BigEndian)
}

// appendFloat appends x as a float of the given size in the byte order of t.
func appendFloat(data []byte, t dtype.Type, size int, x float64) []byte {
	switch size {
	case 2:
		return appendOrdered(data, t, uint64(scalar.Float16FromFloat64(x).Bits), size)
	case 4:
		return appendOrdered(data, t, uint64(math.Float32bits(float32(x))), size)
	case 8:
		return appendOrdered(data, t, math.Float64bits(x), size)
	}
	return scalar.LongDoubleFromFloat64(x).AppendBytes(data, t.ByteOrder() == dtype.BigEndian)
}

// appendOrdered appends the low bytes of bits in the byte order of t.
func appendOrdered(data []byte, t dtype.Type, bits uint64, size int) []byte {
	if t.ByteOrder() == dtype.BigEndian {
		all := binary.BigEndian.AppendUint64(nil, bits)
		return append(data, all[8-size:]...)
	}
	all := binary.LittleEndian.AppendUint64(nil, bits)
	return append(data, all[:size]...)
}
