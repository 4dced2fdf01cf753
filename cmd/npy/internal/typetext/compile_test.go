package typetext

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/scalar"
)

// A sample is an array in a file.
type sample struct {
	Array
	array *npy.Array
}

// code returns the code for a sample.
func (s sample) code(t *testing.T, lang, name string) string {
	t.Helper()
	a := s.Array
	a.Name = name
	text, err := Code(lang, a)
	if err != nil {
		t.Fatalf("%s: %v", s.Path, err)
	}
	return string(text)
}

// samples returns the vectors without objects, of plain dtypes one for each kind, item size and byte order, and arrays of
// random dtypes with odd names, in files.
func samples(t *testing.T) []sample {
	t.Helper()
	var all []sample
	seen := map[string]bool{}
	add := func(path string, a *npy.Array) {
		all = append(all, sample{Array{Path: path, DType: a.DType(), Shape: a.Shape(), FortranOrder: a.IsFortran() && !a.IsC()}, a})
	}
	paths, err := filepath.Glob("../../../../testdata/numpy-2.3.5/*.npy")
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d vectors: %v", len(paths), err)
	}
	for _, path := range paths {
		if path, err = filepath.Abs(path); err != nil {
			t.Fatal(err)
		}
		a, err := npy.ReadFile(path)
		if err != nil {
			continue // objects
		}
		if d := a.DType(); !d.IsStruct() {
			key := fmt.Sprint(d.Kind(), d.ItemSize(), d.ByteOrder(), a.Size() == 0)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		add(path, a)
	}
	dir := t.TempDir()
	for i := range oracle.Cases(t, 20) {
		g := property.NewG("typetext", int64(i))
		d := g.Struct(property.All&^property.Small, 3)
		path := filepath.Join(dir, fmt.Sprintf("random %d.npy", i))
		if err := npy.WriteFile(path, g.ArrayOf(d, []int{3}, 0).Array); err != nil {
			t.Fatal(err)
		}
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(path, a)
	}
	return all
}

