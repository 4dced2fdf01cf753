package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

func infoCommand(a *app) *cobra.Command {
	var asJSON bool
	var maxHeader int
	c := &cobra.Command{
		Use:   "info FILE...",
		Short: "Say what is in a file: dtype, shape, order, size",
		Long: `Info reads the header of each file and nothing else, so it takes the same time for any size. Of an archive it reads
those of all members, or of FILE.npz:MEMBER that one's. One array is described in lines, several in a table. --json prints
one object per array.`,
		Example: "  npy info a.npy\n  npy info model.npz:weights\n  npy info --json *.npy",
		Args:    someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			var infos []info
			var of *archive
			var notes []string
			err := a.arrays(args, "", a.decoder(maxHeader, nil), func(t target) error {
				if t.index != nil {
					return fmt.Errorf("%s%s: info is about whole arrays; see 'npy show'", t.name(), t.sub)
				}
				i, err := a.info(t, a.decoder(maxHeader, nil).Format())
				if err == nil {
					infos = append(infos, i)
				}
				if t.whole && t.archive != of && !asJSON {
					if of = t.archive; of.sparse() != "" {
						notes = append(notes, fileName(t.path)+": "+of.sparse())
					}
				}
				return says(t.name(), explain(err))
			})
			if err != nil {
				return err
			}
			if err := a.printInfos(infos, asJSON, len(infos) == 1 && len(args) == 1); err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintln(a.out, terminal.Printable(note))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per array")
	addMaxHeader(c, &maxHeader)
	a.addAs(c)
	return c
}

func addMaxHeader(c *cobra.Command, n *int) {
	c.Flags().IntVar(n, "max-header", 0, fmt.Sprintf("largest header to read in `bytes` (0: %d, negative: no limit)", format.DefaultMaxHeader))
}

// info reads the header of a file, and the first bytes of a pickle after it.
func (a *app) info(t target, d format.Decoder) (info, error) {
	if t.archive != nil {
		return t.archive.info(t)
	}
	f, err := a.open(t)
	if err != nil {
		return info{}, err
	}
	defer f.Close()
	h, err := d.ReadHeader(f)
	if err != nil {
		return info{}, err
	}
	i := newInfo(t.path, h)
	if h.DType.HasObject() {
		i.protocol = pickleProtocol(f)
	}
	return i, nil
}

// info reads the header of a member.
func (z *archive) info(t target) (info, error) {
	m, err := z.Info(t.member)
	if err != nil {
		return info{}, err
	}
	i := newInfo(t.path, m.Header)
	i.Member = t.memberName()
	i.memberInfo = &memberInfo{m.Entry.Method.String(), m.Entry.CompressedSize, m.DataOffset}
	if m.Header.DType.HasObject() {
		f, err := z.stream(t.member)
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

// pickleProtocol reads the protocol from the first bytes of a pickle. A header does not show whether a pickle is
// missing.
func pickleProtocol(f io.Reader) int {
	head, _ := peek(f, 2)
	return protocolOf(head)
}

// An info is the JSON form of a header; its keys are a promise.
type info struct {
	File         string  `json:"file"`
	Member       *string `json:"member"`
	Version      string  `json:"version"`
	Descr        any     `json:"descr"`
	DType        string  `json:"dtype"`
	Shape        []int   `json:"shape"`
	FortranOrder bool    `json:"fortran_order"`
	ItemSize     int     `json:"itemsize"`
	Offset       int64   `json:"offset"`
	NBytes       int64   `json:"nbytes"`
	*memberInfo

	dtype    dtype.Type
	protocol int // of the pickle that holds objects
}

// A memberInfo is the JSON form of an archive's member. Offset is counted from the start of the member's data, as in
// a file of its own.
type memberInfo struct {
	Method       string `json:"method"`
	Compressed   int64  `json:"compressed"`    // bytes
	MemberOffset int64  `json:"member_offset"` // of the data of the member in the archive
}

// name returns the array's name for messages.
func (i info) name() string {
	if i.Member == nil {
		return fileName(i.File)
	}
	return fileName(i.File) + ":" + *i.Member
}

func newInfo(path string, h format.Header) info {
	return info{
		File: path, Version: h.Version.String(), Descr: jsonDescr(h.DType), DType: h.DType.Name(), Shape: h.Shape,
		FortranOrder: h.FortranOrder, ItemSize: h.DType.ItemSize(), Offset: h.DataOffset, NBytes: h.NBytes(), dtype: h.DType,
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

func (a *app) printInfos(infos []info, asJSON, single bool) error {
	w := bufio.NewWriter(a.out)
	switch {
	case asJSON:
		e := terminal.NewJSON(w)
		for _, i := range infos {
			if err := e.Encode(i); err != nil {
				return err
			}
		}
	case single:
		for _, i := range infos {
			i.printLines(w)
		}
	case len(infos) > 0:
		printInfoTable(w, infos)
	}
	return w.Flush()
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
	fmt.Fprintf(t, "  shape\t%s\n", shapeText(i.Shape))
	fmt.Fprintf(t, "  order\t%s\n", i.order())
	fmt.Fprintf(t, "  item size\t%s\n", bytesText(int64(i.ItemSize)))
	if i.dtype.HasObject() {
		fmt.Fprintf(t, "  data\ta Python pickle of protocol %d at offset %d\n", i.protocol, i.Offset)
	} else {
		fmt.Fprintf(t, "  data\t%s at offset %d\n", bytesText(i.NBytes), i.Offset)
	}
	if i.memberInfo != nil {
		fmt.Fprintf(t, "  in archive\t%s, %s at offset %d\n", i.Method, bytesText(i.Compressed), i.MemberOffset)
	}
	fmt.Fprintf(t, "  version\t%s\n", i.Version)
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
			text += " " + shapeText(shape)
		}
		fmt.Fprintf(w, "%s%s\t%s\tat %d\n", indent, terminal.Printable(name), text, base+f.Offset)
		printFields(w, elem, indent+"  ", base+f.Offset)
	}
}

func shapeText(shape []int) string {
	return format.ShapeString(shape)
}

// bytesText formats a size in bytes. From 10,000 bytes on, the size in a larger unit comes first.
func bytesText(n int64) string {
	exact := fmt.Sprintf("%d bytes", n)
	if n == 1 {
		exact = "1 byte"
	}
	if n < 10_000 {
		return exact
	}
	size, units := float64(n), "kMGTPE"
	unit := -1
	for size >= 999.5 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return fmt.Sprintf("%.3g %cB (%s)", size, units[unit], exact)
}

func printInfoTable(w io.Writer, infos []info) {
	t := terminal.NewTable(w, 2, 0)
	fmt.Fprintln(t, "FILE\tDTYPE\tDESCR\tSHAPE\tORDER\tBYTES\tOFFSET\tVERSION")
	for _, i := range infos {
		descr := i.dtype.Descr()
		if len(descr) > 40 {
			descr = strings.ToValidUTF8(descr[:40], "") + "…"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", terminal.Printable(i.name()), i.DType, terminal.Printable(descr),
			shapeText(i.Shape), i.order(), i.NBytes, i.Offset, i.Version)
	}
	t.Flush()
}
