// Package limits has the limits that --limit sets, by their names in errors.
package limits

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// A limitName is a limit's name in errors, with its default.
type limitName struct{ name, standard, what string }

// limitNames lists the limits that --limit sets.
var limitNames = []limitName{
	{"MaxBytes", "1G", "bytes of a pickle, or of JSON from a pipe (256M)"},
	{"MaxChunk", "32M", "bytes of a HDF5 chunk compressed to less than 1/64"},
	{"MaxColumns", "1M", "columns of a table of text"},
	{"MaxDepth", "10000", "nesting of Python containers; 128 in text"},
	{"MaxDigits", "100000", "digits of an int in a pickle, or bytes of one"},
	{"MaxEntries", "1M", "arrays and groups of a file with several arrays"},
	{"MaxFolders", "10000", "folders that unpack makes"},
	{"MaxKeys", "1M", "files that a list of a store has"},
	{"MaxMembers", "1M", "members of an archive"},
	{"MaxMemo", "64M", "values in the memo of a pickle; fewer if compressed"},
	{"MaxNodes", "64M", "values in a pickle; 4M, and 8 a byte, if compressed"},
	{"MaxParts", "10000", "parts that split makes of fewer bytes; 131072 of more"},
	{"MaxRatio", "1032", "bytes read to bytes of the file or member, over 256M"},
	{"MaxRow", "64M", "bytes of a row of text; 8M if it is compressed"},
	{"MaxShared", "64M", "bytes for Python objects that occur repeatedly"},
	{"MaxStruct", "256M", "bytes of structs with Python objects"},
	{"MaxText", "256M", "bytes of Python objects that show prints"},
}

// Limits holds the given limits by name. 0 stands for the default and a negative number for no limit, as in the
// packages.
type Limits map[string]int64

// String implements pflag.Value.
func (l Limits) String() string { return strings.Join(l.Values(), ",") }

// Values returns the values of the flag that Set takes, one for each limit.
func (l Limits) Values() []string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(l)) {
		number := "none"
		if n := l[name]; n >= 0 {
			number = strconv.FormatInt(n, 10)
		}
		texts = append(texts, name+"="+number)
	}
	return texts
}

// Type implements pflag.Value.
func (l Limits) Type() string { return "NAME=number" }

// Several says that the flag may be given several times, for several limits.
func (l Limits) Several() {}

// Set implements pflag.Value: MaxShared=1G, MaxRow=none.
func (l Limits) Set(text string) error {
	name, number, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want NAME=number, such as MaxShared=1G")
	}
	i := slices.IndexFunc(limitNames, func(x limitName) bool { return strings.EqualFold(x.name, name) })
	if i < 0 {
		var names []string
		for _, x := range limitNames {
			names = append(names, x.name)
		}
		return fmt.Errorf("there is no limit %q, want one of %s", name, strings.Join(names, ", "))
	}
	if _, given := l[limitNames[i].name]; given {
		return fmt.Errorf("the limit %s is given twice", limitNames[i].name)
	}
	if strings.EqualFold(number, "none") {
		l[limitNames[i].name] = -1
		return nil
	}
	var n Size
	if err := n.Set(number); err != nil {
		return errors.New("want a number such as 1000, 512M or 2G, or none")
	}
	l[limitNames[i].name] = int64(n)
	return nil
}

// Pickle returns the decoder of pickles with the given limits.
func (l Limits) Pickle() pickle.Decoder {
	return pickle.Decoder{
		MaxBytes: l["MaxBytes"], MaxNodes: int(l["MaxNodes"]), MaxMemo: int(l["MaxMemo"]), MaxDepth: int(l["MaxDepth"]),
		MaxDigits: int(l["MaxDigits"]), MaxShared: l["MaxShared"],
	}
}

// Objects returns the decoder of objects with the given limits.
func (l Limits) Objects() objects.Decoder {
	return objects.Decoder{Pickle: l.Pickle(), MaxStruct: l["MaxStruct"]}
}

// Encoder returns the encoder of objects with the given limits.
func (l Limits) Encoder() objects.Encoder {
	return objects.Encoder{MaxShared: l["MaxShared"]}
}

// Archive returns the decoder of archives with the given limits.
func (l Limits) Archive() npz.Decoder {
	return npz.Decoder{MaxMembers: int(l["MaxMembers"]), MaxRatio: int(l["MaxRatio"])}
}

// Text adds the limits of reading text to options.
func (l Limits) Text(o convert.ReadOptions) convert.ReadOptions {
	o.MaxBytes, o.MaxRow, o.MaxColumns = l["MaxBytes"], l["MaxRow"], int(l["MaxColumns"])
	return o
}

// Write adds the limits of writing objects as text to options.
func (l Limits) Write(o convert.WriteOptions) convert.WriteOptions {
	o.MaxDepth, o.MaxShared = int(l["MaxDepth"]), l["MaxShared"]
	return o
}

// Diff adds the limits of comparing objects to options.
func (l Limits) Diff(o diff.Options) diff.Options {
	o.MaxShared, o.MaxDepth = l["MaxShared"], int(l["MaxDepth"])
	return o
}

// Advice returns the end of a limit's error message: the flag that raises the limit. It is empty for other errors.
func Advice(err error) string {
	var over *npy.LimitError
	switch {
	case !errors.As(err, &over):
		return ""
	case over.Name == "MaxHeader":
		return "; raise it with --max-header"
	case over.Name == "Memory":
		return "; raise the limit with --memory"
	case slices.ContainsFunc(limitNames, func(x limitName) bool { return x.name == over.Name }):
		return "; raise it with --limit " + over.Name + "=N"
	}
	return ""
}

// Topic is the page of help that lists the limits.
func Topic() string {
	var b strings.Builder
	b.WriteString(`A small file can be made to need much memory or time. So there are limits, and an error that names the limit that was
reached. --limit sets it to a number, with K, M or G for powers of 1024, or to none.

`)
	for _, l := range limitNames {
		fmt.Fprintf(&b, "  %-11s%7s  %s\n", l.name, l.standard, l.what)
	}
	b.WriteString(`
  npy show --limit MaxShared=1G a.npy
  npy convert --limit MaxRow=none --limit MaxColumns=10M wide.csv wide.npy

--max-header limits headers, as max_header_size does in NumPy.
`)
	return b.String()
}