// needsTools skips a test that starts a program, which is an error in CI.
func needsTools(t *testing.T, name string) {
	t.Helper()
	if testing.Short() || oracle.Emulated {
		t.Skip("compiles programs")
	}
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// The C programs compile without warnings and print the values that this module reads.
func TestC(t *testing.T) {
	needsTools(t, "cc")
	dir := t.TempDir()
	for i, s := range samples(t) {
		source, program := filepath.Join(dir, fmt.Sprintf("p%d.c", i)), filepath.Join(dir, fmt.Sprintf("p%d", i))
		if err := os.WriteFile(source, []byte(s.code(t, "c", "")), 0o666); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command("cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", program, source).CombinedOutput(); err != nil {
			t.Errorf("%s, %s: %v: %s", s.Path, s.DType, err, text)
			continue
		}
		out, err := exec.Command(program).Output()
		if err != nil {
			t.Errorf("%s, %s: %v", s.Path, s.DType, err)
			continue
		}
		got := strings.Split(strings.TrimSpace(string(out)), "\n")
		if last := fmt.Sprintf("items: %d", s.array.Size()); !strings.HasPrefix(got[len(got)-1], last) {
			t.Errorf("%s: the program ends with %q, want %q", s.Path, got[len(got)-1], last)
		}
		if s.array.Size() == 0 {
			continue
		}
		var want []printed
		var r *record
		if s.DType.IsStruct() {
			w := &writer{Array: s.Array, names: cNames, types: unique{reserved: cNames.reserved}}
			r = w.collect("x", s.DType)
		}
		values(&want, "item", s.array, r)
		if len(want) > maxPrinted {
			want = want[:maxPrinted]
		}
		if len(got) != len(want)+1 {
			t.Errorf("%s, %s: the program prints %d values, want %d:\n%s", s.Path, s.DType, len(got)-1, len(want), out)
			continue
		}
		for j, p := range want {
			expr, text, _ := strings.Cut(got[j], " = ")
			if expr != p.expr || !p.same(text) {
				t.Errorf("%s, %s: the program prints %q, want %s = %v", s.Path, s.DType, got[j], p.expr, p.value)
			}
		}
	}
}

// A printed is a value of the first element.
type printed struct {
	expr  string
	value any // nil for any
}

// values appends the values that a C program prints of the first element of a.
func values(list *[]printed, expr string, a *npy.Array, r *record) {
	t := a.DType()
	if a.Size() == 0 || t.ItemSize() == 0 {
		return
	}
	if t.IsStruct() {
		for _, m := range r.members {
			if m.gap {
				continue
			}
			f, err := a.Field(m.field.Name)
			if err != nil {
				panic(err)
			}
			values(list, expr+"."+m.name+strings.Repeat("[0]", len(m.shape)), f, m.record)
		}
		return
	}
	if v, ok := first(a); ok {
		*list = append(*list, printed{expr, v})
	}
}

// first returns the first element of a, nil for one that is not compared; false if a C program does not print it.
func first(a *npy.Array) (v any, ok bool) {
	t := a.DType()
	switch k := t.Kind(); {
	case k == dtype.KindBool:
		return value[uint8](a)
	case k == dtype.KindInt:
		return value[int64](a)
	case k == dtype.KindUint:
		return value[uint64](a)
	case k == dtype.KindFloat && t.ItemSize() == 2:
		return value[scalar.Float16](a)
	case k == dtype.KindFloat && t.ItemSize() <= 8:
		return value[float64](a)
	case k == dtype.KindComplex && t.ItemSize() <= 16:
		return value[complex128](a)
	case k == dtype.KindDatetime:
		return value[scalar.Datetime64](a)
	case k == dtype.KindTimedelta:
		return value[scalar.Timedelta64](a)
	case k == dtype.KindStr, k == dtype.KindBytes:
		return nil, true
	}
	return nil, false
}

func value[T npy.Element](a *npy.Array) (any, bool) {
	v, err := npy.As[T](a)
	if err != nil {
		panic(err)
	}
	return v.ToSlice()[0], true
}

// same reports whether the text of a C program is the value.
func (p printed) same(text string) bool {
	number := func(s string, want float64) bool {
		got, err := strconv.ParseFloat(strings.TrimPrefix(s, "-nan"), 64)
		if strings.HasPrefix(s, "-nan") {
			got, err = math.NaN(), nil
		}
		return err == nil && (got == want || math.IsNaN(got) && math.IsNaN(want))
	}
	switch v := p.value.(type) {
	case nil:
		return strings.HasPrefix(text, `"`)
	case float64:
		return number(text, v)
	case complex128:
		re, im, _ := strings.Cut(text, " ")
		return number(re, real(v)) && number(im, imag(v))
	case scalar.Float16:
		return text == fmt.Sprint(v.Bits)
	case scalar.Datetime64:
		return text == fmt.Sprint(v.Ticks)
	case scalar.Timedelta64:
		return text == fmt.Sprint(v.Ticks)
	default:
		return text == fmt.Sprint(v)
	}
}

// The Go programs read their files. Their elements, written with the dtype of the file, have the bytes of the file.
func TestGo(t *testing.T) {
	needsTools(t, "go")
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, all := t.TempDir(), samples(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module sample\n\ngo 1.25.0\n")
	write("go.work", fmt.Sprintf("go 1.25.0\n\nuse (\n\t.\n\t%q\n)\n", root))
	calls := ""
	for i, s := range all {
		name := fmt.Sprintf("V%dE", i)
		code := s.code(t, "go", name)
		code = strings.Replace(code, "func load()", "func load"+name+"()", 1)
		code = strings.Replace(code, "func main()", "func main"+name+"()", 1)
		code = strings.Replace(code, "= load()", "= load"+name+"()", 1)
		write(fmt.Sprintf("v%d.go", i), code)
		check := "checkElements"
		if s.DType.IsStruct() {
			check = "checkRecords"
		}
		calls += fmt.Sprintf("\tmain%s()\n\t%s(%q, load%[1]s)\n", name, check, s.Path)
	}
	write("main.go", strings.Replace(goDriver, "CALLS", calls, 1))
	for _, args := range [][]string{{"vet", "."}, {"run", "-gcflags=-N -l", "-ldflags=-s -w", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=-buildvcs=false", "GOPROXY=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v: %.4000s", args, err, out)
		}
	}
	for i, s := range all {
		back, err := npy.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.npy", i)))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Shape(), s.array.Shape()) || !property.SameElements(s.DType, back.Contiguous().Bytes(), s.array.Contiguous().Bytes()) {
			t.Errorf("%s: the program read\n%v\nwant\n%v", s.Path, back, s.array)
		}
	}
}

const goDriver = `package main

import (
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

var n int

func checkRecords[T any](path string, load func() ([]T, []int, error)) {
	data, shape, err := load()
	check(path, err)
	a, err := npy.ReadFile(path)
	check(path, err)
	b, err := record.FromSliceAs(a.DType(), data, shape...)
	save(path, b, err)
}

func checkElements[T npy.Element](path string, load func() ([]T, []int, error)) {
	data, shape, err := load()
	check(path, err)
	a, err := npy.ReadFile(path)
	check(path, err)
	b, err := npy.FromSliceAs(a.DType(), data, shape...)
	save(path, b, err)
}

func save(path string, a *npy.Array, err error) {
	check(path, err)
	check(path, npy.WriteFile(fmt.Sprintf("%d.npy", n), a))
	n++
}

func check(path string, err error) {
	if err != nil {
		log.Fatal(path, ": ", err)
	}
}

func main() {
CALLS}
`

// NumPy makes of the Python code the dtype of the file.
func TestPython(t *testing.T) {
	type question struct{ Code, Path, Name string }
	var questions []question
	all := samples(t)
	for _, s := range all {
		questions = append(questions, question{s.code(t, "python", "of_file"), s.Path, "of_file"})
	}
	_, answers := oracle.Ask[question, string](t, `
import json, sys
import numpy as np
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    names = {}
    try:
        import io, contextlib
        with contextlib.redirect_stdout(io.StringIO()):
            exec(q['Code'], names)
        a, b = names['of_file'], np.load(q['Path']).dtype
        same = a == b and a.itemsize == b.itemsize and a.names == b.names and a.fields == b.fields
        answer = '' if same else f'{a!r} is not {b!r}'
    except Exception as e:
        answer = repr(e)
    print(json.dumps(answer))
`, questions)
	for i, answer := range answers {
		if answer != "" {
			t.Errorf("%s, %s: %s\n%s", all[i].Path, all[i].DType, answer, questions[i].Code)
		}
	}
}

// Python scripts declare the types of ml_dtypes.
func TestPythonSmall(t *testing.T) {
	dir := t.TempDir()
	var script strings.Builder
	script.WriteString("import io, contextlib\n")
	for i, name := range append([]string{"complex32"}, property.SmallNames...) {
		d, err := dtype.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := npy.New(d, 2)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		if err := npy.WriteFile(path, plain); err != nil {
			t.Fatal(err)
		}
		code, err := Code("python", Array{Path: path, DType: d, Shape: []int{2}, Name: "small"})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "if hasattr(__import__('ml_dtypes'), %q):\n    with contextlib.redirect_stdout(io.StringIO()): exec(%s)\n    print(small)\n", name, pythonString(string(code)))
	}
	if out := oracle.MLDtypes(t, script.String(), nil); !strings.Contains(string(out), "bfloat16\n") {
		t.Errorf("NumPy prints %s", out)
	}
}

