package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/npygo/npy/remote"
)

// workersAreHere reports whether the workers are goroutines of this process, so that they print where the user is.
func workersAreHere() bool {
	if environment := *jobopts.EnvironmentType; environment != "" {
		return strings.EqualFold(environment, "LOOPBACK")
	}
	name := strings.ToLower(*runners.Runner)
	return strings.HasPrefix(name, "direct") || *jobopts.Endpoint == "" && (name == "" || strings.HasPrefix(name, "prism"))
}

// A result is where a worker writes the result of stats: a path that does not depend on its working directory, a URL, or "" for
// the standard output of this process.
type result struct {
	path string
	show bool // print the file, which is a temporary one, when the job has ended
}

// newResult returns the place for a result: what the user names, or else standard output, by way of a temporary file if the workers
// are other processes.
func newResult(out string, here bool) (r result, err error) {
	switch {
	case remote.IsURL(out):
		return result{path: out}, nil
	case out != "":
		out, err = filepath.Abs(out)
		return result{path: out}, err
	case here:
		return result{}, nil
	}
	f, err := os.CreateTemp("", "npy-beam-*.txt")
	if err != nil {
		return result{}, err
	}
	return result{f.Name(), true}, f.Close()
}

// print prints the result of a job that has ended, unless a worker has written it where the user wants it.
func (r result) print(w io.Writer) error {
	if !r.show {
		return nil
	}
	text, err := os.ReadFile(r.path)
	if err == nil && len(text) == 0 {
		err = fmt.Errorf("the job has ended, but its workers do not have the files of this machine; give --out a URL")
	}
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// remove removes a temporary file.
func (r result) remove() {
	if r.show {
		os.Remove(r.path)
	}
}
