package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// Every writer that can be given up is tried by npytest.TestAbort: Close after Abort must not succeed.
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

// seeded are the names of math/rand and math/rand/v2 that make a generator of a seed, or are types of generators.
var seeded = []string{"New", "NewPCG", "NewChaCha8", "NewSource", "NewZipf", "Rand", "Source", "Source64", "PCG", "ChaCha8", "Zipf"}

// unseededPython matches generators of Python and NumPy that take their seed from the system, or that all code shares.
var unseededPython = regexp.MustCompile(`\b(?:default_rng|RandomState|SeedSequence|PCG64|MT19937|Philox|SFC64|random\.Random|random\.seed)\(\)` +
	`|\bos\.urandom\b|\buuid4\(|\bimport secrets\b|\brandom_state=None\b` +
	`|\b(?:np|numpy)\.random\.(?:rand|randn|randint|random|random_sample|normal|standard_normal|uniform|bytes|choice|permutation|shuffle)\(`)

// seededPython matches the seeding of the generator that all code shares.
var seededPython = regexp.MustCompile(`\b(?:np|numpy)\.random\.seed\([^)]`)

// findUnseeded calls report with every random choice in a file of tests that does not come from a seed, or comes from the
// time.
func findUnseeded(file *ast.File, report func(pos token.Pos, what string)) {
	var names []string // of math/rand and math/rand/v2 in this file
	for _, spec := range file.Imports {
		if p := spec.Path.Value; p != `"math/rand"` && p != `"math/rand/v2"` {
			continue
		}
		name := "rand"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if names = append(names, name); name == "." {
			report(spec.Pos(), "import of all names of math/rand")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && x.Obj == nil && slices.Contains(names, x.Name) && !slices.Contains(seeded, n.Sel.Name) {
				report(n.Pos(), x.Name+"."+n.Sel.Name)
			}
			if call, ok := n.X.(*ast.CallExpr); ok && strings.HasPrefix(n.Sel.Name, "Unix") && isTime(call.Fun, "Now") {
				report(n.Pos(), "time.Now()."+n.Sel.Name)
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil {
				if what := findUnseededPython(text); what != "" {
					report(n.Pos(), what)
				}
			}
		}
		return true
	})
}

// findUnseededPython returns the first random choice in a script that does not come from a seed, "" for none.
func findUnseededPython(script string) string {
	for _, what := range unseededPython.FindAllString(script, -1) {
		if shared := strings.Contains(what, ".random.") && !strings.HasSuffix(what, "()"); !shared || !seededPython.MatchString(script) {
			return what
		}
	}
	return ""
}

// Random choices in tests come from oracle.Seed, which NPY_SEED sets, or from a constant, so that one commit always runs
// the same cases.
func TestRandomChoicesAreSeeded(t *testing.T) {
	const home = "internal/oracle/seed.go"
	found := false
	for _, file := range sourceFiles(t) {
		isTest := strings.HasSuffix(file.path, "_test.go") || slices.Contains(file.imports, "testing")
		if !isTest || file.path == "internal/rules/fence_test.go" {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file.path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		findUnseeded(parsed, func(pos token.Pos, what string) {
			if file.path == home {
				found = true
				return
			}
			t.Errorf("%s: %s has no seed: use oracle.Rand(t) or oracle.Seed(t)", fset.Position(pos), what)
		})
	}
	if !found {
		t.Errorf("no random choice in %s: does this test look at the right tree?", home)
	}
}

// So do random choices of Python's scripts.
func TestRandomChoicesOfScriptsAreSeeded(t *testing.T) {
	scripts := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (name[0] == '.' || name == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".py":
			return nil
		}
		scripts++
		text, err := os.ReadFile(path)
		if what := findUnseededPython(string(text)); what != "" {
			t.Errorf("%s: %s has no seed", path, what)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if scripts < 10 {
		t.Errorf("only %d scripts of Python found", scripts)
	}
}

// Random choices without a seed are found under every name, and seeded choices are not.
func TestFindUnseeded(t *testing.T) {
	for body, want := range map[string]string{
		`import "math/rand/v2"; var x = rand.IntN(3)`:                                           "rand.IntN",
		`import "math/rand/v2"; var x = rand.N[int]`:                                            "rand.N",
		`import "math/rand"; func f() { rand.Seed(1) }`:                                         "rand.Seed",
		`import dice "math/rand/v2"; var x = sync.OnceValue(dice.Uint64)`:                       "dice.Uint64",
		`import . "math/rand/v2"`:                                                               "import of all names of math/rand",
		`var x = rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))`:                       "time.Now().UnixNano",
		`import "math/rand/v2"; var r = rand.New(rand.NewPCG(1, 2)); var x *rand.Rand`:          "",
		`import "math/rand/v2"; func f(rand *rand.Rand) int { return rand.IntN(3) }`:            "",
		`import "crypto/rand"; var x = rand.Reader`:                                             "",
		"var s = `r = np.random.default_rng(); print(r.random())`":                              "default_rng()",
		"var s = `print(np.random.rand(3))`":                                                    "np.random.rand(",
		"var s = `np.random.seed(); print(np.random.rand(3))`":                                  "random.seed()",
		"var s = `np.random.seed(3); print(np.random.rand(3))`":                                 "",
		"var s = `np.random.seed(3); print(random.Random().random())`":                          "random.Random()",
		"var s = `r = np.random.default_rng(seed); np.random.RandomState(1), random.Random(2)`": "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", "package x; "+body, 0)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		got := ""
		findUnseeded(file, func(_ token.Pos, what string) {
			if got == "" {
				got = what
			}
		})
		if got != want {
			t.Errorf("%s: found %q, want %q", body, got, want)
		}
	}
}