// Whatever the names of fields and files, code parses, and no text of a file ends its comment or string.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"lat", "", "a b", "it's", `d"q`, `\`, "new\nline", "*/", "/*", "`", "type", "整", "é", "2x", "-", ",", " a", "a'b", "??/", "\u202e", "\xff", "%d%s", "__FILE__", "INT8_MAX", "x_2"} {
		f.Add(s, s+"2", s)
	}
	line := regexp.MustCompile(`^[^\n]*$`)
	f.Fuzz(func(t *testing.T, a, b, path string) {
		inner, err := dtype.Struct(-1, dtype.Field{Name: a, DType: dtype.Int8})
		if err != nil {
			return
		}
		d, err := dtype.Struct(-1, dtype.Field{Name: a, DType: dtype.Int8}, dtype.Field{Name: b, Title: path, DType: inner, Offset: 3})
		if err != nil {
			return
		}
		for _, lang := range Languages() {
			for _, member := range []string{"", b} {
				code, err := Code(lang, Array{Path: path, Member: member, DType: d, Shape: []int{2}})
				if err != nil {
					t.Fatal(err)
				}
				if lang == "go" {
					if _, err := parser.ParseFile(token.NewFileSet(), "x.go", code, parser.SkipObjectResolution); err != nil {
						t.Errorf("%v:\n%s", err, code)
					}
				}
				about := quoted(sourceOf(path, member))
				if !line.MatchString(about) || !bytes.Contains(code, []byte(about)) {
					t.Errorf("%s: the comment %s is not whole:\n%s", lang, about, code)
				}
				for i, c := range code {
					if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
						t.Fatalf("%s: byte %#x at %d of\n%s", lang, c, i, code)
					}
				}
			}
		}
	})
}

func sourceOf(path, member string) string {
	if member == "" {
		return path
	}
	return path + ":" + member
}
