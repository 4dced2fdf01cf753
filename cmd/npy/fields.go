package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

// A picking holds the flags of fields.
type picking struct {
	keep, drop, rename []string
	sort               bool
}

var fieldsSubcommand = subcommand{
	use:      "fields IN OUT",
	short:    "Select, sort and rename the fields of records",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: replaceOut,
	make:     fieldsCommand,
}

func fieldsCommand(a *app) *cobra.Command {
	var e edit
	var x picking
	c := e.command(a, &cobra.Command{
		Long: `Fields writes records with only some of their fields, or with new names, in files of any size. --keep keeps the named fields,
in this order. --drop keeps all others. The new records have no padding, as after numpy.lib.recfunctions.repack_fields.
'npy convert' of 'FILE["name"]' writes one field as a plain array.`,
		Example: "  npy fields --keep time,mag quakes.npy small.npy\n  npy fields --drop raw --rename lat=latitude,lon=lng --by-name a.npy b.npy",
	}, 0, 0, "IN and OUT", func([]string) error {
		picks := x.keep != nil || x.drop != nil || x.rename != nil || x.sort
		if !picks && len(a.set) == 0 {
			return fmt.Errorf("fields wants at least one of --set, --keep, --drop, --rename and --by-name")
		}
		if x.keep != nil && x.drop != nil {
			return fmt.Errorf("--keep and --drop exclude each other; give one")
		}
		for _, pair := range x.rename {
			if old, name, ok := strings.Cut(pair, "="); !ok || old == "" || name == "" {
				return fmt.Errorf("--rename %s: want OLD=NEW", pair)
			}
		}
		if picks {
			e.pick = x.pick
		}
		if x.keep != nil {
			e.needs = &input.Needs{Texts: slices.Clone(x.keep)}
			for _, pair := range x.rename {
				old, _, _ := strings.Cut(pair, "=")
				e.needs.Texts = append(e.needs.Texts, old)
			}
		}
		return nil
	})
	f := c.Flags()
	alsoCalled(f, "by-name", "sort")
	f.StringSliceVar(&x.keep, "keep", nil, "keep only these `fields`, in this order")
	f.StringSliceVar(&x.drop, "drop", nil, "remove these `fields`")
	f.StringSliceVar(&x.rename, "rename", nil, "rename fields, `OLD=NEW`; --keep and --drop take the old names")
	f.BoolVar(&x.sort, "by-name", false, "sort the fields by their new names")
	a.addWhere(c)
	return c
}

// pick returns the requested fields of t, and the new names of renamed fields.
func (x *picking) pick(t dtype.Type) (fields []string, rename map[string]string, err error) {
	if !t.IsStruct() {
		return nil, nil, fmt.Errorf("dtype %s has no fields", t)
	}
	for _, name := range x.drop {
		if _, ok := t.FieldByName(name); !ok {
			return nil, nil, fmt.Errorf("no field %q to drop", name)
		}
	}
	fields = x.keep
	if fields == nil {
		dropped := map[string]bool{}
		for _, name := range x.drop {
			dropped[name] = true
		}
		for _, f := range t.Fields() {
			if !dropped[f.Name] {
				fields = append(fields, f.Name)
			}
		}
	}
	rename = map[string]string{}
	for _, pair := range x.rename {
		old, name, _ := strings.Cut(pair, "=")
		rename[old] = name
	}
	if x.sort {
		named := func(field string) string {
			if name, ok := rename[field]; ok {
				return name
			}
			return field
		}
		fields = slices.Clone(fields)
		slices.SortFunc(fields, func(a, b string) int { return strings.Compare(named(a), named(b)) })
	}
	if fields == nil {
		return nil, nil, fmt.Errorf("no field is left")
	}
	return fields, rename, nil
}
