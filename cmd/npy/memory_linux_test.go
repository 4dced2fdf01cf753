//go:build !race

package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// Showing three elements of a file of 100 GB takes little memory, by the kernel's count for the process.
func TestShowSparseResident(t *testing.T) {
	if math.MaxInt == math.MaxInt32 || oracle.Emulated {
		t.Skip("more than this machine can address, or no programs to be started under the emulator")
	}
	elements := int64(100e9) / 8
	path := sparseFile(t, format.Header{DType: dtype.Float64, Shape: []int{int(elements)}})
	var out, talk bytes.Buffer
	cmd := &exec.Cmd{Path: os.Args[0], Args: []string{"npy-peak", "show", path + "[5000000000:5000000003]"}, Stdout: &out, Stderr: &talk}
	if err := cmd.Run(); err != nil || out.String() != "[0. 0. 0.]\n" {
		t.Fatalf("%v: %s%s", err, &out, &talk)
	}
	checkPeak(t, talk.String(), 20<<10)
}

// checkPeak holds the largest memory of a process, which it prints at its end, against a limit in KB.
func checkPeak(t *testing.T, talk string, limit int) {
	t.Helper()
	_, peak, _ := strings.Cut(talk, "VmHWM:")
	var kilobytes int
	if _, err := fmt.Sscan(peak, &kilobytes); err != nil || kilobytes > limit {
		t.Errorf("%d KB of memory, error %v", kilobytes, err)
	}
	t.Logf("%d KB", kilobytes)
}

// Charts of 20 million points take little memory, as charts of any number of points do.
func TestPlotSparseResident(t *testing.T) {
	if math.MaxInt == math.MaxInt32 || oracle.Emulated || testing.Short() {
		t.Skip("more than this machine can address, or no programs to be started under the emulator")
	}
	path := sparseFile(t, format.Header{DType: dtype.Float32, Shape: []int{20e6, 2}})
	for _, kind := range []string{"line", "scatter"} {
		var talk bytes.Buffer
		cmd := &exec.Cmd{Path: os.Args[0], Args: []string{"npy-peak", "plot", "--kind", kind, path, "-o", filepath.Join(t.TempDir(), "a.png")}, Stderr: &talk}
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v: %s", kind, err, &talk)
		}
		checkPeak(t, talk.String(), 90<<10)
	}
}
