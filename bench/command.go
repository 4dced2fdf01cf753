package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/npygo/npy/format"
)

// commandRows run whole processes: the time that a user waits at the prompt.
func commandRows(c *corpus) []*row {
	const name = "float64.npy"
	r := &row{
		name: "start the command", does: `npy info FILE, beside python3 -c 'import numpy …; np.load(FILE, mmap_mode="r")', again and again`, ops: 5, files: []string{name},
		setup: func() error {
			build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", c.path("npy.exe"), "github.com/npygo/npy/cmd/npy")
			build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in release builds
			out, err := build.CombinedOutput()
			if err != nil {
				return fmt.Errorf("building the command, which takes a go.work with it: %w\n%s", err, out)
			}
			return nil
		},
		npy:    once(c.commandInfo, c.path(name)),
		others: map[string]work{},
	}
	if c.python != "" {
		r.others[numpyName] = once(c.pythonInfo, c.path(name))
	}
	return []*row{r}
}

// commandInfo makes the command print the shape of a file.
func (c *corpus) commandInfo(path string) (string, error) {
	out, err := exec.Command(c.path("npy.exe"), "info", "--json", path).Output()
	if err != nil {
		return "", err
	}
	var info struct{ Shape []int }
	err = json.Unmarshal(out, &info)
	return format.ShapeString(info.Shape), err
}

func (c *corpus) pythonInfo(path string) (string, error) {
	const script = `import sys, numpy; print(numpy.load(sys.argv[1], mmap_mode="r").shape, end="")`
	out, err := exec.Command(c.python, "-c", script, path).Output()
	return string(out), err
}
