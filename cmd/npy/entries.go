package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// An entryInfo describes an array of a container, except for dtype and shape. Its JSON keys are a promise. Members of archives
// have none of it.
type entryInfo struct {
	Stored     int64      `json:"stored"` // bytes in the file
	Codec      string     `json:"codec"`
	Chunks     []int      `json:"chunks"`
	Dims       []string   `json:"dims"`
	Notes      []string   `json:"notes"`
	Attributes attributes `json:"attributes"`
	MaxShape   maxShape   `json:"maxshape"`       // null for arrays that cannot grow
	Fill       *fillValue `json:"fill"`           // of elements that were never written, if it is not zero
	Link       string     `json:"link,omitempty"` // the path of the array or group, if this is a link to it
}

// newEntryInfo returns the description of an entry of a container. After an error it has the attributes that can be read.
func newEntryInfo(c *input.Container, e container.Entry) (*entryInfo, error) {
	i := &entryInfo{Stored: e.Stored, Codec: e.Codec, Chunks: e.Chunks, Dims: e.Dims, MaxShape: e.MaxShape, Notes: e.Notes, Link: e.Link}
	if e.Fill != nil {
		i.Fill = &fillValue{e.Fill}
	}
	all, err := c.Attributes(e.Path)
	for _, a := range all {
		if a.Err == nil {
			i.Attributes = append(i.Attributes, a)
		} else if err == nil {
			err = fmt.Errorf("attribute %q: %s", a.Name, diagnose.Text(a.Err))
		}
	}
	return i, err
}

// A maxShape has the largest dimensions of an array; in JSON, an axis without a limit is null.
type maxShape []int

// MarshalJSON implements [json.Marshaler].
func (l maxShape) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("null"), nil
	}
	most := make([]*int, len(l))
	for i := range l {
		if l[i] != container.Unlimited {
			most[i] = &l[i]
		}
	}
	return json.Marshal(most)
}

// String returns the dimensions for people: "(unlimited, 3)".
func (l maxShape) String() string {
	return strings.ReplaceAll(format.ShapeString(l), strconv.Itoa(container.Unlimited), "unlimited")
}

// A fillValue is an array without dimensions; in JSON, its element.
type fillValue struct{ *npy.Array }

// MarshalJSON implements [json.Marshaler].
func (f fillValue) MarshalJSON() ([]byte, error) { return jsonOf(f.Array), nil }

// jsonOf returns an array as JSON on one line, null for a dtype that has none.
func jsonOf(a *npy.Array) []byte {
	var b bytes.Buffer
	if err := convert.Write(context.Background(), oneLine{&b}, convert.JSON, a, convert.WriteOptions{Units: true}); err != nil {
		return []byte("null")
	}
	return b.Bytes()
}

// printLines prints the lines of 'npy info' about the entry.
func (e *entryInfo) printLines(w io.Writer, i info) {
	fmt.Fprintf(w, "  data\t%s", diagnose.Bytes(i.NBytes))
	if e.Stored != i.NBytes {
		fmt.Fprintf(w, ", %s in the file", diagnose.Bytes(e.Stored))
	}
	fmt.Fprintln(w)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %s\t%s\n", terminal.Printable(name), terminal.Printable(text))
		}
	}
	line("format", i.format)
	line("codec", e.Codec)
	if e.Chunks != nil {
		line("chunks", format.ShapeString(e.Chunks))
	}
	if e.MaxShape != nil {
		line("max shape", e.MaxShape.String())
	}
	line("dimensions", strings.Join(e.Dims, ", "))
	if e.Fill != nil {
		line("fill value", attributeText(container.Attribute{Value: e.Fill.Array}))
	}
	line("link to", e.Link)
	for _, note := range e.Notes {
		line("note", note)
	}
	for _, a := range e.Attributes {
		line("@"+a.Name, attributeText(a))
	}
}

// attributes are the attributes of an entry; in JSON, an object.
type attributes []container.Attribute

