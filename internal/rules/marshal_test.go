package rules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"math/big"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	allformats "github.com/npygo/npy/container/all"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/npz/sparse"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats"
	"github.com/npygo/npy/view"
)

// exportedTypes returns the exported types of all public packages, as dir.Name, except interfaces, functions, aliases
// and errors, whose text is their Error.
func exportedTypes(t *testing.T) map[string]bool {
	t.Helper()
	types, failures := map[string]bool{}, map[string]bool{}
	publicFiles(t, func(file string, parsed *ast.File) {
		dir := path.Dir(file)
		for _, decl := range parsed.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.Name == "Error" {
					failures[dir+"."+receiverName(d.Recv.List[0].Type)] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && !s.Assign.IsValid() && isData(s.Type) {
						types[dir+"."+s.Name.Name] = true
					}
				}
			}
		}
	})
	for name := range failures {
		delete(types, name)
	}
	if len(types) < 80 {
		t.Fatalf("only %d types found", len(types))
	}
	return types
}

func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func isData(e ast.Expr) bool {
	switch e.(type) {
	case *ast.InterfaceType, *ast.FuncType:
		return false
	}
	return true
}

// typeName returns the name of the type of v in the form of exportedTypes.
func typeName(v any) string {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	dir := strings.TrimPrefix(strings.TrimPrefix(t.PkgPath(), modulePath), "/")
	if dir == "" {
		dir = "."
	}
	return dir + "." + name
}

