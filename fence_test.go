package npy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A sourceFile is a Go file of this repository with its imports. Its path is relative, with slashes.
type sourceFile struct {
	path    string
	imports []string
}

// walkSource calls f with every file of the repository except test data.
func walkSource(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (name == "testdata" || name[0] == '.' || name[0] == '_'):
			return filepath.SkipDir
		case !d.IsDir():
			f(filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sourceFiles reads the import declarations of every Go file, whatever its build constraints and module.
func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	walkSource(t, func(path string) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		file := sourceFile{path: path}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			file.imports = append(file.imports, name)
		}
		files = append(files, file)
	})
	if len(files) < 20 {
		t.Fatalf("only %d Go files found", len(files))
	}
	return files
}

const fenced = "internal/bulk/"

// Code that a compiler cannot check stays in one package.
func TestUnsafeStaysInBulk(t *testing.T) {
	found := false
	for _, file := range sourceFiles(t) {
		for _, name := range file.imports {
			if name != "unsafe" && name != "C" {
				continue
			}
			if !strings.HasPrefix(file.path, fenced) {
				t.Errorf("%s imports %q, which only %s may", file.path, name, fenced)
			}
			found = true
		}
	}
	if !found {
		t.Errorf("no file in %s imports unsafe: does this test look at the right tree?", fenced)
	}
	walkSource(t, func(path string) {
		switch filepath.Ext(path) {
		case ".s", ".S", ".c", ".h", ".cc", ".syso":
			if !strings.HasPrefix(path, fenced) {
				t.Errorf("%s lies outside of %s", path, fenced)
			}
		}
	})
}

// starters are functions and types of other packages that start goroutines, or are used with goroutines.
var starters = map[string]bool{
	"sync.WaitGroup": true, "time.AfterFunc": true, "context.AfterFunc": true, "errgroup.Group": true, "iter.Pull": true, "iter.Pull2": true,
	"runtime.AddCleanup": true, "runtime.SetFinalizer": true,
}

// A goroutine that panics ends the program unless it is guarded, so the library starts goroutines only where they are
// guarded. The programs in the top layer may start their own.
func TestGoroutinesStartInPar(t *testing.T) {
	const guarded = "internal/par/"
	found := false
	for _, file := range sourceFiles(t) {
		_, layer := layerOf(path.Dir(file.path))
		if strings.HasSuffix(file.path, "_test.go") || layer == len(layers)-1 || strings.HasPrefix(file.path, "internal/oracle/") {
			continue // tests, and programs
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				what = "a go statement"
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && starters[x.Name+"."+n.Sel.Name] {
					what = x.Name + "." + n.Sel.Name
				}
			}
			if what != "" && strings.HasPrefix(file.path, guarded) {
				found = true
			} else if what != "" {
				t.Errorf("%s: %s: goroutines of the library start in %s, with a guard", fset.Position(n.Pos()), what, guarded)
			}
			return true
		})
	}
	if !found {
		t.Errorf("no goroutine starts in %s: does this test look at the right tree?", guarded)
	}
}

// Every writer that can be given up is tried by npytest.TestAbort: what Close says after Abort must not be success.
func TestAbortIsTested(t *testing.T) {
	found := map[string]bool{} // folders with a method Abort, and whether they are tested
	for _, file := range sourceFiles(t) {
		dir := path.Dir(file.path)
		if isInternal(dir) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Abort" && len(f.Type.Params.List) == 0 && !strings.HasSuffix(file.path, "_test.go") {
				found[dir] = found[dir] || false
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok && x.Sel.Name == "TestAbort" {
				found[dir] = true
			}
			return true
		})
	}
	writers := 0
	for dir, tested := range found {
		if writers++; !tested {
			t.Errorf("%s has a method Abort and no test by npytest.TestAbort", dir)
		}
	}
	if writers < 5 {
		t.Errorf("only %d packages have writers with Abort: does this test look at the right tree?", writers)
	}
}
