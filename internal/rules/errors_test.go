package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// An error of the library has its package as a field, so that the command can leave it out: see internal/diag.
func TestErrorsKnowTheirPackage(t *testing.T) {
	packages, files := map[string]bool{"npy": true}, []string{}
	walkSource(t, func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		switch first, _, _ := strings.Cut(file, "/"); first {
		case "cmd", "bench", "doc", "connect": // programs
			return
		}
		files = append(files, file)
		packages[path.Base(path.Dir(file))] = true
	})
	named := regexp.MustCompile("^[\"`]([a-z0-9]+): ")
	for _, file := range files {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || (of.Sel.Name != "Errorf" && of.Sel.Name != "New" && of.Sel.Name != "Over") {
				return true
			}
			for _, arg := range call.Args {
				text, ok := arg.(*ast.BasicLit)
				if !ok {
					continue
				}
				if m := named.FindStringSubmatch(text.Value); m != nil && packages[m[1]] {
					t.Errorf("%s: an error begins with the text %q: give it its package by a function of internal/diag", fset.Position(text.Pos()), m[0])
				}
			}
			return true
		})
	}
}
