package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// start is printed for npy without arguments.
const start = `Npy looks at, checks and converts NumPy's array files, without Python.

  npy info a.npy               what is in it: dtype, shape, order, size
  npy show a.npy               its values; 'a.npy[-1, ::10]' is a part
  npy convert a.npy a.csv      to another format, chosen by the ending, and back
  npy verify a.npy             check it for errors
  npy ls a.npz                 the arrays in an archive; a.npz:NAME is one

'npy help' lists all subcommands, 'npy help show' explains one.
`

var helpSubcommand = subcommand{
	use:      "help [SUBCOMMAND | TOPIC]",
	short:    "Explain a subcommand or a topic",
	group:    helpGroup,
	others:   true,
	complete: (*app).completeSubcommand,
	make:     helpCommand,
}

// helpCommand is 'npy help', for subcommands and topics.
func helpCommand(*app) *cobra.Command {
	return &cobra.Command{
		Long: "Help explains a subcommand or a topic, or lists them all.",
		Example: `  npy help show
  npy help slices`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			about, _, err := root.Find(args)
			if err != nil || about == root && len(args) > 0 {
				return withHint(fmt.Errorf("there is no help on %q", args[0]), suggest.DidYouMean("'npy help %s'", args[0], commandNames(root)))
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// printHelp prints the help of a subcommand or a topic, or the overview.
func (a *app) printHelp(c *cobra.Command, _ []string) {
	width := textWidth(a.out)
	fmt.Fprintln(a.out, wrap(c.Long, width))
	if c.Runnable() {
		fmt.Fprintf(a.out, "\nUsage:\n  %s\n", c.UseLine())
	}
	if !c.HasParent() {
		printGroups(a.out)
	}
	if c.Example != "" {
		fmt.Fprintf(a.out, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableLocalFlags() && c.Runnable() {
		for _, g := range flags.Groups(c) {
			fmt.Fprintf(a.out, "\n%s:\n%s", g.Title, g.Flags.FlagUsagesWrapped(width))
		}
	}
}

// printGroups lists the subcommands and topics with a line for each.
func printGroups(w io.Writer) {
	const line = "  %-11s %s\n"
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s:\n", group)
		for _, s := range subcommands {
			if s.group == group {
				fmt.Fprintf(w, line, s.name(), s.short)
			}
		}
	}
	fmt.Fprintf(w, "\nTopics, as in 'npy help slices':\n")
	for _, t := range slices.SortedFunc(slices.Values(topics), func(a, b topic) int { return strings.Compare(a.name, b.name) }) {
		fmt.Fprintf(w, line, t.name, t.short)
	}
}

// textWidth is the width to wrap text to: the width of the terminal, up to a limit beyond which text is hard to read.
func textWidth(out io.Writer) int {
	const usual, most = 80, 100
	if width, _, ok := terminal.Size(out); ok && width > 20 {
		return min(width, most)
	}
	return usual
}

// wrap breaks the lines of each paragraph to a width. Indented lines stay as they are.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			if column > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line + "\n")
			column = 0
			continue
		}
		for _, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			if column > 0 && column+1+n > width {
				b.WriteByte('\n')
				column = 0
			}
			if column > 0 {
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// noCommand is the error for a first argument that is no subcommand.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if t, _ := input.Parse(word); input.Exists(t.Path) {
		return withHint(fmt.Errorf("%s is a file", word), "; did you mean 'npy show FILE'?")
	}
	return withHint(fmt.Errorf("unknown command %q for %q", word, root.Name()), suggest.DidYouMean("'npy %s'", word, commandNames(root)))
}

// commandNames returns the names of all subcommands and help topics.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError adds a suggestion to an error of package pflag about a wrong flag.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return withHint(err, suggest.DidYouMean("--%s", unknown.GetSpecifiedName(), names))
	case errors.As(err, &invalid):
		cause := invalid.Unwrap()
		if errors.Is(cause, strconv.ErrSyntax) || errors.Is(cause, strconv.ErrRange) {
			cause = fmt.Errorf("want a value of type %s", invalid.GetFlag().Value.Type())
		}
		if diagnose.Caret(cause) != nil { // which has the value
			return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, cause)
		}
		return fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), cause)
	}
	return err
}

// A hinted is wrong use whose text ends with a suggestion.
type hinted struct{ error }

// withHint adds a suggestion to the text of an error, if there is one.
func withHint(err error, hint string) error {
	if hint == "" {
		return err
	}
	return hinted{fmt.Errorf("%w%s", err, hint)}
}

// hintFor returns the help to read after wrong use.
func hintFor(err error, args []string) string {
	if errors.As(err, new(hinted)) {
		return ""
	}
	if len(args) > 0 && args[0] != helpSubcommand.name() && findSubcommand(args[0]) != nil {
		return "; see 'npy help " + args[0] + "'"
	}
	return "; see 'npy help'"
}

// someFiles returns an error if there are no arguments.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s wants at least one file", c.Name())
	}
	return nil
}
