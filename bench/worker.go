package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

//go:embed worker.py
var workerScript string

// A worker is a Python process with NumPy. It runs for all rows, so that its start is not measured, and times its own
// work.
type worker struct {
	python  string
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	ask     *json.Encoder
	answers *json.Decoder
}

// startNumPy starts the first Python that has NumPy, in a folder. It tries only the Python of the environment
// variable NPY_PYTHON if set, otherwise the Pythons of the path and of the system.
func startNumPy(dir string) (*worker, error) {
	candidates := []string{"python3", "/usr/bin/python3"}
	if p := os.Getenv("NPY_PYTHON"); p != "" {
		candidates = []string{p}
	}
	for _, p := range candidates {
		if exec.Command(p, "-c", "import numpy").Run() == nil {
			return startWorker(p, dir)
		}
	}
	return nil, fmt.Errorf("no Python with NumPy among %q: install it, or name one in NPY_PYTHON", candidates)
}

func startWorker(python, dir string) (*worker, error) {
	cmd := exec.Command(python, "-c", workerScript)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &worker{python: python, cmd: cmd, in: in, ask: json.NewEncoder(in), answers: json.NewDecoder(out)}
	return w, w.call(&w.version, question{Do: "version"})
}

// Close ends the process.
func (w *worker) Close() error {
	return errors.Join(w.in.Close(), w.cmd.Wait())
}

type question struct {
	Do    string `json:"do"`
	Setup string `json:"setup"`
	Work  string `json:"work"`
	Ops   int    `json:"ops"`
}

// call sends a question and waits for the answer, which is stored in answer unless answer is nil.
func (w *worker) call(answer any, q question) error {
	if err := w.ask.Encode(q); err != nil {
		return fmt.Errorf("asking NumPy: %w", err)
	}
	reply := struct {
		Answer any
		Error  string
	}{Answer: answer}
	if err := w.answers.Decode(&reply); err != nil {
		return fmt.Errorf("NumPy's process ended: %w", err)
	}
	if reply.Error != "" {
		return fmt.Errorf("NumPy: %s", reply.Error)
	}
	return nil
}

// contender prepares a row and returns NumPy as its contender.
func (w *worker) contender(r *row) (*contender, error) {
	if err := w.call(nil, question{Do: "row", Setup: r.numpySetup, Work: r.numpy}); err != nil {
		return nil, err
	}
	return &contender{
		name: numpyName,
		sample: func() (d time.Duration, err error) {
			err = w.call(&d, question{Do: "sample", Ops: r.ops})
			return d, err
		},
		digest: func() (crc uint32, err error) {
			err = w.call(&crc, question{Do: "digest"})
			return crc, err
		},
	}, nil
}