// Values of all types that have JSON and can be read back from it.
func marshalBothWays(t *testing.T) []any {
	t.Helper()
	array, err := npy.FromSlice([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	all, err := stats.Of(context.Background(), array)
	if err != nil {
		t.Fatal(err)
	}
	head := sparse.Head{Rows: 1, Cols: 2}
	return []any{
		dtype.Float64, dtype.KindInt, dtype.BigEndian, dtype.Second, dtype.Step{Num: 25, Unit: dtype.Second},
		dtype.Field{Name: "x", DType: dtype.Int8, Offset: 3},
		format.Header{DType: dtype.Int8, Shape: []int{2}}, format.Decoder{MaxHeader: 5}, format.Version{Major: 1},
		npy.SameKindCasting, npy.ReadOptions{Gap: 5}, npy.Range{Start: 1, End: 2}, source.Run{Value: []byte{1}, Count: 5}, source.RunOptions{Unit: 5}, npy.Region{Origin: []int{1}, Shape: []int{2}}, npy.Decoder{MaxBytes: 5}, npy.Encoder{Sync: true}, npy.Loader[int8]{MaxBytes: 5}, npy.Saver[int8]{Array: npy.Encoder{Sync: true}},
		npy.Repairer{Longer: true}, npy.Repair{Lost: 5}, container.WriteOptions{Level: 5}, container.Loss{What: "the fill value"}, container.EnumMember{Name: "RED"}, container.Meaning{Reference: container.RegionReference}, container.ObjectReference, container.UTF8, container.SoftLink, container.Attributes | container.Charsets | container.FortranOrder, hdf5.Decoder{MaxBytes: 5}, matlab.Decoder{MaxDepth: 5}, netcdf.Decoder{}, netcdf.Encoder{Record: "time"},
		convert.JSON, convert.TableOptions{Columns: map[string]dtype.Type{"a": dtype.Int8}}, convert.Latin1, convert.Report{DType: dtype.Int8}, convert.Lines{Header: "a\n", Names: []string{"a"}, Delimiter: ','}, convert.RawOptions{DType: dtype.Int8},
		diff.Options{Max: 5}, diff.Result{}, diff.Change{What: "shape"}, diff.Field{Name: "x"}, diff.Mismatch{A: "1"}, diff.Distance{},
		mmap.Options{Fortran: true}, mmap.Random, npytest.Vector{DType: dtype.Int8}, npytest.Archive{NumPy: "2"},
		npz.Decoder{MaxMembers: 5}, allformats.Decoder{NPZ: npz.Decoder{MaxMembers: 5}}, allformats.Encoder{NPZ: npz.Encoder{Level: 5}}, matlab.Encoder{Level: 5}, npz.Encoder{Level: 5}, npz.Entry{Name: "x"}, npz.Info{Entry: npz.Entry{Name: "x"}}, npz.Deflate, npy.Range{End: 5},
		npz.Member{Name: "x", Bytes: []byte{1}}, npz.Repairer{Encoder: npz.Encoder{Level: 5}}, hdf5.Encoder{Level: 5},
		sparse.BSR[float64]{Head: head}, sparse.Compressed[float64]{Head: head}, sparse.COO[float64]{Head: head}, sparse.DIA[float64]{Head: head},
		sparse.CSR[float64]{}, sparse.CSC[float64]{}, sparse.Entry[float64]{Row: 1}, head,
		objects.DType{Type: dtype.Int8}, objects.StringType{HasNA: true}, objects.MaskedArray{},
		pickle.Pair{Key: "a", Value: true}, audit.Import{Name: "x", Verdict: audit.RunsCode, Uses: audit.Called}, audit.Called | audit.Passed,
		audit.ImportsOnly, audit.Unexplained, pickle.Datetime{Year: 5}, pickle.Date{Year: 5}, pickle.Time{Hour: 5},
		pickle.Timedelta{Days: 5}, pickle.TimeZone{Offset: &pickle.Timedelta{Seconds: 5}}, pickle.ByteArray{Bytes: []byte{1}},
		pickle.Slice{Start: true}, pickle.Range{Start: true}, pickle.Ellipsis, pickle.Global{Module: "a", Name: "b"}, pickle.Decimal{Text: "1"},
		pickle.Fraction{Num: big.NewInt(1), Den: big.NewInt(2)}, &pickle.UUID{Bytes: [16]byte{1, 15: 2}},
		record.Loader[struct{}]{Strict: true}, record.Saver[struct{}]{Array: npy.Encoder{Sync: true}}, stats.Histogram{Edges: []stats.Value{stats.Float(1), stats.Float(2)}, Counts: []int64{1}}, stats.Quantiles{Field: "x", Values: []stats.Value{stats.Float(1)}}, stats.Along{Axes: []int{0, 1}, Mean: true}, all[0], all[0].Report(all[0].DType, []int{2}), stats.QuantileReport{Q: 0.5, Value: stats.Float(1.5)},
		stats.Float(1.5), query.Key{Field: "x"}, query.JoinKey{Left: "x", Right: "y"}, query.Assignment{Name: "x"}, query.Columns{Keep: []string{"x"}}, query.Agg{Func: "count"}, query.Sample{N: 5}, view.Options{Port: 5}, remote.Stats{Requests: 5}, remote.UploadPart{First: 5}, remote.Entry{Size: 5}, remote.Unfinished{ID: "5"}, parts.Part{Rows: 5}, parts.Decoder{MaxParts: 5}, parts.Options{MaxOpen: 5}, parts.Folder{Path: "x"}, parts.Manifest{DType: dtype.Float64, Shape: []int{1}, Parts: []parts.Part{{Path: "a.npy", Rows: 1}}},
		scalar.Float16{Bits: 0x3e00}, scalar.BFloat16{Bits: 0x3fc0}, scalar.Float8E5M2{Bits: 1}, scalar.Float8E3M4{Bits: 1}, scalar.Float8E4M3{Bits: 1}, scalar.Float8E4M3FN{Bits: 1},
		scalar.Float8E8M0FNU{Bits: 1}, scalar.Float8E4M3FNUZ{Bits: 1}, scalar.Float8E4M3B11FNUZ{Bits: 1}, scalar.Float8E5M2FNUZ{Bits: 1}, scalar.Float6E2M3FN{Bits: 1},
		scalar.Float6E3M2FN{Bits: 1}, scalar.Float4E2M1FN{Bits: 1}, scalar.Int4{Bits: 15}, scalar.Uint4{Bits: 15}, scalar.Int2{Bits: 3}, scalar.Uint2{Bits: 3},
		scalar.LongDoubleFromFloat64(1.5), scalar.Float128{Hi: 0x3fff << 48}, scalar.Complex32{Real: scalar.Float16{Bits: 1}}, scalar.LongComplex{},
		scalar.Datetime64{Ticks: 5}, scalar.Timedelta64{Ticks: 5}, scalar.CivilTime{Year: 2024, Month: 3, Day: 1},
	}
}

// marshalOnly has values whose JSON does not identify them.
func marshalOnly(t *testing.T) []any {
	t.Helper()
	array, err := npy.FromSlice([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	view, err := npy.As[float64](array)
	if err != nil {
		t.Fatal(err)
	}
	one, err := npy.FromSlice([]float64{1.5}, []int{}...)
	if err != nil {
		t.Fatal(err)
	}
	number, err := objects.NewScalar(one)
	if err != nil {
		t.Fatal(err)
	}
	return []any{array, view, number, stats.Axis{Mean: array, Std: array, Min: array, Max: array}, npy.Selection{End: 5}, audit.Report{Err: io.ErrUnexpectedEOF}, container.Entry{Path: "a", Err: io.EOF}, container.Attribute{Name: "a", Err: io.EOF}, parts.PartError{Path: "a", Err: io.EOF}, npz.Repair{Directory: io.ErrUnexpectedEOF}, npz.RepairedMember{Err: io.ErrUnexpectedEOF}, references(), parts.Stored{URL: "a.npy"}, pickle.Op{Name: "INT", Arg: int64(5)}}
}

// references returns references to one array.
func references() (r parts.References) {
	err := r.Add("", 0, parts.Stored{URL: "a.npy", Header: format.Header{DType: dtype.Float64, Shape: []int{1}}})
	if err != nil {
		panic(err)
	}
	return r
}

// noJSON has values of data that are refused with a hint.
var noJSON = []any{
	new(npy.Array), npy.View[int]{}, new(objects.Scalar),
	new(pickle.Dict), new(pickle.OrderedDict), new(pickle.DefaultDict), new(pickle.Counter), new(pickle.Set), new(pickle.FrozenSet),
	new(pickle.List), new(pickle.Tuple), new(pickle.Object),
}

// handles has open files and work in progress. Programs do not marshal them.
var handles = []any{
	new(npy.File), npy.Index{}, new(npy.Appender), new(npy.RowReader[int]), new(npy.RowWriter[int]),
	new(npy.Stream), new(mmap.File), new(npz.Reader), new(npz.Writer), new(npz.MemberWriter), new(npz.Editor), new(npz.Mapped),
	new(record.Plan[struct{}]), new(record.RowReader[struct{}]), new(record.RowWriter[struct{}]), new(stats.Accumulator), new(stats.AxisAccumulator), new(stats.QuantileAccumulator), stats.Extent{}, new(query.Sorted), new(query.Joined),
	new(query.Condition), source.IndexCut{}, new(container.File), new(container.GroupList), new(matlab.Reader), new(netcdf.Reader), new(netcdf.Writer), new(matlab.Writer), new(hdf5.Reader), new(hdf5.Writer), new(hdf5.Appender),
	new(remote.File), new(remote.Writer), new(remote.Upload), new(parts.Array), new(view.Handler),
}

// withFuncs has options with functions of the program in them, which package encoding/json refuses.
var withFuncs = []any{
	convert.Converter{}, convert.Loss{}, convert.Formats{{}}, convert.ReadOptions{}, convert.WriteOptions{}, npy.Copier{}, npy.Printer{}, query.Sort{}, query.Join{}, query.Group{}, query.Unique{},
	objects.Decoder{}, objects.Encoder{}, container.Format{}, container.Formats{{}}, pickle.Decoder{}, audit.Auditor{}, pickle.Encoder{}, pickle.Printer{},
	view.Input{}, view.File{}, remote.Options{}, npy.Regions{Constant: 5, All: func(func(npy.Region) bool) {}},
}

// choices has options that are one of a few constants with names only in Go.
var choices = []any{npy.COrder, convert.HeaderYes, convert.RaggedSkip, convert.DayFirst, convert.NaNNull, pickle.Latin1, pickle.NewObj}

// No exported type of data becomes {} or bits in JSON: its JSON has its meaning and can be read back, or an error has a hint.
func TestMarshalEveryType(t *testing.T) {
	missing := exportedTypes(t)
	for _, v := range choices {
		delete(missing, typeName(v))
	}
	for _, v := range marshalBothWays(t) {
		delete(missing, typeName(v))
		data, err := marshalValue(t, v)
		if err != nil {
			t.Errorf("json.Marshal(%T): %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(data, back.Interface()); err != nil {
			t.Errorf("%T: json.Unmarshal(%s): %v", v, data, err)
			continue
		}
		if again, err := json.Marshal(back.Interface()); err != nil || string(again) != string(data) {
			t.Errorf("%T: %s comes back as %s, %v", v, data, again, err)
		}
	}
	for _, v := range marshalOnly(t) {
		delete(missing, typeName(v))
		if _, err := marshalValue(t, v); err != nil {
			t.Errorf("json.Marshal(%T): %v", v, err)
		}
	}
	for _, v := range noJSON {
		delete(missing, typeName(v))
		data, err := json.Marshal(v)
		if err == nil || !namesWayOut(err) {
			t.Errorf("json.Marshal(%T) gives %s, %v, want an error that names the way out", v, data, err)
		}
	}
	for _, v := range handles {
		delete(missing, typeName(v))
	}
	for _, v := range withFuncs {
		delete(missing, typeName(v))
		var unsupported *json.UnsupportedTypeError
		if data, err := json.Marshal(v); !errors.As(err, &unsupported) {
			t.Errorf("json.Marshal(%T) gives %s, %v", v, data, err)
		}
	}
	for name := range missing {
		t.Errorf("%s is in no list of this file: say what its JSON is", name)
	}
}

// marshalValue marshals v and checks that the JSON is not empty.
func marshalValue(t *testing.T, v any) ([]byte, error) {
	t.Helper()
	data, err := json.Marshal(v)
	if string(data) == "{}" {
		t.Errorf("json.Marshal(%T) gives {}", v)
	}
	if k := reflect.TypeOf(v).Kind(); reflect.Int <= k && k <= reflect.Uint64 && !strings.Contains(typeName(v), "64") {
		text := string(data)
		if strings.HasPrefix(text, `"`) {
			_ = json.Unmarshal(data, &text) // a value that is not a string fails and does not equal its text
		}
		if want := fmt.Sprint(v); text != want {
			t.Errorf("json.Marshal(%T) gives %s, want its text %s", v, data, want)
		}
	}
	return data, err
}

func namesWayOut(err error) bool {
	for _, word := range []string{"; marshal ", "; keep ", "; write ", ": use ", "; use "} {
		if strings.Contains(err.Error(), word) {
			return true
		}
	}
	return false
}

// A type with JSON that cannot be read back returns an error. Without the error, an object would be ignored.
func TestUnmarshalNoData(t *testing.T) {
	for _, v := range []any{
		new(objects.Scalar), new(pickle.Dict), new(pickle.OrderedDict), new(pickle.Set), new(pickle.FrozenSet), new(pickle.List),
		new(pickle.Tuple), new(pickle.Object), new(npy.View[int]),
	} {
		if err := json.Unmarshal([]byte(`{"a": 1}`), v); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("json.Unmarshal to %T: %v, want errors.ErrUnsupported", v, err)
		}
	}
}