// MarshalJSON implements [json.Marshaler].
func (s attributes) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, a := range s {
		name, err := json.Marshal(a.Name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(jsonOf(a.Value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// attributeMost is the number of bytes of an attribute that is printed; --json has all.
const attributeMost = 200

// attributeText returns the value of an attribute on one line.
func attributeText(a container.Attribute) string {
	var text string
	if values, err := npy.As[string](a.Value); err == nil && a.Value.Size() == 1 {
		text = quoted(values.ToSlice()[0])
	} else {
		text = npy.Printer{Threshold: 20, EdgeItems: 5, LineWidth: -1}.Str(a.Value)
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > attributeMost {
		text = strings.ToValidUTF8(text[:attributeMost], "") + "…"
	}
	return text
}

// quoted returns a text in quotes.
func quoted(text string) string {
	if strings.Contains(text, `"`) && !strings.ContainsAny(text, `'\`) && terminal.Printable(text) == text {
		return "'" + text + "'" // JSON, for example
	}
	return strconv.Quote(text)
}

// printAttributes adds a line for each attribute to a table.
func printAttributes(t *terminal.Columns, list attributes, indent string) {
	for _, a := range list {
		t.Below(indent + terminal.Printable("@"+a.Name+" "+attributeText(a)))
	}
}

// A listed is the JSON form of an entry; its keys are a promise. A member that is not an array has no dtype and no
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
	Group      bool    `json:"group,omitempty"` // only groups with attributes, links to groups, and groups that cannot be read
	*entryInfo

	group      bool
	unreadable bool
	unportable string // the reason if not portable
}

// attributes returns the attributes of the entry.
func (m listed) attributes() attributes {
	if m.entryInfo == nil {
		return nil
	}
	return m.entryInfo.Attributes
}

// isLink reports whether the array is in the file under another path, too.
func (m listed) isLink() bool { return m.entryInfo != nil && m.Link != "" }

// printLink adds a line with the path that a link leads to.
func (m listed) printLink(t *terminal.Columns, indent string) {
	if m.isLink() {
		t.Below(indent + "link to " + terminal.Printable(m.Link))
	}
}

// details adds lines below the line of an array: the path that a link leads to, notes and attributes.
func (m listed) details(t *terminal.Columns, indent string) {
	if m.entryInfo == nil {
		return
	}
	m.printLink(t, indent)
	for _, note := range m.Notes {
		t.Below(indent + terminal.Printable(note))
	}
	printAttributes(t, m.entryInfo.Attributes, indent)
}

// shape returns the shape with the names of the dimensions.
func (m listed) shape() string {
	if m.entryInfo == nil || len(m.Dims) != len(m.Shape) {
		return format.ShapeString(m.Shape)
	}
	var parts []string
	for i, n := range m.Shape {
		part := strconv.Itoa(n)
		if m.Dims[i] != "" {
			part = m.Dims[i] + ": " + part
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// method returns how the array is compressed, and the shape of its chunks.
func (m listed) method() string {
	switch {
	case m.entryInfo == nil:
		return m.Method
	case m.Chunks != nil:
		return strings.TrimSpace(m.Codec + " " + format.ShapeString(m.Chunks))
	case m.Codec == "":
		return "-"
	}
	return m.Codec
}

// A listing is the output of ls for a file.
type listing struct {
	members     []listed
	root        attributes
	titles      []string // lines before the table
	noun        string   // the noun for an array
	methodTitle string
	rich        bool // there are groups, links or attributes

	all         folder            // of all arrays, without them
	linked      bool              // there are links
	unportables int               // members that need other names on some systems
	unportable  []string          // lines about the first of them
	table       *terminal.Columns // of arrays that are not kept, because they are no tree; nil if members has them
	count       int               // of entries
}

// unportableMost is the number of members whose names are listed as not portable.
const unportableMost = 5

// add adds an entry. It keeps only data that is printed after the last entry.
func (l *listing) add(w io.Writer, m listed, style listStyle) error {
	l.count++
	if style.json {
		return m.printJSON(w)
	}
	if m.unportable != "" {
		if l.unportables++; l.unportables <= unportableMost {
			l.unportable = append(l.unportable, fmt.Sprintf("%s: %s", terminal.Printable(m.Name), terminal.Printable(m.unportable)))
		}
	}
	l.linked = l.linked || m.isLink()
	if !m.group {
		l.all.add(m)
	}
	if l.table == nil {
		l.members = append(l.members, m)
	} else {
		m.row(l.table, terminal.Printable(m.Member))
	}
	return nil
}

// list lists the arrays that an argument names. In JSON it prints them to w.
func (a *app) list(w io.Writer, arg string, d npy.Decoder, style listStyle) (listing, error) {
	t, err := input.Parse(arg)
	if err != nil {
		return listing{}, err
	}
	if t, err = a.opener(d).OpenSeveral(t); err != nil {
		return listing{}, diagnose.Of(t.Path, err)
	}
	defer t.Close()
	s, t, one, err := t.Select()
	switch {
	case err != nil:
		return listing{}, diagnose.Of(t.Path, err)
	case t.Index != nil:
		return listing{}, fmt.Errorf("%s: ls lists whole arrays; leave the index out", arg)
	}
	l := listing{noun: t.Container.Noun(), methodTitle: "METHOD"}
	if t.Container.NPZ() != nil {
		if matrix := sparse(t.Container); matrix != "" {
			l.titles = []string{matrix}
		}
		if !style.tree && !style.attributes {
			l.table = newTable(style.width)
			l.table.Row(headings(l.methodTitle)...)
		}
	} else {
		l.methodTitle, l.titles = "CODEC", []string{t.Container.Format()}
		if s.All() && !one {
			root := listed{File: t.Path, Group: true, group: true}
			root.entryInfo, err = newEntryInfo(t.Container, container.Entry{})
			if root.complain(a, err); len(root.attributes()) > 0 {
				l.root, l.rich = root.attributes(), true
				if err := l.add(w, root, style); err != nil {
					return l, err
				}
			}
		}
	}
	entries := t.Container.Entries()
	if one {
		e, err := t.Container.Entry(t.Member)
		if err != nil {
			return listing{}, diagnose.Of(t.Path, err)
		}
		entries = slices.Values([]container.Entry{e})
	}
	for e := range entries {
		if !one && !s.Has(e.Path) {
			continue
		}
		m := a.listed(t, e)
		l.rich = l.rich || m.group && m.Member != s.String() || m.isLink() || len(m.attributes()) > 0
		if m.entryInfo != nil && m.Chunks != nil {
			l.methodTitle = "CODEC (CHUNKS)"
		}
		if err := l.add(w, m, style); err != nil {
			return l, err
		}
	}
	if l.count == 0 && !s.All() {
		return listing{}, diagnose.Of(t.Path, t.Container.Unknown(s.String()))
	}
	return l, nil
}

// listed returns the listed form of an entry, and complains of properties that cannot be read.
func (a *app) listed(t input.Target, e container.Entry) listed {
	m := listed{File: t.Path, Member: e.Path, Name: e.Path, Compressed: e.Stored, Method: e.Codec, Portable: true, group: e.Group}
	if z := t.Container.NPZ(); z != nil {
		in, _ := z.Entry(e.Path)
		m.Name, m.Size, m.Method = in.Name, in.Size, in.Method.String()
		m.unportable = t.Container.Unportable(in)
		m.Portable = m.unportable == ""
		if in.Err == nil && t.Container.NotArray(e.Path) != "" && e.Err != nil {
			return m
		}
		m.complain(a, e.Err)
	} else {
		var err error
		m.entryInfo, err = newEntryInfo(t.Container, e)
		if e.Err != nil {
			m.unreadable, err = true, e.Err
		}
		m.complain(a, err)
		m.Group = e.Group
		if !e.Group {
			m.Portable = t.Container.Unportable(npz.Entry{Name: e.Path + ".npy"}) == ""
		}
		m.Size = format.Header{DType: e.DType, Shape: e.Shape}.NBytes()
	}
	if e.Err == nil && !e.Group {
		name := e.DType.Name()
		m.DType, m.Shape = &name, e.Shape
	}
	return m
}

// complain reports why an entry, or part of it, cannot be read.
func (m *listed) complain(a *app, err error) {
	if err == nil {
		return
	}
	err = diagnose.Explain(err)
	name := diagnose.FileName(m.File)
	if m.Member != "" {
		name += ":" + m.Member
	}
	a.complain(diagnose.FileError{File: name, Err: err})
	text := diagnose.Text(err)
	m.Error = &text
}
