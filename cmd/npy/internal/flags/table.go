package flags

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Table holds the flags of subcommands that read tables of text.
type Table struct {
	delimiter, comment, decimal, thousands, missing, ragged, dates, bools string
	skip                                                                  int
	header, noHeader, records, keepZones                                  bool
	sets                                                                  []*pflag.FlagSet // of the subcommands

	// Encoding is the encoding of the text, "" by default.
	Encoding convert.Encoding

	// Columns are the dtypes of columns.
	Columns map[string]dtype.Type
}

// tableFlags are the names of the flags.
var tableFlags = []string{"header", "no-header", "delimiter", "na", "skip", "comment", "decimal", "thousands", "ragged", "records", "dates", "bools", "keep-zones"}

// Add adds the flags to a subcommand.
func (t *Table) Add(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&t.header, "header", false, "the first line holds names")
	f.BoolVar(&t.noHeader, "no-header", false, "the first line holds values; OUT gets no line of names")
	f.StringVar(&t.delimiter, "delimiter", "", "`char` between cells: ';' or tab, space (in .csv: what divides the first lines)")
	f.StringVar(&t.missing, "na", "", "`texts` of missing values besides NA, null and so on: -999,?; only these: =-999,?")
	f.IntVar(&t.skip, "skip", 0, "drop this `number` of lines at the start")
	f.StringVar(&t.comment, "comment", "", "`char` that begins a comment (# in .txt)")
	f.StringVar(&t.decimal, "decimal", "", "decimal separator, a `char` (a point)")
	f.StringVar(&t.thousands, "thousands", "", "`char` between groups of digits: 1,234,567")
	f.StringVar(&t.ragged, "ragged", "", "what to do with `rows` of other lengths: error, fill, skip (error)")
	f.BoolVar(&t.records, "records", false, "a field for each column, where all numbers without names are a 2-D array otherwise")
	f.StringVar(&t.dates, "dates", "", "the `order` of 31.12.2024 (dmy) or 12/31/2024 (mdy) (what a number over 12 shows)")
	f.StringVar(&t.bools, "bools", "", "`words` of bools besides true/false: yes/no,t/f")
	f.BoolVar(&t.keepZones, "keep-zones", false, "leave times with Z or +01:00 as text, and do not convert them to UTC")
	t.sets = append(t.sets, f)
	Group(c, "Flags for tables of text ('npy help text')", tableFlags...)
}

// Hide adds the flags to a subcommand whose help does not list them.
func (t *Table) Hide(c *cobra.Command) {
	t.Add(c)
	if c.Flags().Lookup("encoding") == nil { // otherwise the flag of objects takes encodings of text, too
		c.Flags().Var((*textEncoding)(&t.Encoding), "encoding", "encoding of text: utf-8, latin-1, windows-1252, utf-16")
		c.Flags().Lookup("encoding").Hidden = true
	}
	for _, name := range tableFlags {
		c.Flags().Lookup(name).Hidden = true
	}
}

// A textEncoding is the value of a flag.
type textEncoding convert.Encoding

// String implements pflag.Value.
func (e *textEncoding) String() string { return string(*e) }

// Type implements pflag.Value: help shows it as the name of the value.
func (e *textEncoding) Type() string { return "name" }

// Set implements pflag.Value.
func (e *textEncoding) Set(name string) error {
	known, err := convert.ParseEncoding(name)
	if err != nil {
		return errors.New("want utf-8, latin-1, windows-1252 or utf-16")
	}
	*e = textEncoding(known)
	return nil
}

// Given returns the first flag of tables that was given, or "". --header and --no-header count only for reading.
func (t *Table) Given() string {
	i := slices.IndexFunc(tableFlags, func(name string) bool { return name != "no-header" && t.changed(name) })
	if i < 0 {
		return ""
	}
	return "--" + tableFlags[i]
}

// changed reports whether a flag was given.
func (t *Table) changed(name string) bool {
	return slices.ContainsFunc(t.sets, func(f *pflag.FlagSet) bool { return f.Changed(name) })
}

