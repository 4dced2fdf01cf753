//go:build linux

package npyio

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// The memory of a worker process does not grow with the array, once all CPUs are busy.
func TestWorkerMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 3 GB")
	}
	pattern, _ := saveSkewed(t, 1)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) { Stats(s, d) }) // starts Prism
	for name, job := range map[string]workerJob{
		"stats":     {},
		"histogram": {Statistics: "histogram"},
		"quantiles": {Statistics: "quantiles"},
		"axis":      {Statistics: "axis"},
		"reshard":   {Dir: "out", Options: Options{Shards: 16}},
		"one file":  {Dir: "out.npy"},
		"convert":   {Dir: "out", As: "<f4", Options: Options{Shards: 16}},
		"filter":    {Dir: "out", Where: "x[0] == 0", Options: Options{Shards: 16}},
		"rechunk":   {Dir: "out", Options: Options{Shards: 5, Axis: 1}},
		"transpose": {Dir: "out", Options: Options{Shards: 10, Axes: []int{1, 0}}},
		"shuffle":   {Dir: "out", Options: Options{Shards: 16, Shuffle: true}},
	} {
		var used []int
		for _, megabytes := range []int{64, 256, 1024} {
			dir := t.TempDir()
			job.Endpoint, job.Pattern = *jobopts.Endpoint, sparse(t, dir, megabytes<<20)
			if job.Dir != "" {
				job.Dir = filepath.Join(dir, filepath.Base(job.Dir))
			}
			out, err := job.worker(t).Output()
			var kilobytes int
			if i := bytes.Index(out, []byte("VmHWM:")); err == nil && i >= 0 {
				_, err = fmt.Sscanf(string(out[i:]), "VmHWM: %d kB", &kilobytes)
			}
			if err != nil || kilobytes == 0 {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
			used = append(used, kilobytes>>10)
			os.RemoveAll(dir)
		}
		t.Logf("%s of 64, 256 and 1,024 MB: %d MB of memory", name, used)
		if limit := used[1]*5/4 + 32; used[2] > limit {
			t.Errorf("%s of 1,024 MB takes %d MB of memory, want at most %d", name, used[2], limit)
		}
	}
}

// sparse makes a file of zeros, which takes no space on disk.
func sparse(t *testing.T, dir string, size int) (path string) {
	t.Helper()
	head, err := format.Header{DType: must(dtype.Parse("<f8")), Shape: []int{size / 80, 10}}.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "zeros.npy")
	if err := os.WriteFile(path, head, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(head)+size/80*80)); err != nil {
		t.Fatal(err)
	}
	return path
}
