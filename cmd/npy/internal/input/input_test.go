package input

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
)

// newOpener returns an Opener whose standard input is stdin.
func newOpener(stdin io.Reader) Opener {
	return Opener{
		Stdin:     &Stdin{Reader: stdin},
		Temporary: func(func()) func() { return func() {} },
		Watch:     func(f io.ReadCloser, _ string, _ int64) io.ReadCloser { return f },
		Tell:      func(string, ...any) {},
	}
}

// files makes a.npy, fortran.npy, t.csv and z.npz in a folder and makes it the working directory.
func files(t *testing.T) {
	t.Chdir(t.TempDir())
	data := make([]byte, 24)
	for i := range 6 {
		binary.NativeEndian.PutUint32(data[4*i:], uint32(i))
	}
	a, err := npy.FromStrides(dtype.Int32, data, 0, []int{2, 3}, []int{12, 4})
	if err != nil {
		t.Fatal(err)
	}
	w, err := npz.Create("z.npz")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		npy.WriteFile("a.npy", a), npy.WriteFile("fortran.npy", a.Fortran()), os.WriteFile("t.csv", []byte("0,1,2\n3,4,5\n"), 0o666),
		w.Add("m", a), w.Add("m[0]", a), w.Add("sub/x", a), w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestParse(t *testing.T) {
	files(t)
	if err := os.WriteFile("a.npy[0]", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ arg, path, member, sub string }{
		{"a.npy", "a.npy", "", ""},
		{"a.npy[1]", "a.npy", "", "[1]"},
		{"a.npy[0]", "a.npy[0]", "", ""}, // of this name
		{"z.npz:m", "z.npz", "m", ""},
		{"z.npz:m[0]", "z.npz", "m[0]", ""}, // cut when the archive is open
		{"-", "-", "", ""},
		{"-[0, 1]", "-", "", "[0, 1]"},
		{"-:m", "-", "m", ""},
		{"none.npy[0]", "none.npy[0]", "", ""},
	} {
		got, err := Parse(test.arg)
		if err != nil || got.Path != test.path || got.Member != test.member || got.Sub != test.sub {
			t.Errorf("Parse(%q) = file %q, member %q, index %q, %v", test.arg, got.Path, got.Member, got.Sub, err)
		}
	}
	for arg, want := range map[string]string{"a.npy[0": "quote", "a.npy[1x]": "a.npy[1x]: "} {
		if _, err := Parse(arg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) gives %v, want an error with %q", arg, err, want)
		}
	}
}

// Each way to name an array gives the same elements from a file, a pipe and standard input.
func TestSources(t *testing.T) {
	files(t)
	const all, row = "[[0 1 2]\n [3 4 5]]", "[3 4 5]"
	for _, test := range []struct{ path, rest, want string }{
		{"a.npy", "", all}, {"a.npy", "[1]", row},
		{"fortran.npy", "", all}, {"fortran.npy", "[1]", row},
		{"z.npz", ":m", all}, {"z.npz", ":m[1]", row}, {"z.npz", ":m[0]", all}, {"z.npz", ":m[0][1]", row}, {"z.npz", ":sub/x", all},
	} {
		for _, from := range []string{"file", "standard input", "pipe"} {
			for name, open := range map[string]func(Opener, Target) (*Array, error){
				"Source": func(o Opener, x Target) (*Array, error) { return o.Source(t.Context(), x) },
				"Once":   func(o Opener, x Target) (*Array, error) { return o.Once(t.Context(), x) },
			} {
				t.Run(strings.Join([]string{name, from, test.path + test.rest}, "/"), func(t *testing.T) {
					o, arg := opened(t, from, test.path)
					target, err := Parse(arg + test.rest)
					if err != nil {
						t.Fatal(err)
					}
					if target, err = o.Open(target); err != nil {
						t.Fatal(err)
					}
					defer target.Close()
					if target.Container != nil {
						if target, err = target.Resolve(); err != nil {
							t.Fatal(err)
						}
					}
					a, err := open(o, target)
					if err != nil {
						t.Fatal(err)
					}
					defer a.Close()
					array, err := a.ReadAll(t.Context())
					if err != nil || array.String() != test.want {
						t.Errorf("the elements are %v, %v, want %s", array, err, test.want)
					}
				})
			}
		}
	}
}

// opened returns an Opener and an argument for a file, which is opened as it is, or read from standard input or a pipe.
func opened(t *testing.T, from, path string) (Opener, string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch from {
	case "file":
		return newOpener(strings.NewReader("")), path
	case "standard input":
		return newOpener(bytes.NewReader(data)), "-"
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/dev/fd"); err != nil || runtime.GOOS == "windows" { // Wine shows the one of its host
		t.Skip("no /dev/fd")
	}
	go func() {
		w.Write(data)
		w.Close()
	}()
	t.Cleanup(func() { r.Close() })
	return newOpener(strings.NewReader("")), fmt.Sprintf("/dev/fd/%d", r.Fd())
}

