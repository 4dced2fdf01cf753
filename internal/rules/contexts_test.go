package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// backgrounds is the number of calls of context.Background in the library, by file and reason. A function that reads or writes for
// long has a context of its caller. A new call needs a reason, and a change here.
var backgrounds = map[string]map[string]int{
	"works in memory, on several goroutines at most": {
		"diff/comparer.go": 1, "index.go": 1, "internal/blockwise/blockwise.go": 1, "internal/bulk/strided.go": 1, "internal/cast/cast.go": 1,
		"object.go": 1, "record/column.go": 1, "record/load.go": 1, "record/plan.go": 2, "scalar/bulk.go": 1, "stats/internal/accumulate/accumulator.go": 1,
		"stats/internal/along/accumulator.go": 1, "stats/internal/feed/passes.go": 1, "stats/internal/rank/add.go": 1, "times.go": 3, "view.go": 1,
		"connect/beam/histogram.go": 3, "cmd/npy/internal/results/stats_json.go": 1,
	},
	"is a convenience whose comment names the function with a context": {
		"decoder.go": 3, "file.go": 1, "print.go": 1, "npz/repair.go": 1, "hdf5/appender.go": 1, "hdf5/writer.go": 1, "netcdf/writer.go": 1,
		"matlab/writer.go": 1, "npz/all.go": 1, "npz/fs.go": 1, "npz/reader.go": 3, "npz/slice.go": 1,
	},
	"implements an interface without a context, such as io.ReaderAt or Close": {
		"computedbytes.go": 1, "internal/source/source.go": 1, "matlab/writer5.go": 1, "matlab/writer73.go": 2, "matlab/assemble.go": 4,
	},
	"describes an entry: its header, its attributes, the start of its data": {
		"hdf5/internal/reading/attribute.go": 1, "hdf5/internal/reading/entries.go": 1, "hdf5/internal/structure/btree2.go": 1,
		"matlab/level4.go": 1, "matlab/level73.go": 2, "matlab/sparse.go": 1, "npz/cursor.go": 1, "npz/info.go": 1, "npz/seek.go": 1,
		"connect/beam/write.go": 1,
	},
	"serves until the process ends": {"connect/beam/local/local.go": 1},
	"begins goroutines that end with a Writer, whose methods write in sequence": {
		"hdf5/internal/writing/sink.go": 1, "matlab/zlib.go": 1, "npz/pipeline.go": 1,
	},
}

// No function of the library makes a context where its caller could have given one.
func TestContextsComeFromCallers(t *testing.T) {
	want, found := map[string]int{}, map[string]int{}
	for _, files := range backgrounds {
		maps.Copy(want, files)
	}
	for _, file := range sourceFiles(t) {
		if strings.HasSuffix(file.path, "_test.go") || !slices.Contains(file.imports, "context") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Name.Name == "main" || slices.ContainsFunc(withoutCallers, func(folder string) bool { return strings.HasPrefix(file.path, folder) }) {
			continue
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if f, ok := n.(*ast.SelectorExpr); ok && isPackage(f.X, "context") && (f.Sel.Name == "Background" || f.Sel.Name == "TODO") {
				found[file.path]++
			}
			return true
		})
	}
	for file, n := range found {
		if n != want[file] {
			t.Errorf("%s has %d calls of context.Background, want %d: take the context of the caller, or give the reason in the list of this file", file, n, want[file])
		}
	}
	for file := range want {
		if found[file] == 0 {
			t.Errorf("%s has no call of context.Background: remove it from the list", file)
		}
	}
}

// withoutCallers has the folders of programs and of what tests share.
var withoutCallers = []string{"bench/", "doc/", "npytest/", "internal/flips/"}

// isPackage reports whether e is the name of an imported package.
func isPackage(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}
