package hdf5

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// programFile writes a file of types that all programs know: numbers of every size and order, contiguous and in chunks, text,
// groups, and an array that was appended to. It returns the path, and the values as text by the names of the arrays.
func programFile(t *testing.T) (string, map[string][]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.h5")
	want := map[string][]string{}
	w := must(Encoder{Unlimited: true}.Create(path))
	defer w.Abort()
	var last *npy.Array
	for _, code := range []string{"i1", "<i2", ">i4", "<i8", "u1", ">u2", "<u4", ">u8", "<f4", ">f4", "<f8", ">f8"} {
		for _, shape := range [][]int{{6}, {30, 7}, {0}, {}} {
			n := 1
			for _, d := range shape {
				n *= d
			}
			data := make([]float64, n)
			name := fmt.Sprintf("%s_%d", strings.NewReplacer("<", "le", ">", "be").Replace(code), len(shape)*1000+n)
			for i := range data {
				data[i] = float64(i*i%101) / 4
				if !strings.Contains(code, "f") {
					data[i] = float64(i % 101)
				}
				want[name] = append(want[name], strconv.FormatFloat(data[i], 'g', -1, 64))
			}
			last = must(must(npy.FromSlice(data, shape...)).Cast(must(dtype.Parse(code)), npy.UnsafeCasting))
			for _, c := range []struct {
				ending string
				chunks []int
			}{{"", nil}, {"_chunks", []int{4, 3}}} {
				if c.chunks != nil && n < 6 {
					continue
				}
				e := container.Entry{Path: name + c.ending, Chunks: c.chunks[:min(len(c.chunks), len(shape))]}
				if err := container.Put(context.Background(), w, e, []container.Attribute{attribute("units", one("m/s"))}, last); err != nil {
					t.Fatal(err)
				}
				want[e.Path] = want[name]
			}
		}
	}
	words := []any{"alpha", "", "Ωmega", strings.Repeat("x", 5000)}
	err := errors.Join(w.Add("gruppe/naïve", text(words...)), w.Add("words", text(words...)), w.Add("grown", sample("'|u1'", 3)), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	a := must(OpenAppend(path, "grown"))
	defer a.Close()
	if err := errors.Join(a.Append(must(npy.FromSlice(make([]uint8, 70)))), a.Close()); err != nil {
		t.Fatal(err)
	}
	for _, x := range append(sample("'|u1'", 3).Bytes(), make([]byte, 70)...) {
		want["grown"] = append(want["grown"], strconv.Itoa(int(x)))
	}
	for _, x := range words {
		want["words"] = append(want["words"], x.(string))
	}
	want["gruppe/naïve"] = want["words"]
	return path, want
}

// wantValues compares the values that a program reads with the written values.
func wantValues(t *testing.T, got, want map[string][]string, skip func(name string) bool) {
	t.Helper()
	for name, values := range want {
		if skip != nil && skip(name) {
			continue
		}
		g := got[name]
		ok := len(g) == len(values)
		for i := 0; ok && i < len(g); i++ {
			x, err := strconv.ParseFloat(g[i], 64)
			ok = g[i] == values[i] || err == nil && strconv.FormatFloat(x, 'g', -1, 64) == values[i]
		}
		if !ok {
			t.Errorf("%s: got %.60q, want %.60q", name, g, values)
		}
	}
}

// program runs a program of this machine. Without it the test is skipped, or fails in CI.
func program(t *testing.T, name string, args ...string) string {
	t.Helper()
	if oracle.Emulated || runtime.GOARCH == "386" || runtime.GOOS == "windows" || testing.Short() {
		t.Skip("other programs are asked on the machine's own architecture and system")
	}
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed, which CI must have", name)
		}
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

// items returns the values in a list with commas.
func items(list string) (values []string) {
	for s := range strings.SplitSeq(list, ",") {
		if s = strings.TrimSpace(s); s != "" {
			values = append(values, s)
		}
	}
	return values
}

func TestH5dump(t *testing.T) {
	path, want := programFile(t)
	got := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?s)DATASET "([^"]*)" \{.*?DATA \{(.*?)\}`).FindAllStringSubmatch(program(t, "h5dump", "-y", "-w", "0", "-m", "%.17g", path), -1) {
		got[m[1]] = items(m[2])
	}
	wantValues(t, got, want, func(name string) bool { return strings.ContainsAny(name, "wï") }) // it escapes text
	if list := program(t, "h5ls", "-r", path); strings.Count(list, "Dataset {") != len(want) || !strings.Contains(list, "/grown                   Dataset {73/Inf}") {
		t.Errorf("h5ls lists %s", list)
	}
}

