package main

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

const (
	exitDone  = 0
	exitNo    = 1 // an input failed
	exitUsage = 2 // wrong use
)

// run runs the command and returns the exit code. Nothing else exits, except endNow.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ignoreBrokenPipe()
	a := newApp(stdin, stdout, stderr)
	defer a.endAtSignal()()
	code := a.run(args)
	var i interruption
	if errors.As(context.Cause(a.ctx), &i) {
		a.keepProgress()
		return i.exitCode()
	}
	return code
}

// run runs the subcommand that the arguments name.
func (a *app) run(args []string) int {
	if len(args) > 0 && args[0] == lineRequest {
		return a.completeLine(args[1:])
	}
	if slices.ContainsFunc(args, remote.IsURL) {
		a.secrets = withoutSecrets(args)
	}
	root := a.root(args)
	root.SetArgs(arguments(root, args))
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.addCompletions(root)
	}
	err := root.Execute()
	a.tellRequests()
	switch {
	case a.stdout.Err != nil && !diagnose.IsBrokenPipe(a.stdout.Err):
		a.report("standard output: %s; the output is incomplete", diagnose.Text(a.stdout.Err))
		if a.trouble {
			return exitUsage
		}
		return exitNo
	case a.stdout.Err != nil, err == nil && !a.failed, diagnose.IsBrokenPipe(err):
		return exitDone
	case err == nil && a.trouble:
		return exitUsage
	case err == nil:
		return exitNo
	}
	if u, ok := err.(diagnose.FileError); ok {
		a.complain(u)
		return exitNo
	}
	a.report("%v%s", err, hintFor(err, args))
	a.point(err)
	return exitUsage
}

// root makes the command with its subcommands. If the arguments name a subcommand that does not need the others, they are left
// out: making them all takes a tenth of the time of 'npy info'.
func (a *app) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "npy SUBCOMMAND [flags] FILE...",
		Short: "Look at, check and convert NumPy's array files",
		Long: `Npy looks at, checks and converts NumPy's array files (.npy) and archives of them (.npz), without Python.

FILE is a path, or - for standard input; '-:MEMBER' and '-[0]' are parts of it. FILE.npz:MEMBER is one array of an archive, and FILE.npz means all of them;
FILE.h5:GROUP/NAME is one of another file that has several: ` + input.FormatEndingNames("or") + `. A part
of an array is named as in NumPy: 'FILE[0:10, ..., ::2]' or 'FILE.npz:MEMBER[0]'. Quote it, because brackets have a meaning
in shells. Patterns with * and ? stand for all files or members that match.

Results go to standard output, messages to standard error. The exit code is 0 for success, 1 if an input failed, and 2 for
wrong use.`,
		Example: `  npy show a.npy
  npy show 'a.npy[-1, ::10]'
  npy convert a.npy a.csv`,
		Version:               version(),
		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
		Args:                  noCommand,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.out, start)
			return err
		},
	}
	root.SetIn(a.stdin.Reader)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.DisableDefaultCmd = true // completionCommand takes its place
	root.SetHelpFunc(a.printHelp)
	root.SetFlagErrorFunc(flagError)
	if len(args) > 0 {
		if s := findSubcommand(args[0]); s != nil && !s.others {
			root.AddCommand(s.command(a))
			return root
		}
	}
	for _, s := range subcommands {
		c := s.command(a)
		if root.AddCommand(c); s == &helpSubcommand {
			root.SetHelpCommand(c)
		}
	}
	for _, topic := range topics {
		root.AddCommand(&cobra.Command{Use: topic.name, Short: topic.short, Long: topic.text()})
	}
	return root
}

// release is set by the linker: go build -ldflags "-X main.release=v1.2.3".
var release string

// version returns the release, or "devel" for a build from a work tree.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// addPatterns makes a subcommand expand patterns if its usage says FILE... and it takes any number of files.
func (a *app) addPatterns(c *cobra.Command) {
	from := slices.IndexFunc(strings.Fields(c.Use)[1:], func(arg string) bool {
		return strings.HasSuffix(arg, "...") && !strings.HasPrefix(arg, "MEMBER") && arg != "PART..." // which sort them
	})
	if from < 0 || c.RunE == nil {
		return
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if a.joinAxis.Given { // the files of a pattern are one array
			return run(c, args)
		}
		files, err := a.expandFiles(args[from:])
		if err != nil {
			return err
		}
		return run(c, append(slices.Clone(args[:from]), files...))
	}
}
