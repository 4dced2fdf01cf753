package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestStart counts what packages allocate before main, in each run of each subcommand: pages, tables and lists are made when they
// are needed.
func TestStart(t *testing.T) {
	const each, all = 64 << 10, 512 << 10
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	total, packages := 0, 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line) // init NAME @1.2 ms, 0.3 ms clock, 4567 bytes, 8 allocs
		if len(words) < 9 || words[0] != "init" {
			continue
		}
		n, err := strconv.Atoi(words[7])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if total += n; n > each {
			t.Errorf("package %s allocates %d bytes before main, over %d", words[1], n, each)
		}
		packages++
	}
	if packages < 20 || total > all {
		t.Errorf("%d packages allocate %d bytes before main, want at most %d", packages, total, all)
	}
}
