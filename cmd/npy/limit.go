package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
	"github.com/spf13/cobra"
)

// A limitName is a limit's name in errors, with its default.
type limitName struct{ name, standard, what string }

// limitNames lists the limits that --limit sets.
var limitNames = []limitName{
	{"MaxBytes", "1G", "bytes of a pickle; 256M of JSON that is in no file"},
	{"MaxColumns", "1M", "columns of a table of text"},
	{"MaxDepth", "10000", "Python containers within each other; 128 in text"},
	{"MaxDigits", "100000", "digits of an int in a pickle, or bytes of one"},
	{"MaxFolders", "10000", "folders that unpack makes"},
	{"MaxMembers", "1M", "members of an archive"},
	{"MaxMemo", "64M", "values that a pickle gives numbers to"},
	{"MaxNodes", "64M", "values in a pickle"},
	{"MaxParts", "10000", "parts that split makes of an array of fewer bytes"},
	{"MaxRatio", "1032", "bytes of a member for each in the archive, beyond 256M"},
	{"MaxRow", "64M", "bytes of a row of text"},
	{"MaxShared", "64M", "bytes that Python objects cost that are used again"},
	{"MaxStruct", "256M", "bytes of structs with Python objects"},
	{"MaxText", "256M", "bytes of Python objects that show prints"},
}

// bounds holds the given limits by name. 0 stands for the default and a negative number for no limit, as in the
// packages.
type bounds map[string]int64

// addLimit adds the flag --limit to a subcommand.
func (a *app) addLimit(c *cobra.Command) {
	c.Flags().Var(a.limits, "limit", "raise or lower the limit called `NAME=number`, as errors call it; see 'npy help limits'")
}

// String implements pflag.Value.
func (b bounds) String() string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		texts = append(texts, fmt.Sprintf("%s=%d", name, b[name]))
	}
	return strings.Join(texts, ",")
}

// Type implements pflag.Value.
func (b bounds) Type() string { return "NAME=number" }

// Set implements pflag.Value: MaxShared=1G, MaxRow=none.
func (b bounds) Set(text string) error {
	name, number, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want NAME=number, such as MaxShared=1G")
	}
	i := slices.IndexFunc(limitNames, func(l limitName) bool { return strings.EqualFold(l.name, name) })
	if i < 0 {
		var names []string
		for _, l := range limitNames {
			names = append(names, l.name)
		}
		return fmt.Errorf("there is no limit %q, want one of %s", name, strings.Join(names, ", "))
	}
	if strings.EqualFold(number, "none") {
		b[limitNames[i].name] = -1
		return nil
	}
	var n size
	if err := n.Set(number); err != nil {
		return errors.New("want a number such as 1000, 512M or 2G, or none")
	}
	b[limitNames[i].name] = int64(n)
	return nil
}

func (b bounds) pickle() pickle.Decoder {
	return pickle.Decoder{
		MaxBytes: b["MaxBytes"], MaxNodes: int(b["MaxNodes"]), MaxMemo: int(b["MaxMemo"]), MaxDepth: int(b["MaxDepth"]),
		MaxDigits: int(b["MaxDigits"]), MaxShared: b["MaxShared"],
	}
}

func (b bounds) objects() objects.Decoder {
	return objects.Decoder{Pickle: b.pickle(), MaxStruct: b["MaxStruct"]}
}

// encoder returns the encoder of objects with the given limits.
func (b bounds) encoder() objects.Encoder {
	return objects.Encoder{MaxShared: b["MaxShared"]}
}

func (b bounds) archive() npz.Decoder {
	return npz.Decoder{MaxMembers: int(b["MaxMembers"]), MaxRatio: int(b["MaxRatio"])}
}

// text adds the limits of reading text to options. A file has a known length and needs no limit.
func (b bounds) text(o convert.ReadOptions, f any) convert.ReadOptions {
	o.MaxBytes, o.MaxRow, o.MaxColumns = b["MaxBytes"], b["MaxRow"], int(b["MaxColumns"])
	if o.MaxBytes == 0 && sizeOf(f) > 0 {
		o.MaxBytes = -1
	}
	return o
}

// write adds the limits of writing objects as text to options.
func (b bounds) write(o convert.WriteOptions) convert.WriteOptions {
	o.MaxDepth, o.MaxShared = int(b["MaxDepth"]), b["MaxShared"]
	return o
}

func (b bounds) diff(o diff.Options) diff.Options {
	o.MaxShared, o.MaxDepth = b["MaxShared"], int(b["MaxDepth"])
	return o
}

// raising returns the end of a limit's error message: the flag that raises the limit. It is empty for other errors.
func raising(err error) string {
	var over *npy.LimitError
	switch {
	case !errors.As(err, &over):
		return ""
	case over.Name == "MaxHeader":
		return "; raise it with --max-header"
	case slices.ContainsFunc(limitNames, func(l limitName) bool { return l.name == over.Name }):
		return "; raise it with --limit " + over.Name + "=N"
	}
	return ""
}

// limitsTopic lists the limits.
func limitsTopic() string {
	var b strings.Builder
	b.WriteString(`What comes from elsewhere can be made to take memory and time out of all proportion. So there are limits, and an error that
says which one was reached. --limit sets it: a number, with K, M or G for powers of 1024, or none.

`)
	for _, l := range limitNames {
		fmt.Fprintf(&b, "  %-11s%7s  %s\n", l.name, l.standard, l.what)
	}
	b.WriteString(`
  npy show --limit MaxShared=1G a.npy
  npy convert --limit MaxRow=none --limit MaxColumns=10M wide.csv wide.npy

--max-header is about headers, for which NumPy has a limit too.
`)
	return b.String()
}
