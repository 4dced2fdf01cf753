package container_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/report"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
)

// targets are the formats that files are converted to, by the endings that tests give them.
var targets = map[string]container.Format{
	"h5":  hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}),
	"nc":  netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{}),
	"mat": matlab.Format(matlab.Decoder{}, matlab.Encoder{}),
	"m73": matlab.Format(matlab.Decoder{}, matlab.Encoder{HDF5: true}),
	"npz": container.NPZ(npz.Decoder{}, npz.Encoder{}),
}

var allFormats = container.Formats{targets["npz"], targets["nc"], targets["mat"], targets["h5"]}

// A conversion is a converted file, and the losses that the writer and the skip function of Copy reported.
type conversion struct {
	from, to string // paths
	kind     string // of to, in targets
	lost     []container.Loss
	skipped  map[string]error
}

// converted copies a file into another format.
func converted(t *testing.T, from, kind, dir string) *conversion {
	t.Helper()
	c := &conversion{from: from, kind: kind, to: filepath.Join(dir, strings.ReplaceAll(filepath.Base(from), ".", "-")+"."+kind), skipped: map[string]error{}}
	f, err := allFormats.Open(from)
	must(t, err)
	defer f.Close()
	err = targets[kind].Create(c.to, container.WriteOptions{Lost: func(l container.Loss) { c.lost = append(c.lost, l) }}, func(w container.Writer) error {
		return container.Copy(context.Background(), w, f, func(e container.Entry, err error) error {
			c.skipped[e.Path] = err
			return nil
		})
	})
	if err != nil {
		t.Fatalf("%s to %s: %v", from, kind, err)
	}
	c.lost = append(c.lost, container.Omitted(f)...)
	return c
}

// features are the lost features, by the text of the loss.
var lossFeatures = map[string][]string{
	"the names of the dimensions": {"dims", "labels", "dimension *"}, "the dimension scales": {"scale", "scales"}, "the maximum shape": {"maxshape"}, "the fill value": {"fill"},
	"the checksums": {"checksum"}, "that there is no shape": {"null"}, "the names of an enum": {"enum*"}, "the references": {"references*"},
	"the references to what is not in the file": {"references*", "attribute *"}, "the regions of references": {"regions*"}, "the link": {"link"},
	"that bytes are text in UTF-8": {"charset*"}, "the name of the dimension of characters": {"textdim"}, "the group": {"group"}, "Fortran order": {"order"}, "attributes": {"attribute *"}, "the committed datatype": nil,
	"the path": nil, "the name": nil, "titles of fields": nil, "the size of str": nil, "text of any length": nil, "that bool is not a number": nil, "float16": nil, "that times are no numbers": nil,
	"the list of the arrays of a scale": nil,
}

// featuresOf returns patterns of the features that a loss is about.
func featuresOf(t *testing.T, l container.Loss) []string {
	t.Helper()
	if list, ok := lossFeatures[l.What]; ok {
		return list
	}
	if kind, name, ok := strings.Cut(l.What, ", attribute "); ok {
		if kind == "the names of an enum" {
			return []string{"attribute " + name + " enum"}
		}
		return []string{"attribute " + name}
	}
	if strings.HasPrefix(l.What, "attribute ") {
		return []string{l.What, l.What + " enum"}
	}
	for _, text := range []string{"that the dimension ", "the dimension "} {
		if name, ok := strings.CutPrefix(l.What, text); ok {
			return []string{"dimension " + strings.TrimSuffix(name, " is unlimited")}
		}
	}
	t.Errorf("a loss of no known feature: %+v", l)
	return nil
}

// told returns the losses of a conversion that are about a fact.
func (c *conversion) told(t *testing.T, fact string, alias func(string) string) (losses []container.Loss) {
	t.Helper()
	at, feature, _ := strings.Cut(fact, "|")
	for _, l := range c.lost {
		if alias(l.Path) != alias(at) {
			continue
		}
		for _, pattern := range featuresOf(t, l) {
			if ok, _ := filepath.Match(pattern, feature); ok {
				losses = append(losses, l)
			}
		}
	}
	return losses
}

