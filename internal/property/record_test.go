package property_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// The structs that records are read into.
type (
	numbersRecord struct {
		A int64   `npy:"a"`
		B float64 `npy:"b"`
		C uint16  `npy:"c"`
		D bool    `npy:"d"`
	}
	textRecord struct {
		Name string     `npy:"name,U6"`
		Raw  []byte     `npy:"raw,S6"`
		Z    complex128 `npy:"z"`
	}
	timeRecord struct {
		T time.Time     `npy:"t,M8[ns]"`
		D time.Duration `npy:"d,m8[ns]"`
		N int32         `npy:"n"`
	}
	oneRecord struct {
		X float32 `npy:"x"`
	}
)

// A recordType is a struct and the ways to read it.
type recordType struct {
	fields [][2]string // the name in the file, and the dtype or word for the type in Go
	load   func(path string, file []byte, n int) []recordLoading
}

type recordLoading struct {
	name    string
	columns map[string][]string
	shape   []int
	err     error
}

func recordOf[T any](fields ...[2]string) recordType {
	return recordType{fields, func(path string, file []byte, n int) []recordLoading {
		var all []recordLoading
		add := func(name string, data []T, shape []int, err error) {
			all = append(all, recordLoading{name, columnsOf(data, fields), shape, err})
		}
		data, shape, err := record.Load[T](path)
		add("record.Load", data, shape, err)
		data, shape, err = record.LoadFrom[T](bytes.NewReader(file))
		add("record.LoadFrom", data, shape, err)
		a := must(npy.ReadFile(path))
		data, err = record.ToSlice[T](a)
		add("record.ToSlice", data, a.Shape(), err)
		data, err = recordRows[T](file, n)
		if !errors.Is(err, npy.ErrFortranOrder) {
			add("record.RowReader", data, a.Shape(), err)
		}
		if err == nil && len(data) > 0 {
			var inexact *record.ValueError // bytes that are not UTF-8, NULs at the end, years beyond the range of nanoseconds
			if data, err = rewritten(data); !errors.As(err, &inexact) {
				add("record.SaveTo", data, a.Shape(), err)
			}
		}
		return all
	}}
}

// recordRows reads a few rows at a time.
func recordRows[T any](file []byte, n int) (data []T, err error) {
	r, err := record.NewRowReader[T](bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	for block, err := range r.Blocks(n) {
		if err != nil {
			return nil, err
		}
		data = append(data, block...)
	}
	return data, nil
}

// rewritten writes records with the dtype of their tags and reads them again.
func rewritten[T any](data []T) ([]T, error) {
	var b bytes.Buffer
	if err := record.SaveTo(&b, data); err != nil {
		return nil, err
	}
	back, _, err := record.Loader[T]{Strict: true}.LoadFrom(&b)
	return back, err
}

// columnsOf are the values of each field as Python has them as text.
func columnsOf[T any](data []T, fields [][2]string) map[string][]string {
	columns := map[string][]string{}
	for i, f := range fields {
		list := []string{}
		for _, x := range data {
			list = append(list, valueText(reflect.ValueOf(x).Field(i).Interface()))
		}
		columns[f[0]] = list
	}
	return columns
}

func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return latin1(v)
	case time.Time:
		ns := new(big.Int).Mul(big.NewInt(v.Unix()), big.NewInt(1e9))
		return ns.Add(ns, big.NewInt(int64(v.Nanosecond()))).String()
	case time.Duration:
		return strconv.FormatInt(int64(v), 10)
	case float32:
		return signedHex(float64(v))
	case float64:
		return signedHex(v)
	case complex128:
		return signedHex(real(v)) + " " + signedHex(imag(v))
	}
	return fmt.Sprint(v)
}

// signedHex is hexText with the sign of zero.
func signedHex(x float64) string {
	if x == 0 && math.Signbit(x) {
		return "-0x0.0p+0"
	}
	return hexText(x)
}

