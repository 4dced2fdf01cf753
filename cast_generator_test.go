package npy_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

type castQuestion struct {
	From string `json:"from"`
	To   string `json:"to"`
	Data string `json:"data"`
	N    int    `json:"n"`
}

// A castGenerator makes dtypes and elements of them.
type castGenerator struct {
	*rand.Rand
	named bool // the types of ml_dtypes too
}

func (g castGenerator) pick(words ...string) string { return words[g.IntN(len(words))] }

var castUnits = strings.Fields("Y M W D h m s ms us ns ps fs as 2D 25s 10ms 3M 7W 100ns")

// plain returns a dtype without fields. As a target it may be a text without a length or a time without a unit.
func (g castGenerator) plain(target bool) string {
	order := g.pick("<", "<", ">")
	if g.named && g.IntN(3) == 0 {
		return g.pick("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2",
			"float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4", "uint4", "int2", "uint2")
	}
	switch g.IntN(12) {
	case 0:
		return "|b1"
	case 1, 2, 3:
		return order + g.pick("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
	case 4, 5:
		return order + g.pick("f2", "f4", "f8", "f16")
	case 6:
		return order + g.pick("c8", "c16", "c32")
	case 7, 8:
		if target && g.IntN(3) == 0 {
			return order + g.pick("U", "S")
		}
		return order + g.pick("U1", "U3", "U8", "U40", "S1", "S4", "S9", "S40")
	case 9:
		if target && g.IntN(5) == 0 {
			return "|V"
		}
		return fmt.Sprintf("|V%d", 1+g.IntN(20))
	}
	unit := "[" + castUnits[g.IntN(len(castUnits))] + "]"
	if g.IntN(12) == 0 {
		unit = ""
	}
	return order + g.pick("M8", "m8") + unit
}

// structs returns a struct of n fields. Two structs have the same names or others.
func (g castGenerator) structs(n, depth int) string {
	var fields []string
	first := int(g.pick("a", "b", "p")[0])
	for i := range n {
		inner := "'" + g.full() + "'"
		if depth > 0 && g.IntN(5) == 0 {
			inner = g.structs(1+g.IntN(2), depth-1)
		}
		shape := ""
		switch g.IntN(6) {
		case 0:
			shape = ", " + g.pick("(2,)", "(1,)", "(3,)", "(2, 2)", "(1, 3)")
		}
		fields = append(fields, fmt.Sprintf("('%c', %s%s)", first+i, inner, shape))
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// full returns a plain dtype that has a size and that a descr can name.
func (g castGenerator) full() string {
	for {
		code := castGenerator{g.Rand, false}.plain(false)
		if !strings.HasPrefix(code, "|V") {
			return code
		}
	}
}

func (g castGenerator) question() castQuestion {
	q := castQuestion{From: g.plain(false), To: g.plain(true), N: 1 + g.IntN(8)}
	switch n := 1 + g.IntN(3); g.IntN(8) {
	case 0:
		q.From, q.To = g.structs(n, 1), g.structs(n, 1)
	case 1:
		q.From = g.structs(1, 0)
	case 2:
		q.To = g.structs(n, 0)
	}
	style := g.IntN(6)
	q.Data = hex.EncodeToString(g.elements(parse(q.From), q.N, style))
	return q
}

// elements returns n elements in one style: texts of numbers, dates or words, numbers of one size.
func (g castGenerator) elements(t dtype.Type, n, style int) []byte {
	var data []byte
	for range n {
		data = append(data, g.element(t, style)...)
	}
	return data
}

func (g castGenerator) element(t dtype.Type, style int) []byte {
	item, big := make([]byte, t.ItemSize()), t.ByteOrder() == dtype.BigEndian
	switch {
	case t.IsStruct():
		for _, f := range t.Fields() {
			copy(item[f.Offset:], g.element(f.DType, style))
		}
		return item
	case t.IsSubarray():
		for at := 0; at < len(item); at += t.Elem().ItemSize() {
			copy(item[at:], g.element(t.Elem(), style))
		}
		return item
	}
	switch t.Kind() {
	case dtype.KindBool:
		item[0] = byte(g.IntN(2))
	case dtype.KindFloat:
		g.float(item, big)
	case dtype.KindComplex:
		half := len(item) / 2
		g.float(item[:half], big)
		g.float(item[half:], big)
	case dtype.KindStr:
		text := []rune(g.text(style))
		for i, r := range text[:min(len(text), len(item)/4)] {
			putWord(item[4*i:4*i+4], uint64(r), big)
		}
	case dtype.KindBytes:
		copy(item, g.text(style))
	case dtype.KindDatetime, dtype.KindTimedelta:
		v := int64(g.Uint64() >> 1 >> g.IntN(63))
		if g.IntN(2) == 0 {
			v = -v
		}
		if g.IntN(8) == 0 {
			v = math.MinInt64
		}
		putWord(item, uint64(v), big)
	case dtype.KindInt, dtype.KindUint:
		v := g.Uint64() >> g.IntN(64)
		if g.IntN(2) == 0 {
			v = -v
		}
		putWord(item, v, big)
	default:
		for i := range item {
			item[i] = byte(g.Uint32())
		}
		switch t.Name() { // the bits above the number are zeros where ml_dtypes writes it
		case "int4", "uint4":
			item[0] &= 15
		case "int2", "uint2":
			item[0] &= 3
		case "float6_e2m3fn", "float6_e3m2fn":
			item[0] &= 63
		case "float4_e2m1fn":
			item[0] &= 15
		}
	}
	return item
}

func putWord(item []byte, v uint64, big bool) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(item, b[:min(8, len(item))])
	if big {
		slices.Reverse(item)
	}
}

// float writes a number of any size, a number that is easily rounded wrongly, or a special value.
func (g castGenerator) float(item []byte, big bool) {
	x := float64(g.IntN(2001)-1000) / float64(int(1)<<g.IntN(12))
	switch g.IntN(8) {
	case 0:
		x = []float64{0, math.Copysign(0, -1), 1, 65504, 65519, 65520, 1e6, 999999.9, 1e16, 0.1, 0.0001, 1e-5, math.MaxFloat32, 3.4028236e38, 5e-324}[g.IntN(15)]
	case 1:
		x = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[g.IntN(3)]
	case 2:
		x = math.Ldexp(1+g.Float64(), g.IntN(280)-140)
	case 3:
		x = (1 + math.Ldexp(1, -1-g.IntN(30)) + math.Ldexp(float64(g.IntN(3)-1), -45)) * math.Ldexp(1, g.IntN(10))
	case 4:
		x = float64(int64(g.Uint64()) >> g.IntN(64))
	}
	switch len(item) {
	case 1:
		item[0] = byte(g.Uint32())
	case 2:
		putWord(item, uint64(scalar.Float16FromFloat64(x).Bits), big)
	case 4:
		putWord(item, uint64(math.Float32bits(float32(x))), big)
	case 8:
		putWord(item, math.Float64bits(x), big)
	default:
		l := scalar.LongDoubleFromFloat64(x)
		if !math.IsNaN(x) && !math.IsInf(x, 0) && x != 0 {
			l.Mantissa += uint64(g.IntN(4)) << g.IntN(9)
		}
		if err := l.PutBytes(item, big); err != nil {
			panic(err)
		}
	}
}

// text returns a text of one style: integers, floats, complex numbers, dates, words.
func (g castGenerator) text(style int) string {
	switch style {
	case 0:
		return g.pick("", " ", "\t", "") + g.pick("", "", "+", "-") + fmt.Sprint(g.Uint64()>>g.IntN(64)) + g.pick("", "", " ", "\n")
	case 1:
		return g.pick("", " ", "-", "+") + g.pick("1.5", ".5", "7.", "1e3", "1_000.25", "2.5E-3", "inf", "nan", "Infinity", "0.1", "123456.789", "1e400", "9e-400", "65520", "-0.0", "12") + g.pick("", " ")
	case 2:
		return g.pick("1+2j", "(1+2j)", "2j", "1e3-1.5j", "nan+infj", "5", "-3.25", "(4)", " 1-1j ", "j", "-j")
	case 3:
		return g.pick("2020-01-02", "2020", "1969-12-31T23:59:59", "NaT", "", "2020-02-29T12", "1234-05-06 07:08:09.123", "2020-01", "nat", "-0044-03-15")
	case 4:
		return g.pick("abc", "True", "0x10", "1 2", "--1", "1__0", "_1", "1_", "", " ", "1e", "+", "e5", ".", "1.2.3", "(1", "1j2", "2020-13-01")
	}
	return g.pick("a", "é", "Zürich", "漢字", "x\x00y", "😀", "", "plain text", "12", "7")
}
