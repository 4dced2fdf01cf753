package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/spf13/cobra"
)

var lsSubcommand = subcommand{
	use:   "ls FILE...",
	short: "List the arrays of archives, " + input.FormatNames("and") + " files",
	group: containerGroup,
	reads: archives | containers,
	from:  anywhere,
	json:  []jsonObject{{"", listed{}}},
	make:  lsCommand,
}

func lsCommand(a *app) *cobra.Command {
	var style listStyle
	var maxHeader int
	var c *cobra.Command
	c = &cobra.Command{
		Long: `Ls lists the arrays of a file that has several: an archive, or an ` + input.FormatNames("or") + ` file. It prints the dtype and shape of each array, its size, its size
in the file, and how it is compressed. It reads headers, not the arrays. FILE
may name a group, or have a pattern: data.h5:run1, 'data.h5:*/mean'. In an
archive, names with slashes make groups.

Files that have groups, links or attributes are printed as a tree, with the
attributes, the shape of chunks, and the names of dimensions. --tree=false
prints a line for each array. A link to an array is not counted. An array that
cannot be read is listed with the reason, and the exit code is 1. Of archives,
ls also lists names that are not valid as file names on every system. --json
prints one object per array.

On a terminal, long names are shortened in the middle so that lines fit.`,
		Example: `  npy ls model.npz
  npy ls model.h5
  npy ls --tree --attributes=false data.nc
  npy ls --json *.npz`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			defer frugal()()
			w := bufio.NewWriter(a.out)
			style.width = a.width()
			tree, attributes := c.Flags().Changed("tree"), c.Flags().Changed("attributes")
			for i, arg := range args {
				list, err := a.list(w, arg, npy.Decoder{MaxHeader: maxHeader}, style)
				if errors.As(err, new(diagnose.FileError)) {
					a.told(err)
					continue
				}
				if err != nil {
					return err
				}
				if style.json {
					continue
				}
				style := style
				style.tree = style.tree || !tree && list.rich
				style.attributes = style.attributes || !attributes && style.tree
				if len(args) > 1 {
					if i > 0 {
						fmt.Fprintln(w)
					}
					fmt.Fprintf(w, "%s:\n", terminal.Printable(diagnose.FileName(arg)))
				}
				if err := list.print(w, style); err != nil {
					return err
				}
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&style.json, "json", false, "print one JSON object per array")
	c.Flags().BoolVar(&style.tree, "tree", false, "list arrays below their groups, or the folders that their names have")
	c.Flags().BoolVar(&style.attributes, "attributes", false, "print attributes below each array and group")
	flags.MaxHeader(c, &maxHeader)
	return c
}

// A listStyle says how members are listed.
type listStyle struct {
	json, tree, attributes bool
	noun                   string
	width                  int // of the terminal, 0 for any
}

// printJSON prints the object of an array, or of a group that has something to tell.
func (m listed) printJSON(w io.Writer) error {
	if m.group && !m.unreadable && !m.isLink() && len(m.attributes()) == 0 {
		return nil
	}
	return terminal.NewJSON(w).Encode(m)
}

// newTable returns a table of arrays, without its heading.
func newTable(width int) *terminal.Columns {
	return &terminal.Columns{Width: width, Right: "lllrrr", Cut: []int{0, 2, 1}, Drop: []int{6, 5, 4}}
}

func (l listing) print(w io.Writer, style listStyle) error {
	for _, line := range l.titles {
		fmt.Fprintln(w, terminal.Printable(line))
	}
	t := l.table
	if t == nil {
		t = newTable(style.width)
		t.Row(headings(l.methodTitle)...)
		l.rows(t, style)
	}
	if l.all.count != 1 || l.linked {
		l.all.row(t, diagnose.Counted(l.all.count, l.noun), "")
	}
	if err := t.Print(w); err != nil {
		return err
	}
	l.printUnportable(w)
	return nil
}

// headings returns the first line of a table.
func headings(method string) []string {
	return []string{"NAME", "DTYPE", "SHAPE", "BYTES", "STORED", "RATIO", method}
}

// rows adds the lines of the arrays that the listing has kept.
func (l listing) rows(t *terminal.Columns, style listStyle) {
	if style.tree {
		style.noun = l.noun
		if style.attributes {
			printAttributes(t, l.root, "")
		}
		treeOf(l.members).rows(t, "", style)
		return
	}
	for i := range l.members {
		m := &l.members[i]
		if m.group {
			continue
		}
		m.row(t, terminal.Printable(m.Member))
		if style.attributes {
			m.details(t, "  ")
		}
	}
}

// row adds the line of a member.
func (m listed) row(t *terminal.Columns, name string) {
	dtype, shape := "-", "-"
	if m.DType != nil {
		dtype, shape = *m.DType, m.shape()
	}
	if m.unreadable {
		dtype = "unreadable"
	}
	if m.unreadable {
		t.Row(name, dtype, "-", "-", "-", "-", "-")
		return
	}
	t.Row(name, terminal.Printable(dtype), terminal.Printable(shape), bytesText(m.Size), m.stored(), m.ratio(), m.method())
}

// isWithin reports whether the array has no place of its own in the file: it is compressed together with others.
func (m listed) isWithin() bool { return m.entryInfo != nil && m.Compressed == 0 && m.Size > 0 }

func (m listed) stored() string {
	if m.isWithin() {
		return "-"
	}
	return bytesText(m.Compressed)
}

func (m listed) ratio() string {
	if m.isWithin() {
		return "-"
	}
	return ratio(m.Compressed, m.Size)
}

func bytesText(n int64) string { return strconv.FormatInt(n, 10) }

// printUnportable lists the members that need other names on some systems.
func (l listing) printUnportable(w io.Writer) {
	for _, line := range l.unportable {
		fmt.Fprintln(w, line)
	}
	if more := l.unportables - len(l.unportable); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if l.unportables > 0 {
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
func sparse(c *input.Container) string {
	z := c.NPZ()
	if z == nil {
		return ""
	}
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
