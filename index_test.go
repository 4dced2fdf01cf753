package npy_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/source"
)

// A viewCase is an expression on an array of the bytes 0, 1, 2, … (0 to 255 and again) of some dtype and shape, with
// its axes permuted. A viewResult is NumPy's result.
type (
	viewCase struct {
		DType string `json:"dtype"`
		Shape []int  `json:"shape"`
		Perm  []int  `json:"perm"`
		Index string `json:"index"`
	}
	viewResult struct {
		Error   string `json:"error"`
		Shape   []int  `json:"shape"`
		Strides []int  `json:"strides"`
		DType   string `json:"dtype"`
		C       bool   `json:"c"`
		F       bool   `json:"f"`
		Bytes   string `json:"bytes"`
	}
)

// numpyViews prints a result for each case, one per line.
const numpyViews = `
for c in json.load(sys.stdin):
    d = np.dtype(eval(c['dtype']))
    n = int(np.prod(c['shape'], dtype=np.int64))
    raw = np.resize(np.arange(256, dtype='u1'), n * d.itemsize)
    a = np.ndarray(tuple(c['shape']), d, raw.tobytes()).transpose(c['perm'])
    text = c['index'].strip()
    try:
        r = np.asarray(eval('a' + (text if text.startswith('[') else '[' + text + ']')))
    except Exception as e:
        print(json.dumps({'error': repr(e) or 'error'}))
        continue
    if r.ndim == 0 and r.dtype.names is None: # most are scalars, in native order
        r = r.astype(r.dtype.newbyteorder('='))
    print(json.dumps({'shape': r.shape, 'strides': r.strides, 'dtype': r.dtype.str if r.dtype.names is None else 'struct',
        'c': r.flags.c_contiguous, 'f': r.flags.f_contiguous, 'bytes': r.tobytes().hex()}))
`

func (c viewCase) array() *npy.Array {
	t := parse(strings.Trim(c.DType, "'"))
	n := t.ItemSize()
	for _, k := range c.Shape {
		n *= k
	}
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i)
	}
	return must(must(npy.FromBytes(t, data, c.Shape...)).Transpose(c.Perm...))
}

// compareViews runs the cases through NumPy and this package.
func compareViews(t *testing.T, cases []viewCase) {
	t.Helper()
	stdin, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	lines := splitLines(string(oracle.NumPy(t, numpyViews, stdin)))
	if len(lines) != len(cases) {
		t.Fatalf("NumPy answered %d of %d cases", len(lines), len(cases))
	}
	refused := 0
	for i, c := range cases {
		var want viewResult
		if err := json.Unmarshal([]byte(lines[i]), &want); err != nil {
			t.Fatal(err)
		}
		if want.Error != "" {
			refused++
		}
		compareView(t, c, want)
		if t.Failed() && i > 5000 {
			return
		}
	}
	t.Logf("%d cases, of which NumPy refuses %d", len(cases), refused)
}

func compareView(t *testing.T, c viewCase, want viewResult) {
	t.Helper()
	index, err := npy.ParseIndex(c.Index)
	var a *npy.Array
	if err == nil {
		a, err = c.array().Slice(index...)
	}
	switch {
	case err != nil && !strings.HasPrefix(err.Error(), "npy: "):
		t.Errorf("%+v: error %q does not begin with the package", c, err)
	case (err != nil) != (want.Error != ""):
		t.Errorf("%+v: error %v, NumPy says %q", c, err, want.Error)
	}
	if err != nil || want.Error != "" {
		return
	}
	if len(want.Shape) == 0 && !a.DType().IsStruct() { // as most of Python's scalars are
		a = must(a.AsType(a.DType().WithByteOrder(dtype.NativeEndian)))
	}
	if got := hex.EncodeToString(a.Bytes()); !slices.Equal(a.Shape(), want.Shape) || got != want.Bytes {
		t.Errorf("%+v: shape %v, bytes %s, want %v, %s", c, a.Shape(), got, want.Shape, want.Bytes)
	}
	if !a.DType().IsStruct() && a.DType().Descr() != want.DType {
		t.Errorf("%+v: dtype %s, want %s", c, a.DType(), want.DType)
	}
	if a.IsC() != want.C || a.IsFortran() != want.F {
		t.Errorf("%+v: IsC %v, IsFortran %v, want %v, %v", c, a.IsC(), a.IsFortran(), want.C, want.F)
	}
	for axis, s := range a.Strides() {
		if a.Size() > 0 && a.Shape()[axis] > 1 && s != want.Strides[axis] {
			t.Errorf("%+v: strides %v, want %v", c, a.Strides(), want.Strides)
		}
	}
	checkLayouts(t, c, a)
}

