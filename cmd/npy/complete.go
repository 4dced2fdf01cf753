package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/charts"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/cmd/npy/internal/typetext"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Shells ask the command itself for completions (complete_line.go), which takes them from cobra's hidden subcommand
// __complete. This file adds completions for files and their contents. A flag has the same meaning in every subcommand, so
// its values depend on its name only.

// An edge encloses a completion that begins or ends with a space, which cobra would remove.
const edge = "\x00"

// flagValues lists the values of each flag that has only a few.
func (a *app) flagValues() map[string][]string {
	formats := a.formatNames()
	return map[string][]string{
		"as":              asNames,
		"casting":         {"safe", "same_kind", "unsafe"},
		"color":           {"auto", "always", "never"},
		"colormap":        strings.Split(pictures.ColormapNames(), ", "),
		"direction":       {"backward", "forward", "nearest"},
		"dtype":           dtypeNames,
		"encoding":        {"ascii", "latin1", "bytes"},
		"from":            formats,
		"graphics":        {pictures.AutoGraphics, pictures.BlocksGraphics, pictures.KittyGraphics, pictures.SixelGraphics},
		"header":          {"auto", "yes", "no"},
		"how":             {"inner", "left", "semi", "anti", "asof"},
		"kind":            charts.Kinds,
		"lang":            typetext.Languages(),
		"npy-version":     {"1.0", "2.0", "3.0"},
		"numpy":           {"1", "2"},
		"order":           {"C", "F"},
		"pickle-protocol": {"2", "3", "4", "5"},
		"to":              formats,
	}
}

// asNames are the dtypes that NumPy writes as void, and the dtypes of the same item sizes.
var asNames = []string{
	"bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e3m4", "float8_e8m0fnu",
	"float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4", "uint4", "int2", "uint2",
}

// dtypeNames are the most common dtypes; numpy.dtype accepts many more.
var dtypeNames = []string{
	"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
	"complex64", "complex128", "datetime64[s]", "datetime64[ns]", "timedelta64[ns]", "<f4", ">f4", "<f8", ">f8", "U16", "S16",
}

func trimDots(endings []string) []string {
	names := slices.Clone(endings)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], ".")
	}
	return names
}

// addCompletions makes every subcommand complete the values of its flags.
func (a *app) addCompletions(root *cobra.Command) {
	values := a.flagValues()
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			complete := a.completeFields(f.Name)
			if complete == nil {
				complete = completeValue(f, values[f.Name])
			}
			if complete != nil {
				c.RegisterFlagCompletionFunc(f.Name, complete) // fails only for flags that c does not have
			}
		})
	}
}

// completeValue completes the value of a flag, from a list or as the name of a file.
func completeValue(f *pflag.Flag, values []string) cobra.CompletionFunc {
	placeholder, _ := pflag.UnquoteUsage(f)
	switch {
	case values != nil:
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
	case placeholder == "folder":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case placeholder == "file" || f.Value.Type() == "bool":
		return nil
	}
	return cobra.NoFileCompletions
}

// completeFile completes the name of a file that a subcommand reads, by its ending. A subcommand that reads none writes .npy.
func completeFile(c *cobra.Command) ([]cobra.Completion, cobra.ShellCompDirective) {
	reads := cmp.Or(findSubcommand(c.Name()).reads, npyFiles)
	if reads&anyFiles != 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return reads.endings(), cobra.ShellCompDirectiveFilterFileExt
}

// completeTarget completes FILE, FILE.npz:MEMBER and the fields in FILE[.
func (a *app) completeTarget(c *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const inFile = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if remote.IsURL(word) { // the answer would take requests
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if input.Exists(word) {
		return completeFile(c)
	}
	for i := strings.LastIndexByte(word, '['); i > 0; i = strings.LastIndexByte(word[:i], '[') { // names may have brackets, too
		if names := a.fieldsOf([]string{word[:i]}); names != nil {
			return withPrefix(word[:i], a.indices(names, word[i:])), inFile
		}
	}
	for i, c := range []byte(word) {
		if c == ':' && input.Exists(word[:i]) {
			return withPrefix(word[:i+1], a.memberNames(word[:i], word[i+1:])), inFile
		}
	}
	return completeFile(c)
}

// completeMember completes an archive, then names of its members. A name that begins with - would be a flag.
func (a *app) completeMember(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeFile(c)
	}
	names := a.memberNames(args[0], word)
	if c.ArgsLenAtDash() < 0 {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "-") })
	}
	return withPrefix("", names), cobra.ShellCompDirectiveNoFileComp
}

