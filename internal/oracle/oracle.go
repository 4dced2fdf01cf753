// Package oracle runs the Python and NumPy of this machine, for tests that compare with them. It also gives tests the
// number of their random cases and the seed.
//
// Without them a test is skipped with a message. If the environment variable CI is set it fails instead, so that no
// comparison is lost unnoticed. NPY_PYTHON names the interpreter to use, which may find NumPy by PYTHONPATH. Otherwise
// it is the first of python3 on the path and the system's python3 that can import NumPy.
package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// NumPy runs a Python script with stdin and arguments, sys.argv[1:], and returns its output. The script starts with
// numpy imported as np and warnings off. A test should start one process for all its questions.
func NumPy(t testing.TB, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	python := find(t, "import numpy")
	return run(t, python, "import sys, json, warnings\nimport numpy as np\nwarnings.simplefilter('ignore')\n"+script, stdin, args)
}

// Module is NumPy for scripts that need another Python module as well. Without the module the test is skipped, or fails
// in CI; if NPY_PYTHON names the interpreter, it is skipped in CI too.
func Module(t testing.TB, module, script string, args ...string) []byte {
	t.Helper()
	return ModuleInput(t, module, script, nil, args...)
}

// ModuleInput is Module with stdin.
func ModuleInput(t testing.TB, module, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	if p := os.Getenv("NPY_PYTHON"); p != "" && exec.Command(find(t, "import numpy"), "-c", "import "+module).Run() != nil {
		t.Skipf("%s has no %s", p, module)
	}
	python := find(t, "import numpy, "+module)
	return run(t, python, "import sys, json, warnings\nimport numpy as np\nwarnings.simplefilter('ignore')\n"+script, stdin, args)
}

// MLDtypes is NumPy with ml_dtypes imported. Debian's NumPy has no ml_dtypes: the test is skipped unless NPY_PYTHON
// names an interpreter, and fails in CI if that interpreter lacks it.
func MLDtypes(t testing.TB, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	if os.Getenv("NPY_PYTHON") == "" {
		t.Skip("ml_dtypes is compared with where NPY_PYTHON names an interpreter that has it")
	}
	find(t, "import numpy, ml_dtypes")
	return NumPy(t, "import ml_dtypes\n"+script, stdin, args...)
}

// Ask starts one process with a script that prints numpy.__version__ as JSON and then, for every line of its input, a
// JSON answer to the JSON question there. It returns the version and an answer to each question.
func Ask[Q, A any](t testing.TB, script string, questions []Q) (version string, answers []A) {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	dec := json.NewDecoder(bytes.NewReader(NumPy(t, script, in.Bytes())))
	if err := dec.Decode(&version); err != nil {
		t.Fatal(err)
	}
	answers = make([]A, len(questions))
	for i := range answers {
		if err := dec.Decode(&answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return version, answers
}

// Python is NumPy without NumPy.
func Python(t testing.TB, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	return run(t, find(t, "pass"), script, stdin, args)
}

// find returns the first interpreter that can run a line.
func find(t testing.TB, line string) string {
	t.Helper()
	if Emulated || runtime.GOARCH == "386" || runtime.GOOS == "windows" {
		t.Skipf("NumPy is compared with on the machine's own architecture and system, not on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if testing.Short() {
		t.Skip("NumPy is not asked with -short")
	}
	candidates := []string{"python3", "/usr/bin/python3"}
	if p := os.Getenv("NPY_PYTHON"); p != "" {
		candidates = []string{p}
	}
	p, reason := able(line, candidates)
	if p != "" {
		return p
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("no Python that can run %q, which CI must have: %s", line, reason)
	}
	t.Skipf("no Python that can run %q to compare with", line)
	return ""
}

// interpreters are the results of able, so that a test process asks an interpreter for each line once.
var interpreters sync.Map // the line, the candidates and the paths that they depend on, joined, to string

// able returns the first of the interpreters that can run a line, or nothing and the output of the last interpreter.
func able(line string, candidates []string) (python string, reason []byte) {
	key := strings.Join(append([]string{line, os.Getenv("PATH"), os.Getenv("PYTHONPATH")}, candidates...), "\n")
	if p, ok := interpreters.Load(key); ok {
		return p.(string), nil
	}
	for _, p := range candidates {
		out, err := exec.Command(p, "-c", line).CombinedOutput()
		if err == nil {
			interpreters.Store(key, p)
			return p, nil
		}
		reason = out
	}
	return "", reason
}

// command returns a process of Python that runs a script. Sets have the same order every time, so that failures can be
// repeated.
func command(python, script string, args []string) *exec.Cmd {
	cmd := exec.Command(python, append([]string{"-c", script}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	return cmd
}

// piped starts a process of Python that runs a script with numpy as np, to be written to and read from.
func piped(t testing.TB, script string, stderr io.Writer, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	cmd = command(find(t, "import numpy"), "import sys, os, json, warnings\nimport numpy as np\n"+script, args)
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err = cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out
}

func run(t testing.TB, python, script string, stdin []byte, args []string) []byte {
	t.Helper()
	cmd := command(python, script, args)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", python, err, stderr.Bytes())
	}
	return out
}

// A Worker is a Python process that stays, for benchmarks that run NumPy beside Go: its start is not measured.
type Worker struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

// NewWorker starts a process that defines functions with a script, numpy being np. It ends with the test.
func NewWorker(t testing.TB, script string) *Worker {
	t.Helper()
	const loop = "\nfor line in sys.stdin:\n    globals()[line.strip()]()\n    print('done', flush=True)\n"
	cmd, in, out := piped(t, script+loop, os.Stderr)
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &Worker{in, bufio.NewScanner(out)}
}

// Call runs one of the functions.
func (w *Worker) Call(t testing.TB, name string) {
	t.Helper()
	if _, err := io.WriteString(w.in, name+"\n"); err != nil {
		t.Fatal(err)
	}
	if !w.out.Scan() {
		t.Fatalf("the Python process ended in %s", name)
	}
}