// checkLayouts compares the ways to copy and rearrange a view with each other.
func checkLayouts(t *testing.T, c viewCase, a *npy.Array) {
	t.Helper()
	want := a.Bytes()
	for name, b := range map[string]*npy.Array{
		"Clone": a.Clone(), "Contiguous": a.Contiguous(), "Fortran": a.Fortran(), "T.T": a.T().T(), "T.Clone.T": a.T().Clone().T(),
		"Reshape": must(a.Reshape(a.Shape()...)), "flat": must(a.Reshape(a.Size())),
	} {
		if string(b.Bytes()) != string(want) || !b.DType().Equal(a.DType()) || name != "flat" && !slices.Equal(b.Shape(), a.Shape()) {
			t.Errorf("%+v: %s changes the elements", c, name)
		}
		switch name {
		case "Clone", "Contiguous", "Reshape", "flat":
			raw, ok := b.ViewBytes()
			if !b.IsC() || !ok || string(raw) != string(want) {
				t.Errorf("%+v: %s is not in C order: IsC %v, ViewBytes %v", c, name, b.IsC(), ok)
			}
		case "Fortran":
			if !b.IsFortran() || !b.T().IsC() {
				t.Errorf("%+v: Fortran is not in Fortran order", c)
			}
		}
	}
	if _, ok := a.ViewBytes(); ok != a.IsC() {
		t.Errorf("%+v: ViewBytes %v, IsC %v", c, ok, a.IsC())
	}
}

type indexGenerator struct{ *rand.Rand }

func (g indexGenerator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g indexGenerator) integer() string {
	switch g.IntN(30) {
	case 0:
		return g.pick("10**30", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "-99999999999999999999")
	case 1:
		return g.pick("0x1", "0X2", "0b1", "0o2", "1_0", "+1", "00", "0_0", "-0", "-0x1")
	case 2:
		return g.pick("1__0", "_1", "1_", "007", "01", "1.5", "x", "1e1", "0x", "1 1", "--", "é")
	}
	return fmt.Sprint(g.IntN(14) - 7)
}

func (g indexGenerator) entry() string {
	switch g.IntN(10) {
	case 0, 1, 2, 3:
		return g.integer()
	case 4:
		return "..."
	}
	part := func() string {
		return g.pick("", "", " ", g.integer(), g.integer(), g.integer(), g.pick("None", "", "1"))
	}
	step := g.pick(fmt.Sprint(g.IntN(9)-4), "1", "2", "-1", "-2", part())
	return g.pick(":", part()+":"+part(), part()+":"+part()+":"+step, part()+" : "+part()+" : "+step, "::"+step)
}

// index returns the text between the brackets. 10**30 is an expression in Python, but not a number in an index here.
func (g indexGenerator) index(ndim int) string {
	entries := make([]string, 1+g.IntN(ndim+2))
	for i := range entries {
		entries[i] = g.entry()
	}
	text := strings.Join(entries, g.pick(",", ", ")) + g.pick("", "", "", ",")
	text = strings.ReplaceAll(text, "10**30", "1"+strings.Repeat("0", 30))
	return g.pick(text, text, " "+text+" ", "["+text+"]", " [ "+text+" ] ")
}

func (g indexGenerator) shape() []int {
	shape := make([]int, g.IntN(5))
	for i := range shape {
		shape[i] = []int{0, 1, 1, 2, 3, 4, 5, 6}[min(g.IntN(9), 7)]
	}
	return shape
}

