package rules

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/npygo/npy"

// layers are the parts of the repository, from the lowest layer to the highest. A package belongs to the longest path
// that it begins with. Imports point down only, so the parts of one layer do not know each other.
var layers = [][]string{
	{"internal/par", "internal/plumbing", "internal/diag"}, // goroutines, functions of npy for package source, and errors, for all
	{"internal"},          // bytes, text and files, without dtypes
	{"internal/longfuzz"}, // reports its fuzzing
	{"dtype", "internal/atomicfile", "internal/holes", "internal/mapping", "internal/png", "internal/zipfile", "internal/chunkfilter", "internal/moments"},
	{"pickle/internal/literal", "pickle/internal/python2", "pickle/internal/calendar", "pickle/internal/interned", "pickle/internal/repr"}, // what pickles say, without values
	{"pickle/internal/opcode"},                             // the instruction set
	{"pickle/internal/machine", "pickle/internal/encoder"}, // instructions executed and written
	{"pickle/internal/dis"},
	{"format", "scalar", "pickle", "internal/dtypetext"},
	{"internal/nd"}, // strided geometry
	{"internal/source", "internal/sink", "internal/elem", "internal/fields", "pickle/audit"}, // the elements of a file; their text; plain fields
	{"internal/codec"},                      // elements as Go values
	{"internal/cast", "internal/arraytext"}, // elements of one dtype as another; arrays as NumPy prints them
	{"internal/blockwise"},                  // arrays copied in bounded memory
	{"."},
	{"source"}, // for those who write a Source
	{"npz", "mmap", "record", "objects", "npytest", "remote"},
	{"container", "parts", "internal/raster", "internal/curve", "internal/chunkgrid"}, // the interface of files with several arrays; elements computed from others; many files as one array; pictures and lines
	{"hdf5/internal/fault"},                            // errors, with their places
	{"hdf5/internal/storage"},                          // the bytes of a file by address
	{"hdf5/internal/structure"},                        // what lies there, both ways
	{"hdf5/internal/chunkindex"},                       // which chunk lies where
	{"hdf5/internal/reading", "hdf5/internal/writing"}, // groups, datasets and attributes
	{"hdf5/internal/appending"},                        // which reads and writes
	{"hdf5"},                                           // the container that others are made of
	{"netcdf", "matlab"},                               // other formats of containers
	{"container/all"},                                  // the list of them
	{"query/internal/syntax", "query/internal/rowset", "query/internal/rowsource"}, // text as trees; sets of rows; rows in sequence
	{"query/internal/values"},                                                         // expressions, evaluated in blocks of rows
	{"query/internal/expression", "query/internal/sortkey"},                           // expressions, compiled; keys as words
	{"query/internal/filter", "query/internal/order"},                                 // the rows that satisfy an expression; rows in order
	{"query/internal/compute", "query/internal/calc", "query/internal/join"},          // computed columns; whole arrays; two sources
	{"query/internal/group"},                                                          // rows with equal keys
	{"convert/internal/fault", "convert/internal/options", "convert/internal/arrays"}, // errors, settings, and where elements go
	{"convert/internal/plain"},                                                        // the columns of a dtype
	{"convert/internal/infer", "convert/internal/input", "convert/internal/output"},   // the dtype of texts; texts in, in blocks; texts out
	{"convert/internal/values"},                                                       // the text of elements
	{"convert/internal/tableread", "convert/internal/tablewrite", "convert/internal/jsonread", "convert/internal/image"}, // one kind of format each
	{"stats/internal/items", "stats/internal/exact", "stats/internal/state"},                                             // elements as numbers; sums of integers; what is sent to other machines
	{"stats/internal/feed", "stats/internal/tally", "stats/internal/keys"},                                               // the elements of an array; summaries of blocks; numbers as keys
	{"stats/internal/accumulate", "stats/internal/along", "stats/internal/rank", "stats/internal/histogram"},             // one kind of result each
	{"convert", "stats", "diff", "query"},
	{"view/internal/answer", "view/internal/static"}, // the questions of a page about arrays; the page as a folder
	{"view"}, // the page, its handler and its server
	{"internal/property", "internal/flips", "internal/rules", "connect"}, // tests of all public packages
	{"cmd", "doc", "bench", "view/browser", "view/build", "view/wasm"},   // programs
}