// Header returns whether the first line holds names.
func (t *Table) Header() convert.Header {
	switch {
	case t.header:
		return convert.HeaderYes
	case t.noHeader:
		return convert.HeaderNo
	}
	return convert.HeaderAuto
}

// charNames are characters that are hard to type.
var charNames = map[string]byte{"tab": '\t', `\t`: '\t', "space": ' ', "spaces": ' ', "comma": ',', "semicolon": ';', "point": '.'}

// Options returns the options of reading tables.
func (t *Table) Options() (o convert.TableOptions, err error) {
	o = convert.TableOptions{Skip: t.skip, Encoding: t.Encoding, Columns: t.Columns, Records: t.records, KeepZones: t.keepZones}
	if t.header && t.noHeader {
		return o, fmt.Errorf("--header and --no-header exclude each other")
	}
	if t.skip < 0 {
		return o, fmt.Errorf("--skip %d: want a number of lines", t.skip)
	}
	for _, c := range []struct {
		flag, text string
		to         *byte
	}{
		{"delimiter", t.delimiter, &o.Delimiter}, {"comment", t.comment, &o.Comment},
		{"decimal", t.decimal, &o.Decimal}, {"thousands", t.thousands, &o.Thousands},
	} {
		char, named := charNames[c.text]
		switch {
		case c.text == "":
			continue
		case !named && utf8.RuneCountInString(c.text) != 1:
			return o, fmt.Errorf("--%s %q: want one character", c.flag, c.text)
		case !named && c.text[0] >= utf8.RuneSelf:
			return o, fmt.Errorf("--%s %q: want a character of ASCII", c.flag, c.text)
		case !named:
			char = c.text[0]
		}
		*c.to = char
	}
	if t.changed("na") {
		o.Missing = missing(t.missing)
	}
	ragged := map[string]convert.Ragged{"": convert.RaggedError, "error": convert.RaggedError, "fill": convert.RaggedFill, "skip": convert.RaggedSkip}
	how, ok := ragged[t.ragged]
	if !ok {
		return o, fmt.Errorf("--ragged %q: want error, fill or skip", t.ragged)
	}
	o.Ragged = how
	dates := map[string]convert.Dates{"": convert.DatesAuto, "dmy": convert.DayFirst, "mdy": convert.MonthFirst}
	if o.Dates, ok = dates[t.dates]; !ok {
		return o, fmt.Errorf("--dates %q: want dmy or mdy", t.dates)
	}
	for _, pair := range strings.Split(t.bools, ",") {
		if t.bools == "" {
			break
		}
		is, not, ok := strings.Cut(pair, "/")
		if !ok || is == "" || not == "" || strings.Contains(not, "/") {
			return o, fmt.Errorf("--bools %q: want pairs such as yes/no,t/f", t.bools)
		}
		o.True, o.False = append(o.True, is), append(o.False, not)
	}
	return o, nil
}

// missing returns the texts of missing values that --na lists.
func missing(list string) []string {
	texts := convert.DefaultMissing()
	if only, ok := strings.CutPrefix(list, "="); ok {
		list, texts = only, []string{}
	}
	return append(texts, strings.Split(list, ",")...)
}

// ParseDType returns a dtype, or the dtypes of some columns of a table: id=i8,name=U10.
func ParseDType(text string) (t dtype.Type, columns map[string]dtype.Type, err error) {
	t, err = dtype.Parse(text)
	if err == nil {
		return t, nil, nil
	}
	parts := splitColumns(text)
	columns = make(map[string]dtype.Type, len(parts))
	for _, part := range parts {
		name, descr, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, "()[]'\"") {
			return t, nil, fmt.Errorf("--dtype: %s", diagnose.Text(err))
		}
		d, bad := dtype.Parse(strings.TrimSpace(descr))
		if bad != nil {
			return t, nil, fmt.Errorf("--dtype: column %s: %s", name, diagnose.Text(bad))
		}
		if _, twice := columns[name]; twice {
			return t, nil, fmt.Errorf("--dtype: column %s is there twice", name)
		}
		columns[name] = d
	}
	return dtype.Type{}, columns, nil
}

// splitColumns divides a list at its commas, except within brackets.
func splitColumns(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, text[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, text[start:])
}
