package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var manSubcommand = subcommand{
	use:      "man [SUBCOMMAND]",
	short:    "Print a manual page, or write all of them",
	to:       here,
	others:   true,
	complete: (*app).completeSubcommand,
	make:     manCommand,
}

// manCommand writes manual pages, for packagers. It is hidden.
func manCommand(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Long: `Man prints the manual page of npy or of one subcommand, in roff. With --directory it writes all pages into
a folder: npy.1, npy-info.1 and so on.`,
		Example: `  npy man show
  npy man --directory man1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dir != "" {
				return writeManuals(c.Root(), dir)
			}
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no manual page for %q", args)
			}
			_, err = a.out.Write(manual(about))
			return err
		},
	}
	c.Flags().StringVarP(&dir, "directory", "C", "", "write all pages into this `folder`")
	return c
}

// writeManuals writes a page for each subcommand.
func writeManuals(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return diagnose.FileError{File: dir, Err: err}
	}
	for _, c := range append(root.Commands(), root) {
		if c.Hidden || c.IsAdditionalHelpTopicCommand() || c.Name() == "help" {
			continue
		}
		path := filepath.Join(dir, manName(c)+".1")
		if err := npy.ReplaceFile(path, func(w io.Writer) error { _, err := w.Write(manual(c)); return err }); err != nil {
			return diagnose.FileError{File: path, Err: err}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manual returns the page of a subcommand, or the page of the whole command, which includes the topics.
func manual(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	m := new(manualPage)
	m.linef(".TH %s 1 \"\" \"npy %s\" \"NumPy's array files\"", strings.ToUpper(manName(c)), roff(version()))
	m.section("name")
	m.linef("%s \\- %s", roff(manName(c)), roff(c.Short))
	m.section("synopsis")
	m.linef("\\fB%s\\fR", roff(c.UseLine()))
	m.section("description")
	m.text(c.Long)
	if !c.HasParent() {
		m.subcommands()
	}
	m.section("options")
	c.LocalFlags().VisitAll(m.option)
	if c.Example != "" {
		m.section("examples")
		m.text(c.Example)
	}
	if c.HasParent() {
		m.section("see also")
		m.linef("\\fBnpy\\fR(1)")
		return m.Bytes()
	}
	for _, topic := range topics {
		m.section(topic.name)
		m.text(topic.text())
	}
	return m.Bytes()
}

// A manualPage is written in the macros of man(7).
type manualPage struct{ bytes.Buffer }

func (m *manualPage) linef(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *manualPage) section(title string) {
	m.linef(".SH \"%s\"", strings.ToUpper(strings.ReplaceAll(title, "-", " ")))
}

// text writes paragraphs, and indented lines unchanged.
func (m *manualPage) text(text string) {
	example := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if indented := strings.HasPrefix(line, " "); indented != example && line != "" {
			m.WriteString(map[bool]string{true: ".PP\n.EX\n", false: ".EE\n.PP\n"}[indented])
			example = indented
		}
		switch {
		case line != "":
			m.linef("%s", roff(line))
		case !example:
			m.linef(".PP")
		}
	}
	if example {
		m.linef(".EE")
	}
}

// option writes a flag and its description.
func (m *manualPage) option(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	placeholder, usage := pflag.UnquoteUsage(f)
	m.linef(".TP")
	letter := ""
	if f.Shorthand != "" {
		letter = fmt.Sprintf("\\fB\\-%s\\fR, ", f.Shorthand)
	}
	m.linef("%s\\fB\\-\\-%s\\fR \\fI%s\\fR", letter, roff(f.Name), roff(placeholder))
	m.linef("%s", roff(usage))
}

// subcommands lists all subcommands in the groups of help.
func (m *manualPage) subcommands() {
	var list strings.Builder
	printGroups(&list)
	m.section("subcommands")
	m.text(list.String())
}

// roff escapes the characters that have a meaning in roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
