package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

// One rule says which existing files a subcommand replaces. It follows from its arguments: where one IN and one OUT are required,
// OUT is replaced. Where OUT may be left out, or stands beside any number of files, a forgotten or an expanded name would become
// OUT, so that it is replaced only with --force. 'npy help out' tells it.

// A replacing says what a subcommand does with an OUT that exists.
type replacing int

const (
	noOut      replacing = iota // there is no OUT
	replaceOut                  // it is replaced, unless --no-clobber is given
	keepOut                     // it is replaced only with --force
)

// addOut adds the flags of OUT to a subcommand. With -o, OUT is no argument.
func (s *subcommand) addOut(a *app, c *cobra.Command) {
	f := c.Flags()
	switch s.existing {
	case replaceOut:
		f.BoolVar(&a.urls.Options.IfAbsent, "no-clobber", false, "fail if OUT exists, instead of replacing it")
	case keepOut:
		f.BoolVarP(&a.force, "force", "f", false, "replace an existing file")
	}
	words := strings.Fields(s.use)[1:]
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(strings.Trim(word, "[]"), "OUT") })
	if at < 0 || f.Lookup("output") != nil {
		return
	}
	var out string
	f.StringVarP(&out, "output", "o", "", "the `file` to write, instead of the argument OUT")
	with := func(args []string) []string {
		if out == "" {
			return args
		}
		if at == 0 {
			return append([]string{out}, args...)
		}
		return append(slices.Clone(args), out)
	}
	check, run := c.Args, c.RunE
	c.Args = func(c *cobra.Command, args []string) error { return check(c, with(args)) }
	c.RunE = func(c *cobra.Command, args []string) error { return run(c, with(args)) }
}

// checkOut returns an error if path is an existing file that must not be replaced. more is the text of other ways out.
func (a *app) checkOut(existing replacing, path, more string) error {
	keep := existing == keepOut && !a.force
	if keep {
		a.urls.Options.IfAbsent = true // at a URL it may appear before the new file is complete
	}
	if path == "-" || !keep && !a.urls.Options.IfAbsent {
		return nil
	}
	if remote.IsURL(path) {
		if exists, err := a.exists(path); err != nil || !exists {
			return err
		}
	} else if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeType != 0 || isOpen(path) {
		return nil
	}
	if !keep {
		return diagnose.Of(path, errKept)
	}
	return diagnose.Of(path, fmt.Errorf("%w%s", errExists, more))
}

var (
	errExists = errors.New("the file exists; --force replaces it")
	errKept   = errors.New("the file exists, and --no-clobber does not replace it")
)

// isOpen reports whether a path names a file that the shell has opened for the command, such as /dev/stdout: it is not replaced.
func isOpen(path string) bool {
	return strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

// checkSame returns an error if OUT is a file that is read.
func checkSame(out string, in ...string) error {
	for _, path := range in {
		if path != "-" && input.SameFile(path, out) {
			return fmt.Errorf("IN and OUT are the same file; give another name for OUT")
		}
	}
	return nil
}
