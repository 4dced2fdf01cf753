package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// sleeps is the number of calls of time.Sleep in tests, by folder. Tests wait for events: a new call needs a reason why there is
// none, in a comment on its line, and a change here.
var sleeps = map[string]int{
	".": 4, "cmd/npy": 5, "connect/beam": 3, "internal/atomicfile": 1, "internal/par": 5, "mmap": 1, "npz": 1, "parts": 1, "remote": 8,
	"view/browser": 6, "view/internal/answer": 2,
}

// Tests wait for events, and do not fail because a machine is slow.
func TestTestsWaitForEvents(t *testing.T) {
	found := map[string]int{}
	for _, file := range sourceFiles(t) {
		if !strings.HasSuffix(file.path, "_test.go") || !slices.Contains(file.imports, "time") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file.path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		commented := map[int]bool{}
		for _, group := range parsed.Comments {
			for _, comment := range group.List {
				commented[fset.Position(comment.Pos()).Line] = true
			}
		}
		findWaits(parsed, func(pos token.Pos, what string) {
			if what != "time.Sleep" {
				t.Errorf("%s: %s: a test may not fail because a machine is slow; count what it does, or its bytes", fset.Position(pos), what)
				return
			}
			found[path.Dir(file.path)]++
			if !commented[fset.Position(pos).Line] {
				t.Errorf("%s: time.Sleep without a reason: wait for an event, or say on the line why there is none", fset.Position(pos))
			}
		})
	}
	if !maps.Equal(found, sleeps) {
		t.Errorf("calls of time.Sleep by folder are\n%v, want\n%v", found, sleeps)
	}
}

// findWaits calls report with every time.Sleep in a file, and with every comparison of the result of time.Since.
func findWaits(file *ast.File, report func(pos token.Pos, what string)) {
	since := map[string]bool{} // variables of such results
	isSince := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return since[e.Name]
		case *ast.CallExpr:
			return isTime(e.Fun, "Since")
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			clear(since)
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if name, ok := x.(*ast.Ident); ok && i < len(n.Rhs) && isSince(n.Rhs[i]) {
					since[name.Name] = true
				}
			}
		case *ast.BinaryExpr:
			if slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ}, n.Op) && (isSince(n.X) || isSince(n.Y)) {
				report(n.Pos(), "a comparison of time.Since")
			}
		case *ast.CallExpr:
			if isTime(n.Fun, "Sleep") {
				report(n.Pos(), "time.Sleep")
			}
		}
		return true
	})
}

// isTime reports whether e is a function of package time.
func isTime(e ast.Expr, name string) bool {
	f, ok := e.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	return isPackage(f.X, "time")
}

// Waits and comparisons of times are found, and times that are printed are not.
func TestFindWaits(t *testing.T) {
	for body, want := range map[string]string{
		`time.Sleep(1)`:                                  "time.Sleep",
		`if time.Since(x) > 5 {}`:                        "a comparison of time.Since",
		`if took := time.Since(x); n > 0 || took > 5 {}`: "a comparison of time.Since",
		`took := time.Since(x); print(took)`:             "",
		`if now.Before(end) {}`:                          "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", "package x; func f() { "+body+" }", parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		got := ""
		findWaits(file, func(_ token.Pos, what string) { got = what })
		if got != want {
			t.Errorf("%s: found %q, want %q", body, got, want)
		}
	}
}