// completeDType completes a dtype, then files.
func (a *app) completeDType(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return dtypeNames, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	return a.completeTarget(c, args, word)
}

// completeSubcommand completes the name of a subcommand or a topic.
func (a *app) completeSubcommand(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
}

// completeNothing completes URLs, whose list would take requests.
func completeNothing(*app, *cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// withPrefix returns the words with a prefix, or nothing if the prefix has characters that a terminal obeys.
func withPrefix(prefix string, words []string) []string {
	if terminal.Printable(prefix) != prefix {
		return nil
	}
	for i, word := range words {
		name, about, described := strings.Cut(prefix+word, "\t")
		if strings.TrimSpace(name) != name {
			name = edge + name + edge
		}
		if words[i] = name; described {
			words[i] = cobra.CompletionWithDesc(name, about)
		}
	}
	return words
}

// memberNames returns the arrays of a container that begin with a text. Their descriptions are added if there are few
// enough members to read each header. Names with characters that a terminal obeys are left out.
func (a *app) memberNames(path, beginning string) []cobra.Completion {
	const most = 200
	c, err := a.opener(npy.Decoder{}).OpenContainer(path)
	if err != nil {
		return nil
	}
	defer c.Close()
	slash := ""
	if c.NPZ() == nil && strings.HasPrefix(beginning, "/") {
		slash = "/"
	}
	var names []cobra.Completion
	for _, path := range c.Names() {
		name := slash + path
		if terminal.Printable(name) != name || !strings.HasPrefix(name, beginning) {
			continue
		}
		if len(c.Names()) <= most {
			if e, err := c.Entry(path); err == nil && e.Err == nil {
				name = cobra.CompletionWithDesc(name, terminal.Printable(numbers.TypeText(e.DType))+" "+format.ShapeString(e.Shape))
			}
		}
		names = append(names, name)
	}
	return names
}

// fields returns the names that an index of the argument may have: fields of the array, or arrays of the container.
func (a *app) fields(arg string) ([]string, error) {
	t, err := input.Parse(arg)
	if err != nil {
		return nil, err
	}
	o := a.opener(npy.Decoder{})
	if t, err = o.Open(t); err != nil {
		return nil, err
	}
	defer t.Close()
	if t.Container != nil && t.Member == "" {
		return t.Container.Names(), nil
	}
	if t.Container != nil {
		if t, err = t.Resolve(); err != nil {
			return nil, err
		}
	}
	i, err := readInfo(a.ctx, o, t)
	if err != nil {
		return nil, err
	}
	part, err := npy.SelectionOf(format.Header{DType: i.dtype, Shape: i.Shape}, t.Index...)
	if err != nil {
		return nil, err
	}
	if !part.DType().IsStruct() {
		return nil, errors.New("no struct")
	}
	return diagnose.FieldNames(part.DType()), nil
}

// indices returns the index of each name that begins with a text, such as [x or ["x. Identifiers need no quotes. Other
// names have quotes of their own, whichever quotes are open in the shell. Candidates have no descriptions: with
// descriptions, bash does not accept the bracket.
func (a *app) indices(names []string, beginning string) []cobra.Completion {
	quotes := "'\""
	if a.openQuote == '\'' {
		quotes = "\"'"
	}
	var all []cobra.Completion
	for _, name := range names {
		if terminal.Printable(name) != name {
			continue
		}
		forms := []string{}
		if index, err := npy.ParseIndex(name); err == nil && isName(index, name) {
			forms = append(forms, "["+name+"]")
		}
		for _, q := range strings.Split(quotes, "") {
			forms = append(forms, "["+q+strings.NewReplacer(`\`, `\\`, q, `\`+q).Replace(name)+q+"]")
		}
		if i := slices.IndexFunc(forms, func(form string) bool { return strings.HasPrefix(form, beginning) }); i >= 0 {
			all = append(all, forms[i])
		}
	}
	return all
}

// isName reports whether an index is the name of a field, which then needs no quotes.
func isName(index []npy.Index, name string) bool {
	if len(index) != 1 {
		return false
	}
	field, ok := index[0].Name()
	return ok && field == name
}
