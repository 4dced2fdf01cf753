package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/parts"
)

// TestMain makes this program the command if the tests started it.
func TestMain(m *testing.M) {
	if os.Getenv("NPY_BEAM_TEST") == "" {
		os.Exit(m.Run())
	}
	main()
}

// npyBeam runs the command in a folder.
func npyBeam(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir, c.Env = dir, append(os.Environ(), "NPY_BEAM_TEST=1")
	var out, talk bytes.Buffer
	c.Stdout, c.Stderr = &out, &talk
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), talk.String(), c.ProcessState.ExitCode()
}

func save(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"a-1.npy", "a-2.npy", "a-10.npy"} {
		data := make([]float64, 3000)
		for i := range data {
			data[i] = float64(i%7 + len(name))
		}
		if err := npy.Save(filepath.Join(dir, name), data, 1000, 3); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestStats(t *testing.T) {
	dir := save(t)
	out, talk, code := npyBeam(t, dir, "stats", "a-*.npy", "--json")
	var x struct {
		Count    int64
		Min, Max float64
		ArgMax   []int
	}
	if err := json.Unmarshal([]byte(out), &x); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, talk)
	}
	if x.Count != 9000 || x.Min != 7 || x.Max != 14 || x.ArgMax[0] != 2002 {
		t.Errorf("stats are %+v", x)
	}
	if !strings.Contains(talk, "72000 bytes") {
		t.Errorf("the command says %q", talk)
	}
	if out, talk, code := npyBeam(t, dir, "--runner", "direct", "stats", "--out", "s.txt", "a-1.npy"); code != 0 || out != "" {
		t.Fatalf("exit code %d: %s%s", code, out, talk)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "s.txt")); err != nil || !strings.Contains(string(text), "mean") {
		t.Errorf("--out writes %q, %v", text, err)
	}
}

// A job leaves nothing in the folder for temporary files.
func TestNoTemporaries(t *testing.T) {
	dir, temporary := save(t), t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	for _, args := range [][]string{{"stats", "a-*.npy"}, {"reshard", "--shards", "2", "--memory", "64MiB", "a-*.npy", "all"}} {
		if out, talk, code := npyBeam(t, dir, args...); code != 0 {
			t.Fatalf("exit code %d: %s%s", code, out, talk)
		}
	}
	left, err := os.ReadDir(temporary)
	if len(left) > 0 || err != nil {
		t.Errorf("left are %v, %v", left, err)
	}
}

// stats prints the JSON of npy for the same array, to the last digit, also where npy-beam reads it in pieces.
func TestStatsAsNpy(t *testing.T) {
	if testing.Short() {
		t.Skip("builds npy")
	}
	dir := save(t)
	if _, talk, code := npyBeam(t, dir, "reshard", "a-*.npy", "all.npy"); code != 0 {
		t.Fatal(talk)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "npy.exe"), ".")
	build.Dir, build.Env = filepath.Join(root, "cmd", "npy"), append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, flags := range []string{"", "--quantiles 0,0.3,0.5,1 --histogram", "--histogram=3", "--axis 0"} {
		args := append([]string{"stats", "--json", "all.npy"}, strings.Fields(flags)...)
		npy := exec.Command(filepath.Join(dir, "npy.exe"), args...)
		npy.Dir = dir
		want, err := npy.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []string{"all.npy", "a-*.npy"} {
			args[2] = in
			out, talk, code := npyBeam(t, dir, args...)
			if got := strings.Replace(out, `"file":"a-*.npy"`, `"file":"all.npy"`, 1); code != 0 || got != string(want) {
				t.Errorf("stats %s of %s: exit code %d, %s%s; npy has %s", flags, in, code, out, talk, want)
			}
		}
	}
}

// As text, stats print the same results.
func TestStatsText(t *testing.T) {
	dir := save(t)
	for flags, want := range map[string]string{
		"--quantiles 0.5":                      "quantile 0.5  ",
		"--histogram=2":                        "7  to  10.5  4719  ████████",
		"--axis -1":                            "mean:\n[",
		"--where x[0]>99":                      "count  0",
		"--dtype i2 --axis 0 --casting unsafe": "dtype  int16",
	} {
		out, talk, code := npyBeam(t, dir, append([]string{"stats", "a-*.npy"}, strings.Fields(flags)...)...)
		if code != 0 || !strings.Contains(out, want) || !strings.HasPrefix(out, "a-*.npy\n") {
			t.Errorf("stats %s: exit code %d, %s%s; want %q", flags, code, out, talk, want)
		}
	}
}

