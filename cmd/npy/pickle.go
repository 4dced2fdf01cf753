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
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
	"github.com/spf13/cobra"
)

func pickleCommand(a *app) *cobra.Command {
	var asJSON, dis bool
	c := &cobra.Command{
		Use:   "pickle FILE...",
		Short: "Say what a pickle would do in Python, without running it",
		Long: `Pickle lists every class and function that a pickle names, how it uses them, and what Python would do when it
loads the pickle: run no code that is known of, import a module, or run code. Nothing is imported or run.

FILE is an array of objects (.npy), a pickle by itself (.pkl), or an archive with such members (.npz, and .pt of PyTorch).
All of it is accounted for, to its last byte: of several arrays and pickles in one file all are listed, and what is neither,
or what is in an archive but in none of its members, gets the verdict "unknown". Offsets count from the start of the
file or member.

"No code execution known" is said of calls that are known, with arguments that are known, and is no proof: it takes Python,
NumPy and their modules for the real ones, and says nothing of what a program does with the data. "Would run code" is said
of all other calls. --dis prints the opcodes as Python's pickletools does, with offsets from the start of the pickle.

The exit code is 0 if no code execution is known, 1 if anything is imported, run, unknown or broken.`,
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
	print func(*pickleReport, io.Writer) error
	dis   bool
	file  target
}

// list lists the pickles of an argument.
func (p *pickleLister) list(arg string) error {
	t, err := parseTarget(arg)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", arg, err)
	case t.index != nil:
		return fmt.Errorf("%s: a pickle is listed as a whole", arg)
	}
	p.file = t
	z, err := p.openArchive(t.path, npy.Decoder{})
	switch {
	case err != nil:
		return p.told(says(t.path, err))
	case z == nil && t.member != "":
		return p.told(says(t.path, fmt.Errorf("the file is one array and no archive, so there is no member %q", t.member)))
	case z == nil:
		return p.all(p.open(t))
	}
	defer z.close()
	return p.archive(z)
}

// archive lists the pickles in an archive, or in the members that the target names.
func (p *pickleLister) archive(z *archive) error {
	whole := p.file
	whole.archive = z
	pattern, _, err := z.cutPattern(whole)
	if err != nil {
		return fmt.Errorf("%s: %w", whole.name(), err)
	}
	if whole.member != "" && pattern == "" {
		t, err := z.resolve(whole)
		switch {
		case err != nil:
			return p.told(says(whole.path, err))
		case t.index != nil:
			return fmt.Errorf("%s%s: a pickle is listed as a whole", t.name(), t.sub)
		}
		e, ok := z.Entry(t.member)
		if !ok {
			return p.told(says(whole.path, z.unknown(t.member)))
		}
		p.file = t
		return p.member(z, e)
	}
	if pattern == "" && !p.dis {
		if err := p.outside(z); err != nil {
			return err
		}
	}
	return p.members(z, pattern)
}

// members lists the pickles in all members, or in the members that match a pattern.
func (p *pickleLister) members(z *archive, pattern string) error {
	whole := p.file
	names, entries := z.Names(), z.Entries()
	last, shown := map[string]int{}, map[string]int{}
	for i, e := range entries {
		last[e.Name] = i
		shown[names[i]]++
	}
	found := false
	for i, e := range entries {
		if pattern != "" && !matches(pattern, names[i]) {
			continue
		}
		if found = true; strings.HasSuffix(e.Name, "/") && e.Size == 0 {
			continue // a folder
		}
		p.file = whole
		p.file.archive, p.file.member = z, names[i]
		if shown[names[i]] > 1 {
			p.file.member = e.Name // "x" and "x.npy" are two
		}
		err := error(nil)
		if last[e.Name] == i {
			err = p.member(z, e)
		} else if !p.dis {
			err = p.report(&audit.Report{Kind: audit.Unexplained, Offset: e.HeaderOffset, Verdict: audit.Unknown,
				Err: errors.New("a member of the same name follows, which alone NumPy reads; others may read this one")})
		}
		if err != nil {
			return err
		}
	}
	if pattern != "" && !found {
		p.complain(fileError{whole.path, z.unknown(pattern)})
	}
	return nil
}

