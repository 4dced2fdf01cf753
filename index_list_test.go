package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
)

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
		"[['a', 'b', 'c']][[3, 2]]", "[c][:, [1, 0]]", // NumPy leaves what is between fields undefined in a copy
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

// Fields in another order than that of the struct are packed, where NumPy makes an array that np.save cannot save.
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
	if _, err := npy.PartOf(npy.HeaderOf(a), npy.List(0)); err == nil {
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
