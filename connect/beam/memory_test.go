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

// The memory of a worker process grows until all branches are busy, and far less than the array.
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
	for _, c := range []struct {
		name  string
		write bool
		o     Options
	}{
		{"stats", false, Options{}},
		{"reshard", true, Options{Shards: 16}},
		{"shuffle", true, Options{Shards: 16, Shuffle: true}},
	} {
		var used []int
		for _, megabytes := range []int{64, 256, 1024} {
			dir := t.TempDir()
			job := workerJob{Endpoint: *jobopts.Endpoint, Pattern: sparse(t, dir, megabytes<<20), Options: c.o}
			if c.write {
				job.Dir = filepath.Join(dir, "out")
			}
			out, err := job.worker(t).Output()
			var kilobytes int
			if i := bytes.Index(out, []byte("VmHWM:")); err == nil && i >= 0 {
				_, err = fmt.Sscanf(string(out[i:]), "VmHWM: %d kB", &kilobytes)
			}
			if err != nil || kilobytes == 0 {
				t.Fatalf("%s: %v: %s", c.name, err, out)
			}
			used = append(used, kilobytes>>10)
			os.RemoveAll(dir)
		}
		t.Logf("%s of 64, 256 and 1,024 MB: %d MB of memory", c.name, used)
		if limit := used[1]*3/2 + 64; used[2] > limit {
			t.Errorf("%s of 1,024 MB takes %d MB of memory, want at most %d", c.name, used[2], limit)
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