// outside reports the bytes in the file that are not part of the archive. NumPy looks at the first bytes only: it
// takes a file that does not begin as an archive for an array or a pickle.
func (p *pickleLister) outside(z *archive) error {
	unclaimed, err := z.Unclaimed()
	if err != nil {
		return p.told(says(p.file.path, err))
	}
	if len(unclaimed) > 0 && unclaimed[0].Offset == 0 && p.file.path != "-" {
		f, err := os.Open(p.file.path)
		if err != nil {
			return p.told(says(p.file.path, err))
		}
		defer f.Close()
		if err := p.parts(f, unclaimed[0].Size); err != nil {
			return err
		}
	}
	for _, u := range unclaimed {
		err := p.report(&audit.Report{Kind: audit.Unexplained, Offset: u.Offset, Verdict: audit.Unknown,
			Err: fmt.Errorf("%s belong to no member of the archive", bytesText(u.Size))})
		if err != nil {
			return err
		}
	}
	return nil
}

// member lists the pickles in a member. A member that is neither an array nor a pickle by its name or first byte is
// bytes, in NumPy too.
func (p *pickleLister) member(z *archive, e npz.Entry) error {
	f, err := z.stream(e.Name)
	if err != nil {
		return p.told(says(p.file.name(), err))
	}
	head, r := peek(f, len(format.Magic))
	if string(head) != format.Magic && !isPickle(head, e.Name) {
		f.Close()
		size := bytesText(e.Size)
		if isArrayName(e.Name) {
			return p.told(says(p.file.name(), fmt.Errorf("no array and no pickle but %s: %w", size, format.ErrMagic)))
		}
		p.talk("%s: no array but %s", p.file.name(), size)
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
		return p.told(says(p.file.name(), err))
	}
	defer f.Close()
	if p.dis {
		r := &counter{r: bufio.NewReaderSize(f, 1<<16)}
		err := p.disassemble(r)
		if isBrokenPipe(err) {
			return err
		}
		if err == nil {
			err = p.file.finish(r)
		}
		return p.told(says(p.file.name(), err))
	}
	return p.parts(f, math.MaxInt64)
}

// parts reports the parts of a file that begin before offset end.
func (p *pickleLister) parts(f io.Reader, end int64) error {
	for r := range audit.File(f) {
		var path *fs.PathError
		if errors.As(r.Err, &path) { // the system cannot read the file
			return p.told(says(p.file.name(), r.Err))
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
	return p.print(newPickleReport(p.file, r), p.w)
}

// disassemble prints the opcodes of all pickles in a file: the pickle after each header, or consecutive pickles.
func (p *pickleLister) disassemble(r *counter) error {
	for first := true; ; first = false {
		start := r.n
		head, _ := r.r.Peek(len(format.Magic))
		if len(head) == 0 {
			if first {
				return explain(io.EOF)
			}
			return nil
		}
		if string(head) == format.Magic {
			h, err := format.Decoder{}.ReadHeader(r)
			if err != nil {
				return explain(err)
			}
			if !h.DType.HasObject() {
				if _, err := io.CopyN(io.Discard, r, h.NBytes()); err != nil {
					return err
				}
				continue
			}
			start = r.n
		}
		if err := pickle.Disassemble(p.w, r); err != nil {
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

// Peek is [bufio.Reader.Peek].
func (c *counter) Peek(n int) ([]byte, error) { return c.r.Peek(n) }

// Buffered is [bufio.Reader.Buffered].
func (c *counter) Buffered() int { return c.r.Buffered() }

// Discard is [bufio.Reader.Discard].
func (c *counter) Discard(n int) (int, error) {
	n, err := c.r.Discard(n)
	c.n += int64(n)
	return n, err
}
