package npy_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/npygo/npy"

// layers gives the height of each part of the repository. Imports point down only, so parts of one layer do not know
// each other. The first entry that matches a folder counts.
var layers = []struct {
	dir   string
	layer int
}{
	{"internal/par", 0},        // goroutines, for all
	{"internal/property", 8},   // tests of all public packages
	{"internal/longfuzz", 2},   // reports what it fuzzed
	{"internal/source", 4},     // the elements behind a header, for those that read whole arrays
	{"internal/elem", 4},       // elements as text, for those that print and parse them
	{"internal/sink", 4},       // arrays whose rows come one after another
	{"internal/atomicfile", 2}, // temporary files, which takes locks
	{"internal/mapping", 2},    // files as memory, which takes bulk
	{"internal/dtypetext", 3},  // dtypes as NumPy prints them
	{"internal/png", 2},        // images, whose rows grow as they arrive
	{"internal/zipfile", 2},    // errors of limits
	{"internal", 1},
	{"dtype", 2},
	{"format", 3},
	{"scalar", 3},
	{".", 5},
	{"npz", 6},
	{"mmap", 6},
	{"pickle/audit", 4}, // what pickles do in Python and NumPy, for programs that tell
	{"pickle", 3},
	{"record", 6},
	{"objects", 6},
	{"npytest", 6},
	{"convert", 7},
	{"stats", 7},
	{"diff", 7},
	{"connect", 8},
	{"cmd", 9},
	{"doc", 9},
	{"bench", 9},
}

// layerOf returns the part of the repository a folder belongs to, and its layer; -1 if it belongs to none.
func layerOf(dir string) (part string, layer int) {
	for _, l := range layers {
		if dir == l.dir || strings.HasPrefix(dir, l.dir+"/") {
			return l.dir, l.layer
		}
	}
	return "", -1
}

// Imports point down only, and the programs at the top use nothing that others could not use.
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
			case layer == layers[len(layers)-1].layer && strings.HasPrefix(target, "internal"):
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
