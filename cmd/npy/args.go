package main

import (
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A stdinMark begins an argument that names a part of standard input, "-:member" or "-[index]", until the flags have been
// parsed. No argument of a program can have this character.
const stdinMark = "\x00"

// arguments prepares the arguments for cobra: arguments that begin with - and are no flags, and flags whose value may be left out.
func arguments(root *cobra.Command, args []string) []string {
	args = joinValues(root, numberRows(enclose(args)))
	for i, arg := range args {
		if strings.HasPrefix(arg, "-:") || strings.HasPrefix(arg, "-[") {
			args[i] = stdinMark + arg
		}
	}
	return args
}

// enclose puts arguments such as -1,3 into parentheses, so that they are not taken for flags.
func enclose(args []string) []string {
	if len(args) == 0 {
		return args
	}
	if s := findSubcommand(args[0]); s == nil || !s.minus {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9' {
			args[i] = "(" + arg + ")"
		}
	}
	return args
}

// numberRows makes -5 the value of -n, for subcommands that declare it.
func numberRows(args []string) []string {
	if len(args) == 0 {
		return args
	}
	if s := findSubcommand(args[0]); s == nil || !s.counts {
		return args
	}
	var all []string
	for i, arg := range args {
		isNumber := len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "0123456789") == ""
		if isNumber && args[i-1] != "-n" && args[i-1] != "--number" && args[i-1] != "-p" && args[i-1] != "--precision" {
			all = append(all, "-n", arg[1:])
			continue
		}
		if all = append(all, arg); arg == "--" {
			return append(all, args[i+1:]...)
		}
	}
	return all
}

// unmark makes a subcommand see the arguments without the marks of [arguments].
func unmark(c *cobra.Command) {
	run := c.RunE
	if run == nil {
		return
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		args = slices.Clone(args)
		for i := range args {
			args[i] = strings.TrimPrefix(args[i], stdinMark)
		}
		return run(c, args)
	}
}

// joinValues joins a flag whose value may be left out with the argument after it, if that is a value and not a file:
// "--histogram 5" becomes "--histogram=5".
func joinValues(root *cobra.Command, args []string) []string {
	if len(args) == 0 {
		return args
	}
	c, _, err := root.Find(args[:1])
	if err != nil {
		return args
	}
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(joined, args[i:]...)
		}
		name, isFlag := strings.CutPrefix(arg, "--")
		if f := c.Flags().Lookup(name); isFlag && f != nil && i+1 < len(args) && isOptionalValue(f, args[i+1]) {
			i++
			arg += "=" + args[i]
		}
		joined = append(joined, arg)
	}
	return joined
}

// isOptionalValue reports whether the argument after a flag is its value, though the flag needs none.
func isOptionalValue(f *pflag.Flag, arg string) bool {
	values := map[string]string{"int": "0123456789", "axes": "xyz"}[f.Value.Type()]
	return f.NoOptDefVal != "" && arg != "" && strings.Trim(arg, values) == "" && !input.Exists(arg)
}
