package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/remote"
)

// An intoFile is a file that convert --into reads, and the one that it writes.
type intoFile struct{ in, out string }

// runInto converts files into a folder, each under its own name with the ending of the new format. Files that cannot be converted are
// told, and the others are converted nevertheless.
func (x *converting) runInto(a *app, args []string) error {
	a.existing = keepOut // OUT stands beside any number of inputs
	switch {
	case x.to == "":
		return errors.New("--into needs --to, the format of the new files")
	case len(args) == 0:
		return errors.New("convert --into wants files to convert")
	}
	files, err := a.intoFiles(args, x.into, x.to)
	if err != nil {
		return err
	}
	if !remote.IsURL(x.into) {
		if err := os.MkdirAll(x.into, 0o777); err != nil {
			return diagnose.Of(x.into, err)
		}
	}
	for _, f := range files {
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		y := *x
		if err := y.convert(a, f.in, f.out); err != nil {
			if err = a.told(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// intoFiles returns the files that the arguments name, and names for their conversions in a folder. Two files may not have one name.
func (a *app) intoFiles(args []string, folder, ending string) ([]intoFile, error) {
	names, err := a.expandFiles(args)
	if err != nil {
		return nil, err
	}
	var files []intoFile
	from := map[string]string{}
	for _, in := range names {
		t, err := input.Parse(in)
		if err != nil {
			return nil, err
		}
		if t.Path == "-" {
			return nil, errors.New("standard input has no name for a file in --into DIR; give OUT")
		}
		_, plain := input.CompressionOf(filepath.ToSlash(t.Path))
		base := plain[strings.LastIndex(plain, "/")+1:]
		out := strings.TrimSuffix(base, filepath.Ext(base)) + "." + strings.TrimPrefix(ending, ".")
		if remote.IsURL(folder) {
			out = strings.TrimSuffix(folder, "/") + "/" + out
		} else {
			out = filepath.Join(folder, out)
		}
		if other, ok := from[out]; ok {
			return nil, fmt.Errorf("%s and %s would both become %s; convert one of them alone", diagnose.FileName(other), diagnose.FileName(in), diagnose.FileName(out))
		}
		if err := checkSame(out, t.Path); err != nil {
			return nil, fmt.Errorf("%s would be replaced by its conversion; give another folder", diagnose.FileName(in))
		}
		from[out] = in
		files = append(files, intoFile{in, out})
	}
	return files, nil
}
