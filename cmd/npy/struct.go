package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/typetext"
	"github.com/spf13/cobra"
)

var structSubcommand = subcommand{
	use:   "struct FILE",
	short: "Print a program in Go, C, Rust or Python that reads a file",
	group: lookGroup,
	reads: arrays,
	from:  anywhere,
	make:  structCommand,
}

func structCommand(a *app) *cobra.Command {
	var name string
	var maxHeader int
	lang := typetext.Languages()[0]
	c := &cobra.Command{
		Long: `Struct prints the type of an array's elements as source code, and the lines that read the file. Records become a
struct: in Go with tags for package record, in C and Rust packed, with every offset asserted, in Python a numpy.dtype. Names
of fields become valid, unique identifiers. Only the header of the file is read.`,
		Example: "  npy struct quakes.npy\n  npy struct --lang c quakes.npy\n  npy struct --lang rust --name Weight model.npz:weights",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("struct wants one file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if !slices.Contains(typetext.Languages(), lang) {
				return fmt.Errorf("--lang %s: want %s", lang, strings.Join(typetext.Languages(), ", "))
			}
			if name != "" {
				if err := typetext.CheckName(lang, name); err != nil {
					return fmt.Errorf("--name: %w", err)
				}
			}
			return a.printType(args, lang, name, maxHeader)
		},
	}
	f := c.Flags()
	f.StringVar(&lang, "lang", lang, "the `language`: "+strings.Join(typetext.Languages(), ", "))
	f.StringVarP(&name, "name", "n", "", "the `name` of the type, instead of one after the file")
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	return c
}

// printType prints the code for the one array that the argument names.
func (a *app) printType(args []string, lang, name string, maxHeader int) error {
	o := a.opener(a.decoder(maxHeader, nil))
	o.Headers = true
	var found []info
	other := false // the array is in a file that is neither .npy nor .npz
	err := a.each(o, args, "", func(t input.Target) error {
		if t.Index != nil {
			return fmt.Errorf("%s%s: struct reads headers of whole arrays; leave the index out", t.Name(), t.Sub)
		}
		i, err := readInfo(a.ctx, o, t)
		if err == nil {
			found = append(found, i)
			other = t.Container != nil && t.Container.NPZ() == nil
		}
		return diagnose.Of(t.Name(), diagnose.Explain(err))
	})
	if err != nil || len(found) == 0 {
		return err
	}
	i := found[0]
	if len(found) > 1 {
		return diagnose.Of(args[0], fmt.Errorf("%d arrays; choose one, such as %s", len(found), i.name()))
	}
	file, array := codePath(i.File), member(i)
	if other {
		file, array = path.Base(array)+".npy", ""
		a.talk("the code reads %s, which 'npy convert %s %s' makes", file, i.name(), file)
	}
	code, err := typetext.Code(lang, typetext.Array{
		Path: file, Member: array, DType: i.dtype, Shape: i.Shape, FortranOrder: i.FortranOrder, Name: name,
	})
	if err != nil {
		return diagnose.Of(i.name(), err)
	}
	_, err = a.out.Write(code)
	return err
}

func member(i info) string {
	if i.Member == nil {
		return ""
	}
	return *i.Member
}

// codePath returns the path that the code reads: of standard input and compressed files, one that could have the array.
func codePath(path string) string {
	if path == "-" {
		return "data.npy"
	}
	if c, plain := input.CompressionOf(path); c != nil {
		path = plain
	}
	return filepath.ToSlash(path)
}
