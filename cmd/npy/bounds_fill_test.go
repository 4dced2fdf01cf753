//go:build linux && !race

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/source"
)

// fillCommands are uses of the command on the file IN, an array of a container that may describe far more elements than its file
// stores.
var fillCommands = []string{
	"info IN", "ls IN", "tree IN", "show IN", "show --full IN", "show --json IN", "head IN", "tail IN", "sample -n 3 IN",
	"stats IN", "stats --json IN", "stats --axis 0 IN", "stats --axis -1 IN", "stats --histogram IN", "stats --quantiles 0,0.5,1 IN", "stats --unique IN",
	"verify IN", "unique IN", "unique --by-count IN", "group --by x IN", "group --by x --agg count,mean:x,std:x,min:x,first:x IN", "group --by a --agg sum:b,max:b,median:b IN",
	"diff IN SAME", "diff IN OTHER", "diff SAME IN",
	"sort IN OUT.npy", "sort -n 3 IN", "sort --by a IN OUT.npy", "sort --axis 0 IN OUT.npy",
	"plot -o OUT.png IN", "plot --kind hist -o OUT.png IN", "plot --kind scatter -o OUT.png IN", "plot --kind heatmap -o OUT.png IN", "show --image IN",
	"convert IN OUT.npy", "convert --order F IN OUT.npy", "convert IN OUT.h5", "convert IN OUT.npz", "convert IN OUT.nc", "convert IN OUT.mat",
	"convert IN OUT.csv", "convert IN OUT.json", "convert IN OUT.ndjson", "convert IN OUT.md", "convert IN OUT.raw", "convert IN OUT.npy.gz", "convert IN -",
	"cast c16 IN OUT.npy", "reshape -1,1 IN OUT.npy", "transpose IN OUT.npy", "fields --drop s IN OUT.npy", "concat OUT.npy IN IN", "pack OUT.npz IN", "unpack -q -C OUT IN", "cp IN OUT.h5",
	"split --parts 2 IN OUT-%d.npy", "split --rows 1000 IN OUT-%d.npy", "append COPY IN", "struct IN",
	"show --where x>1 IN", "stats --where x>=0 IN", "convert --where x<1 IN OUT.npy", "stats --where a==1 IN", "stats --where any(x>0) IN",
}

// fillFiles returns the fixtures whose names begin so.
func fillFiles(t *testing.T, prefix string) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/fill/" + prefix + "*.h5")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	return files
}

// fillCPU is the processor time that a run may take: enough to read 256 MiB, which every file may describe.
const fillCPU = 4 * time.Second

// The command ends soon for an array of 2**40 elements in a file of a few kilobytes, which stores almost none of the elements.
// The result is right or an error of a limit, and the output is small.
func TestFillsAreBounded(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("many runs, which are the same on all machines")
	}
	every, turn := 30, oracle.Rand(t).IntN(30) // other uses for each seed
	if os.Getenv("NPY_CASES") != "" {
		every = 1
	}
	dir := t.TempDir()
	files := fillFiles(t, "big-")
	runs, limits, slowest, slowestRun := 0, 0, time.Duration(0), ""
	for i, file := range files {
		for j, command := range fillCommands {
			if (i*5+j+turn)%every > 0 {
				continue
			}
			x := trial{use{args: command}, file, file, files[(i+1)%len(files)]}
			c := x.measure(t, dir)
			runs++
			if strings.Contains(c.message, "MaxRatio") {
				limits++
			}
			if c.cpu > fillCPU || c.out > 512<<10 && !strings.HasSuffix(command, ".npy") || strings.Contains(c.message, "goroutine") {
				t.Errorf("%s of %s: %+v", command, filepath.Base(file), c)
			}
			if c.cpu > slowest {
				slowest, slowestRun = c.cpu, command+" of "+filepath.Base(file)
			}
		}
	}
	t.Logf("%d runs, %d of them ended at MaxRatio; the most processor time, %v, took %s", runs, limits, slowest.Round(time.Millisecond), slowestRun)
}

// An array that its file hardly stores is appended whole or not at all. It is not cut into more files than the limit.
func TestFillsAreRefused(t *testing.T) {
	dir := t.TempDir()
	path, in := filepath.Join(dir, "a.npy"), "testdata/fill/big-extensible.h5"
	if err := npy.Save(path, []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"append", path, in}, "MaxRatio"},
		{[]string{"split", "--rows", "1000", in, filepath.Join(dir, "part-%d.npy")}, "MaxParts"},
	} {
		var talk bytes.Buffer
		if code := run(test.args, nil, io.Discard, &talk); code != exitNo || !strings.Contains(talk.String(), test.want) {
			t.Errorf("%s: exit code %d, %q", test.args[0], code, talk.String())
		}
	}
	files, err := os.ReadDir(dir)
	if data, _, e := npy.Load[float64](path); err != nil || e != nil || len(files) != 1 || len(data) != 2 {
		t.Errorf("%d files, %d elements, %v, %v", len(files), len(data), err, e)
	}
}

// placesOfFiles matches the differences between the output for two files with the same array.
var placesOfFiles = regexp.MustCompile(`[^ "]*(small|twin)[^ ":]*(:x)?`)