var recordTypes = []recordType{
	recordOf[numbersRecord]([2]string{"a", "i8"}, [2]string{"b", "f8"}, [2]string{"c", "u2"}, [2]string{"d", "b1"}),
	recordOf[textRecord]([2]string{"name", "string"}, [2]string{"raw", "bytes"}, [2]string{"z", "c16"}),
	recordOf[timeRecord]([2]string{"t", "time"}, [2]string{"d", "duration"}, [2]string{"n", "i4"}),
	recordOf[oneRecord]([2]string{"x", "f4"}),
}

// fitting are the dtypes of files that a field of Go can hold.
var fitting = map[string][]string{
	"i8": {"i8", "i4", "u4", "i2", "u1", "b1"}, "f8": {"f8", "f4", "i4", "u2", "f2", "b1"}, "u2": {"u2", "u1", "b1"}, "b1": {"b1"},
	"string": {"U6", "U3", "S4"}, "bytes": {"S6", "S2", "V4"}, "c16": {"c16", "c8", "f8", "i4", "f2"}, "i4": {"i4", "i2", "u2", "i1"},
	"time": {"M8[ns]", "M8[us]", "M8[s]", "M8[ms]", "M8[D]", "M8[25s]"}, "duration": {"m8[ns]", "m8[s]", "m8[us]", "m8[D]"}, "f4": {"f4", "f2", "i2", "u1"},
}

// newRecord makes records whose fields mostly fit a struct: in another order, among other fields, with padding.
func (c *libraryCase) newRecord(g *p.G) {
	c.record = p.Pick(g, recordTypes...)
	c.Fields = c.record.fields
	var list []string
	for _, i := range g.Shuffle(len(c.Fields)) {
		f := c.Fields[i]
		code := p.Pick(g, fitting[f[1]]...)
		if g.Chance(3) {
			code = p.Pick(g, "f8", "U3", "c8", "u8", "M8[s]")
		}
		if g.Chance(2) {
			f[0] += "x"
		}
		list = append(list, fmt.Sprintf("('%s', '%s%s')", f[0], p.Pick(g, "<", ">"), code))
		if g.Chance(20) {
			list = append(list, fmt.Sprintf("('more%d', '<i2')", i))
		}
	}
	t := p.Parsed("[" + strings.Join(list, ", ") + "]")
	t.Python = "np.dtype([" + strings.Join(list, ", ") + "])"
	c.A = g.ArrayOf(t, p.Pick(g, []int{g.Int(9)}, []int{g.Between(1, 3), g.Between(1, 3)}, []int{}), p.NoNaN|p.Modest)
}

func (c *libraryCase) checkRecord(r *p.Report, a oracle.Answer, path string, file []byte, refused bool) {
	for _, l := range c.record.load(path, file, c.n) {
		var typeError *npy.TypeError
		switch {
		case refused:
			r.True(l.name, errors.As(l.err, &typeError), fmt.Sprint(l.err), "*npy.TypeError")
			continue
		case string(a.Value) == `"range"`:
			r.True(l.name, errors.Is(l.err, scalar.ErrRange), fmt.Sprint(l.err), "scalar.ErrRange")
			continue
		case l.err != nil:
			r.Equal(l.name, l.err.Error(), fmt.Sprintf("%.300s", a.Value))
			continue
		}
		want := p.Decode[map[string][]string](a)
		for _, f := range c.Fields {
			list := want[f[0]]
			if f[1] == "string" || f[1] == "bytes" {
				field, _ := c.A.DType.FieldByName(f[0])
				for i, text := range list {
					if f[1] == "string" && field.DType.Kind() == dtype.KindBytes {
						text = fromLatin1(text)
					}
					list[i] = strings.TrimRight(text, "\x00")
					l.columns[f[0]][i] = strings.TrimRight(l.columns[f[0]][i], "\x00") // of V4 it is kept
				}
			}
			r.Equal(l.name, fmt.Sprintf("%q", l.columns[f[0]]), fmt.Sprintf("%q", append([]string{}, list...)))
		}
		r.Equal(l.name+": shape", fmt.Sprint(l.shape), fmt.Sprint(c.A.Shape()))
	}
}
