package npy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func parse(text string) dtype.Type { return must(dtype.Parse(text)) }

// golden has the first half of the SHA-256 of the whole file, as np.save of NumPy 1.24.2 and 2.3.5 writes it.
var golden = []struct {
	expression string
	array      func() *npy.Array
	sum        string
}{
	{`np.arange(3,dtype="<i4")`, func() *npy.Array { return le("<i4", []int32{0, 1, 2}) }, "c8b16caa0f7bbe2bf06df66bd02f201f"},
	{`np.array(1.5)`, func() *npy.Array { return must(le("<f8", []float64{1.5}).Reshape()) }, "e5bfe3c71116d779d35cc63375ccfdb4"},
	{`np.zeros((0,),"<f8")`, func() *npy.Array { return must(npy.New(parse("<f8"), 0)) }, "fdee2f2368bf2af9c942f32cce9d982e"},
	{`np.arange(6,dtype="<u2").reshape(2,3)`, func() *npy.Array { return le("<u2", []uint16{0, 1, 2, 3, 4, 5}, 2, 3) }, "6233a0de9d44550df16ae1db35d10fcf"},
	{`asfortranarray(np.arange(6,dtype="<u2").reshape(2,3))`, func() *npy.Array { return le("<u2", []uint16{0, 1, 2, 3, 4, 5}, 2, 3).Fortran() }, "f8f26850627cc972766e251127823edc"},
	{`np.arange(12,dtype=">i2").reshape(3,4)[::2,::2]`, func() *npy.Array {
		a := le(">i2", []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
		return must(a.Slice(must(npy.ParseIndex("::2,::2"))...))
	}, "99754f1524eb318aa0f8ffc7fd63bc04"},
	{`np.array([True,False])`, func() *npy.Array { return le("?", []bool{true, false}) }, "4257418724eeadfcfc6affd95584b6da"},
	{`np.array(["a","bcé"])`, func() *npy.Array { return le("<U3", []string{"a", "bcé"}) }, "6a8b99c5cffc2ab2584f25fd5ea5d8a5"},
	{`np.array([b"a",b"bc"])`, func() *npy.Array { return le("S2", [][]byte{[]byte("a"), []byte("bc")}) }, "f6b02ff3f08bfc0f2ba4299bfb99a4d7"},
	{`np.array(["2020-01-02","NaT"],"M8[D]")`, func() *npy.Array { return le("<M8[D]", scalar.Datetime64s(18263, scalar.NaT)) }, "84275b1080aef38704c196c6af95a13a"},
	{`np.array([1,-1],"m8[25s]")`, func() *npy.Array { return le("<m8[25s]", scalar.Timedelta64s(1, -1)) }, "843a3627e409874448d0d5e5fedc1c82"},
	{`np.zeros(2,[("a","<i4"),("b","<f8",(2,)),("c",[("d","S3")])])`, zeros("[('a','<i4'),('b','<f8',(2,)),('c',[('d','S3')])]", 2), "b39fc029234ddba332ad4b19c588b718"},
	{`np.zeros(1,np.dtype("i1,i4,i1",align=True))`, zeros("[('f0','i1'),('','V3'),('f1','<i4'),('f2','i1'),('','V3')]", 1), "f8d5c61382f4deb2aad85ef526598e23"},
	{`np.zeros(1,[(("T","n"),"<i4")])`, zeros("[(('T','n'),'<i4')]", 1), "096defd6e1e26289e2884f08b039cc04"},
	{`np.zeros(1,[("é","<i4")])`, zeros("[('é','<i4')]", 1), "eb1ca700f44ca52a8cccb543542bfef0"},
	{`np.zeros(1,[("整","<i4")])`, zeros("[('整','<i4')]", 1), "12218b11f7aeed9773599c2d9686415e"},
	{`np.zeros(3,np.dtype([]))`, zeros("[]", 3), "daa0242420eb63227435d7125362a70c"},
	{`np.zeros(2,"<c16")`, zeros("<c16", 2), "c06d78d60e11f631cd16bb53119cebaa"},
}

// le returns an array of a dtype that is the same on every machine.
func le[T npy.Element](descr string, data []T, shape ...int) *npy.Array {
	return must(npy.FromSliceAs(parse(descr), data, shape...))
}

func zeros(descr string, n int) func() *npy.Array {
	return func() *npy.Array { return must(npy.New(parse(descr), n)) }
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		var buf bytes.Buffer
		if err := npy.Write(&buf, g.array()); err != nil {
			t.Errorf("%s: %v", g.expression, err)
			continue
		}
		if sum := sha256.Sum256(buf.Bytes()); hex.EncodeToString(sum[:16]) != g.sum {
			t.Errorf("%s: other bytes: %q", g.expression, buf.Bytes())
		}
	}
	for version, sum := range map[format.Version]string{format.V2: "a34b5be819e387c4c19c7d40b9a024bc", format.V3: "9722cdb2b5086af3ceb9ea61ee210509"} {
		var buf bytes.Buffer
		if err := (npy.Encoder{Version: version}).Write(&buf, le("<i4", []int32{0, 1, 2})); err != nil {
			t.Fatal(err)
		}
		if s := sha256.Sum256(buf.Bytes()); hex.EncodeToString(s[:16]) != sum {
			t.Errorf("version %s: other bytes", version)
		}
	}
}

