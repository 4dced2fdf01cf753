package convert_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// A randomTable is a table of random columns, its text, and the options that the text needs.
type randomTable struct {
	r       *rand.Rand
	options convert.ReadOptions
	told    bool // the delimiter is among the options
	columns []randomColumn
	text    strings.Builder
}

// A randomColumn has the texts of its cells, and the values that they must be read as: JSON, or "" for a missing one.
type randomColumn struct {
	name   string
	kind   dtype.Kind // of the array
	cells  []string
	values []string
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func newRandomTable(seed uint64) *randomTable {
	t := &randomTable{r: rand.New(rand.NewPCG(seed, 5))}
	r, o := t.r, &t.options.Table
	o.Delimiter = pick[byte](r, ',', ';', '|', '\t', ' ')
	if t.told = o.Delimiter == ' ' || r.IntN(2) == 0; t.told {
		o.Decimal = pick[byte](r, 0, '.', ',')
		o.Comment = pick[byte](r, 0, '#', '%')
		o.Encoding = pick(r, "", convert.UTF8, convert.Latin1, convert.UTF16, convert.UTF16LE, convert.UTF16BE)
		if r.IntN(3) == 0 {
			o.Thousands = pick[byte](r, '\'', '_')
		}
		if r.IntN(3) == 0 {
			o.Missing = []string{"?", "none given"}
		}
	}
	o.Skip = r.IntN(3) / 2 * r.IntN(4)
	t.options.Header = convert.HeaderYes
	rows := 2 + r.IntN(30)
	for i := range 2 + r.IntN(6) {
		t.columns = append(t.columns, t.column(fmt.Sprintf("%c column", 'a'+i), rows))
	}
	t.render(rows)
	if !t.told {
		o.Delimiter = 0
	}
	return t
}

// column returns the cells of a column, which are of one kind. Some are missing.
func (t *randomTable) column(name string, rows int) randomColumn {
	r := t.r
	c := randomColumn{name: name}
	missing := pick(r, 0, 0, 4)
	c.kind = pick(r, dtype.KindInt, dtype.KindFloat, dtype.KindBool, dtype.KindStr, dtype.KindDatetime)
	if c.kind == dtype.KindBool || c.kind == dtype.KindStr {
		missing = 0
	}
	clock := r.IntN(2) == 0
	for i := range rows {
		if i > 0 && missing > 0 && r.IntN(missing) == 0 {
			c.cells, c.values = append(c.cells, t.missing()), append(c.values, "")
			continue
		}
		cell, value := t.cell(c.kind, clock)
		c.cells, c.values = append(c.cells, cell), append(c.values, value)
	}
	if c.kind == dtype.KindInt && slices.Contains(c.values, "") {
		c.kind = dtype.KindFloat
		for i, value := range c.values {
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				c.values[i] = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
	}
	return c
}

func (t *randomTable) missing() string {
	if words := t.options.Table.Missing; words != nil {
		return pick(t.r, words...)
	}
	return pick(t.r, "", "NA", "null", "None", "-")
}

// cell returns a cell and its value.
func (t *randomTable) cell(kind dtype.Kind, clock bool) (cell, value string) {
	r := t.r
	switch kind {
	case dtype.KindInt:
		value = strconv.Itoa(r.IntN(1<<uint(1+r.IntN(30))) - r.IntN(2)*r.IntN(1000))
		return t.grouped(value), value
	case dtype.KindFloat:
		x := r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-10))
		text := strconv.FormatFloat(x, pick[byte](r, 'g', 'e'), -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".5"
		}
		x, _ = strconv.ParseFloat(text, 64)
		value = strconv.FormatFloat(x, 'g', -1, 64)
		whole, fraction, _ := strings.Cut(text, ".")
		cell = whole
		if fraction != "" {
			cell = t.grouped(whole) + string(rune(cmp.Or(t.options.Table.Decimal, '.'))) + fraction
		}
		return cell, value
	case dtype.KindBool:
		value = pick(r, "true", "false")
		return pick(r, value, strings.ToUpper(value[:1])+value[1:]), value
	case dtype.KindDatetime:
		value = fmt.Sprintf("%04d-%02d-%02d", 1900+r.IntN(200), 1+r.IntN(12), 1+r.IntN(28))
		if clock {
			value += fmt.Sprintf("T%02d:%02d:%02d", r.IntN(24), r.IntN(60), r.IntN(60))
		}
		return strings.Replace(value, "T", pick(r, "T", " "), 1), value
	}
	letters := []rune("abcXYZ é ß.-")
	if t.told {
		letters = append(letters, '"', '\n', ',', ';', '|', '\t', '#', '%')
	}
	text := []rune("t") // never a number, nor the text of a missing value
	for range r.IntN(8) {
		text = append(text, pick(r, letters...))
	}
	value = strings.TrimSpace(string(text))
	return value, value
}

