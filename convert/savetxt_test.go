package convert_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

// readFile reads a file in the format of its extension.
func readFile(t *testing.T, path string) (*npy.Array, convert.Report) {
	t.Helper()
	f, ok := convert.ForFile(path)
	if !ok {
		t.Fatalf("no format for %s", path)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	a, report, err := convert.Read(context.Background(), file, f, convert.ReadOptions{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return a, report
}

// The bytes are np.savetxt's, and its output reads back as by np.loadtxt.
func TestSavetxt(t *testing.T) {
	dir := t.TempDir()
	const script = `
import io
r = np.random.default_rng(7)
f = r.standard_normal((40, 3)) * 10.0 ** r.integers(-200, 200, (40, 3))
f[0, 0], f[1, 1], f[2, 2], f[3, 0] = np.nan, np.inf, -np.inf, -0.0
c = f[:, :2] - 1j * f[:, 1:]
arrays = {"f8": f, "f4": r.standard_normal((5, 2)).astype("f4"), "f2": np.arange(7, dtype="f2") / 3, "c16": c, "c8": np.array([1 - 2j, 3j, -0.0 - 0j], "c8"),
  "i8": np.array([[-2**63, 2**63 - 1], [2**53 + 1, 0]]), "u8": np.array([2**64 - 1, 1], "u8"), "i1": np.arange(-3, 3, dtype="i1").reshape(2, 3),
  "bool": np.array([[True, False]]), "big": f.astype(">f8"), "longdouble": np.array([1, 3, -2], "g") / 3,
  "rec": np.array([(1, 2.5), (-3, 1e300)], "i4,f8"), "empty": np.zeros(0), "rows": np.zeros((3, 0)), "order": np.asfortranarray(f)}
for name, a in arrays.items():
    np.save(f"{sys.argv[1]}/{name}.npy", a)
    np.savetxt(f"{sys.argv[1]}/{name}.txt", a)
    if a.size and name not in ("rec", "rows"):
        np.save(f"{sys.argv[1]}/{name}.loaded", np.loadtxt(f"{sys.argv[1]}/{name}.txt", dtype=complex if a.dtype.kind == "c" else float, ndmin=a.ndim))
`
	oracle.NumPy(t, script, nil, dir)
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(paths) != 15 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		base := strings.TrimSuffix(path, ".txt")
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.ReadFile(base + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		got, err := write(convert.TXT, a, convert.WriteOptions{})
		if err != nil || got != string(want) {
			t.Errorf("%s: %v\n got %.200q\nwant %.200q", filepath.Base(base), err, got, want)
		}
		loaded, err := npy.ReadFile(base + ".loaded.npy")
		if err != nil {
			continue
		}
		back, _ := readFile(t, path)
		if !back.DType().Equal(loaded.DType()) || !bytes.Equal(payload(back), payload(loaded)) || len(back.Shape()) != len(loaded.Shape()) {
			t.Errorf("%s is read as %s %v, np.loadtxt gives %s %v", filepath.Base(path), back.DType(), back.Shape(), loaded.DType(), loaded.Shape())
		}
	}
}

// Integers and bools read back with their dtype if a float64 holds them. Others never read back as another number.
func TestSavetxtReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 13))
	for _, descr := range []string{"|b1", "|i1", "|u1", "<i2", ">u2", "<i4", ">u4", "<i8", ">i8", "<u8", "<f4", "<f2", "<c8", "[('a', '<i4'), ('b', '|b1'), ('c', '<f8')]"} {
		d, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			raw := make([]byte, 12*d.ItemSize())
			for i := range raw {
				raw[i] = byte(r.Uint32())
				if d.IsStruct() || d.Kind() == dtype.KindBool {
					raw[i] &= 1
				}
			}
			a, err := npy.FromBytes(d, raw, 12)
			if err != nil {
				t.Fatal(err)
			}
			text, err := write(convert.TXT, a, convert.WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			back, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.TXT, convert.ReadOptions{DType: d})
			if d.ItemSize() == 8 && d.Kind() != dtype.KindComplex && !d.IsStruct() {
				want, err2 := a.Cast(dtype.Float64, npy.UnsafeCasting)
				if err2 == nil && err == nil {
					back, err = back.Cast(dtype.Float64, npy.UnsafeCasting)
				}
				if err2 != nil || err == nil && !bytes.Equal(back.Bytes(), want.Bytes()) {
					t.Errorf("%s: %q is read as %v, want %v", descr, text, back, want)
				}
				if err != nil && !errors.Is(err, scalar.ErrRange) {
					t.Errorf("%s: %q: %v", descr, text, err)
				}
				continue
			}
			if err != nil || back.String() != a.String() {
				t.Errorf("%s: %q is read as %v, %v, want %v", descr, text, back, err, a)
			}
		}
	}
	for text, want := range map[string]string{
		"1.5":  `line 1, column 1: "1.5" is not an int32: it is not a whole number`,
		"1e10": `line 1, column 1: "1e10" is not an int32: value out of range`,
		"1.0x": `line 1, column 1: "1.0x" is not an int32`,
	} {
		if _, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.TXT, convert.ReadOptions{DType: dtype.Int32}); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Comments, blank lines and runs of spaces are read as by np.loadtxt.
