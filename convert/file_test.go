package convert_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

func TestForFile(t *testing.T) {
	for name, want := range map[string]convert.Format{
		"a.csv": convert.CSV, "A.TSV": convert.TSV, "x/y.json": convert.JSON, "b.ndjson": convert.NDJSON, "b.c.jsonl": convert.NDJSON,
		"csv": "", "a.npy": "", "": "", "a.csv/b": "",
	} {
		if f, ok := convert.ForFile(name); f != want || ok != (want != "") {
			t.Errorf("ForFile(%q) = %q, %t, want %q", name, f, ok, want)
		}
	}
	if got := strings.Join(convert.Endings(), " "); got != ".csv .tsv .json .ndjson .jsonl .txt .png .md .tex" {
		t.Errorf("Endings() = %s", got)
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	wide, err := npy.New(dtype.Float64, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := convert.WriteFile(context.Background(), path, wide, convert.WriteOptions{}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("WriteFile of three dimensions: error %v, want one with the path", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("after an error the file holds %q, %v, want what it had", got, err)
	}
	a, err := npy.FromSlice([]int16{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := convert.WriteFile(context.Background(), path, a, convert.WriteOptions{Sync: true}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "1\n2\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v, want one file", files, err)
	}
}

func TestWriteTable(t *testing.T) {
	record, err := dtype.Parse("[('a', '<i4'), ('b \"c\"', '<U2', (1, 2)), ('', '|V3'), ('d', [('e', '|b1')])]")
	if err != nil {
		t.Fatal(err)
	}
	text := `[{"a":1,"b \"c\"":[["x,","é"]],"d":{"e":true}},{"a":-2,"b \"c\"":[[" y",""]],"d":{"e":false}}]`
	a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.JSON, convert.ReadOptions{DType: record})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		format convert.Format
		plain  bool
		want   string
	}{
		{convert.CSV, false, "a,\"b \"\"c\"\"[0,0]\",\"b \"\"c\"\"[0,1]\",d.e\n1,\"x,\",é,true\n-2,\" y\",,false\n"},
		{convert.TSV, false, "a\t\"b \"\"c\"\"[0,0]\"\t\"b \"\"c\"\"[0,1]\"\td.e\n1\tx,\té\ttrue\n-2\t\" y\"\t\tfalse\n"},
		{convert.CSV, true, "1,\"x,\",é,true\n-2,\" y\",,false\n"},
	} {
		got, err := write(tt.format, a, convert.WriteOptions{NoHeader: tt.plain})
		if err != nil || got != tt.want {
			t.Errorf("Write(%s), NoHeader %t = %q, %v, want %q", tt.format, tt.plain, got, err, tt.want)
		}
	}
}

func TestWriteShapes(t *testing.T) {
	long := make([]float64, 300_000)
	for i := range long {
		long[i] = float64(i)
	}
	big, err := npy.FromSlice(long, 3, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shape             []int
		csv, json, ndjson string
	}{
		{[]int{}, "0\n", "0\n", "0\n"},
		{[]int{2}, "0\n0\n", "[0,0]\n", "0\n0\n"},
		{[]int{2, 2}, "0,0\n0,0\n", "[[0,0],\n [0,0]]\n", "[0,0]\n[0,0]\n"},
		{[]int{2, 2, 1}, "", "[[[0],\n  [0]],\n [[0],\n  [0]]]\n", "[[0],[0]]\n[[0],[0]]\n"},
		{[]int{0}, "", "[]\n", ""},
		{[]int{0, 3}, "", "[]\n", ""},
		{[]int{2, 0}, "\n\n", "[[],\n []]\n", "[]\n[]\n"},
		{[]int{1, 2, 0, 3}, "", "[[[],\n  []]]\n", "[[],[]]\n"},
	} {
		a, err := npy.New(dtype.Uint8, tt.shape...)
		if err != nil {
			t.Fatal(err)
		}
		for f, want := range map[convert.Format]string{convert.CSV: tt.csv, convert.JSON: tt.json, convert.NDJSON: tt.ndjson} {
			if got, err := write(f, a, convert.WriteOptions{}); got != want || err != nil && len(tt.shape) < 3 {
				t.Errorf("Write(%s) of shape %v = %q, %v, want %q", f, tt.shape, got, err, want)
			}
		}
	}
	// Any layout in memory gives the same text, also where a row is more than is gathered at a time.
	for _, f := range formats {
		want, err := write(f, big, convert.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write(f, big.Fortran(), convert.WriteOptions{}); err != nil || got != want {
			t.Errorf("Write(%s) of an array in Fortran order differs from that in C order: %v", f, err)
		}
		flipped, err := big.T().Clone().T().Slice(npy.All().By(-1))
		if err != nil {
			t.Fatal(err)
		}
		back, err := flipped.Slice(npy.All().By(-1))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write(f, back, convert.WriteOptions{}); err != nil || got != want {
			t.Errorf("Write(%s) of a view differs: %v", f, err)
		}
	}
}
