package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

// A target is what an argument names: a file, or - for standard input, and perhaps a part of its array.
type target struct {
	path  string
	index []npy.Index
	sub   string // the text of the index
}

// parseTarget cuts "FILE[index]" where FILE exists and the whole does not.
func parseTarget(arg string) (target, error) {
	if !strings.HasSuffix(arg, "]") || exists(arg) {
		return target{path: arg}, nil
	}
	for i := range len(arg) {
		if arg[i] != '[' || arg[:i] != "-" && !exists(arg[:i]) {
			continue
		}
		index, err := npy.ParseIndex(arg[i:])
		if err != nil {
			return target{}, fmt.Errorf("%s", reason(err))
		}
		return target{arg[:i], index, arg[i:]}, nil
	}
	return target{path: arg}, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// withSlice adds the index of a --slice flag.
func (t target) withSlice(text string) (target, error) {
	if text == "" {
		return t, nil
	}
	if t.index != nil {
		return t, fmt.Errorf("both %s and --slice name a part of the array; give one", t.sub)
	}
	index, err := npy.ParseIndex(text)
	if err != nil {
		return t, fmt.Errorf("--slice: %s", reason(err))
	}
	t.index, t.sub = index, text
	return t, nil
}

// open opens the file of a target.
func (a *app) open(t target) (io.ReadCloser, error) {
	if t.path == "-" {
		if isTerminal(a.in) {
			return nil, fmt.Errorf("standard input is a terminal; give a file, or pipe one in")
		}
		if f, ok := a.in.(*os.File); ok {
			return f, nil
		}
		return io.NopCloser(a.in), nil
	}
	return os.Open(t.path)
}

// load reads the array of a target, or the part of it that the target names.
func (a *app) load(t target, d npy.Decoder) (*npy.Array, error) {
	if f := openParts(t, d); f != nil {
		defer f.Close()
		array, err := f.Slice(t.index...)
		return array, explain(t.path, err)
	}
	f, err := a.open(t)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	array, err := read(f, t.path, d)
	if err != nil {
		return nil, explain(t.path, err)
	}
	if t.index == nil {
		return array, nil
	}
	return array.Slice(t.index...)
}

// explain adds what the command knows about files that are not arrays.
func explain(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		return &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	case strings.EqualFold(filepath.Ext(path), ".npz"):
		return fmt.Errorf("archives are not read; take out a member first, for example with unzip")
	case errors.Is(err, npy.ErrObjects):
		return errors.New("it holds Python objects, which --no-pickle refuses; without it they are read as data and nothing is run")
	case errors.Is(err, npy.ErrLimit):
		return raise(err)
	}
	if text, _, ok := strings.Cut(err.Error(), ": choose the Decoder's Encoding"); ok {
		return fmt.Errorf("%s; --encoding latin1 or bytes reads it", text)
	}
	return err
}

// raise adds to the error of a limit which flag raises it.
func raise(err error) error {
	for _, limit := range [...]struct{ field, flag string }{
		{"MaxHeader", "--max-header"}, {"MaxBytes", "--max-pickle"}, {"MaxDepth", "--max-depth"}, {"MaxShared", "--max-shared"},
	} {
		if strings.Contains(err.Error(), limit.field) {
			return fmt.Errorf("%w; raise it with %s", err, limit.flag)
		}
	}
	return err
}

// someFiles makes sure that there is something to work on.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s wants at least one file", c.Name())
	}
	return nil
}
