// Npy looks at, checks and converts NumPy's array files.
//
//	npy info FILE…        the contents of a file, from its header alone
//	npy show FILE         the values, as NumPy prints them
//	npy verify FILE…      everything that can be wrong
//	npy pickle FILE…      the functions that Python would run to read objects
//	npy convert IN OUT    between .npy, .csv, .tsv, .json and .ndjson
//
// "npy help" says more. FILE can be - for standard input, and FILE[0:10, ::2] is part of an array.
package main

// Reading the source. Each subcommand is a file of its name: usage, flags, and a run function; subcommand.go lists
// them, root.go runs one. app.go is one run of the command: streams, settings, and the errors so far. edit.go has the
// common part of cast, reshape, transpose and fields, rows.go of sort, sample, unique and group. entries.go
// describes the entries of containers for ls, tree and info. outputs.go chooses the format of OUT, urls.go has the flags
// for URLs. help.go groups and wraps the help, topics.go has the pages about no subcommand, man.go makes manual pages of
// the same texts. complete.go finds the candidates of a completion, complete_line.go answers the shells. interrupt.go
// ends a run at a signal.
//
// Code of several subcommands is in packages below internal. input turns arguments into npy.Source values: it opens
// each file once, so that pipes work, with the formats of formats.go, patterns, text and URLs. conversion is convert; its
// Output is how every subcommand writes: .npy, raw bytes, text, containers. check is verify, results prints stats,
// diff and pickle. diagnose makes one line of an error. limits has every limit of the library by its name.
//
// Package charts chooses the chart of each array (kind.go, pairs.go), reads it in bounded memory (line.go, scatter.go,
// histogram.go), counts the points left out (tally.go), chooses ticks (ticks.go, times.go), and draws (chart.go) on a
// canvas: pixels, SVG, PDF or characters. The canvases are our own because plotting packages, gonum/plot above all, take
// longer to initialise than npy info takes to read a header. A pictures.Picture reduces an array to pixels and colours
// them: npy show --image sends them to the terminal, npy plot puts axes around them.

import (
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