// Slices of arrays of every shape equal NumPy's.
func TestSliceLikeNumPy(t *testing.T) {
	g := indexGenerator{rand.New(rand.NewPCG(4, 4))}
	cases := make([]viewCase, 6000)
	for i := range cases {
		shape := g.shape()
		cases[i] = viewCase{g.pick("'|u1'", "'<i2'", "'>i4'", "'<c16'", "'|V3'"), shape, g.Perm(len(shape)), g.index(len(shape))}
	}
	compareViews(t, cases)
}

// Fields and their dimensions equal NumPy's.
func TestFieldLikeNumPy(t *testing.T) {
	g := indexGenerator{rand.New(rand.NewPCG(5, 5))}
	const record = `[('a','|u1'),('b','<f8'),(('title t','s'),'>i2',(2,3)),('n',[('p','<i4'),('',  '|V2'),('q','|S3',(2,))]),('e','<i4',(0,)),('it\'s ]','<i2'),('back\\','<u4'),('z','|S0')]`
	names := []string{`'a'`, `"b"`, `'s'`, `'title t'`, `'n'`, `'n']['p'`, `'n']['q'`, `'e'`, `"it's ]"`, `'it\'s ]'`, `'back\\'`, `"\x61"`, `'missing'`, `'p'`, `'a']['b'`}
	var cases []viewCase
	for range 2000 {
		shape := g.shape()
		shape = shape[:min(len(shape), 3)]
		c := viewCase{record, shape, g.Perm(len(shape)), "[" + g.pick(names...) + "]"}
		if g.IntN(3) > 0 {
			c.Index += g.pick("", " ") + "[" + strings.Trim(g.index(len(shape)+1), "[ ]") + "]"
		}
		cases = append(cases, c)
	}
	compareViews(t, cases)
}