// Results for arrays whose equal elements are counted equal the results for the same array with every element stored. NumPy made
// the stored elements.
func TestFillsAsNumPy(t *testing.T) {
	z, err := npz.Open("testdata/fill/small.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	every, turn := 4, oracle.Rand(t).IntN(4)
	if os.Getenv("NPY_CASES") != "" {
		every = 1
	}
	for i, file := range fillFiles(t, "small-") {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "small-"), ".h5")
		a, err := z.Array(name)
		if err != nil {
			t.Fatal(err)
		}
		twin := filepath.Join(dir, "twin-"+name+".h5")
		w, err := hdf5.Encoder{Store: true}.Create(twin)
		if err == nil {
			err = errors.Join(w.Add("x", a), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		for j, command := range []string{
			"stats IN", "stats --json IN", "stats --axis 0 IN", "stats --axis -1 IN", "stats --histogram=7 --quantiles 0,0.25,0.5,1 IN", "stats --unique IN", "unique --by-count IN",
			"group --by x --agg count,mean:x,min:x IN", "group --by a --agg count,sum:b,first:s IN", "sort -n 5 IN", "show --where x>2 IN", "stats --where x<3 IN", "stats --where a>1 IN", "stats --where any(x>0) IN", "convert IN -",
		} {
			if (i+j+turn)%every > 0 {
				continue
			}
			got, want := outputOf(command, file), outputOf(command, twin)
			if got != want {
				t.Errorf("%s of %s:\n%.600s\nwant\n%.600s", command, file, got, want)
			}
		}
		if code := run([]string{"diff", file, twin}, nil, new(bytes.Buffer), new(bytes.Buffer)); code != exitDone {
			t.Errorf("diff of %s and its twin: exit code %d", file, code)
		}
	}
}

// outputOf returns a command's output for a file, without the places of the file.
func outputOf(command, file string) string {
	var out, talk bytes.Buffer
	code := run(strings.Fields(strings.Replace(command, "IN", file, 1)), nil, &out, &talk)
	text := out.String()
	if command == "convert IN -" && code == exitDone {
		return text
	}
	return fmt.Sprint(code, placesOfFiles.ReplaceAllString(text+talk.String(), "FILE"))
}

// dots is an array of zeros, with a 1 at each multiple of gap. Only dotSize elements from each 1 on are stored.
type dots struct{ n, gap int }

const dotSize = 16 // elements that are stored together

func (d dots) DType() dtype.Type { return dtype.Float64 }
func (d dots) Shape() []int      { return []int{d.n * d.gap} }
func (d dots) ReadAll(context.Context) (*npy.Array, error) {
	return nil, errors.New("the array was read")
}
func (d dots) Blocks(context.Context, int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) { yield(nil, errors.New("the blocks were read")) }
}
func (d dots) Select(index ...npy.Index) (npy.Source, error) {
	cut, err := source.CutIndex(d.Shape(), index)
	if err != nil || cut.Start%d.gap > 0 || cut.Count != dotSize {
		return nil, fmt.Errorf("elements from %d on, %v", cut.Start, err)
	}
	values := make([]float64, dotSize)
	values[0] = 1
	return npy.FromSlice(values)
}
func (d dots) Regions(context.Context) (*npy.Regions, error) {
	zero, err := npy.FromSlice([]float64{0}, []int{}...)
	return &npy.Regions{Constant: d.n * (d.gap - dotSize), All: func(yield func(npy.Region) bool) {
		for i := range d.n {
			if !yield(npy.Region{Origin: []int{i * d.gap}, Shape: []int{dotSize}}) || !yield(npy.Region{Origin: []int{i*d.gap + dotSize}, Shape: []int{d.gap - dotSize}, Value: zero}) {
				return
			}
		}
	}}, err
}

// dotted returns an HDF5 file with n chunks, each a megabyte or more from the next.
func dotted(gap int) func(n int) string {
	return func(n int) string {
		return containerOf("a.h5", func(w container.Writer) error {
			return container.Put(context.Background(), w, container.Entry{Path: "x", Chunks: []int{dotSize}}, nil, dots{n, gap})
		})
	}
}

// Costs grow with the number of chunks that are stored, and not with how far they are apart.
func TestFillsInProportion(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("many runs, which are the same on all machines")
	}
	every, turn := 20, oracle.Rand(t).IntN(20)
	if os.Getenv("NPY_CASES") != "" {
		every = 1
	}
	for i, g := range []growing{{"dots.h5", 250, dotted(1 << 20)}, {"far-dots.h5", 250, dotted(math.MaxInt>>31 + 1)}} {
		dir := t.TempDir()
		small, large := g.files(t, dir, g.n), g.files(t, dir, 4*g.n)
		for j, command := range fillCommands {
			if (7*i+j+turn)%every > 0 {
				continue
			}
			small.use, large.use = use{args: command}, use{args: command}
			least, most := small.measure(t, dir), large.measure(t, dir)
			for try := 0; try < 4 && !most.inProportion(least, 4); try++ { // other processes disturb a run now and then
				least, most = least.cheap(small.measure(t, dir)), most.cheap(large.measure(t, dir))
			}
			if !most.inProportion(least, 4) {
				t.Errorf("%s of %s: n and 4n take\n  %+v\n  %+v", command, g.name, least, most)
			}
		}
	}
}
