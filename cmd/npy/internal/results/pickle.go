package results

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
)

// Verdicts are the names of the audit's verdicts, in JSON and in text.
var Verdicts = [...]struct{ Name, Text string }{
	audit.NoCodeKnown: {"data", "no code execution known"},
	audit.ImportsOnly: {"import", "would import a module"},
	audit.Unknown:     {"unknown", "unknown"},
	audit.RunsCode:    {"code", "would run code"},
}

// A Pickle is the JSON form of the report on one pickle; its keys are a promise.
type Pickle struct {
	File     string         `json:"file"`
	Member   *string        `json:"member"`
	Offset   *int64         `json:"offset"`   // null if there is no pickle
	Protocol *int           `json:"protocol"` // null if there is no pickle
	Verdict  string         `json:"verdict"`
	Globals  []PickleGlobal `json:"globals"`
	Error    *PickleFault   `json:"error"`

	of *audit.Report
}

// A PickleGlobal is a class or function that a pickle names.
type PickleGlobal struct {
	Module  string   `json:"module"`
	Name    string   `json:"name"`
	Offset  int64    `json:"offset"`
	Op      string   `json:"op"`
	Uses    []string `json:"uses"`
	Verdict string   `json:"verdict"`
	Reason  *string  `json:"reason"` // why a known global would run code; null for others
}

// A PickleFault is a fault of a pickle.
type PickleFault struct {
	Offset  int64  `json:"offset"`
	Message string `json:"message"`
}

// NewPickle returns the report on one part of a file.
func NewPickle(file input.Target, of *audit.Report) *Pickle {
	r := &Pickle{File: file.Path, Member: file.MemberName(), Verdict: Verdicts[of.Verdict].Name, Globals: []PickleGlobal{}, of: of}
	if of.Kind != audit.Array {
		r.Offset = &of.Offset
	}
	if of.Kind == audit.Pickle {
		r.Protocol = &of.Protocol
	}
	for _, i := range of.Imports {
		g := PickleGlobal{i.Module, i.Name, i.Offset, i.Op, []string{}, Verdicts[i.Verdict].Name, nil}
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
func newPickleFault(of *audit.Report) *PickleFault {
	var p *pickle.Error
	var f *format.Error
	var z *npz.Error
	switch {
	case of.Kind == audit.Unexplained && !errors.As(of.Err, &f):
		return &PickleFault{of.Offset, diagnose.Text(of.Err)}
	case errors.As(of.Err, &p):
		return &PickleFault{p.Offset, diagnose.Text(p.Err)}
	case errors.As(of.Err, &f):
		return &PickleFault{f.Offset, diagnose.Text(f.Err)}
	case errors.As(of.Err, &z):
		return &PickleFault{max(z.Offset, 0), diagnose.Text(z.Err)}
	}
	return &PickleFault{of.Offset, diagnose.Text(of.Err)}
}

// PrintJSON prints the report as an object.
func (r *Pickle) PrintJSON(w io.Writer) error {
	e := terminal.NewJSON(w)
	return e.Encode(r)
}

// MaxNamed is how many names a summary lists.
const MaxNamed = 10

const (
	maxShown  = 100  // bytes of a name
	tableRows = 1000 // lines aligned with each other
)

// name returns the file's name for messages.
func (r *Pickle) name() string {
	if r.Member == nil {
		return diagnose.FileName(r.File)
	}
	return diagnose.FileName(r.File) + ":" + *r.Member
}

// Print prints a line for each global and the verdict.
func (r *Pickle) Print(w io.Writer) error {
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
			text := Verdicts[g.Verdict].Text
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
func (r *Pickle) summary() string {
	text := Verdicts[r.of.Verdict].Text
	var names []string
	for _, g := range r.of.Imports {
		name := terminal.Printable(cut(g.Module + "." + g.Name))
		if g.Verdict == r.of.Verdict && g.Verdict > audit.NoCodeKnown && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > MaxNamed {
			names[MaxNamed] = "…"
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
