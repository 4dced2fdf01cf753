package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/parts"
	"github.com/spf13/cobra"
)

var infoSubcommand = subcommand{
	use:   "info FILE...",
	short: "Print the dtype, shape, order and size of arrays",
	group: lookGroup,
	reads: arrays,
	from:  anywhere,
	json:  []jsonObject{{"", info{}}},
	make:  infoCommand,
}

func infoCommand(a *app) *cobra.Command {
	var asJSON bool
	var maxHeader int
	c := &cobra.Command{
		Long: `Info reads only the header of each file, so it is as fast for large files as for small ones. Of an archive it reads the
headers of all members, or of one with FILE.npz:MEMBER. Of an array in an ` + input.FormatNames("or") + ` file it also prints the
compression, the chunks, the names of dimensions and the attributes. Of a file with several arrays that follow each other it reads all
headers, of a pipe only the first. One array is described in several lines, more arrays in a table. --json prints one object per
array.`,
		Example: "  npy info a.npy\n  npy info model.npz:weights\n  npy info --json *.npy",
		Args:    someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			defer frugal()()
			p := &infoPrinter{app: a, w: bufio.NewWriter(a.out), asJSON: asJSON}
			var of *input.Container
			var notes []string
			o := a.opener(a.decoder(maxHeader, nil))
			o.Several, o.Headers = true, true
			err := a.each(o, args, "", func(t input.Target) error {
				if t.Index != nil {
					return fmt.Errorf("%s%s: info reads headers of whole arrays; leave the index out", t.Name(), t.Sub)
				}
				i, err := readInfo(a.ctx, o, t)
				if i.Array = t.Nth; err == nil {
					err = p.add(i)
				}
				if t.Whole && t.Container != of && !asJSON {
					of = t.Container
					if matrix := sparse(of); matrix != "" {
						notes = append(notes, diagnose.FileName(t.Path)+": "+matrix)
					}
				}
				return diagnose.Of(t.Name(), diagnose.Explain(err))
			})
			if err != nil {
				return err
			}
			if err := p.print(len(args) == 1); err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintln(a.out, terminal.Printable(note))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per array")
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	a.addConcat(c)
	return c
}

// readInfo reads the header of a file, and the first bytes of a pickle after it.
func readInfo(ctx context.Context, o input.Opener, t input.Target) (info, error) {
	if t.Container != nil && t.Container.NPZ() != nil {
		return memberHeader(ctx, t)
	}
	if t.Container != nil {
		return arrayInfo(t)
	}
	if joined := t.Joined(); joined != nil {
		return partsInfo(t.Path, joined), nil
	}
	f, err := o.Bytes(ctx, t) // it is closed with the target
	if err != nil {
		return info{}, err
	}
	h, err := o.Array.Format().ReadHeader(f)
	if err != nil {
		return info{}, err
	}
	i := newInfo(t.Path, h)
	if h.DType.HasObject() {
		i.protocol = pickleProtocol(f)
	}
	return i, nil
}

// memberHeader is readInfo for a member of an archive.
func memberHeader(ctx context.Context, t input.Target) (info, error) {
	m, err := t.Container.NPZ().Info(t.Member)
	if err != nil {
		return info{}, err
	}
	i := newInfo(t.Path, m.Header)
	i.Member = t.MemberName()
	i.memberInfo = &memberInfo{m.Entry.Method.String(), m.Entry.CompressedSize, m.DataOffset}
	if m.Header.DType.HasObject() {
		f, err := t.Container.Stream(ctx, t.Member)
		if err != nil {
			return info{}, err
		}
		defer f.Close()
		if _, err := io.CopyN(io.Discard, f, m.Header.DataOffset); err != nil {
			return info{}, err
		}
		i.protocol = pickleProtocol(f)
	}
	return i, nil
}

// arrayInfo is readInfo for an array of a container that is not an archive.
func arrayInfo(t input.Target) (info, error) {
	e, err := t.Container.Entry(t.Member)
	if err == nil {
		err = e.Err
	}
	if err != nil {
		return info{}, err
	}
	h := format.Header{DType: e.DType, Shape: e.Shape, FortranOrder: e.FortranOrder}
	i := newInfo(t.Path, h)
	i.Member, i.Version, i.Offset = t.MemberName(), nil, nil
	i.entryInfo, err = newEntryInfo(t.Container, e)
	i.format = t.Container.Format()
	return i, err
}

// partsInfo is readInfo for an array in parts. It opens none of them.
func partsInfo(path string, a *parts.Array) info {
	m := a.Manifest()
	i := newInfo(path, format.Header{DType: m.DType, Shape: m.Shape})
	i.Version, i.Offset = nil, nil
	i.joinedInfo = &joinedInfo{len(m.Parts), m.Axis}
	return i
}

// pickleProtocol reads the protocol from the first bytes of a pickle. A header does not show whether a pickle is
// missing.
func pickleProtocol(f io.Reader) int {
	head, _ := input.Peek(f, 2)
	return input.Protocol(head)
}

// An info is the JSON form of a header; its keys are a promise.
type info struct {
	File         string  `json:"file"`
	Member       *string `json:"member"`
	Array        int     `json:"array,omitempty"` // from 2, of arrays after the first in a file
	Version      *string `json:"version"`
	Descr        any     `json:"descr"`
	DType        string  `json:"dtype"`
	Shape        []int   `json:"shape"`
	FortranOrder bool    `json:"fortran_order"`
	ItemSize     int     `json:"itemsize"`
	Offset       *int64  `json:"offset"`
	NBytes       int64   `json:"nbytes"`
	*memberInfo
	*entryInfo
	*joinedInfo

	dtype    dtype.Type
	protocol int    // of the pickle that holds objects
	format   string // of a container that is not an archive
}

// A memberInfo is the JSON form of an archive's member. Offset is counted from the start of the member's data, as in
// a file of its own.
type memberInfo struct {
	Method       string `json:"method"`
	Compressed   int64  `json:"compressed"`    // bytes
	MemberOffset int64  `json:"member_offset"` // of the data of the member in the archive
}

// A joinedInfo is the JSON form of an array in parts.
type joinedInfo struct {
	Parts int `json:"parts"` // the number of files
	Axis  int `json:"axis"`  // along which they follow each other
}

// name returns the array's name for messages.
func (i info) name() string {
	if i.Array > 0 {
		return fmt.Sprintf("%s, array %d", diagnose.FileName(i.File), i.Array)
	}
	if i.Member == nil {
		return diagnose.FileName(i.File)
	}
	return diagnose.FileName(i.File) + ":" + *i.Member
}

func newInfo(path string, h format.Header) info {
	version := h.Version.String()
	return info{
		File: path, Version: &version, Descr: jsonDescr(h.DType), DType: h.DType.Name(), Shape: h.Shape,
		FortranOrder: h.FortranOrder, ItemSize: h.DType.ItemSize(), Offset: &h.DataOffset, NBytes: h.NBytes(), dtype: h.DType,
	}
}

// jsonDescr returns a descr for JSON, with lists in place of tuples: json.dumps of numpy's dtype.descr.
func jsonDescr(t dtype.Type) any {
	switch {
	case t.IsSubarray():
		return []any{jsonDescr(t.Elem()), t.SubShape()}
	case !t.IsStruct():
		return t.Descr()
	}
	list := []any{}
	end := 0
	for _, f := range t.Fields() {
		list = appendGap(list, f.Offset-end)
		item := []any{f.Name, jsonDescr(f.DType.Elem())}
		if f.Title != "" {
			item[0] = []any{f.Title, f.Name}
		}
		if f.DType.IsSubarray() {
			item = append(item, f.DType.SubShape())
		}
		list = append(list, item)
		end = f.Offset + f.DType.ItemSize()
	}
	return appendGap(list, t.ItemSize()-end)
}

func appendGap(list []any, n int) []any {
	if n == 0 {
		return list
	}
	return append(list, []any{"", dtype.Void(n).Descr()})
}

// An infoPrinter prints headers: in JSON as they come, else as a table, or a single one in several lines.
type infoPrinter struct {
	app    *app
	w      *bufio.Writer
	asJSON bool
	first  info
	count  int
	table  terminal.Columns
}

// add adds a header.
func (p *infoPrinter) add(i info) error {
	if p.count++; p.asJSON {
		return terminal.NewJSON(p.w).Encode(i)
	}
	if p.count == 1 {
		p.first = i
		p.table = terminal.Columns{Width: p.app.width(), Right: "lllllrr", Cut: []int{0, 2, 1, 3}, Drop: []int{7, 6, 2, 4}}
		p.table.Row("FILE", "DTYPE", "DESCR", "SHAPE", "ORDER", "BYTES", "OFFSET", "VERSION")
	}
	i.row(&p.table)
	return nil
}

// print prints the headers that add has not printed. single says that a single one is not printed as a table.
func (p *infoPrinter) print(single bool) error {
	switch {
	case p.asJSON || p.count == 0:
	case single && p.count == 1:
		p.first.printLines(p.w)
	default:
		return errors.Join(p.table.Print(p.w), p.w.Flush())
	}
	return p.w.Flush()
}

func (i info) order() string {
	if i.FortranOrder {
		return "Fortran"
	}
	return "C"
}

func (i info) printLines(w io.Writer) {
	fmt.Fprintln(w, terminal.Printable(i.name()))
	t := terminal.NewTable(w, 2, 0)
	fmt.Fprintf(t, "  dtype\t%s\n", terminal.Printable(numbers.TypeText(i.dtype)))
	fmt.Fprintf(t, "  shape\t%s\n", format.ShapeString(i.Shape))
	fmt.Fprintf(t, "  order\t%s\n", i.order())
	fmt.Fprintf(t, "  item size\t%s\n", diagnose.Bytes(int64(i.ItemSize)))
	switch {
	case i.entryInfo != nil:
		i.entryInfo.printLines(t, i)
	case i.joinedInfo != nil:
		fmt.Fprintf(t, "  data\t%s in %s along axis %d\n", diagnose.Bytes(i.NBytes), diagnose.Counted(i.Parts, "part"), i.Axis)
	case i.dtype.HasObject():
		fmt.Fprintf(t, "  data\ta Python pickle of protocol %d at offset %d\n", i.protocol, *i.Offset)
	default:
		fmt.Fprintf(t, "  data\t%s at offset %d\n", diagnose.Bytes(i.NBytes), *i.Offset)
	}
	if i.memberInfo != nil {
		fmt.Fprintf(t, "  in archive\t%s, %s at offset %d\n", i.Method, diagnose.Bytes(i.Compressed), i.MemberOffset)
	}
	if i.Version != nil {
		fmt.Fprintf(t, "  version\t%s\n", *i.Version)
	}
	t.Flush()
	if i.dtype.IsStruct() {
		fmt.Fprintln(w, "  fields")
		t := terminal.NewTable(w, 2, 0)
		printFields(t, i.dtype, "    ", 0)
		t.Flush()
	}
}

// printFields lists the fields of a struct with their offsets in bytes. Nested fields follow their parent.
func printFields(w io.Writer, t dtype.Type, indent string, base int) {
	for _, f := range t.Fields() {
		name := f.Name
		if f.Title != "" {
			name += " (" + f.Title + ")"
		}
		elem, shape := f.DType, []int{}
		for elem.IsSubarray() {
			shape = append(shape, elem.SubShape()...)
			elem = elem.Elem()
		}
		text := terminal.Printable(numbers.TypeText(elem))
		if len(shape) > 0 {
			text += " " + format.ShapeString(shape)
		}
		fmt.Fprintf(w, "%s%s\t%s\tat %d\n", indent, terminal.Printable(name), text, base+f.Offset)
		printFields(w, elem, indent+"  ", base+f.Offset)
	}
}

// row adds the line of a header to a table.
func (i info) row(t *terminal.Columns) {
	offset, version := "-", "-"
	if i.Version != nil {
		offset, version = strconv.FormatInt(*i.Offset, 10), *i.Version
	}
	descr := i.dtype.Descr()
	if len(descr) > 40 {
		descr = strings.ToValidUTF8(descr[:40], "") + "…"
	}
	t.Row(terminal.Printable(i.name()), terminal.Printable(i.DType), terminal.Printable(descr), format.ShapeString(i.Shape), i.order(),
		strconv.FormatInt(i.NBytes, 10), offset, version)
}
