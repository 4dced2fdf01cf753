package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
)

// verdicts are the names of the audit's verdicts, in JSON and in text.
var verdicts = [...]struct{ name, text string }{
	audit.NoCodeKnown: {"data", "no code execution known"},
	audit.ImportsOnly: {"import", "would import a module"},
	audit.Unknown:     {"unknown", "unknown"},
	audit.RunsCode:    {"code", "would run code"},
}

// A pickleReport is the JSON form of the report on one pickle; its keys are a promise.
type pickleReport struct {
	File     string         `json:"file"`
	Member   *string        `json:"member"`
	Offset   *int64         `json:"offset"`   // null if there is no pickle
	Protocol *int           `json:"protocol"` // null if there is no pickle
	Verdict  string         `json:"verdict"`
	Globals  []pickleGlobal `json:"globals"`
	Error    *pickleFault   `json:"error"`

	of *audit.Report
}

type pickleGlobal struct {
	Module  string   `json:"module"`
	Name    string   `json:"name"`
	Offset  int64    `json:"offset"`
	Op      string   `json:"op"`
	Uses    []string `json:"uses"`
	Verdict string   `json:"verdict"`
	Reason  *string  `json:"reason"` // why a known global would run code; null for others
}

type pickleFault struct {
	Offset  int64  `json:"offset"`
	Message string `json:"message"`
}

func newPickleReport(file target, of *audit.Report) *pickleReport {
	r := &pickleReport{File: file.path, Member: file.memberName(), Verdict: verdicts[of.Verdict].name, Globals: []pickleGlobal{}, of: of}
	if of.Kind != audit.Array {
		r.Offset = &of.Offset
	}
	if of.Kind == audit.Pickle {
		r.Protocol = &of.Protocol
	}
	for _, i := range of.Imports {
		g := pickleGlobal{i.Module, i.Name, i.Offset, i.Op, []string{}, verdicts[i.Verdict].name, nil}
		if text := i.Uses.String(); text != "" {
			g.Uses = strings.Split(text, ", ")
		}
		if i.Reason != "" {
			g.Reason = &i.Reason
		}
		r.Globals = append(r.Globals, g)
	}
	if of.Err != nil {
		r.Error = newPickleFault(of)
	}
	return r
}

// newPickleFault separates the offset of an error from its text.
func newPickleFault(of *audit.Report) *pickleFault {
	var p *pickle.Error
	var f *format.Error
	var z *npz.Error
	switch {
	case of.Kind == audit.Unexplained && !errors.As(of.Err, &f):
		return &pickleFault{of.Offset, reason(of.Err)}
	case errors.As(of.Err, &p):
		return &pickleFault{p.Offset, reason(p.Err)}
	case errors.As(of.Err, &f):
		return &pickleFault{f.Offset, reason(f.Err)}
	case errors.As(of.Err, &z):
		return &pickleFault{max(z.Offset, 0), reason(z.Err)}
	}
	return &pickleFault{of.Offset, reason(of.Err)}
}

func (r *pickleReport) printJSON(w io.Writer) error {
	e := terminal.NewJSON(w)
	return e.Encode(r)
}

const (
	maxNamed  = 10   // names listed in a summary
	maxShown  = 100  // bytes of a name
	tableRows = 1000 // lines aligned with each other
)

// name returns the file's name for messages.
func (r *pickleReport) name() string {
	if r.Member == nil {
		return fileName(r.File)
	}
	return fileName(r.File) + ":" + *r.Member
}

// print prints a line for each global and the verdict.
func (r *pickleReport) print(w io.Writer) error {
	name := terminal.Printable(r.name())
	switch r.of.Kind {
	case audit.Array:
		fmt.Fprintf(w, "%s: no pickle: dtype %s\n", name, terminal.Printable(r.of.Header.DType.Name()))
	case audit.Pickle:
		fmt.Fprintf(w, "%s: pickle of protocol %d at byte %d\n", name, *r.Protocol, *r.Offset)
	case audit.Unexplained:
		_, err := fmt.Fprintf(w, "%s: unknown at byte %d: %s\n", name, r.Error.Offset, terminal.Printable(r.Error.Message))
		return err
	}
	for rows := range slices.Chunk(r.of.Imports, tableRows) {
		t := terminal.NewTable(w, 2, 0)
		for _, g := range rows {
			text := verdicts[g.Verdict].text
			if g.Reason != "" {
				text += ": " + terminal.Printable(g.Reason)
			}
			fmt.Fprintf(t, "  byte %d\t%s\t%s\t%s\n", g.Offset, terminal.Printable(cut(g.Module+"."+g.Name)), cmp.Or(g.Uses.String(), "-"), text)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if r.Error != nil {
		fmt.Fprintf(w, "  unknown from byte %d on: %s\n", r.Error.Offset, terminal.Printable(r.Error.Message))
	}
	if r.of.Kind == audit.Array && r.Error == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", name, r.summary())
	return err
}

// summary is the verdict in words.
func (r *pickleReport) summary() string {
	text := verdicts[r.of.Verdict].text
	var names []string
	for _, g := range r.of.Imports {
		name := terminal.Printable(cut(g.Module + "." + g.Name))
		if g.Verdict == r.of.Verdict && g.Verdict > audit.NoCodeKnown && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > maxNamed {
			names[maxNamed] = "…"
			break
		}
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	if r.Error != nil {
		text += "; not all of it is explained"
	}
	return text
}

// cut shortens a long name.
func cut(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return strings.ToValidUTF8(name[:maxShown], "") + "…"
}