// layerOf returns the part of the repository a folder belongs to, and its layer; -1 if it belongs to none.
func layerOf(dir string) (part string, layer int) {
	layer = -1
	for i, parts := range layers {
		for _, p := range parts {
			if (dir == p || strings.HasPrefix(dir, p+"/")) && len(p) > len(part) {
				part, layer = p, i
			}
		}
	}
	return part, layer
}

// Imports point down only, and the programs at the top use nothing that other modules cannot use.
func TestImportsPointDown(t *testing.T) {
	for _, file := range sourceFiles(t) {
		if strings.HasSuffix(file.path, "_test.go") {
			continue // tests may look at their package from above
		}
		dir := path.Dir(file.path)
		part, layer := layerOf(dir)
		if layer < 0 {
			t.Errorf("%s belongs to no layer: add its folder to the table", file.path)
			continue
		}
		for _, name := range file.imports {
			if name != modulePath && !strings.HasPrefix(name, modulePath+"/") {
				continue
			}
			target := path.Clean(strings.TrimPrefix(strings.TrimPrefix(name, modulePath), "/"))
			below, lower := layerOf(target)
			switch {
			case lower < 0:
				t.Errorf("%s imports %s, which belongs to no layer", file.path, name)
			case layer == len(layers)-1 && strings.HasPrefix(target, "internal"):
				t.Errorf("%s imports %s: what programs need has to be public", file.path, name)
			case lower >= layer && (below != part || part == "internal"):
				t.Errorf("%s, layer %d, imports %s, layer %d: imports point down only", file.path, layer, name, lower)
			}
		}
	}
}

// allowedModules are all that the root module may require.
var allowedModules = []string{"golang.org/x/sys", "github.com/klauspost/compress"}

func TestRootModuleStaysLight(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	block := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) > 1 && words[1] == "(":
			block = words[0]
			continue
		}
		directive := block
		if block == "" {
			directive, words = words[0], words[1:]
		}
		switch directive {
		case "module", "go", "toolchain", "retract":
		case "require":
			if !slices.Contains(allowedModules, words[0]) {
				t.Errorf("go.mod requires %s; the root module needs nothing but %s", words[0], strings.Join(allowedModules, " and "))
			}
		default:
			t.Errorf("go.mod has a %s directive, which those who require this module would not get", directive)
		}
	}
}

// File names are valid in a module, and distinct on every file system.
func TestFileNames(t *testing.T) {
	seen := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return cmp.Or(err, fs.SkipDir)
		}
		if strings.Trim(d.Name(), portable) != "" || strings.HasSuffix(d.Name(), ".") && name != "." {
			t.Errorf("%q has characters that a Go module may not have", name)
		}
		folded := strings.ToLower(name)
		if other := seen[folded]; other != "" {
			t.Errorf("%s and %s are one file on macOS and Windows", name, other)
		}
		seen[folded] = name
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

const portable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+=@%~"

// Every file and folder that doc/architecture.md names exists.
func TestArchitectureNames(t *testing.T) {
	page, err := os.ReadFile("doc/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	walkSource(t, func(file string) {
		files[path.Base(file)], files[path.Base(path.Dir(file))+"/"+path.Base(file)], files[file] = true, true, true
	})
	for _, m := range regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(string(page), -1) {
		if !files[m[1]] {
			t.Errorf("there is no file %s", m[1])
		}
	}
	for _, dir := range regexp.MustCompile(`([a-z0-9]+/)*\binternal/[a-z0-9]+`).FindAllString(string(page), -1) {
		_, err := os.Stat(dir)
		if _, inCommand := os.Stat("cmd/npy/" + dir); err != nil && inCommand != nil {
			t.Errorf("there is no folder %s", dir)
		}
	}
}

// Every package begins with a comment whose first sentence says what it is.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	comments := map[string][]string{} // by folder
	walkSource(t, func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		folder := path.Dir(file)
		comments[folder] = append(comments[folder], "")
		if tree.Doc != nil {
			comments[folder] = append(comments[folder], tree.Doc.Text())
		}
	})
	for folder, texts := range comments {
		if !slices.ContainsFunc(texts, isPackageComment) {
			t.Errorf("no file of %s has a package comment, which begins with what the package is", folder)
		}
	}
}

// isPackageComment reports whether a text has a sentence in its first paragraph.
func isPackageComment(text string) bool {
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Contains(strings.TrimSpace(first), " ") && strings.ContainsAny(first, ".:")
}