// A stream in Fortran order gives its stored order on request.
func TestOnceOfFortranOrder(t *testing.T) {
	files(t)
	data, err := os.ReadFile("fortran.npy")
	if err != nil {
		t.Fatal(err)
	}
	a, err := newOpener(bytes.NewReader(data)).Once(t.Context(), Target{Path: "-"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	stored, reversed := npy.StoredOrder(a.Source)
	if !reversed || fmt.Sprint(stored.Shape()) != "[3 2]" || !npy.HeaderOf(a.Source).FortranOrder {
		t.Fatalf("stored order: shape %v, reversed %v, header %v", stored.Shape(), reversed, npy.HeaderOf(a.Source))
	}
	array, err := stored.ReadAll(t.Context())
	if err != nil || array.String() != "[[0 3]\n [1 4]\n [2 5]]" {
		t.Errorf("the stored elements are %v, %v", array, err)
	}
}

// A damaged member is an error even if all of its elements can be read.
func TestOnceVerifiesMember(t *testing.T) {
	files(t)
	w, err := npz.Encoder{Store: true}.Create("s.npz")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := npy.New(dtype.Float64, 1000)
	if err := errors.Join(w.Add("m", a), w.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("s.npz")
	if err != nil {
		t.Fatal(err)
	}
	data[4000] ^= 1
	if err := os.WriteFile("s.npz", data, 0o666); err != nil {
		t.Fatal(err)
	}
	target, err := newOpener(nil).Open(Target{Path: "s.npz", Member: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	in, err := newOpener(nil).Once(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err = in.ReadAll(t.Context()); err == nil {
		t.Error("a damaged member has no error")
	}
}

// Errors of one file do not keep the next one from being opened.
func TestEach(t *testing.T) {
	files(t)
	var names, complaints []string
	o := newOpener(strings.NewReader(""))
	err := o.Each([]string{"a.npy", "none.npy", "z.npz", "z.npz:s*", "z.npz:nope", "z.npz:q*"}, "", func(e diagnose.FileError) {
		complaints = append(complaints, e.Error())
	}, func(x Target) error {
		names = append(names, x.Title())
		return nil
	})
	if got, want := strings.Join(names, " "), "a.npy z.npz:m z.npz:m[0] z.npz:sub/x z.npz:sub/x"; err != nil || got != want {
		t.Errorf("the targets are %s, want %s (%v)", got, want, err)
	}
	want := []string{"none.npy: ", `z.npz: it has no member "nope"`, `z.npz: it has no member like "q*"`}
	for i, w := range want {
		if i >= len(complaints) || !strings.HasPrefix(complaints[i], w) {
			t.Errorf("the complaints are %q, want %q", complaints, want)
			break
		}
	}
}

func TestAnyReadsText(t *testing.T) {
	files(t)
	o := newOpener(nil)
	o.Text.DType = dtype.Int16
	a, err := o.Source(t.Context(), Target{Path: "t.csv"})
	if err != nil || a.DType() != dtype.Int16 || fmt.Sprint(a.Shape()) != "[2 3]" {
		t.Errorf("text as int16 is %v, %v", a, err)
	}
}

// An array in memory is read to its end or not at all.
func TestCancelled(t *testing.T) {
	files(t)
	data, err := os.ReadFile("fortran.npy")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := newOpener(bytes.NewReader(data)).Source(ctx, Target{Path: "-"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read gives %v, %v", a, err)
	}
}

func TestArrayName(t *testing.T) {
	for want, x := range map[string]Target{"arr_0": {Path: "-"}, "a": {Path: filepath.Join("x", "a.npy")}, "m": {Path: "z.npz", Member: "m"}} {
		if got := x.ArrayName(); got != want {
			t.Errorf("the name is %q, want %q", got, want)
		}
	}
}

// Text after the bracket that closes an index is an error about the index, however the array is named.
func TestTextAfterIndex(t *testing.T) {
	files(t)
	for _, name := range []string{"a.npy", "-", "z.npz:sub/x", `z.npz["sub/x"]`, "z.npz:sub/*", "z.npz:m"} {
		for _, index := range []string{"[-1, 2]", "[0]", "[[0, 1]]", "[...]"} {
			for _, after := range []string{", -1", " -1", ",", "x", "]", ",[0]", ", 'x'", " > 1", ":x"} {
				arg := name + index + after
				data, err := os.ReadFile("a.npy")
				if err != nil {
					t.Fatal(err)
				}
				var complaint error
				err = newOpener(bytes.NewReader(data)).Each([]string{arg}, "", func(e diagnose.FileError) { complaint = e }, func(x Target) error {
					return fmt.Errorf("it is read as %s", x.Title())
				})
				if err == nil {
					err = complaint
				}
				if err == nil || !strings.Contains(err.Error(), "after the closing ]") {
					t.Errorf("%s: error %v, want one about the text after the index", arg, err)
				}
			}
		}
	}
}