func TestReadTXT(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"comments", "# head\n1 2 # first\n\n   # nothing\n3 4#second", "[[1 2]\n [3 4]]"},
		{"spaces", "\t 1.5  \t2\v3\r\n  4 5\f6  \r\n", "[[1.5 2. 3. ]\n [4. 5. 6. ]]"},
		{"one column", "1\n2\n", "[1 2]"},
		{"complex", "(1+2j)\n (0-1j)", "[1.+2.j 0.-1.j]"},
		{"quotes are text", "\"a b\"\n", `[['"a' 'b"']]`},
		{"names are text", "a b\n1 2\n", "[['a' 'b']\n ['1' '2']]"},
		{"nothing", "# only\n", "[]"},
	} {
		a, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), convert.TXT, convert.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := strings.Join(strings.Fields(a.String()), " "); got != strings.Join(strings.Fields(tt.want), " ") {
			t.Errorf("%s: %q is read as %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"1 2\n3\n":         "line 2: 1 cell, want 2 as in line 1; RaggedFill fills such rows with missing values, RaggedSkip drops them",
		"# a\n1 2\n3 4 5":  "line 3: 3 cells, want 2 as in line 2; RaggedSkip drops such rows",
		"1 2\n3 x # why\n": "",
	} {
		_, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.TXT, convert.ReadOptions{})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := write(convert.TXT, mustText(t, "a,b\n"), convert.WriteOptions{}); err == nil || !strings.Contains(err.Error(), "has numbers only, the array has dtype "+native("<U1")+"; write .csv") {
		t.Errorf("str as .txt: error %v", err)
	}
}

// mustText reads an array from CSV without a header.
func mustText(t *testing.T, text string) *npy.Array {
	t.Helper()
	a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{Header: convert.HeaderNo})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// pandas reads the CSV written here, and the CSV of pandas is read here.
func TestPandas(t *testing.T) {
	dir := t.TempDir()
	a, _, err := convert.Read(context.Background(), strings.NewReader("n,x,who,when\n1,0.1,\"a,\"\"b\",2020-01-02\n-7,1e-300,日本,1999-12-31\n"), convert.CSV, convert.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := convert.WriteFile(context.Background(), filepath.Join(dir, "ours.csv"), a, convert.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	const script = `
import pandas as pd
d = pd.read_csv(sys.argv[1] + "/ours.csv", parse_dates=["when"], float_precision="round_trip")
assert d.n.tolist() == [1, -7] and d.x.tolist() == [0.1, 1e-300] and d.who.tolist() == ['a,"b', "日本"], d
assert d.when.tolist() == [pd.Timestamp("2020-01-02"), pd.Timestamp("1999-12-31")], d
d.to_csv(sys.argv[1] + "/theirs.csv", index=False)
r = np.random.default_rng(4)
big = pd.DataFrame({"x": r.standard_normal(50000), "k": r.integers(-10**12, 10**12, 50000), "s": [f'say "{i}",\nplease' for i in range(50000)]})
big.loc[7, "x"] = np.nan
big.to_csv(sys.argv[1] + "/big.csv", index=False)
np.save(sys.argv[1] + "/x.npy", big.x.to_numpy())
np.save(sys.argv[1] + "/k.npy", big.k.to_numpy())
`
	oracle.Module(t, "pandas", script, dir)
	theirs, _ := readFile(t, filepath.Join(dir, "theirs.csv"))
	if !theirs.DType().Equal(a.DType()) || !bytes.Equal(theirs.Bytes(), a.Bytes()) {
		t.Errorf("what pandas wrote is read as %v, want %v", theirs, a)
	}
	big, report := readFile(t, filepath.Join(dir, "big.csv"))
	if big.Len() != 50000 || report.Missing != 1 {
		t.Errorf("%d rows with %d values missing, want 50000 with 1", big.Len(), report.Missing)
	}
	for _, name := range []string{"x", "k"} {
		got, err := big.Field(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := npy.ReadFile(filepath.Join(dir, name+".npy"))
		if err != nil || !bytes.Equal(payload(got), payload(want)) {
			t.Errorf("column %s differs, %v", name, err)
		}
	}
}
