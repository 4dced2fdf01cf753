package tablewrite

import (
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/convert/internal/values"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

const (
	prettyColumns = 1 << 16 // maximum columns of a table for people

	// prettyPadding is the maximum width of a column, in characters, to which shorter cells are padded. One long cell does not
	// widen all others, and a long name does not make 64 bytes of text of each byte.
	prettyPadding = 32
)

// A dialect is a markup language for tables.
type dialect struct {
	escape            *strings.Replacer
	left, middle, end string // around the cells of a line
	top               func(dst []byte, p *pretty) []byte
	bottom            string
}

// A pretty writes an array as an aligned table for people to read.
type pretty struct {
	dialect
	layout
	names  []string // of all cells of a line
	widths []int    // of all cells of a line, in characters
	isText []bool   // cells of text are aligned left, others right
	cell   []byte
}

// writeTo writes src, whose elements it reads twice.
func (d dialect) writeTo(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return err
	}
	return output.WriteText(ctx, w, src, o, d.write)
}

// write measures all cells for the widths of the columns, and then writes them.
func (d dialect) write(out *output.Output, c output.Content, o options.Write) error {
	p := &pretty{dialect: d}
	if err := p.plan(c, o); err != nil {
		return err
	}
	if err := output.EachItem(c, p.measurer()); err != nil {
		return err
	}
	var err error
	if p.layout, err = layoutOf(c, values.NewObjects(c.Context(), o)); err != nil { // a new layout, because functions for objects iterate over them only once
		return err
	}
	out.Buf = p.top(out.Buf, p)
	at := 0
	err = output.EachItem(c, func(item []byte) error {
		if out.Buf, err = p.item(out.Buf, item, at); err != nil {
			return err
		}
		at++
		return out.Pass()
	})
	out.Buf = append(out.Buf, p.bottom...)
	return err
}

// plan sets the columns and their names.
func (p *pretty) plan(c output.Content, o options.Write) (err error) {
	if p.layout, err = layoutOf(c, values.NewObjects(c.Context(), o)); err != nil {
		return err
	}
	if p.width() > prettyColumns || p.width() == 0 {
		return diag.Wrap("convert", bounded.Over("", 0, 0, "a table of %d columns, want 1 to %d; take a slice, or write .csv", p.width(), prettyColumns))
	}
	for i := range p.perLine {
		for _, column := range p.columns {
			name := p.escape.Replace(column.Name)
			if name == "" {
				name = strconv.Itoa(i)
			}
			p.names = append(p.names, name)
			p.isText = append(p.isText, column.quotes)
			p.widths = append(p.widths, min(max(utf8.RuneCountInString(name), 1), prettyPadding))
		}
	}
	return nil
}

// measurer returns the function that widens columns to the cells of each element.
func (p *pretty) measurer() func(item []byte) error {
	at := 0
	return func(item []byte) (err error) {
		for i := range p.columns {
			if err = p.text(i, item); err != nil {
				return err
			}
			width := &p.widths[at%p.perLine*len(p.columns)+i]
			*width = min(max(*width, utf8.RuneCount(p.cell)), prettyPadding)
		}
		at++
		return nil
	}
}

// text stores the text of a column in p.cell.
func (p *pretty) text(i int, item []byte) (err error) {
	if p.cell, err = p.columns[i].append(p.cell[:0], item); err != nil || !p.columns[i].quotes {
		return err
	}
	p.cell = append(p.cell[:0], p.escape.Replace(string(p.cell))...)
	return nil
}

func (p *pretty) item(dst, item []byte, at int) ([]byte, error) {
	for i := range p.columns {
		if err := p.text(i, item); err != nil {
			return dst, err
		}
		dst = p.appendCell(dst, at%p.perLine*len(p.columns)+i, p.cell)
	}
	return dst, nil
}

func (p *pretty) appendNames(dst []byte) []byte {
	for i, name := range p.names {
		dst = p.appendCell(dst, i, []byte(name))
	}
	return dst
}

// appendCell appends cell i of a line, aligned, with its delimiters.
func (p *pretty) appendCell(dst []byte, i int, cell []byte) []byte {
	if i == 0 {
		dst = append(dst, p.left...)
	} else {
		dst = append(dst, p.middle...)
	}
	padding := strings.Repeat(" ", max(p.widths[i]-utf8.RuneCount(cell), 0))
	if p.isText[i] {
		dst = append(append(dst, cell...), padding...)
	} else {
		dst = append(append(dst, padding...), cell...)
	}
	if i+1 == len(p.names) {
		dst = append(dst, p.end...)
	}
	return dst
}
