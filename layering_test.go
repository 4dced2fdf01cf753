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
	{"internal/dtypetext", 2},
	{"internal/elem", 3},    // elements as text, for those that print and parse them
	{"internal/source", 3},  // the elements behind a header, for those that read whole arrays
	{"internal/elem", 3},    // elements as text, for those that print and parse them
	{"internal/sink", 3},    // arrays whose rows come one after another
	{"internal/mapping", 1}, // files as memory, which takes bulk
	{"internal/png", 1},     // images, whose rows grow as they arrive
	{"internal/zipfile", 1}, // errors of limits
	{"internal", 0},
	{"dtype", 1},
	{"format", 2},
	{"scalar", 2},
	{".", 4},
	{"npz", 5},
	{"mmap", 5},
	{"pickle", 2},
	{"record", 5},
	{"objects", 5},
	{"npytest", 5},
	{"convert", 6},
	{"stats", 6},
	{"diff", 6},
	{"connect", 7},
	{"cmd", 8},
	{"doc", 8},
	{"bench", 8},
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