func TestNcdump(t *testing.T) {
	path, want := programFile(t)
	got := map[string][]string{}
	_, data, _ := strings.Cut(program(t, "ncdump", "-p", "9,17", path), "data:\n")
	for _, m := range regexp.MustCompile(`(?s)\n (\w+) =(.*?) ;`).FindAllStringSubmatch(data, -1) {
		got[m[1]] = items(m[2])
	}
	wantValues(t, got, want, func(name string) bool { return strings.ContainsAny(name, "wï") })
}

// netCDF4 and PyTables read the same values.
func TestPythonReaders(t *testing.T) {
	path, want := programFile(t)
	for module, script := range map[string]string{
		"netCDF4": `
d = netCDF4.Dataset(sys.argv[1]); d.set_auto_mask(False)
for g in [d, d['gruppe']]:
    for n, v in g.variables.items():
        out[(g.name + '/').lstrip('/') + n] = [str(x) for x in np.ravel(v[...]).tolist()]
        if not n[0] in 'gwn' and v.units != 'm/s': out[n] = v.units`,
		"tables": `
with tables.open_file(sys.argv[1]) as f:
    for n in f.walk_nodes('/', 'Leaf'):
        if type(n).__name__ != 'UnImplemented': out[n._v_pathname[1:]] = [str(x) for x in np.ravel(n.read()).tolist()]`,
	} {
		got := map[string][]string{}
		out := oracle.Module(t, module, "import "+module+"\nout = {}"+script+"\nprint(json.dumps(out))", path)
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		wantValues(t, got, want, func(name string) bool { return module == "tables" && strings.ContainsAny(name, "wï") }) // it has no text of variable length
	}
}

// Readers in JavaScript, in node: NPY_H5WASM is the folder node_modules with h5wasm, which is HDF5 2, and jsfive, which
// is no libhdf5.
func TestNodeReaders(t *testing.T) {
	folder := os.Getenv("NPY_H5WASM")
	if folder == "" && os.Getenv("CI") == "" {
		t.Skip("NPY_H5WASM is not set: npm install h5wasm@0.10 jsfive@0.4 makes the folder node_modules")
	}
	path, want := programFile(t)
	const walk = `
const out = {}, kept = x => x === null || x === undefined ? [] : typeof x === "object" && x.length !== undefined ? Array.from(x, String) : [String(x)];
const walk = (g, prefix, keys, isGroup) => { for (const k of keys(g)) { const o = g.get(k); isGroup(o) ? walk(o, prefix + k + "/", keys, isGroup) : out[prefix + k] = kept(o.value) } };`
	for _, script := range map[string]string{
		"h5wasm": `const h5 = (await import(process.argv[1] + "/h5wasm/dist/node/hdf5_hl.js")).default; await h5.ready;` + walk + `
walk(new h5.File(process.argv[2], "r"), "", g => g.keys(), o => o instanceof h5.Group);`,
		"jsfive": `const h5 = await import(process.argv[1] + "/jsfive/dist/esm/index.mjs"); const b = (await import("fs")).readFileSync(process.argv[2]);` + walk + `
walk(new h5.File(b.buffer.slice(b.byteOffset, b.byteOffset + b.length), "a"), "", g => g.keys, o => !(o instanceof h5.Dataset));`,
	} {
		got := map[string][]string{}
		if err := json.Unmarshal([]byte(program(t, "node", "--input-type=module", "-e", script+"\nconsole.log(JSON.stringify(out))", folder, path)), &got); err != nil {
			t.Fatal(err)
		}
		wantValues(t, got, want, nil)
	}
}
