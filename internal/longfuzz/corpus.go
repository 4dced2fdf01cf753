package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A corpus is the set of inputs of a target, in testdata/fuzz of its package.
type corpus struct {
	target
	program string // the tests of the package, built with coverage
	profile string // the file for the coverage
}

func (c corpus) dir() string { return filepath.Join(c.target.dir, "testdata", "fuzz", c.name) }

// Larger inputs are not kept: the repository is for small ones.
const largest = 16 << 10

// minimize adds the new inputs. It keeps each input, the smallest first, that runs a statement which neither the seeds
// in the test nor the inputs kept before it run. It returns the number of inputs kept and the coverage of all of them.
func (c corpus) minimize(found string) (kept int, coverage float64, err error) {
	inputs, err := c.take(found)
	if err != nil {
		return 0, 0, err
	}
	covered, statements, err := c.run(c.name + "$/^seed#")
	if err != nil {
		return 0, 0, err
	}
	keep, err := c.choose(covered, inputs)
	if err != nil {
		return 0, 0, err
	}
	for _, name := range inputs {
		if !slices.Contains(keep, name) {
			err = errors.Join(err, os.Remove(filepath.Join(c.dir(), name)))
		}
	}
	_ = os.Remove(c.dir()) // fails unless it is empty
	reached := 0
	for _, n := range covered {
		reached += n
	}
	return len(keep), 100 * float64(reached) / float64(max(statements, 1)), err
}

// take moves new inputs to the corpus, and returns all inputs, the smallest first.
func (c corpus) take(found string) ([]string, error) {
	if err := os.MkdirAll(c.dir(), 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(found)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(found, e.Name()))
		if err != nil || len(data) > largest {
			continue
		}
		if err := os.WriteFile(filepath.Join(c.dir(), e.Name()), data, 0o644); err != nil {
			return nil, err
		}
	}
	entries, err = os.ReadDir(c.dir())
	sizes := map[string]int64{}
	var names []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		names, sizes[e.Name()] = append(names, e.Name()), info.Size()
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(sizes[a], sizes[b]), strings.Compare(a, b)) })
	return names, err
}

// choose returns the inputs that add to the coverage, and adds it. A group of inputs that adds nothing is dropped at
// once; running many inputs takes a program hardly longer than running one.
func (c corpus) choose(covered map[string]int, inputs []string) ([]string, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	const atOnce = 500 // names in an argument
	if len(inputs) > atOnce {
		first, err := c.choose(covered, inputs[:atOnce])
		if err != nil {
			return nil, err
		}
		rest, err := c.choose(covered, inputs[atOnce:])
		return append(first, rest...), err
	}
	reached, _, err := c.run(c.name + "$/^(" + strings.Join(inputs, "|") + ")$")
	if err != nil {
		return nil, err
	}
	adds := false
	for block := range reached {
		adds = adds || covered[block] == 0
	}
	switch {
	case !adds:
		return nil, nil
	case len(inputs) == 1:
		for block, n := range reached {
			covered[block] = n
		}
		return inputs, nil
	}
	first, err := c.choose(covered, inputs[:len(inputs)/2])
	if err != nil {
		return nil, err
	}
	rest, err := c.choose(covered, inputs[len(inputs)/2:])
	return append(first, rest...), err
}

// run runs some inputs. It returns the covered blocks of statements with their sizes, and the size of all blocks.
func (c corpus) run(inputs string) (reached map[string]int, statements int, err error) {
	if out, err := command(c.target.dir, c.program, "-test.run=^"+inputs, "-test.coverprofile="+c.profile); err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	profile, err := os.ReadFile(c.profile)
	if err != nil {
		return nil, 0, err
	}
	reached = map[string]int{}
	for line := range bytes.Lines(profile) { // npy/print.go:10.2,12.3 2 1: a place, the number of statements, whether they ran
		fields := strings.Fields(string(line))
		if len(fields) != 3 {
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, 0, fmt.Errorf("coverage profile: %q", line)
		}
		statements += n
		if fields[2] != "0" && n > 0 {
			reached[fields[0]] = n
		}
	}
	return reached, statements, nil
}