func TestWriting(t *testing.T) {
	dir := save(t)
	for _, c := range []struct {
		args, out string
		shape     []int
		files     int
		dtype     string
	}{
		{"reshard --shards 4 a-*.npy four", "four", []int{3000, 3}, 4, "<f8"},
		{"reshard a-*.npy all.npy", "all.npy", []int{3000, 3}, 0, "<f8"},
		{"convert --dtype <f4 --casting same_kind all.npy single", "single", []int{3000, 3}, 1, "<f4"},
		{"filter x[0]>13 four/data.npy.json some", "some", []int{143, 3}, 1, "<f8"},
		{"rechunk --axis 1 --shards 3 all.npy columns", "columns", []int{3000, 3}, 3, "<f8"},
		{"transpose --axes 1,0 all.npy turned", "turned", []int{3, 3000}, 1, "<f8"},
		{"convert --dtype >f4 --casting same_kind four again", "again", []int{3000, 3}, 1, ">f4"},
		{"shuffle --seed 5 all.npy random", "random", []int{3000, 3}, 1, "<f8"},
	} {
		out, talk, code := npyBeam(t, dir, strings.Fields(c.args)...)
		if code != 0 || !strings.HasPrefix(out, c.out) {
			t.Fatalf("%s: exit code %d: %s%s", c.args, code, out, talk)
		}
		var src npy.Source
		path := filepath.Join(dir, strings.TrimSpace(out))
		if c.files > 0 {
			a, err := parts.OpenFile(path)
			if err != nil {
				t.Fatalf("%s: %v", c.args, err)
			}
			defer a.Close()
			if n := len(a.Manifest().Parts); n != c.files {
				t.Errorf("%s: %d files, want %d", c.args, n, c.files)
			}
			src = a
		} else if a, err := npy.ReadFile(path); err == nil {
			src = a
		} else {
			t.Fatalf("%s: %v", c.args, err)
		}
		if src.DType().String() != c.dtype || !slices.Equal(src.Shape(), c.shape) {
			t.Errorf("%s: dtype %s, shape %v, want %s and %v", c.args, src.DType(), src.Shape(), c.dtype, c.shape)
		}
	}
}

// Errors are one line, and say which use is wrong.
func TestErrors(t *testing.T) {
	dir := save(t)
	if err := os.WriteFile(filepath.Join(dir, "short.npy"), []byte("\x93NUMPY\x01\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"", "npy-beam stats", 2},
		{"sum a-1.npy", `unknown command "sum"`, 2},
		{"stats", "name IN", 2},
		{"stats none.npy", "none.npy", 1},
		{"stats none-*.npy", "npy-beam: no files match none-*.npy\n", 1},
		{"filter x[0]>5 a-1.npy one.npy", "name a folder", 2},
		{"reshard --memory much a-1.npy out", "such as 512M", 2},
		{"reshard --shard 2 a-1.npy out", "npy-beam -help", 2},
		{"stats --axis 0 --quantiles 0.5 a-1.npy", "leave them or --axis out", 2},
		{"stats --quantiles 0.5,2 a-1.npy", "--quantiles 0.5,2", 2},
		{"stats --axis 5 a-1.npy", "axis 5", 1},
		{"stats short.npy", "short.npy", 1},
		{"reshard a-1.npy", "name IN and OUT", 2},
		{"convert a-1.npy out", "give --dtype", 2},
		{"convert --dtype float99 a-1.npy out", "--dtype", 2},
		{"convert --dtype i4 a-1.npy out", "cast", 1},
		{"filter y>1 a-1.npy out", "y", 1},
		{"transpose --axes 1,x a-1.npy out", "--axes 1,x", 2},
		{"rechunk --axis 1 a-1.npy out.npy", "name a folder", 2},
		{"shuffle a-1.npy .", "has files", 1},
	} {
		_, talk, code := npyBeam(t, dir, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(talk, c.want) {
			t.Errorf("npy-beam %s: exit code %d, want %d: %s", c.args, code, c.code, talk)
		}
		if c.args != "" && strings.Count(talk, "\n") != 1 {
			t.Errorf("npy-beam %s: more than one line: %s", c.args, talk)
		}
	}
}
