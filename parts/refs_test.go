package parts_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/parts"
)

func stored(t *testing.T, path string) parts.Stored {
	t.Helper()
	f := must(npy.Open(path))
	defer f.Close()
	return parts.Stored{URL: path, Header: f.Header()}
}

// Zarr reads the values of arrays by references, of all dtypes, orders and splits that can be referred to.
func TestZarr(t *testing.T) {
	const script = `
import zarr, fsspec
for case in json.load(open(sys.argv[1])):
    z = zarr.open(fsspec.get_mapper("reference://", fo=case["refs"]), mode="r")
    whole = np.load(case["whole"])
    if case["name"]:
        z = z[case["name"]]
    assert z.dtype == whole.dtype and z.shape == whole.shape, (case, z.dtype, z.shape)
    assert z[...].tobytes() == whole.tobytes(), case
print("same")`
	var cases []map[string]string
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, 8))
	for i, descr := range []string{
		"<f8", ">i2", "|b1", "|S3", "<U2", "<M8[ns]", ">m8[25s]", "|u1", "<c8", "[('a', '<f8'), ('b', '>i2', (2,)), ('c', [('d', '|S3')])]", "<f2", "|V5",
	} {
		for k, fortran := range []bool{false, true, false, true} {
			shape := [][]int{{7, 3}, {2, 5, 4}, {9}, {4, 4}}[(i+k)%4]
			h := format.Header{DType: must(dtype.Parse(descr)), Shape: shape}
			data := make([]byte, h.NBytes())
			for j := range data {
				data[j] = byte(r.IntN(100))
				if descr == "|b1" {
					data[j] %= 2
				}
				if descr == "<U2" && j%4 > 0 {
					data[j] = 0
				}
			}
			whole := must(npy.FromBytes(h.DType, data, shape...))
			order, axis := npy.COrder, 0
			if fortran {
				order, axis = npy.FortranOrder, len(shape)-1
			}
			var ends []int
			if k < 2 { // of any lengths
				for range 3 {
					ends = append(ends, r.IntN(shape[axis]+1))
				}
				slices.Sort(ends)
			} else if axis = len(shape) - 1 - axis; shape[axis]%2 == 0 { // the other axis, of one length
				ends = []int{shape[axis] / 2}
			}
			sub := filepath.Join(dir, fmt.Sprintf("%d-%d", i, k))
			if err := os.Mkdir(sub, 0o777); err != nil {
				t.Fatal(err)
			}
			var files []parts.Stored
			low := 0
			for n, high := range append(ends, shape[axis]) {
				path := filepath.Join(sub, fmt.Sprintf("%d.npy", n))
				part := must(whole.Slice(along(axis, npy.Span(low, high))...))
				if err := (npy.Copier{Order: order}).WriteFile(t.Context(), path, part); err != nil {
					t.Fatal(err)
				}
				files = append(files, stored(t, path))
				low = high
			}
			name := []string{"", "group/x"}[k%2]
			var refs parts.References
			if err := refs.Add(name, axis, files...); err != nil {
				t.Fatalf("%s %v: %v", descr, shape, err)
			}
			c := map[string]string{"refs": filepath.Join(sub, "refs.json"), "whole": filepath.Join(sub, "whole.npy"), "name": name}
			if err := os.WriteFile(c["refs"], must(refs.Append(nil)), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := npy.WriteFile(c["whole"], whole); err != nil {
				t.Fatal(err)
			}
			cases = append(cases, c)
		}
	}
	list := filepath.Join(dir, "cases.json")
	if err := os.WriteFile(list, must(json.Marshal(cases)), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := oracle.Module(t, "zarr, fsspec", script, list); strings.TrimSpace(string(out)) != "same" {
		t.Errorf("%s", out)
	}
}

func TestReferences(t *testing.T) {
	at := func(url string, offset int64, fortran bool, shape ...int) parts.Stored {
		return parts.Stored{URL: url, Header: format.Header{DType: must(dtype.Parse("<f8")), Shape: shape, FortranOrder: fortran, DataOffset: offset}}
	}
	var refs parts.References
	if err := refs.Add("", 0, at("a.npy", 128, false, 4, 3), at("b.npy", 128, false, 2, 3)); err != nil {
		t.Fatal(err)
	}
	want := `{
"version": 1,
"refs": {
".zarray": "{\"zarr_format\": 2, \"shape\": [6, 3], \"chunks\": [2, 3], \"dtype\": \"<f8\", \"order\": \"C\", \"compressor\": null, \"filters\": null, \"fill_value\": null}",
"0.0": ["a.npy", 128, 48],
"1.0": ["a.npy", 176, 48],
"2.0": ["b.npy", 128, 48]
}
}
`
	if got := string(must(refs.Append(nil))); got != want {
		t.Errorf("got %s", got)
	}
	var empty parts.References
	if err := empty.Add("x", 0, at("a.npy", 128, false)); err != nil {
		t.Error(err)
	}
	if err := empty.Add("y", 0, at("a.npy", 128, false, 0, 3)); err != nil {
		t.Error(err)
	}
	if got := string(must(empty.Append(nil))); !json.Valid([]byte(got)) || !strings.Contains(got, `"x/0": ["a.npy", 128, 8]`) || strings.Contains(got, `"y/0`) {
		t.Errorf("got %s", got)
	}
	objects, gap := at("a", 0, false, 2), at("a", 0, false, 2)
	objects.Header.DType = dtype.Object
	gap.Header.DType = must(dtype.Parse("[('a', '|i1'), ('', '|V3'), ('b', '<i4')]"))
	for name, tt := range map[string]struct {
		axis  int
		files []parts.Stored
		want  string
	}{
		"no files":          {0, nil, "no files"},
		"objects":           {0, []parts.Stored{objects}, "Python objects"},
		"a gap":             {0, []parts.Stored{gap}, `gap before field "b"`},
		"axis":              {2, []parts.Stored{at("a", 0, false, 2, 2)}, "axis 2"},
		"two orders":        {0, []parts.Stored{at("a", 0, false, 2, 2), at("b", 0, true, 2, 2)}, "order"},
		"lengths":           {1, []parts.Stored{at("a", 0, false, 2, 2), at("b", 0, false, 2, 3)}, "different lengths along axis 1"},
		"lengths, Fortran":  {0, []parts.Stored{at("a", 0, true, 2, 2), at("b", 0, true, 3, 2)}, "different lengths along axis 0"},
		"shapes":            {0, []parts.Stored{at("a", 0, false, 2, 2), at("b", 0, false, 2, 3)}, `part "b"`},
		"many small chunks": {0, []parts.Stored{at("a", 0, false, 1<<22), at("b", 0, false, 1<<22+1)}, "chunks"},
	} {
		var r parts.References
		if err := r.Add("", tt.axis, tt.files...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
