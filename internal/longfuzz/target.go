package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A target is one function of a package's tests.
type target struct{ dir, name string }

func (t target) String() string {
	if t.dir == "." {
		return "npy." + t.name
	}
	return filepath.ToSlash(t.dir) + "." + t.name
}

// A result is the outcome of fuzzing a target.
type result struct {
	target
	time             time.Duration
	executions, kept int
	coverage         float64 // of the statements of its package, in percent
}

var declaration = regexp.MustCompile(`(?m)^func (Fuzz[A-Za-z0-9_]*)\(`)

// targets finds the fuzz targets below a folder.
func targets(root string) (all []target, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declaration.FindAllSubmatch(text, -1) {
			all = append(all, target{filepath.Dir(path), string(m[1])})
		}
		return err
	})
	return all, err
}

// fuzz fuzzes one target and keeps the new inputs.
func (t target) fuzz(work string, share time.Duration) (result, error) {
	program := filepath.Join(work, "fuzz.test")
	if out, err := command(".", "go", "test", "-c", "-fuzz", "^"+t.name+"$", "-o", program, "./"+t.dir); err != nil {
		return result{}, fmt.Errorf("%w\n%s", err, out)
	}
	found := filepath.Join(work, t.name)
	out, err := command(t.dir, program, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.fuzztime="+share.String(),
		"-test.fuzzminimizetime=20x", "-test.fuzzcachedir="+found)
	if err != nil && !atDeadline(out) {
		return result{}, fmt.Errorf("%w\n%s", err, out)
	}
	r := result{target: t, time: share, executions: lastNumber(out, "execs: ")}
	c := corpus{target: t, program: filepath.Join(work, "cover.test"), profile: filepath.Join(work, "profile")}
	if out, err := command(".", "go", "test", "-c", "-cover", "-covermode=set", "-coverpkg=./"+t.dir, "-o", c.program, "./"+t.dir); err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	r.kept, r.coverage, err = c.minimize(filepath.Join(found, t.name))
	return r, errors.Join(err, os.RemoveAll(found))
}

// atDeadline reports whether the fuzzer failed only because its time ended while an input ran, as it sometimes does.
func atDeadline(out []byte) bool {
	return bytes.Contains(out, []byte("context deadline exceeded")) && !bytes.Contains(out, []byte("Failing input"))
}

// lastNumber returns the last number after a label.
func lastNumber(out []byte, label string) int {
	i := bytes.LastIndex(out, []byte(label))
	if i < 0 {
		return 0
	}
	digits := regexp.MustCompile(`^\d+`).Find(out[i+len(label):])
	n, _ := strconv.Atoi(string(digits))
	return n
}

// command runs a program in a folder and returns its output.
func command(dir, name string, args ...string) ([]byte, error) {
	if !filepath.IsAbs(name) && strings.ContainsRune(name, filepath.Separator) {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		name = abs
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}