// grouped separates the digits of an integer in groups of three, if the table does.
func (t *randomTable) grouped(digits string) string {
	sep := t.options.Table.Thousands
	if sep == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + string(rune(sep)) + digits[i:]
	}
	return sign + digits
}

// render writes the text of the table.
func (t *randomTable) render(rows int) {
	o := t.options.Table
	for range o.Skip {
		t.text.WriteString("made by a program, on Monday; 5 | 6\n")
	}
	line := func(cell func(c randomColumn) string) {
		for i, c := range t.columns {
			if i > 0 {
				t.text.WriteByte(o.Delimiter)
			}
			t.text.WriteString(t.quoted(cell(c)))
		}
		if o.Comment != 0 && o.Delimiter != ' ' && t.r.IntN(8) == 0 {
			t.text.WriteString(string(rune(o.Comment)) + " a comment")
		}
		t.text.WriteString(pick(t.r, "\n", "\r\n"))
	}
	line(func(c randomColumn) string { return c.name })
	for i := range rows {
		line(func(c randomColumn) string { return c.cells[i] })
	}
}

// quoted puts quotes around a cell that needs them, and around some that do not.
func (t *randomTable) quoted(cell string) string {
	o := t.options.Table
	special := "\"\n\r" + string(rune(o.Delimiter))
	if o.Delimiter == ' ' {
		special += "\t"
	}
	if o.Comment != 0 {
		special += string(rune(o.Comment))
	}
	if !strings.ContainsAny(cell, special) && (cell != "" || o.Delimiter != ' ') && (!t.told || t.r.IntN(10) > 0 || cell == "") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// encoded returns the text in the encoding of the table.
func (t *randomTable) encoded() string {
	text := t.text.String()
	var b strings.Builder
	switch e := t.options.Table.Encoding; e {
	case convert.Latin1:
		for _, r := range text {
			b.WriteByte(byte(r))
		}
	case convert.UTF16, convert.UTF16LE, convert.UTF16BE:
		for _, u := range utf16.Encode([]rune(text)) {
			if e == convert.UTF16BE {
				b.Write([]byte{byte(u >> 8), byte(u)})
			} else {
				b.Write([]byte{byte(u), byte(u >> 8)})
			}
		}
	default:
		return text
	}
	return b.String()
}

// Random tables are read with their values, whatever their delimiter, quotes, comments, decimals and encoding.
func TestRandomTables(t *testing.T) {
	cases := 3000
	if testing.Short() {
		cases = 200
	}
	for seed := range uint64(cases) {
		table := newRandomTable(seed)
		a, _, err := convert.Read(context.Background(), strings.NewReader(table.encoded()), convert.CSV, table.options)
		if err != nil {
			t.Fatalf("seed %d, options %+v: %v\n%s", seed, table.options.Table, err, table.text.String())
		}
		for _, c := range table.columns {
			if problem := c.check(a); problem != "" {
				t.Fatalf("seed %d, options %+v, column %q: %s\n%s", seed, table.options.Table, c.name, problem, table.text.String())
			}
		}
	}
}

// check compares a column of a with its values and returns the difference.
func (c randomColumn) check(a *npy.Array) string {
	column, err := a.Field(c.name)
	if err != nil {
		return err.Error()
	}
	if column.DType().Kind() != c.kind || column.Len() != len(c.values) {
		return fmt.Sprintf("dtype %s and %d rows, want %v and %d", column.DType(), column.Len(), c.kind, len(c.values))
	}
	for i, want := range c.values {
		item, err := column.Slice(npy.At(i))
		if err != nil {
			return err.Error()
		}
		if got := valueText(item); got != want {
			return fmt.Sprintf("row %d is %q, want %q", i, got, want)
		}
	}
	return ""
}

// valueText returns the only element of an array as text that identifies it, "" for NaN and NaT.
func valueText(a *npy.Array) string {
	switch a.DType().Kind() {
	case dtype.KindInt:
		v, err := npy.As[int64](a)
		if err != nil {
			return err.Error()
		}
		return strconv.FormatInt(v.At(), 10)
	case dtype.KindFloat:
		v, err := npy.As[float64](a)
		if err != nil {
			return err.Error()
		}
		if math.IsNaN(v.At()) {
			return ""
		}
		return strconv.FormatFloat(v.At(), 'g', -1, 64)
	case dtype.KindStr:
		v, err := npy.As[string](a)
		if err != nil {
			return err.Error()
		}
		return v.At()
	}
	text := strings.Trim(a.String(), "'")
	if text == "NaT" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
