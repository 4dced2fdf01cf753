package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// publicFiles calls f with every file of the public packages that is not a test, parsed.
func publicFiles(t *testing.T, f func(file string, parsed *ast.File)) {
	t.Helper()
	walkSource(t, func(file string) {
		switch top, _, _ := strings.Cut(path.Dir(file), "/"); top {
		case "cmd", "bench", "connect", "doc", "release", "testdata": // connect and others are modules of their own
			return
		}
		if isInternal(path.Dir(file)) {
			return
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f(file, parsed)
	})
}

// isInternal reports whether a package is one that only the packages beside it may import.
func isInternal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// internalImports returns the names under which a file uses internal packages of this module.
func internalImports(t *testing.T, parsed *ast.File) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, spec := range parsed.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if dir, own := strings.CutPrefix(target, modulePath+"/"); !own || !isInternal(dir) {
			continue
		}
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	return names
}

// No exported declaration needs a type of an internal package: go doc does not show its fields, and no other module
// can name it.
func TestExportedNeedsNoInternalType(t *testing.T) {
	types := 0
	publicFiles(t, func(file string, parsed *ast.File) {
		hidden := internalImports(t, parsed)
		var refuse func(what string, e ast.Node)
		refuse = func(what string, e ast.Node) {
			ast.Inspect(e, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.StructType:
					for _, field := range n.Fields.List {
						if len(field.Names) == 0 || anyExported(field.Names) {
							refuse(what, field.Type)
						}
					}
					return false
				case *ast.SelectorExpr:
					if pkg, ok := n.X.(*ast.Ident); ok && hidden[pkg.Name] {
						t.Errorf("%s: %s has %s.%s, which is internal: define the type where it is documented", file, what, pkg.Name, n.Sel.Name)
					}
				}
				return true
			})
		}
		for _, decl := range parsed.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiverName(d.Recv.List[0].Type))) {
					refuse(d.Name.Name, d.Type)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							types++
							refuse(s.Name.Name, s.Type)
						}
					case *ast.ValueSpec:
						if anyExported(s.Names) && s.Type != nil {
							refuse(s.Names[0].Name, s.Type)
						}
					}
				}
			}
		}
	})
	if types < 80 {
		t.Errorf("only %d types found", types)
	}
}

func anyExported(names []*ast.Ident) bool {
	for _, name := range names {
		if name.IsExported() {
			return true
		}
	}
	return false
}

// embeddings lists the exported structs that may embed another struct, whose methods are meant for both.
var embeddings = map[string]string{
	"npz/sparse.BSR": "Head", "npz/sparse.COO": "Head", "npz/sparse.DIA": "Head", "npz/sparse.Compressed": "Head",
	"npz/sparse.CSR": "Compressed", "npz/sparse.CSC": "Compressed",
	"pickle.OrderedDict": "Dict", "pickle.DefaultDict": "Dict", "pickle.Counter": "Dict", // as in Python
	"pickle.List": "node", "pickle.Tuple": "node", "pickle.Dict": "node", "pickle.Object": "node", // has no exported methods
}

// Exported structs have named fields. An embedded struct would add its methods too, and a Repairer with the settings
// of an Encoder is not an Encoder.
func TestExportedStructsEmbedNothing(t *testing.T) {
	found := 0
	publicFiles(t, func(file string, parsed *ast.File) {
		for _, decl := range parsed.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok || !s.Name.IsExported() {
					continue
				}
				fields, ok := s.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range fields.Fields.List {
					name := path.Dir(file) + "." + s.Name.Name
					switch {
					case len(field.Names) > 0:
					case embeddings[name] != "" && embeddings[name] == receiverName(field.Type):
						found++
					default:
						t.Errorf("%s: %s embeds %s: give the field a name", file, name, receiverName(field.Type))
					}
				}
			}
		}
	})
	if found != len(embeddings) {
		t.Errorf("%d of %d structs that may embed do so: mend the table", found, len(embeddings))
	}
}

// Every exported field of an exported struct has a comment: go doc shows nothing else of it. A comment above or beside a line holds
// for all names of the line.
func TestExportedFieldsHaveComments(t *testing.T) {
	fields := 0
	publicFiles(t, func(file string, _ *ast.File) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			s, ok := n.(*ast.TypeSpec)
			if !ok || !s.Name.IsExported() {
				return true
			}
			if exported, ok := s.Type.(*ast.StructType); ok {
				for _, field := range exported.Fields.List {
					if !anyExported(field.Names) {
						continue
					}
					fields += len(field.Names)
					if field.Doc == nil && field.Comment == nil {
						t.Errorf("%s: %s.%s has no comment: say its unit, what zero means, whether memory is shared", file, s.Name.Name, field.Names[0].Name)
					}
				}
			}
			return true
		})
	})
	if fields < 500 {
		t.Errorf("only %d fields found", fields)
	}
}

// shown lists the packages whose exported functions all have an example.
var shown = []string{".", "container", "container/all", "mmap", "npz", "parts", "remote", "view"}

// Every exported function of some packages has an example of its own.
func TestFunctionsHaveExamples(t *testing.T) {
	for _, dir := range shown {
		functions, examples := map[string]bool{}, map[string]bool{}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range parsed.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || f.Recv != nil {
					continue
				}
				if name, ok := strings.CutPrefix(f.Name.Name, "Example"); ok && strings.HasSuffix(file, "_test.go") {
					name, _, _ = strings.Cut(name, "_")
					examples[name] = true
				} else if f.Name.IsExported() && !strings.HasSuffix(file, "_test.go") {
					functions[f.Name.Name] = true
				}
			}
		}
		if len(functions) == 0 {
			t.Errorf("%s has no functions", dir)
		}
		for name := range functions {
			if !examples[name] {
				t.Errorf("%s.%s has no example: write Example%s in %s/example_test.go", dir, name, name, dir)
			}
		}
	}
}
