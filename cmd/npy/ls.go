package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

func lsCommand(a *app) *cobra.Command {
	var style listStyle
	var maxHeader int
	c := &cobra.Command{
		Use:   "ls FILE.npz...",
		Short: "List the members of archives: dtype, shape, size, compression",
		Long: `Ls lists the members of archives: the dtype and shape of each array, its size and its size in the archive. It reads the
directory and the headers, not the arrays. It also lists names that are not valid as file names on every system. --json prints
one object per member. On a terminal, long names are shortened in the middle so that lines fit.`,
		Example: `  npy ls model.npz
  npy ls --tree model.npz
  npy ls --json *.npz`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			w := bufio.NewWriter(a.out)
			style.width = a.width()
			for i, path := range args {
				list, err := a.list(path, npy.Decoder{MaxHeader: maxHeader})
				if err != nil {
					a.complain(diagnose.FileError{File: path, Err: err})
					continue
				}
				if len(args) > 1 && !style.json {
					if i > 0 {
						fmt.Fprintln(w)
					}
					fmt.Fprintf(w, "%s:\n", terminal.Printable(diagnose.FileName(path)))
				}
				if err := list.print(w, style); err != nil {
					return err
				}
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&style.json, "json", false, "print one JSON object per member")
	c.Flags().BoolVar(&style.tree, "tree", false, "list members below the folders that their names have")
	flags.MaxHeader(c, &maxHeader)
	return c
}

// A listed is the JSON form of a member; its keys are a promise. A member that is not an array has no dtype and no
// shape.
type listed struct {
	File       string  `json:"file"`
	Member     string  `json:"member"`
	Name       string  `json:"name"` // in the archive
	DType      *string `json:"dtype"`
	Shape      []int   `json:"shape"`
	Size       int64   `json:"size"`       // bytes
	Compressed int64   `json:"compressed"` // bytes
	Method     string  `json:"method"`
	Portable   bool    `json:"portable"` // the name is valid on every system
	Error      *string `json:"error"`

	unportable string // the reason if not portable
}

type listing struct {
	members []listed
	sparse  string // the format of the SciPy matrix, if the archive is one
}

// list reads the directory and the headers of an archive.
func (a *app) list(path string, d npy.Decoder) (listing, error) {
	z, err := a.opener(d).OpenArchive(path)
	if err != nil {
		return listing{}, err
	}
	defer z.Close()
	l := listing{sparse: sparse(z)}
	for name, e := range z.Members() {
		m := listed{File: path, Member: name, Name: e.Name, Size: e.Size, Compressed: e.CompressedSize, Method: e.Method.String()}
		m.unportable = z.Unportable(e)
		m.Portable = m.unportable == ""
		if err := m.describe(z, e); err != nil {
			a.complain(diagnose.FileError{File: diagnose.FileName(path) + ":" + name, Err: err})
			text := diagnose.Text(err)
			m.Error = &text
		}
		l.members = append(l.members, m)
	}
	return l, nil
}

// describe adds the contents of the header. A member whose name does not end in .npy may be something other than an
// array.
func (m *listed) describe(z *input.Archive, e npz.Entry) error {
	info, err := z.Info(m.Member)
	if err == nil {
		name := info.Header.DType.Name()
		m.DType, m.Shape = &name, info.Header.Shape
		return nil
	}
	if e.Err == nil && !input.IsArrayName(e.Name) {
		return nil
	}
	return diagnose.Explain(err)
}

// A listStyle says how members are listed.
type listStyle struct {
	json, tree bool
	width      int // of the terminal, 0 for any
}

func (l listing) print(w io.Writer, style listStyle) error {
	if style.json {
		e := terminal.NewJSON(w)
		for _, m := range l.members {
			if err := e.Encode(m); err != nil {
				return err
			}
		}
		return nil
	}
	if l.sparse != "" {
		fmt.Fprintln(w, l.sparse)
	}
	t := &terminal.Columns{Width: style.width, Right: "lllrrr", Cut: []int{0, 2, 1}, Drop: []int{6, 5, 4}}
	t.Row("NAME", "DTYPE", "SHAPE", "BYTES", "STORED", "RATIO", "METHOD")
	all := treeOf(l.members)
	if style.tree {
		all.rows(t, "")
	} else {
		for _, m := range l.members {
			m.row(t, terminal.Printable(m.Member))
		}
	}
	if len(l.members) != 1 {
		t.Row(diagnose.Counted(len(l.members), "member"), "", "", bytesText(all.size), bytesText(all.stored), ratio(all.stored, all.size), "")
	}
	if err := t.Print(w); err != nil {
		return err
	}
	l.printUnportable(w)
	return nil
}

// row adds the line of a member.
func (m listed) row(t *terminal.Columns, name string) {
	dtype, shape := "-", "-"
	if m.DType != nil {
		dtype, shape = *m.DType, format.ShapeString(m.Shape)
	}
	t.Row(name, terminal.Printable(dtype), shape, bytesText(m.Size), bytesText(m.Compressed), ratio(m.Compressed, m.Size), m.Method)
}

func bytesText(n int64) string { return strconv.FormatInt(n, 10) }

// printUnportable lists the members that need other names on some systems.
func (l listing) printUnportable(w io.Writer) {
	const most = 5
	n := 0
	for _, m := range l.members {
		if m.unportable == "" {
			continue
		}
		if n++; n <= most {
			fmt.Fprintf(w, "%s: %s\n", terminal.Printable(m.Name), terminal.Printable(m.unportable))
		}
	}
	if n > most {
		fmt.Fprintf(w, "and %d more\n", n-most)
	}
	if n > 0 {
		fmt.Fprintln(w, "'npy unpack --portable-names' writes such members under other names")
	}
}

// ratio formats the compressed size as a share of the size.
func ratio(stored, size int64) string {
	if size == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(stored)/float64(size))
}

// sparse describes the SciPy matrix in an archive, or returns "" if there is none.
func sparse(z *input.Archive) string {
	for _, name := range []string{"format", "shape", "data"} {
		if !z.Has(name) {
			return ""
		}
	}
	format, err := z.Array("format")
	if err != nil || format.Size() != 1 {
		return ""
	}
	shape, err := z.Array("shape")
	if err != nil || shape.Size() != 2 {
		return ""
	}
	data, err := z.Info("data")
	if err != nil {
		return ""
	}
	kind, err := npy.As[string](format)
	if err != nil {
		return ""
	}
	sides, err := npy.As[int64](shape)
	if err != nil {
		return ""
	}
	n := sides.ToSlice()
	return terminal.Printable(fmt.Sprintf("sparse matrix of SciPy: %s, %d x %d, %s, %d elements stored", kind.ToSlice()[0], n[0], n[1], data.Header.DType.Name(), data.Header.Size()))
}
