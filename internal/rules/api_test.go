package rules

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
	"regexp"
	"slices"
	"strings"
	"testing"
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
			t.Errorf("%s is not in doc/api.md: go test ./internal/rules -run APIDocumented -update-api", name)
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