// Gathering in pieces gives the same bytes as gathering at once.
func TestWriteLayouts(t *testing.T) {
	data := make([]uint16, 1<<21)
	for i := range data {
		data[i] = uint16(i * 31)
	}
	a := must(npy.FromSlice(data, 2, 1<<10, 1<<10))
	wide := must(npy.FromSlice(data, 2, 1<<20))
	for name, b := range map[string]*npy.Array{
		"C": a, "Fortran": a.Fortran(), "transposed": must(a.Transpose(1, 0, 2)), "reversed": must(a.Slice(npy.All().By(-1))),
		"columns": must(a.Slice(npy.Ellipsis(), npy.All().By(3))), "long rows": must(wide.Slice(npy.All(), npy.All().By(-1))),
		"one": must(a.Slice(npy.At(1), npy.At(2), npy.At(3))), "none": must(a.Slice(npy.SpanTo(0))), "a column": must(wide.Slice(npy.All(), npy.At(7))),
	} {
		var buf bytes.Buffer
		if err := npy.Write(&buf, b); err != nil {
			t.Fatal(err)
		}
		h := must(format.ParseHeader(buf.Bytes()))
		want := b.Bytes()
		if h.FortranOrder {
			want = b.T().Bytes()
		}
		if h.FortranOrder != (name == "Fortran") || !slices.Equal(h.Shape, b.Shape()) || !bytes.Equal(buf.Bytes()[h.DataOffset:], want) {
			t.Errorf("%s: written wrong: %+v", name, h)
		}
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left < len(p) {
		return w.left, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

var errFull = errors.New("no space left")

func TestWriteErrors(t *testing.T) {
	a := must(npy.FromSlice(make([]float64, 10000), 100, 100))
	b := must(a.Slice(npy.All(), npy.All().By(2)))
	for _, x := range []*npy.Array{a, b} {
		for _, left := range []int{0, 100, 200, 20000} {
			if err := npy.Write(&failingWriter{left}, x); !errors.Is(err, errFull) {
				t.Errorf("a writer that fails after %d bytes: %v", left, err)
			}
		}
	}
	e := npy.Encoder{Version: format.V1}
	if err := e.Write(&bytes.Buffer{}, zeros("[('整','<i4')]", 1)()); err == nil || !strings.Contains(err.Error(), "use version 3.0") {
		t.Errorf("a name outside Latin-1 in version 1.0: %v", err)
	}
	if err := (npy.Encoder{Version: format.Version{Major: 9}}).Write(&bytes.Buffer{}, a); err == nil {
		t.Error("version 9.0 is written")
	}
}

// A write that fails leaves the old file and no other.
func TestWriteFileLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	old := []byte("precious")
	if err := os.WriteFile(path, old, 0o640); err != nil {
		t.Fatal(err)
	}
	bad := npy.Encoder{Version: format.V1}
	if err := bad.WriteFile(path, zeros("[('整','<i4')]", 1)()); err == nil {
		t.Fatal("no error")
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, old) {
		t.Errorf("the old file is now %q", got)
	}
	if err := npy.Save(path, []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are now %v", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	err := npy.Save(filepath.Join(dir, "no", "such.npy"), []int8{1})
	var pe *fs.PathError
	if !errors.As(err, &pe) || !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(pe.Path, "such.npy") {
		t.Errorf("saving into a missing folder: %v", err)
	}
}

func TestSaveErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	for name, err := range map[string]error{
		"wrong shape":       npy.Save(path, []float64{1, 2}, 3),
		"negative":          npy.Save(path, []float64{1, 2}, -1),
		"overflow":          npy.Save(path, []float64{}, math.MaxInt, math.MaxInt),
		"no step":           npy.Save(path, scalar.Datetime64s(1)),
		"NUL at the end":    npy.Save(path, []string{"a\x00"}),
		"NUL in bytes":      npy.Save(path, [][]byte{{1, 0}}),
		"not UTF-8":         npy.Save(path, []string{"\xff"}),
		"too many dims":     npy.Save(path, []float64{1}, slices.Repeat([]int{1}, 65)...),
		"zero by nothing":   npy.Save(path, []float64{1}, 0),
		"a folder":          npy.Save(filepath.Dir(path), []float64{1}),
		"subarray as dtype": func() error { _, err := npy.New(parse("(2,)i4"), 3); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}

// killed is set for the child process of TestKill: it writes the same file over and over.
const killed = "NPY_TEST_WRITE_FOREVER"

func TestMain(m *testing.M) {
	if path := os.Getenv(killed); path != "" {
		writeForever(path)
	}
	os.Exit(m.Run())
}

func writeForever(path string) {
	for i := 0; ; i++ {
		if err := npy.WriteFile(path, killArray(i%2)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if i == 1 {
			fmt.Println("started")
		}
	}
}

func killArray(which int) *npy.Array {
	data := make([]int64, 200_000*(which+1))
	for i := range data {
		data[i] = int64(i + which)
	}
	return must(npy.FromSlice(data))
}

// A process that is killed at any point leaves one of the two whole files.
func TestKill(t *testing.T) {
	if oracle.Emulated {
		t.Skip("processes start too slowly under emulation")
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	for i := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killed+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*700) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		if want := killArray(a.Len()/200_000 - 1); !bytes.Equal(a.Bytes(), want.Bytes()) {
			t.Fatalf("after kill %d: the file holds something else", i)
		}
	}
}
