package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/counted"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
	"github.com/spf13/cobra"
)

var pickleSubcommand = subcommand{
	use:   "pickle FILE...",
	short: "Say what a pickle would do in Python, without running it",
	group: lookGroup,
	reads: npyFiles | archives | pickles,
	from:  anywhere,
	json:  []jsonObject{{"", results.Pickle{}}, {"globals", results.PickleGlobal{}}},
	make:  pickleCommand,
}

func pickleCommand(a *app) *cobra.Command {
	var asJSON, dis bool
	c := &cobra.Command{
		Long: `Pickle lists every class and function that a pickle names, how the pickle uses it, and what Python would do to load the
pickle: execute no code that npy knows of, import a module, or run code. Npy itself imports and runs nothing.

FILE is an array of Python objects (.npy), a pickle (.pkl), or an archive of these (.npz, or .pt of PyTorch). Every byte is
checked. A file may hold several arrays and pickles, and all are listed. Bytes that are neither, and bytes of an archive that
belong to no member, have the verdict "unknown". Offsets count from the start of the file or member.

The verdict "no code execution known" means that npy knows every call and its arguments. It is not a proof: it assumes the
original Python, NumPy and modules, and does not cover what a program does with the data later. All other calls have the verdict
"would run code". --dis prints the opcodes as Python's pickletools does, with offsets from the start of the pickle.

The exit code is 0 if no code execution is known, and 1 if anything would be imported or run, is unknown, or is broken.`,
		Example: `  npy pickle model.npy
  npy pickle --json *.pkl
  curl -s https://example.org/a.pkl | npy pickle --dis -`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON && dis {
				return fmt.Errorf("--json and --dis do not go together; give one")
			}
			w := bufio.NewWriter(a.out)
			p := &pickleLister{app: a, w: w, print: (*results.Pickle).Print, dis: dis}
			if asJSON {
				p.print = (*results.Pickle).PrintJSON
			}
			for _, arg := range args {
				if err := p.list(arg); err != nil {
					return err
				}
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per pickle")
	c.Flags().BoolVar(&dis, "dis", false, "print the opcodes, as Python's pickletools does")
	return c
}

// A pickleLister lists the pickles of one file after another.
type pickleLister struct {
	*app
	w     io.Writer
	print func(*results.Pickle, io.Writer) error
	dis   bool
	file  input.Target
}

// list lists the pickles of an argument.
func (p *pickleLister) list(arg string) error {
	t, err := input.Parse(arg)
	switch {
	case err != nil:
		return err
	case t.Index != nil:
		return fmt.Errorf("%s: a pickle is listed as a whole; leave the index out", arg)
	}
	o := p.opener(npy.Decoder{})
	p.file, err = o.Open(t)
	if err != nil {
		return p.told(diagnose.Of(t.Path, err))
	}
	defer p.file.Close()
	if p.file.Container == nil {
		return p.all(o.Bytes(p.ctx, p.file))
	}
	if p.file.Container.NPZ() == nil {
		return p.told(diagnose.Of(t.Path, fmt.Errorf("%s files have no pickles", p.file.Container.Kind.Name)))
	}
	return p.archive(p.file.Container)
}

// archive lists the pickles in an archive, or in the members that the target names.
func (p *pickleLister) archive(c *input.Container) error {
	whole := p.file
	s, t, one, err := whole.Select()
	switch {
	case err != nil && !one:
		return fmt.Errorf("%s: %w", whole.Name(), err)
	case err != nil:
		return p.told(diagnose.Of(whole.Path, err))
	case t.Index != nil:
		return fmt.Errorf("%s%s: a pickle is listed as a whole; leave the index out", t.Name(), t.Sub)
	}
	if p.file = t; one {
		e, ok := c.NPZ().Entry(t.Member)
		if !ok {
			return p.told(diagnose.Of(whole.Path, c.Unknown(t.Member)))
		}
		return p.member(c, e)
	}
	if s.All() && !p.dis {
		if err := p.outside(c.NPZ()); err != nil {
			return err
		}
	}
	return p.members(c, s)
}

// members lists the pickles in the selected members.
func (p *pickleLister) members(c *input.Container, s input.Selection) error {
	whole := p.file
	names, entries := c.NPZ().Names(), c.NPZ().Entries()
	last, shown := map[string]int{}, map[string]int{}
	for i, e := range entries {
		last[e.Name] = i
		shown[names[i]]++
	}
	found := false
	for i, e := range entries {
		if !s.Has(names[i]) {
			continue
		}
		if found = true; strings.HasSuffix(e.Name, "/") && e.Size == 0 {
			continue // a folder
		}
		p.file = whole
		p.file.Member = names[i]
		if shown[names[i]] > 1 {
			p.file.Member = e.Name // "x" and "x.npy" are two
		}
		err := error(nil)
		if last[e.Name] == i {
			err = p.member(c, e)
		} else if !p.dis {
			err = p.report(&audit.Report{Kind: audit.Unexplained, Offset: e.HeaderOffset, Verdict: audit.Unknown,
				Err: errors.New("a member of the same name follows, and NumPy reads only that one; other programs may read this one")})
		}
		if err != nil {
			return err
		}
	}
	if !s.All() && !found {
		p.complain(diagnose.FileError{File: whole.Path, Err: c.Unknown(s.String())})
	}
	return nil
}

// outside reports the bytes in the file that are not part of the archive. NumPy looks at the first bytes only: it
// takes a file that does not begin as an archive for an array or a pickle.
func (p *pickleLister) outside(z *npz.Reader) error {
	unclaimed, err := z.Unclaimed()
	if err != nil {
		return p.told(diagnose.Of(p.file.Path, err))
	}
	if len(unclaimed) > 0 && unclaimed[0].Start == 0 && p.file.Path != "-" {
		f, err := os.Open(p.file.Path)
		if err != nil {
			return p.told(diagnose.Of(p.file.Path, err))
		}
		defer f.Close()
		if err := p.parts(f, unclaimed[0].End); err != nil {
			return err
		}
	}
	for _, u := range unclaimed {
		err := p.report(&audit.Report{Kind: audit.Unexplained, Offset: u.Start, Verdict: audit.Unknown,
			Err: fmt.Errorf("%s belong to no member of the archive", diagnose.Bytes(u.End-u.Start))})
		if err != nil {
			return err
		}
	}
	return nil
}

// member lists the pickles in a member. A member that is neither an array nor a pickle by its name or first byte is
// bytes, in NumPy too.
func (p *pickleLister) member(c *input.Container, e npz.Entry) error {
	f, err := c.Stream(p.ctx, e.Name)
	if err != nil {
		return p.told(diagnose.Of(p.file.Name(), err))
	}
	head, r := input.Peek(f, len(format.Magic))
	if string(head) != format.Magic && !input.IsPickle(head, e.Name) {
		f.Close()
		if input.IsArrayName(e.Name) {
			return p.told(diagnose.Of(p.file.Name(), fmt.Errorf("neither an array nor a pickle but %s: %w", diagnose.Bytes(e.Size), format.ErrMagic)))
		}
		p.talk("%s: %s", p.file.Name(), input.NotArray(e))
		return nil
	}
	return p.all(struct {
		io.Reader
		io.Closer
	}{r, f}, nil)
}

// all lists every part of a file or member.
func (p *pickleLister) all(f io.ReadCloser, err error) error {
	if err != nil {
		return p.told(diagnose.Of(p.file.Name(), err))
	}
	defer f.Close()
	if p.dis {
		r := counted.NewReader(input.Until(p.ctx, f), 1<<16)
		err := p.disassemble(r)
		if diagnose.IsBrokenPipe(err) {
			return err
		}
		if err == nil && p.file.Container != nil {
			_, err = io.Copy(io.Discard, r) // verifies the checksum
		}
		return p.told(diagnose.Of(p.file.Name(), err))
	}
	return p.parts(f, math.MaxInt64)
}

// parts reports the parts of a file that begin before offset end.
func (p *pickleLister) parts(f io.Reader, end int64) error {
	for r := range p.file.Auditor(p.limits).File(input.Until(p.ctx, f)) {
		var path *fs.PathError
		if errors.As(r.Err, &path) { // the system cannot read the file
			return p.told(diagnose.Of(p.file.Name(), r.Err))
		}
		if r.Offset >= end {
			return nil
		}
		if err := p.report(r); err != nil {
			return err
		}
	}
	return nil
}

// report prints the report on one part of a file.
func (p *pickleLister) report(r *audit.Report) error {
	p.failed = p.failed || r.Verdict > audit.NoCodeKnown || r.Err != nil
	return p.print(results.NewPickle(p.file, r), p.w)
}

// disassemble prints the opcodes of all pickles in a file: the pickle after each header, or consecutive pickles.
func (p *pickleLister) disassemble(r *counted.Reader) error {
	limits := p.file.Auditor(p.limits)
	d := pickle.Decoder{MaxBytes: -1, MaxNodes: limits.MaxNodes, Compressed: limits.Compressed}
	if d.MaxNodes == 0 && d.Compressed == nil {
		d.MaxNodes, d.MaxMemo = -1, -1
	}
	for first := true; ; first = false {
		start := r.Count
		head, _ := r.Peek(len(format.Magic))
		if len(head) == 0 {
			if first {
				return diagnose.Explain(io.EOF)
			}
			return nil
		}
		if string(head) == format.Magic {
			h, err := format.Decoder{}.ReadHeader(r)
			if err != nil {
				return diagnose.Explain(err)
			}
			if !h.DType.HasObject() {
				if _, err := io.CopyN(io.Discard, r, h.NBytes()); err != nil {
					return err
				}
				continue
			}
			start = r.Count
		}
		if err := d.Disassemble(p.w, r); err != nil {
			var e *pickle.Error
			if errors.As(err, &e) {
				moved := *e
				moved.Offset += start
				return &moved
			}
			return err
		}
	}
}
