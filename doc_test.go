package npy_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

var updateAPI = flag.Bool("update-api", false, "write the tables of doc/api.md anew")

// apiTables begins the tables of names in doc/api.md. The text before it is written by hand.
const apiTables = "\n## npy\n"

// Every exported function and type is in doc/api.md, and no other name.
func TestAPIDocumented(t *testing.T) {
	page, err := os.ReadFile("doc/api.md")
	if err != nil {
		t.Fatal(err)
	}
	hand, _, ok := strings.Cut(string(page), apiTables)
	if !ok {
		t.Fatal("doc/api.md has no tables")
	}
	tables, names := apiOf(t)
	if *updateAPI {
		if err := os.WriteFile("doc/api.md", []byte(hand+tables), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	pkg, listed := "", map[string]bool{}
	for line := range strings.Lines(string(page)[len(hand):]) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			pkg = strings.TrimSpace(name)
		}
		if cells := strings.Split(line, "`"); len(cells) > 2 && strings.HasPrefix(line, "| `") {
			listed[pkg+"."+cells[1]] = true
		}
	}
	for name := range names {
		if !listed[name] {
			t.Errorf("%s is not in doc/api.md: go test -run APIDocumented -update-api .", name)
		}
	}
	for name := range listed {
		if !names[name] {
			t.Errorf("doc/api.md has %s, which does not exist", name)
		}
	}
	for _, m := range regexp.MustCompile("`(\\w+\\.[A-Z]\\w*)`").FindAllStringSubmatch(hand, -1) {
		if !names[m[1]] {
			t.Errorf("doc/api.md names %s, which does not exist", m[1])
		}
	}
}

// apiOf returns the tables of all public packages, and their names.
func apiOf(t *testing.T) (tables string, names map[string]bool) {
	t.Helper()
	var b strings.Builder
	names = make(map[string]bool)
	for _, dir := range publicPackages(t) {
		p := packageDoc(t, dir)
		docs := map[string]string{}
		for _, f := range p.Funcs {
			docs[f.Name] = f.Doc
		}
		for _, x := range p.Types {
			docs[x.Name] = x.Doc
			for _, f := range x.Funcs {
				docs[f.Name] = f.Doc
			}
		}
		if len(docs) == 0 { // a program
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| name | |\n|---|---|\n", p.Name)
		sorted := []string{}
		for name := range docs {
			sorted = append(sorted, name)
		}
		slices.Sort(sorted)
		for _, name := range sorted {
			names[p.Name+"."+name] = true
			text := strings.NewReplacer("|", `\|`, "[", "", "]", "").Replace(p.Synopsis(docs[name]))
			for _, article := range []string{"A ", "An ", "The "} {
				text = strings.TrimPrefix(text, article)
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, strings.TrimPrefix(text, name+" "))
		}
	}
	return b.String(), names
}

// publicPackages returns the folders of the public packages, this one first.
func publicPackages(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	publicFiles(t, func(file string, _ *ast.File) { seen[path.Dir(file)] = true })
	return slices.Sorted(maps.Keys(seen))
}

func packageDoc(t *testing.T, dir string) *doc.Package {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set, files := token.NewFileSet(), []*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(set, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// documented is the rows of the first table in doc/dtypes.md.
var documented = []struct{ descr, note string }{
	{"|b1", "any byte but 0 is true"},
	{"|i1", ""}, {"<i2", ""}, {"<i4", ""}, {"<i8", "`int` on 64-bit machines"},
	{"|u1", ""}, {"<u2", ""}, {"<u4", ""}, {"<u8", "`uint` on 64-bit machines"},
	{"<f2", ""}, {"<f4", ""}, {"<f8", ""},
	{"<f16", "long double: x87 with padding that is kept, or binary128, see below"},
	{"<f12", "x87 long double of 32-bit Linux"},
	{"<c8", ""}, {"<c16", ""}, {"<c32", "of x87"},
	{"|S5", "NULs at the end are padding"},
	{"<U5", "UCS-4 in the file, UTF-8 in Go; NULs at the end are padding"},
	{"|V5", "all bytes"},
	{"|V1", "what the caller says it is, see below"},
	{"|V2", "what the caller says it is, see below"},
	{"<M8[ns]", "int64 ticks; every unit and multiple; generic without one"},
	{"<m8[25s]", "int64 ticks; a `time.Duration` is no NaT"},
	{"<m8[ns]", "the dtype of a `time.Duration`"},
	{"bfloat16", "ml_dtypes; NumPy writes it as `<V2`"},
	{"<f1", "float8_e5m2 of ml_dtypes"},
	{"<c4", "complex32 of ml_dtypes"},
	{"float8_e3m4", "ml_dtypes; NumPy writes it as `<V1`, and so all below"},
	{"float8_e4m3", ""},
	{"float8_e4m3fn", ""},
	{"float8_e4m3fnuz", ""},
	{"float8_e4m3b11fnuz", ""},
	{"float8_e5m2fnuz", ""},
	{"float8_e8m0fnu", ""},
	{"float6_e2m3fn", ""},
	{"float6_e3m2fn", ""},
	{"float4_e2m1fn", ""},
	{"int4", ""}, {"uint4", ""}, {"int2", ""}, {"uint2", ""},
	{"int1", "and the other names of ml_dtypes: as the bytes they are"},
	{"[('x', '<f8'), ('n', '<i8')]", "a Go struct through package `record`, see below, or field by field with `Array.Field`"},
	{"|O", "Python objects: with package `objects`, as values of package `pickle`; else `ErrObjects`"},
}

// row is the line of the table for one dtype, as the code behaves. The types that GoTypes lists come first. The other
// types are taken at the caller's request.
func row(descr, note string) string {
	t := parse(descr)
	read := npy.GoTypes(t)
	var written, viewed []reflect.Type
	if !t.HasObject() {
		a := must(npy.New(t, 1))
		for _, e := range everyElement {
			if e.as(a) == nil && !slices.Contains(read, e.goType) {
				read = append(read, e.goType)
			}
		}
		for _, e := range everyElement {
			if e.writes(t) {
				written = append(written, e.goType)
			}
			if e.shares(a) {
				viewed = append(viewed, e.goType)
			}
		}
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |", strings.ReplaceAll(descr, "|", "\\|"), t.Name(), list(read), list(written), list(viewed), note)
}

// list returns types as a cell of the table.
func list(types []reflect.Type) string {
	if len(types) == 0 {
		return "–"
	}
	var names []string
	for _, t := range types {
		names = append(names, "`"+strings.ReplaceAll(t.String(), "[]uint8", "[]byte")+"`")
	}
	return strings.Join(names, " ")
}

// The table agrees with the code.
func TestDTypesDocument(t *testing.T) {
	if intIsNarrow() || !bulk.Shares || dtype.NativeEndian == dtype.BigEndian {
		t.Skip("the table is that of 64-bit little-endian machines, and views need unsafe")
	}
	text, err := os.ReadFile("doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "\n## ")
	for _, d := range documented {
		if line := row(d.descr, d.note); !strings.Contains(table, line+"\n") {
			t.Errorf("doc/dtypes.md lacks the line\n%s", line)
		}
	}
	if n := strings.Count(table, "\n| `"); n != len(documented) {
		t.Errorf("doc/dtypes.md has %d rows, want %d", n, len(documented))
	}
}

// intIsNarrow reports whether int has 32 bits here, which changes the values it can hold.
func intIsNarrow() bool { return npy.DTypeOf[int]().ItemSize() == 4 }
