package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/remote"
	"github.com/spf13/pflag"
)

// Subcommands whose first argument is OUT replace a file only with --force, since one forgotten argument would replace
// an input.

var errExists = errors.New("the file exists; --force replaces it")

func addForce(f *pflag.FlagSet, force *bool) {
	f.BoolVarP(force, "force", "f", false, "replace an existing file")
}

// checkNew returns an error if path is an existing file and force is not set. more is the text of other ways out.
func (a *app) checkNew(path string, force bool, more string) error {
	if remote.IsURL(path) && !force {
		a.urls.Options.IfAbsent = true // it may appear before the new file is complete
		if exists, err := a.exists(path); err != nil || !exists {
			return err
		}
		return diagnose.Of(path, fmt.Errorf("%w%s", errExists, more))
	}
	info, err := os.Stat(path)
	if force || path == "-" || err != nil || info.Mode()&os.ModeType != 0 {
		return nil
	}
	return diagnose.Of(path, fmt.Errorf("%w%s", errExists, more))
}
