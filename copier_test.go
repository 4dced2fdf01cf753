package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// Copies equal NumPy's, byte for byte.
func TestCopierLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
a = np.arange(2*3*5, dtype='<i2').reshape(2, 3, 5)
f = np.asfortranarray(a)
np.save('a', a), np.save('f', f)
np.save('a-f', f), np.save('f-c', a), np.save('a-f8', a.astype('>f8')), np.save('f-f8', f.astype('>f8'))
np.save('a-slice', a[::-1, 1:]), np.save('f-slice', f[:, :, 2:]), np.save('f-steps', f[::1, ::2])
for axis in range(3):
    for names in 'aaa', 'ff', 'fa':
        np.save('cat-%d-%s' % (axis, names), np.concatenate([{'a': a, 'f': f}[n] for n in names], axis))
`, nil, dir)
	open := func(name string) *npy.File {
		f, err := npy.Open(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	out := filepath.Join(dir, "out.npy")
	check := func(want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got := must(os.ReadFile(out)); !bytes.Equal(got, must(os.ReadFile(filepath.Join(dir, want+".npy")))) {
			t.Errorf("%s: other bytes than NumPy's", want)
		}
	}
	a, f := open("a"), open("f")
	f8 := must(dtype.Parse(">f8"))
	check("a", npy.Copier{}.WriteFile(context.Background(), out, a))
	check("f", npy.Copier{}.WriteFile(context.Background(), out, f))
	check("a-f", npy.Copier{Order: npy.FortranOrder}.WriteFile(context.Background(), out, a))
	check("f-c", npy.Copier{Order: npy.COrder}.WriteFile(context.Background(), out, f))
	check("a-f8", npy.Copier{DType: f8}.WriteFile(context.Background(), out, a))
	check("f-f8", npy.Copier{DType: f8}.WriteFile(context.Background(), out, f))
	check("a-slice", npy.Copier{}.WriteFile(context.Background(), out, must(a.Select(npy.All().By(-1), npy.SpanFrom(1)))))
	check("f-slice", npy.Copier{}.WriteFile(context.Background(), out, must(f.Select(npy.All(), npy.All(), npy.SpanFrom(2)))))
	check("f-steps", npy.Copier{}.WriteFile(context.Background(), out, must(f.Select(npy.All(), npy.All().By(2)))))
	for axis := range 3 {
		for _, names := range []string{"aaa", "ff", "fa"} {
			var files []npy.Source
			for _, name := range names {
				files = append(files, open(string(name)))
			}
			check(fmt.Sprintf("cat-%d-%s", axis, names), npy.Copier{}.Concat(context.Background(), out, axis, files...))
		}
	}
}

// A failure of any read leaves no part of a copy, and the old file stays.
func TestCopierFaults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for fail := 1; fail <= 10; fail++ {
		f, m := openWith(t, npy.ReadOptions{Gap: -1}, fileOf(t, dtype.Int32, false, 20, 30))
		m.failAt = fail
		err := npy.Copier{Order: npy.FortranOrder}.WriteFile(context.Background(), path, must(f.Select(npy.All(), npy.Span(1, 9))))
		if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), path) {
			t.Errorf("read %d fails: %v", fail, err)
		}
		if got := must(os.ReadFile(path)); string(got) != "old" {
			t.Fatalf("read %d fails: the old file is gone", fail)
		}
		if left := must(os.ReadDir(dir)); len(left) != 1 {
			t.Fatalf("read %d fails: %v left behind", fail, left)
		}
	}
	f, _ := openBytes(t, fileOf(t, dtype.Int32, true, 200, 300))
	if _, err := os.Stat("/dev/full"); err == nil && runtime.GOOS != "windows" {
		if err := (npy.Copier{Order: npy.COrder}).WriteFile(context.Background(), "/dev/full", f); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
	}
	if err := (npy.Copier{}).Write(context.Background(), brokenPipe{}, f); !errors.Is(err, errBroken) {
		t.Errorf("a broken pipe: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func TestCopierErrors(t *testing.T) {
	a, _ := openBytes(t, fileOf(t, dtype.Float64, false, 2, 3))
	b, _ := openBytes(t, fileOf(t, dtype.Float64, false, 3, 2))
	c, _ := openBytes(t, fileOf(t, dtype.Int32, false, 2, 3))
	d, _ := openBytes(t, fileOf(t, dtype.Float64, false))
	path := filepath.Join(t.TempDir(), "none.npy")
	for _, x := range []struct {
		name, want string
		err        error
	}{
		{"a dtype that loses", "keeps every value", npy.Copier{DType: dtype.Float32}.WriteFile(context.Background(), path, a)},
		{"nothing", "no arrays", npy.Copier{}.Concat(context.Background(), path, 0)},
		{"an axis", "axis 2 is out of bounds for arrays of 2 dimensions", npy.Copier{}.Concat(context.Background(), path, 2, a)},
		{"no dimensions", "axis 0 is out of bounds for arrays of 0 dimensions", npy.Copier{}.Concat(context.Background(), path, 0, d)},
		{"shapes", "array 2 of 2: shape (3, 2) differs from the others", npy.Copier{}.Concat(context.Background(), path, 0, a, b)},
		{"dimensions", "array 2 of 2: shape () differs from the others", npy.Copier{}.Concat(context.Background(), path, 0, a, d)},
		{"dtypes", "i4, want ", npy.Copier{}.Concat(context.Background(), path, 0, a, c)},
		{"a pipe", "write to a file", npy.Copier{}.Concat(context.Background(), os.DevNull, 0, a, a)},
	} {
		if x.err == nil || !strings.Contains(x.err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.name, x.err, x.want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an error left a file: %v", err)
	}
	if err := (npy.Copier{}).Write(context.Background(), io.Discard, d); err != nil {
		t.Error(err)
	}
}

// A file in Fortran order is copied to C order, and float32 to float64, at any size.
func ExampleCopier() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "from.npy"), filepath.Join(dir, "to.npy")
	a, _ := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	_ = npy.WriteFile(from, a.Fortran())

	f, err := npy.Open(from)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	c := npy.Copier{Order: npy.COrder, DType: dtype.Float64, Memory: 512 << 20}
	if err := c.WriteFile(context.Background(), to, f); err != nil {
		panic(err)
	}
	b, err := npy.ReadFile(to)
	fmt.Println(b.DType().Name(), b.IsC(), b.Shape(), err)
	// Output:
	// float64 true [2 3] <nil>
}

func ExampleCopier_Concat() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	_ = npy.Save(path, []int32{1, 2, 3, 4}, 2, 2)
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := (npy.Copier{}).Concat(context.Background(), filepath.Join(dir, "b.npy"), 1, f, f); err != nil {
		panic(err)
	}
	b, err := npy.ReadFile(filepath.Join(dir, "b.npy"))
	fmt.Println(b, err)
	// Output:
	// [[1 2 1 2]
	//  [3 4 3 4]] <nil>
}

// The sum of an array of any size, piece by piece.
func ExampleFile_Blocks() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	_ = npy.Save(path, []int64{1, 2, 3, 4})
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	sum := int64(0)
	for block, err := range f.Blocks(context.Background(), 64<<20) {
		if err != nil {
			panic(err)
		}
		v, _ := npy.As[int64](block)
		for x := range v.Values() {
			sum += x
		}
	}
	fmt.Println(sum)
	// Output:
	// 10
}

// A process that is killed leaves the old file or the new one, never a part.
func TestCopierKilled(t *testing.T) {
	const child = "NPY_TEST_COPIER"
	if dir := os.Getenv(child); dir != "" {
		for order := npy.COrder; ; order = npy.COrder + npy.FortranOrder - order {
			f := must(npy.Open(filepath.Join(dir, "from.npy")))
			if err := (npy.Copier{Order: order}).WriteFile(context.Background(), filepath.Join(dir, "to.npy"), f); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	if oracle.Emulated || runtime.GOOS == "windows" {
		t.Skip("no programs to be started under the emulator, no signals")
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.npy"), filepath.Join(dir, "to.npy")
	data := fileOf(t, dtype.Float64, false, 500, 1000)
	if err := errors.Join(os.WriteFile(from, data, 0o666), os.WriteFile(to, data, 0o666)); err != nil {
		t.Fatal(err)
	}
	want := must(npy.ReadFile(from)).Bytes()
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestCopierKilled$")
		cmd.Env = append(os.Environ(), child+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() > 0 {
			t.Fatalf("the copier ended by itself: %v", err)
		}
		if a, err := npy.ReadFile(to); err != nil || !bytes.Equal(a.Bytes(), want) {
			t.Fatalf("killed after %d ms: %v", 20+7*i, err)
		}
	}
}
