package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle"
	"github.com/spf13/cobra"
)

func pickleCommand(a *app) *cobra.Command {
	var asJSON, dis bool
	c := &cobra.Command{
		Use:   "pickle FILE...",
		Short: "Say what a pickle would do in Python, without running it",
		Long: `Pickle lists every class and function that a pickle names, how it uses them, and what Python would do when it
loads the pickle: make data only, import a module, or run code. Nothing is imported or run.

FILE is an array of objects (.npy), a pickle by itself (.pkl), or an archive with such members (.npz, and .pt of PyTorch);
of several pickles in one file all are listed. Offsets count from the start of the file or member. Only what is known to make data is called so: "would run code" says that it could.
--dis prints the opcodes as Python's pickletools does, with offsets from the start of the pickle.

The exit code is 0 if all is data, 1 if anything is imported or run, or a pickle is broken.`,
		Example: `  npy pickle model.npy
  npy pickle --json *.pkl
  curl -s https://example.org/a.pkl | npy pickle --dis -`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON && dis {
				return fmt.Errorf("--json and --dis do not go together; give one")
			}
			w := bufio.NewWriter(a.out)
			p := &pickleLister{app: a, w: w, print: (*pickleReport).print, dis: dis}
			if asJSON {
				p.print = (*pickleReport).printJSON
			}
			err := a.arrays(args, "", npy.Decoder{}, func(t target) error {
				if t.index != nil {
					return fmt.Errorf("%s%s: a pickle is listed as a whole", t.name(), t.sub)
				}
				err := p.list(t)
				if isBrokenPipe(err) {
					return err
				}
				return says(t.name(), err)
			})
			if err != nil {
				return err
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per pickle")
	c.Flags().BoolVar(&dis, "dis", false, "print the opcodes, as Python's pickletools does")
	return c
}

// verdicts are the names of pickle's verdicts: for machines, and as the end of "Python ...".
var verdicts = [...]struct{ name, text string }{
	pickle.DataOnly:    {"data", "makes data only"},
	pickle.ImportsOnly: {"import", "would import a module"},
	pickle.RunsCode:    {"code", "would run code"},
}

// A pickleReport is the JSON form of what there is to say about one pickle; its keys are a promise.
type pickleReport struct {
	File     string         `json:"file"`
	Member   *string        `json:"member"`
	Offset   *int64         `json:"offset"` // null if there is no pickle
	Protocol *int           `json:"protocol"`
	Verdict  string         `json:"verdict"`
	Globals  []pickleGlobal `json:"globals"`
	Error    *pickleFault   `json:"error"`

	worst  pickle.Verdict
	reason string // why there is no pickle
}

type pickleGlobal struct {
	Module  string   `json:"module"`
	Name    string   `json:"name"`
	Offset  int64    `json:"offset"`
	Op      string   `json:"op"`
	Uses    []string `json:"uses"`
	Verdict string   `json:"verdict"`

	verdict pickle.Verdict
}

type pickleFault struct {
	Offset  int64  `json:"offset"`
	Message string `json:"message"`
}

// A pickleLister goes through the pickles of one file after the other.
type pickleLister struct {
	*app
	w     io.Writer
	print func(*pickleReport, io.Writer) error
	dis   bool
	file  target
}

// list lists all pickles of a file: one behind each header, or those that follow each other.
func (p *pickleLister) list(t target) error {
	p.file = t
	f, err := p.open(t)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &counter{r: bufio.NewReaderSize(f, 1<<16)}
	inArrays := false
	for {
		head, _ := r.r.Peek(len(format.Magic))
		first := r.n == 0
		switch {
		case len(head) == 0 && first:
			return explain(io.EOF)
		case len(head) == 0:
			return nil
		case string(head) == format.Magic:
			inArrays = true
			if more, err := p.array(r); err != nil || !more {
				return err
			}
			continue
		case inArrays: // what NumPy ignores
			return nil
		case t.archive != nil && first && !isPickle(head, t.member):
			return fmt.Errorf("no pickle: %w", format.ErrMagic)
		}
		if more, err := p.one(r, first); err != nil || !more {
			return err
		}
	}
}

// array looks behind a header, and reports whether something can follow.
func (p *pickleLister) array(r *counter) (more bool, err error) {
	h, err := format.Decoder{}.ReadHeader(r)
	if err != nil {
		return false, explain(err)
	}
	if h.DType.HasObject() {
		return p.one(r, true)
	}
	report := &pickleReport{File: p.file.path, Member: p.file.memberName(), reason: "no pickle: dtype " + h.DType.Name(), Globals: []pickleGlobal{}, Verdict: verdicts[pickle.DataOnly].name}
	if !p.dis {
		err = p.print(report, p.w)
	}
	if err == nil {
		_, err = io.CopyN(io.Discard, r, h.NBytes())
	}
	if err == io.EOF {
		err = nil // a cut array has no more pickles
	}
	return err == nil, err
}

// one lists the pickle that comes next. If it is not the first, there need not be one.
func (p *pickleLister) one(r *counter, first bool) (more bool, err error) {
	start := r.n
	if p.dis {
		err = pickle.Disassemble(p.w, r)
		return err == nil, located(err, start)
	}
	head, _ := r.Peek(2)
	protocol := protocolOf(head)
	report := &pickleReport{File: p.file.path, Member: p.file.memberName(), Offset: &start, Protocol: &protocol}
	imports, err := pickle.Imports(r)
	if err != nil && !first && len(imports) == 0 {
		return false, nil // other data, of which no pickle is made
	}
	report.add(imports, located(err, start))
	p.failed = p.failed || report.worst > pickle.DataOnly || err != nil
	if err := p.print(report, p.w); err != nil {
		return false, err
	}
	return err == nil, nil
}

// Peek is that of bufio.Reader.
func (c *counter) Peek(n int) ([]byte, error) { return c.r.Peek(n) }

// Buffered is that of bufio.Reader.
func (c *counter) Buffered() int { return c.r.Buffered() }

// Discard is that of bufio.Reader.
func (c *counter) Discard(n int) (int, error) {
	n, err := c.r.Discard(n)
	c.n += int64(n)
	return n, err
}

// located moves an error of a pickle to its place in the file.
func located(err error, start int64) error {
	var e *pickle.Error
	if !errors.As(err, &e) {
		return err
	}
	moved := *e
	moved.Offset += start
	return &moved
}

// add fills in what the pickle names.
func (r *pickleReport) add(imports []pickle.Import, err error) {
	r.Globals = []pickleGlobal{}
	for _, i := range imports {
		uses := []string{}
		if text := i.Uses.String(); text != "" {
			uses = strings.Split(text, ", ")
		}
		r.Globals = append(r.Globals, pickleGlobal{i.Module, i.Name, *r.Offset + i.Offset, i.Op, uses, verdicts[i.Verdict].name, i.Verdict})
		r.worst = max(r.worst, i.Verdict)
	}
	r.Verdict = verdicts[r.worst].name
	if err != nil {
		r.Error = &pickleFault{Message: reason(err)}
		var e *pickle.Error
		if errors.As(err, &e) {
			r.Error.Offset, r.Error.Message = e.Offset, e.Err.Error()
		}
	}
}

func (r *pickleReport) printJSON(w io.Writer) error {
	e := newJSON(w)
	return e.Encode(r)
}

const (
	maxNamed  = 10   // names that are repeated in a summary
	maxShown  = 100  // bytes of a name
	tableRows = 1000 // lines that are aligned with each other
)

// name returns what to call the file.
func (r *pickleReport) name() string {
	if r.Member == nil {
		return fileName(r.File)
	}
	return fileName(r.File) + ":" + *r.Member
}

// print prints a line for each global and the verdict.
func (r *pickleReport) print(w io.Writer) error {
	name := printable(r.name())
	if r.Offset == nil {
		_, err := fmt.Fprintf(w, "%s: %s\n", name, r.reason)
		return err
	}
	fmt.Fprintf(w, "%s: pickle of protocol %d at byte %d\n", name, *r.Protocol, *r.Offset)
	for rows := range slices.Chunk(r.Globals, tableRows) {
		t := newTable(w, 2, 0)
		for _, g := range rows {
			fmt.Fprintf(t, "  byte %d\t%s\t%s\t%s\n", g.Offset, printable(cut(g.Module+"."+g.Name)), cmp.Or(strings.Join(g.Uses, ", "), "-"), verdicts[g.verdict].text)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if r.Error != nil {
		fmt.Fprintf(w, "  broken at byte %d: %s\n", r.Error.Offset, printable(r.Error.Message))
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", name, r.summary())
	return err
}

// summary is the verdict in words.
func (r *pickleReport) summary() string {
	text := verdicts[r.worst].text
	var names []string
	for _, g := range r.Globals {
		name := printable(cut(g.Module + "." + g.Name))
		if g.verdict == r.worst && r.worst > pickle.DataOnly && !slices.Contains(names, name) {
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
		text += "; then it is broken"
	}
	return text
}

// cut shortens a name that nobody would read to its end.
func cut(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return strings.ToValidUTF8(name[:maxShown], "") + "…"
}