var notInNames = regexp.MustCompile("[^A-Za-z0-9_]")

// place returns where a fact of the source is in the file.
func (c *conversion) place(fact string) string {
	at, feature, _ := strings.Cut(fact, "|")
	if c.kind == "nc" {
		at = strings.ReplaceAll(at, "/", ".")
		if strings.HasPrefix(feature, "dimension ") {
			at = "" // all are as in the file
		}
	}
	if c.kind == "mat" || c.kind == "m73" {
		parts := strings.Split(at, "/")
		for i, name := range parts {
			if strings.Trim(name, "0123456789") == "" && name != "" && i > 0 && c.kind == "mat" {
				continue // in a cell
			}
			name = notInNames.ReplaceAllString(name, "_")
			if name != "" && strings.Trim(name[:1], "_0123456789") == "" {
				name = "x" + name
			}
			parts[i] = name
		}
		at = strings.Join(parts, "/")
	}
	return at + "|" + feature
}

// defaultFills are netCDF's values of elements that were never written, which need no attribute.
var defaultFills = []float64{-127, -32767, -2147483647, 9.969209968386869e+36, 255, 65535, 4294967295, -9.223372036854776e+18, 1.8446744073709552e+19}

// keeps reports whether a file says the same as the source. Files of some formats say more.
func (c *conversion) keeps(feature, from, to string, ok bool) bool {
	switch {
	case ok && from == to:
		return true
	case feature == "checksum" && (c.kind == "npz" || c.kind == "mat"):
		return true // every member of an archive has one, and everything that zlib compresses
	case feature == "charset" && (c.kind == "mat" || c.kind == "m73"):
		return true // text is decoded
	case c.kind != "nc":
		return false
	case strings.HasPrefix(feature, "attribute ") && from == `"null"`: // an empty one
		return ok && (to == `[]` || to == `[""]`)
	case feature == "fill" && !ok:
		return slices.ContainsFunc(defaultFills, func(x float64) bool { return from == fmt.Sprintf(`["%v"]`, x) })
	case feature == "dims" || feature == "scales": // all axes have names, and the names are scales
		var a, b []any
		if json.Unmarshal([]byte(from), &a) != nil || json.Unmarshal([]byte(to), &b) != nil || len(a) != len(b) {
			return false
		}
		for i := range a {
			list, isList := a[i].([]any)
			if a[i] == "" || isList && len(list) == 0 {
				continue
			}
			if isList { // the names without groups
				for j := range list {
					list[j] = path.Base(list[j].(string))
				}
			}
			if !reflect.DeepEqual(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// check compares the facts of both files, as one reader sees them: each is there or was told, and nothing was told that is there.
func (x *losses) check(t *testing.T, reader string, c *conversion, from, to facts, alias func(string) string) {
	t.Helper()
	for _, fact := range slices.Sorted(maps.Keys(from)) {
		at, feature, _ := strings.Cut(fact, "|")
		switch {
		case feature == "labels" && c.kind != "h5": // dims has them
			continue
		case strings.HasSuffix(feature, " charset") && c.kind != "h5": // text is text
			continue
		}
		if _, skipped := c.skipped[at]; skipped {
			x.counts["of arrays left out"]++
			continue
		}
		got, ok := to[c.place(fact)]
		kept, told := c.keeps(feature, from[fact], got, ok), c.told(t, fact, alias)
		switch {
		case kept && len(told) == 0:
			x.counts["kept"]++
		case !kept && len(told) > 0:
			x.counts["told"]++
		case !kept:
			t.Errorf("%s to %s, by %s: %q %s is lost without a word: %s became %q", c.from, c.kind, reader, at, feature, from[fact], got)
		case !slices.ContainsFunc(told, func(l container.Loss) bool { return coversMore(l, feature, from[fact]) }):
			t.Errorf("%s to %s, by %s: %q %s is kept, and told as lost: %v", c.from, c.kind, reader, at, feature, told)
		default:
			x.counts["kept"]++
		}
	}
}

// coversMore reports whether a loss can be of another part of what a fact is about: one of several attributes, scales or references.
// Scales in groups are dimensions at least in netCDF-3, and a fill value can be an attribute of netCDF.
func coversMore(l container.Loss, feature, value string) bool {
	return strings.Contains(l.What, "attribute") || feature == "labels" || feature == "scale" || strings.HasPrefix(feature, "references") ||
		feature == "scales" && strings.Contains(value, "/") || strings.Contains(l.Detail, "the library of netCDF")
}

// mayRefuse are the reasons for which an entry is left out.
var mayRefuse = map[string][]string{
	"h5":  {"is a *npy.Array"},
	"nc":  {"has no netCDF type", "has length 0"},
	"mat": {"has no MATLAB class"},
	"m73": {"has no MATLAB class"},
	"npz": {"which only an npy.Encoder"},
}

// A losses counts the facts that conversions keep and report.
type losses struct {
	dir     string
	counts  map[string]int
	reasons map[string]int
}

// convert converts a file into every format, and compares the facts in both.
func (x *losses) convert(t *testing.T, path string) []*conversion {
	t.Helper()
	f, err := allFormats.Open(path)
	must(t, err)
	defer f.Close()
	alias := aliases(f)
	from := factsOf(t, path, "")
	var all []*conversion
	for _, kind := range slices.Sorted(maps.Keys(targets)) {
		c := converted(t, path, kind, x.dir)
		all = append(all, c)
		for p, err := range c.skipped {
			i := slices.IndexFunc(mayRefuse[kind], func(text string) bool { return strings.Contains(err.Error(), text) })
			e, _ := f.Entry(p)
			switch {
			case i >= 0:
				x.reasons[kind+": "+mayRefuse[kind][i]]++
			case e.Err != nil:
				x.reasons["cannot be read"]++
			default:
				t.Errorf("%s to %s: %s is left out: %v", path, kind, p, err)
			}
		}
		x.check(t, "npy", c, from, factsOf(t, c.to, kind), alias)
	}
	return all
}

// Files with random features are converted from every format to every other. Every fact about an entry is in the new
// file or was reported as lost, and no fact in the new file was reported. The files are made and read by this package,
// and by h5py and netCDF4.
func TestLosses(t *testing.T) {
	x := &losses{t.TempDir(), map[string]int{}, map[string]int{}}
	sources := committed(t)
	for _, path := range sources {
		x.convert(t, path)
	}
	t.Logf("%d committed files: %v, %v", len(sources), x.counts, x.reasons)
	if x.counts["kept"] == 0 || x.counts["told"] == 0 {
		t.Error("nothing was kept, or nothing told")
	}
}

// committed returns files of the repository with features that formats lack.
func committed(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../hdf5/testdata/*.h5", "../netcdf/testdata/*.nc", "../cmd/npy/testdata/containers/*.h5", "../cmd/npy/testdata/containers/*.nc", "../cmd/npy/testdata/containers/*.mat", "../matlab/testdata/*.mat"} {
		found, err := filepath.Glob(pattern)
		must(t, err)
		if len(found) == 0 {
			t.Errorf("no files %s", pattern)
		}
		all = append(all, found...)
	}
	return slices.DeleteFunc(all, func(path string) bool {
		return slices.Contains([]string{"huge.h5", "loop73.mat"}, filepath.Base(path))
	})
}

// TestLosses for random files of h5py and netCDF4.
func TestLossesOfLibraries(t *testing.T) {
	n := oracle.Cases(t, 4)
	seed := oracle.Seed(t) >> 32
	dir := t.TempDir()
	script, err := filepath.Abs("testdata/losses.py")
	must(t, err)
	run := func(stdin string, args ...string) []byte {
		list, err := json.Marshal(append([]string{script}, args...))
		must(t, err)
		return oracle.ModuleInput(t, "h5py, netCDF4", "import runpy\nsys.argv = "+string(list)+"\nrunpy.run_path(sys.argv[0], run_name='__main__')", []byte(stdin))
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("python3 container/testdata/losses.py make DIR %d %d makes the files", seed, n)
		}
	})
	run("", "make", dir, fmt.Sprint(seed), fmt.Sprint(n))
	x := &losses{t.TempDir(), map[string]int{}, map[string]int{}}
	var questions []string
	var pairs []*conversion
	for i := range n {
		for _, name := range []string{fmt.Sprintf("%d.h5", i), fmt.Sprintf("%d.nc", i)} {
			if format := formatOf(t, filepath.Join(dir, name)); strings.HasSuffix(name, ".nc") && format != "netCDF" {
				t.Errorf("%s, which has dimensions, is taken for %s", name, format)
			}
			for _, c := range x.convert(t, filepath.Join(dir, name)) {
				if kind := c.comparedBy(t); kind != "" {
					pairs = append(pairs, c)
					questions = append(questions, kind+":"+c.from, kind+":"+c.to)
				}
			}
		}
	}
	answers := json.NewDecoder(bytes.NewReader(run(strings.Join(questions, "\n"), "facts")))
	for i, c := range pairs {
		from, to := answered(t, answers), answered(t, answers)
		x.check(t, strings.Split(questions[2*i], ":")[0], c, from, to, from.alias)
	}
	t.Logf("%d files to %d formats, %d compared by h5py and netCDF4: %v", 2*n, len(targets), len(pairs), x.counts)
	t.Logf("left out: %v", x.reasons)
	if *lossesPage != "" && !t.Failed() {
		text := fmt.Sprintf("%d files of random features, each converted to %d formats; %d of the new files are also compared by h5py and netCDF4: %d statements about entries are kept, %d are told as lost, none is lost without a word, and none is told and kept.\n",
			2*n, len(targets), len(pairs), x.counts["kept"], x.counts["told"])
		must(t, report.Write(*lossesPage, "losses", text))
	}
}

var lossesPage = flag.String("report", "", "the `page` that gets the numbers of TestLossesOfLibraries")

// formatOf returns the format of a file by its content.
func formatOf(t *testing.T, path string) string {
	t.Helper()
	data := readFile(t, path)
	_, f, _ := allFormats.NewNamedReader(bytes.NewReader(data), int64(len(data)), "")
	return f.Name
}

// comparedBy returns the library that reads both files of a conversion: "hdf5" or "netcdf", or "".
func (c *conversion) comparedBy(t *testing.T) string {
	t.Helper()
	isHDF5 := bytes.HasPrefix(readFile(t, c.from), []byte("\x89HDF"))
	switch {
	case c.kind == "h5" && isHDF5:
		return "hdf5"
	case (c.kind == "nc" || c.kind == "h5") && strings.HasSuffix(c.from, ".nc"):
		return "netcdf"
	}
	return ""
}

// answered reads the facts that Python has found.
func answered(t *testing.T, answers *json.Decoder) facts {
	t.Helper()
	var all map[string]any
	must(t, answers.Decode(&all))
	f := facts{}
	for fact, value := range all {
		at, feature, _ := strings.Cut(fact, "|")
		_, characters := all[at+"|characters"] // texts in the other file
		if !characters || feature == "link" {
			f.add(at, feature, true, value)
		}
	}
	return f
}

// alias returns the path that Python calls the object at a path.
func (f facts) alias(path string) string {
	var text string
	if json.Unmarshal([]byte(f[path+"|link"]), &text) == nil {
		if name, ok := strings.CutPrefix(text, "hard "); ok {
			return name
		}
	}
	return path
}