func TestIndexConstructors(t *testing.T) {
	a := le("<i4", []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	for _, tt := range []struct {
		text  string
		index []npy.Index
		want  []int32
	}{
		{"1", []npy.Index{npy.At(1)}, []int32{4, 5, 6, 7}},
		{"-1, -1", []npy.Index{npy.At(-1), npy.At(-1)}, []int32{11}},
		{":, 1", []npy.Index{npy.All(), npy.At(1)}, []int32{1, 5, 9}},
		{"1:, :2", []npy.Index{npy.SpanFrom(1), npy.SpanTo(2)}, []int32{4, 5, 8, 9}},
		{"0:2, 1:3", []npy.Index{npy.Span(0, 2), npy.Span(1, 3)}, []int32{1, 2, 5, 6}},
		{"..., ::-2", []npy.Index{npy.Ellipsis(), npy.All().By(-2)}, []int32{3, 1, 7, 5, 11, 9}},
		{"2:0:-1, 0", []npy.Index{npy.Span(2, 0).By(-1), npy.At(0)}, []int32{8, 4}},
		{"", nil, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
	} {
		for i, index := range [][]npy.Index{tt.index, must(npy.ParseIndex(tt.text))} {
			b, err := a.Slice(index...)
			if err != nil {
				t.Errorf("%q: %v", tt.text, err)
				continue
			}
			if got := must(npy.As[int32](b)).ToSlice(); !slices.Equal(got, tt.want) {
				t.Errorf("%q (%d): got %v, want %v", tt.text, i, got, tt.want)
			}
		}
	}
}

// A step of an entry that is not a slice is an error wherever the index is used, and says what the entry is.
func TestIndexSteps(t *testing.T) {
	a := must(npy.New(parse("[('x','<i4'),('y','<f8')]"), 3, 4))
	for what, x := range map[string]npy.Index{
		"an integer": npy.At(2), "a list of positions": npy.List(1, 2), "an ellipsis": npy.Ellipsis(), "the name of a field": npy.Named("x"), "a list of names": npy.NamedFields("y", "x"),
	} {
		want := "npy: entry 1 of the index has the step 5 and is " + what + "; only slices have a step: Span(start, stop).By(step)"
		index := []npy.Index{npy.All(), x.By(5)}
		_, sliced := a.Slice(index...)
		_, selected := a.Select(index...)
		_, cut := source.CutIndex(a.Shape(), index)
		_, part := npy.SelectionOf(npy.HeaderOf(a), index...)
		for how, err := range map[string]error{"Slice": sliced, "Select": selected, "CutIndex": cut, "SelectionOf": part} {
			if err == nil || err.Error() != want {
				t.Errorf("%s: error %v, want %s", how, err, want)
			}
		}
	}
}

func TestIndexErrors(t *testing.T) {
	a := must(npy.New(parse("[('x','<i4'),('y','<f8')]"), 3, 4))
	for _, tt := range []struct{ text, want string }{
		{"3", "npy: index 3 is out of bounds for axis 0 with size 3"},
		{"0, -5", "npy: index -5 is out of bounds for axis 1 with size 4"},
		{"0, 0, 0", "npy: too many indices: array is 2-dimensional, but 3 were indexed"},
		{"..., ...", "npy: an index can only have a single ellipsis ('...')"},
		{"::0", "npy: slice step cannot be zero"},
		{"['z']", `npy: no field "z", want one of ["x" "y"]`},
		{"['x']['x']", `npy: no field "x": dtype <i4 has no fields`},
		{"1x", `npy: index "1x": "1x" is not an integer, a slice such as 0:10:2, '...', a list such as [3, 1], or a field name`},
		{"1:2:3:4", `npy: index "1:2:3:4": slice "1:2:3:4" has more than start:stop:step`},
		{"None", `npy: index "None": None adds an axis, which is not possible here; use only integers, slices, '...', lists and field names`},
		{"99999999999999999999", `npy: index "99999999999999999999": 99999999999999999999 is beyond every axis`},
		{"[0, 1y, 1]", `npy: index "[0, 1y, 1]" at character 5: "1y" is not an integer, a slice such as 0:10:2, '...', a list such as [3, 1], or a field name`},
		{" ['é'][0:z]", `npy: index " ['é'][0:z]" at character 8: "z" is not an integer, a slice such as 0:10:2, '...', a list such as [3, 1], or a field name`},
		{"[0", `npy: index "[0": want [ and ] in pairs`},
		{"[0] 1", `npy: index "[0] 1" at character 5: unexpected "1" after the closing ]`},
		{"[-3, 4], -1", `npy: index "[-3, 4], -1" at character 8: unexpected ", -1" after the closing ]; a list and other entries are written in one more pair of brackets, [[-3, 4], -1]`},
		{"[0],", `npy: index "[0]," at character 4: unexpected "," after the closing ]`},
		{" ['x']]", `npy: index " ['x']]" at character 7: unexpected "]" after the closing ]`},
		{"['x'],[0]", `npy: index "['x'],[0]" at character 6: unexpected ",[0]" after the closing ]`},
		{"[0][1]", `npy: index "[0][1]": positions in two brackets; write them in one`},
		{"['x", `npy: index "['x": want [ and ] in pairs`},
		{"'x", `npy: index "'x": 'x is not a quoted field name`},
		{",", `npy: index ",": "" is not an integer, a slice such as 0:10:2, '...', a list such as [3, 1], or a field name`},
	} {
		index, err := npy.ParseIndex(tt.text)
		if err == nil {
			_, err = a.Slice(index...)
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("index %q: error\n%v\nwant\n%s", tt.text, err, tt.want)
		}
	}
}

// Steps and positions at the ends of int neither overflow nor leave the array.
func TestSliceExtremes(t *testing.T) {
	a := le("|u1", []uint8{0, 1, 2, 3, 4})
	for _, x := range []int{math.MinInt, math.MinInt + 1, -6, 6, math.MaxInt - 1, math.MaxInt} {
		for _, y := range []int{math.MinInt, -6, 0, 6, math.MaxInt} {
			for _, step := range []int{math.MinInt, -1, 1, math.MaxInt} {
				b, err := a.Slice(npy.Span(x, y).By(step))
				if err != nil {
					t.Fatalf("%d:%d:%d: %v", x, y, step, err)
				}
				n := 0
				switch {
				case step == 1 && x < 0 && y > 0, step == -1 && x > 0 && y < -5:
					n = 5
				case step == -1 && x > 0 && y == 0:
					n = 4
				case step > 1 && x < 0 && y > 0, step < -1 && x > 0 && y <= 0:
					n = 1
				}
				if b.Len() != n {
					t.Errorf("%d:%d:%d of 5 elements gives %d, want %d", x, y, step, b.Len(), n)
				}
			}
		}
		if _, err := a.Slice(npy.At(x)); err == nil {
			t.Errorf("index %d of 5 elements succeeded", x)
		}
	}
	huge := must(npy.New(dtype.Bytes(0), math.MaxInt))
	if b := must(huge.Slice(npy.All().By(1))); b.Len() != math.MaxInt {
		t.Errorf("::1 of MaxInt elements gives %d", b.Len())
	}
	if b := must(huge.Slice(npy.All().By(math.MinInt))); b.Len() != 1 {
		t.Errorf("a step of MinInt through MaxInt elements gives %d", b.Len())
	}
}

// FuzzSlice takes any text for an index. The selected view is part of the array, element by element.
func FuzzSlice(f *testing.F) {
	for _, text := range []string{"0", "...", "::-1", "1:2,3", "['x']", "['s'][..., ::2]", "[1:]", "'x', 0", `["\x78"]`, "-1:None:-0x1", "[[", `['\`} {
		f.Add(text, uint32(0x2345))
	}
	f.Fuzz(func(t *testing.T, text string, dims uint32) {
		index, err := npy.ParseIndex(text)
		if err != nil {
			return
		}
		var shape []int
		for ; dims > 0; dims >>= 4 {
			shape = append(shape, int(dims&7))
		}
		record := parse("[('x','<i4'),('s','|u1',(2,2))]")
		n := 1
		for _, k := range shape {
			n *= k
		}
		if n > 1<<12 {
			return
		}
		data := make([]byte, 8*n)
		for _, a := range []*npy.Array{must(npy.FromBytes(record, data, shape...)), must(npy.FromBytes(dtype.Int64, data, shape...)).T()} {
			b, err := a.Slice(index...)
			if err != nil {
				continue
			}
			if b.Size() > 4*n {
				t.Fatalf("index %q selects %d elements of %d", text, b.Size(), n)
			}
			if got := len(b.Bytes()); got != b.NBytes() {
				t.Fatalf("index %q: %d bytes of %d", text, got, b.NBytes())
			}
			eachIndex(b.Shape(), func(at []int) {
				if item := b.Item(at...); len(item) != b.DType().ItemSize() {
					t.Fatalf("index %q: element %v has %d bytes", text, at, len(item))
				}
			})
		}
	})
}

// eachIndex calls f with every index of a shape in C order. The slice is only valid during the call.
func eachIndex(shape []int, f func([]int)) {
	index := make([]int, len(shape))
	if slices.Contains(shape, 0) {
		return
	}
	for {
		f(index)
		axis := len(shape) - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < shape[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return
		}
	}
}

// Names and positions apply in the order in which they are written.
func TestSliceNamesAndPositions(t *testing.T) {
	a := must(npy.FromBytes(parse("[('x', '|u1', (2,)), ('y', [('z', '|u1')])]"), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3))
	for _, tt := range []struct {
		text string
		want []byte
	}{
		{"['x'][1]", []byte{4, 5}}, {"[1]['x']", []byte{4, 5}}, {"[1]['x'][0]", []byte{4}}, {"[1:]['y']['z']", []byte{6, 9}},
		{"['x'][..., 0]", []byte{1, 4, 7}}, {"[..., 0]['x']", []byte{1, 2}}, {"'x', 1:, 1", []byte{5, 8}}, {"['y'][0]['z']", []byte{3}},
	} {
		b, err := a.Slice(must(npy.ParseIndex(tt.text))...)
		if err != nil || !bytes.Equal(b.Bytes(), tt.want) {
			t.Errorf("a%s: %v, %v, want %v", tt.text, b, err, tt.want)
		}
	}
}

// askSelection answers with the bytes of np.save of an array that is indexed in turn by several brackets.
const askSelection = `
import io
from base64 import b64decode, b64encode
print(json.dumps(np.__version__))
for line in sys.stdin:
	file, index = json.loads(line)
	a = eval("a" + index, {"a": np.load(io.BytesIO(b64decode(file)))})
	out = io.BytesIO(); np.save(out, a)
	print(json.dumps(b64encode(out.getvalue()).decode()))
`

// selectionsOf are indices with lists, for an array of 3 dimensions and for records.
var selectionsOf = map[string][]string{
	"numbers": {
		"[[3, 1, 2]]", "[[0, 0, -1]]", "[[]]", "[[2]]", "[:, [2, 0]]", "[..., [1, 1, 0]]", "[[3, 1], 0]", "[1, [2, 0]]", "[1:3, [0, 2], ::2]",
		"[..., [1], 0]", "[[1, 2, 3]]", "[0, :, [3, 1]]", "[[3, 1], :, 0]", "[:, [2, 0], 1]", "[1, ..., [1, 1]]", "[[2], ..., -1]", "[1:, ..., [0]]",
	},
	"records": {
		"[['a', 'c']]", "[['b']]", "[[a, b, c]]", "['c']", "[c]", "[c][1:3]", "[[4, 0]]['c']", "[[4, 0]]['b']", "[['a', 'c']][1:3]", "[[1, 1]][a]",
		"[['a', 'b', 'c']][[3, 2]]", "[c][:, [1, 0]]", // NumPy leaves padding undefined in a copy
	},
}

// TestIndexListsNumPy compares selections by lists with NumPy, from memory, from a file, from a stream and from an archive.
func TestIndexListsNumPy(t *testing.T) {
	counted := make([]int16, 60)
	for i := range counted {
		counted[i] = int16(i)
	}
	numbers, err := npy.FromSlice(counted, 5, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	records := arrayOfNoise(t, rand.New(rand.NewPCG(1, 2)), parse("[('a','<i4'),('b','<f8'),('c','<i2',(2,))]"), []int{5})
	for name, a := range map[string]*npy.Array{"numbers": numbers, "records": records} {
		var file bytes.Buffer
		if err := npy.Write(&file, a); err != nil {
			t.Fatal(err)
		}
		var questions [][2]any
		for _, index := range selectionsOf[name] {
			quoted := index
			for _, field := range []string{"a", "b", "c"} { // NumPy wants quotes
				for _, around := range [][2]string{{"[", "]"}, {"[", ","}, {" ", ","}, {" ", "]"}} {
					quoted = string(bytes.ReplaceAll([]byte(quoted), []byte(around[0]+field+around[1]), []byte(around[0]+"'"+field+"'"+around[1])))
				}
			}
			questions = append(questions, [2]any{file.Bytes(), quoted})
		}
		_, answers := oracle.Ask[[2]any, []byte](t, askSelection, questions)
		for i, index := range selectionsOf[name] {
			for from, src := range listSources(t, a) {
				part, err := src.Select(must(npy.ParseIndex(index))...)
				if err != nil {
					t.Errorf("%s %s: %v", from, index, err)
					continue
				}
				got, err := part.ReadAll(context.Background())
				if err != nil {
					t.Errorf("%s %s: %v", from, index, err)
					continue
				}
				if !slices.Equal(part.Shape(), got.Shape()) || !part.DType().Equal(got.DType()) {
					t.Errorf("%s %s: the Source says %v %v, and the array is %v %v", from, index, part.DType(), part.Shape(), got.DType(), got.Shape())
				}
				var b bytes.Buffer
				if err := npy.Write(&b, got); err != nil {
					t.Fatal(err)
				}
				want, err := npy.Read(bytes.NewReader(answers[i]))
				if err != nil {
					t.Fatal(err)
				}
				if same := bytes.Equal(b.Bytes(), answers[i]); !same && (from == "memory" || !bytes.Equal(got.Bytes(), want.Bytes())) {
					t.Errorf("%s %s: got %q, want %q", from, index, b.Bytes(), answers[i])
				}
			}
		}
	}
}

// listSources returns a from memory and from where its elements are read on demand.
func listSources(t *testing.T, a *npy.Array) map[string]npy.Source {
	t.Helper()
	dir := t.TempDir()
	path, archive := filepath.Join(dir, "a.npy"), filepath.Join(dir, "a.npz")
	if err := errors.Join(npy.WriteFile(path, a), npz.Save(archive, npz.Member{Name: "a", Array: a})); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := npz.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	member, err := z.Source("a")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]npy.Source{"memory": a, "file": f, "archive": member}
}

// Fields in another order than the struct's are packed, where NumPy makes an array that np.save cannot save.
func TestNamedFieldsReordered(t *testing.T) {
	a := arrayOfNoise(t, rand.New(rand.NewPCG(3, 4)), parse("[('a','<i4'),('b','<f8'),('c','<i2',(2,))]"), []int{5})
	for from, src := range listSources(t, a) {
		part, err := src.Select(npy.NamedFields("c", "a"), npy.Span(1, 4))
		if err != nil {
			t.Fatal(err)
		}
		got, err := part.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !got.DType().Equal(parse("[('c','<i2',(2,)),('a','<i4')]")) || !slices.Equal(got.Shape(), []int{3}) {
			t.Fatalf("%s: %v %v", from, got.DType(), got.Shape())
		}
		for _, name := range []string{"a", "c"} {
			x, y := must(got.Field(name)), must(must(a.Slice(npy.Span(1, 4))).Field(name))
			if !bytes.Equal(x.Bytes(), y.Bytes()) {
				t.Errorf("%s: field %s differs", from, name)
			}
		}
	}
}

func TestIndexListErrors(t *testing.T) {
	a := must(npy.New(parse("<i4"), 3, 4))
	for from, src := range listSources(t, a) {
		var outside *npy.IndexError
		if _, err := src.Select(npy.List(0, 3)); !errors.As(err, &outside) || outside.Index != 3 || outside.Axis != 0 {
			t.Errorf("%s: error %v", from, err)
		}
		if _, err := src.Select(npy.All(), npy.List(-5)); !errors.As(err, &outside) || outside.Index != -5 || outside.Axis != 1 {
			t.Errorf("%s: error %v", from, err)
		}
		if _, err := src.Select(npy.List(0), npy.List(1)); err == nil {
			t.Errorf("%s: two lists were taken", from)
		}
		if _, err := src.Select(npy.NamedFields("x")); !errors.As(err, new(*npy.FieldError)) {
			t.Errorf("%s: error %v", from, err)
		}
	}
	if _, err := npy.SelectionOf(npy.HeaderOf(a), npy.List(0)); err == nil {
		t.Error("a list is a part")
	}
}

func ExampleList() {
	a, err := npy.FromSlice([]int32{10, 11, 20, 21, 30, 31}, 3, 2)
	if err != nil {
		panic(err)
	}
	b, err := a.Slice(npy.List(2, 0))
	if err != nil {
		panic(err)
	}
	fmt.Println(b)
	// Output:
	// [[30 31]
	//  [10 11]]
}

func ExampleNamedFields() {
	type point struct {
		X, Y float32
		Mag  float64
	}
	a, err := record.FromSlice([]point{{1, 2, 3}, {4, 5, 6}})
	if err != nil {
		panic(err)
	}
	b, err := a.Slice(npy.NamedFields("X", "Y"))
	if err != nil {
		panic(err)
	}
	fmt.Println(b)
	// Output:
	// X   Y
	// 1.  2.
	// 4.  5.
}
