package main

import (
	"strings"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

// Flags that name fields are completed with the fields of the first file before the cursor: npy sort quakes.csv --by .

// A fieldsFlag tells how a flag names fields: it returns what of its value is before the name at the end, and whether the name is in an
// expression, where a name that is no identifier is between backquotes.
type fieldsFlag func(value string) (before string, inExpression bool)

// fieldsFlags are the flags that name fields.
var fieldsFlags = map[string]fieldsFlag{
	"agg": func(value string) (string, bool) { return upTo(value, ",:"), false },
	"by": func(value string) (string, bool) {
		before := upTo(value, ",")
		if strings.HasPrefix(value[len(before):], "-") {
			before += "-"
		}
		return before, false
	},
	"drop":   inList,
	"keep":   inList,
	"on":     inList,
	"pivot":  inList,
	"rename": inList,
	"set":    inExpression,
	"where":  inExpression,
	"x":      inList,
	"y":      inList,
}

func inList(value string) (string, bool) { return upTo(value, ","), false }

func inExpression(value string) (string, bool) {
	isWord := func(r rune) bool { return r == '_' || r == '`' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return strings.TrimRightFunc(value, isWord), true
}

// upTo returns the value up to the last of some characters.
func upTo(value, chars string) string { return value[:strings.LastIndexAny(value, chars)+1] }

// completeFields returns the completion of a flag that names fields, or nil for any other.
func (a *app) completeFields(flag string) cobra.CompletionFunc {
	cut := fieldsFlags[flag]
	if cut == nil {
		return nil
	}
	return func(_ *cobra.Command, args []string, value string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, expression := cut(value)
		var all []cobra.Completion
		for _, name := range a.fieldsOf(args) {
			if expression {
				name = inCode(name)
			}
			if terminal.Printable(name) == name && strings.HasPrefix(before+name, value) {
				all = append(all, before+name)
			}
		}
		return withPrefix("", all), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
}

// inCode returns a name as expressions have it: between backquotes unless it is an identifier.
func inCode(name string) string {
	if a, err := query.ParseAssignment(name + " = 0"); err == nil && a.Name == name {
		return name
	}
	return "`" + name + "`"
}

// fieldsOf returns the fields of the first of the arguments that is a file with fields.
func (a *app) fieldsOf(args []string) []string {
	for _, arg := range args {
		t, err := input.Parse(arg)
		if err != nil || !input.Exists(t.Path) {
			continue
		}
		if names, err := a.fields(arg); err == nil {
			return names
		}
		if names, err := a.columns(t); err == nil {
			return names
		}
	}
	return nil
}

// columns returns the names of the columns of a table of text, from its first rows.
func (a *app) columns(t input.Target) ([]string, error) {
	o := a.opener(npy.Decoder{})
	o.Text.Rows = 1
	o.Tell = func(string, ...any) {}
	src, err := o.Source(a.ctx, t)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return diagnose.FieldNames(src.DType()), nil
}
