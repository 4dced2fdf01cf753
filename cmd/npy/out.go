package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// addOut adds the flags of OUT to a subcommand that has one.
func (s *subcommand) addOut(a *app, c *cobra.Command) {
	switch s.existing {
	case noOut:
		return
	case replaceOut:
		c.Flags().BoolVar(&a.urls.Options.IfAbsent, "no-clobber", false, "fail if OUT exists, instead of replacing it")
	case keepOut:
		c.Flags().BoolVarP(&a.force, "force", "f", false, "replace an existing file")
	}
	check, run, withOut := c.Args, c.RunE, s.addOutput(c)
	c.Args = func(c *cobra.Command, args []string) error { return check(c, withOut(args)) }
	c.RunE = func(c *cobra.Command, args []string) error {
		a.existing = s.existing
		return run(c, withOut(args))
	}
}

// addOutput adds the flag -o to a subcommand with the argument OUT, and returns a function that puts its value among the arguments.
func (s *subcommand) addOutput(c *cobra.Command) func(args []string) []string {
	words := strings.Fields(s.use)[1:]
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(strings.Trim(word, "[]"), "OUT") })
	if at < 0 || c.Flags().Lookup("output") != nil {
		return func(args []string) []string { return args }
	}
	out := c.Flags().StringP("output", "o", "", "the `file` to write, instead of the argument OUT")
	return func(args []string) []string {
		switch {
		case *out == "":
			return args
		case at == 0:
			return append([]string{*out}, args...)
		}
		return append(slices.Clone(args), *out)
	}
}

// checkOut returns an error if path is an existing file that must not be replaced. more is the text of other ways out.
func (a *app) checkOut(path, more string) error {
	keep := a.existing == keepOut && !a.force
	if keep {
		a.urls.Options.IfAbsent = true // at a URL it may appear before the new file is complete
	}
	if base := filepath.Base(path); base == ".npy" || slices.Contains(input.FormatEndings(false), base) || slices.Contains(a.formats.Endings(), base) {
		return fmt.Errorf("OUT %s is an ending without a name; name it a%s, or print with - and --to %s", path, base, base[1:])
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

// isOpen reports whether a path names a file that the shell has opened for the command, which is not replaced. Other files in /dev may be
// the user's, as those in /dev/shm.
func isOpen(path string) bool {
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
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
