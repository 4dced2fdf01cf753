package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// Pythons returns several interpreters, for tests of differences between versions of CPython: the interpreters in
// NPY_PYTHONS, separated by colons, else the interpreter of [Python], and python3.6, python3.7 and so on from the path.
// No two of them are the same program.
func Pythons(t testing.TB) []string {
	t.Helper()
	candidates := filepath.SplitList(os.Getenv("NPY_PYTHONS"))
	if len(candidates) == 0 {
		candidates = []string{find(t, "pass")}
		for minor := 6; minor < 30; minor++ {
			candidates = append(candidates, "python3."+strconv.Itoa(minor))
		}
	}
	var found, seen []string
	for _, p := range candidates {
		out, err := exec.Command(p, "-c", "import sys, os; sys.stdout.write(os.path.realpath(sys.executable))").Output()
		if err == nil && !slices.Contains(seen, string(out)) {
			found, seen = append(found, p), append(seen, string(out))
		}
	}
	return found
}

// Run is [Python] with one of the interpreters of [Pythons].
func Run(t testing.TB, python, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	return run(t, python, script, stdin, args)
}
