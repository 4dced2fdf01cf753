//go:build linux

// Bench times npy-beam beside the command npy, dask and cp, in turns, and prints a table:
//
//	cd connect/beam && GOWORK=off go run ./bench
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/npygo/npy"
)

// shares are the sizes of the files, in parts of the whole: skewed, as days and users are.
var shares = []int{640, 320, 160, 110, 80, 50, 30, 20}

const dask = `
import sys, dask, dask.array as da, numpy as np
x = da.concatenate([da.from_array(np.load(f, mmap_mode='r'), chunks='64MB') for f in sys.argv[1:]])
print(dask.compute(x.min(), x.max(), x.mean(), x.std(), x.sum()))`

// A contender is a command that is timed.
type contender struct {
	name  string
	args  []string
	of    string // the contender whose time it is compared with
	times []time.Duration
	peak  int64 // bytes
}

func main() {
	size := flag.Int("size", 1410, "size of the files together, in MB")
	rounds := flag.Int("rounds", 3, "how often each contender is timed")
	flag.Parse()
	dir, err := os.MkdirTemp("", "npy-beam-bench-")
	if err == nil {
		err = bench(dir, *size<<20, *rounds)
		os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func bench(dir string, size, rounds int) error {
	files, err := write(dir, size)
	if err != nil {
		return err
	}
	beam, command, out := filepath.Join(dir, "npy-beam"), filepath.Join(dir, "npy"), filepath.Join(dir, "out")
	for program, source := range map[string]string{beam: "./cmd/npy-beam", command: "../../cmd/npy"} {
		build := exec.Command("go", "build", "-o", program, ".")
		build.Dir = source
		if program == command {
			build.Env = append(os.Environ(), "GOWORK=")
		}
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
	}
	contenders := []*contender{
		{name: "`npy stats` of each file", args: append([]string{command, "stats"}, files...)},
		{name: "`npy-beam stats` of all", args: append([]string{beam, "stats"}, files...), of: "`npy stats` of each file"},
		{name: "dask: min, max, mean, std, sum", args: append([]string{"/usr/bin/python3", "-c", dask}, files...), of: "`npy stats` of each file"},
		{name: "`cp`", args: append(append([]string{"cp"}, files...), out)},
		{name: "`npy-beam reshard --shards 16`", args: append(append([]string{beam, "reshard", "--shards", "16"}, files...), filepath.Join(out, "all")), of: "`cp`"},
	}
	for range rounds {
		for _, c := range contenders {
			if err := c.run(out); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	fmt.Printf("| %.2f GB of float64 in %d files, medians of %d | time | ratio | memory |\n|---|---|---|---|\n", float64(size)/1e9, len(files), rounds)
	for _, c := range contenders {
		ratio := ""
		if i := slices.IndexFunc(contenders, func(o *contender) bool { return o.name == c.of }); i >= 0 {
			ratio = fmt.Sprintf("%.2f", float64(c.median())/float64(contenders[i].median()))
		}
		fmt.Printf("| %s | %.2f s | %s | %d MB |\n", c.name, c.median().Seconds(), ratio, c.peak>>20)
	}
	return nil
}

// write writes the files, by blocks: the memory of this process would be counted with its children's.
func write(dir string, size int) (files []string, err error) {
	whole := 0
	for _, share := range shares {
		whole += share
	}
	block := make([]float64, 1<<16)
	for i := range block {
		block[i] = float64(i%1000) / 7
	}
	for i, share := range shares {
		files = append(files, filepath.Join(dir, fmt.Sprintf("part-%d.npy", i)))
		w, err := npy.CreateRows[float64](files[i], npy.UnknownRows, 8)
		if err != nil {
			return nil, err
		}
		for n := size / whole * share / 8; err == nil && n > 0; n -= len(block) {
			err = w.Write(block[:min(n, len(block))/8*8])
		}
		if err := errors.Join(err, w.Close()); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// run times the command once, with an empty folder for what it writes.
func (c *contender) run(out string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), c.args[0], c.args[1:]...)
	began := time.Now()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	c.times = append(c.times, time.Since(began))
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peak = max(c.peak, usage.Maxrss<<10)
	}
	return nil
}

func (c *contender) median() time.Duration {
	times := slices.Sorted(slices.Values(c.times))
	return times[len(times)/2]
}
