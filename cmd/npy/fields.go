package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

// A picking holds the flags of fields.
type picking struct {
	keep, drop, rename []string
	sort               bool
}

func fieldsCommand(a *app) *cobra.Command {
	var e edit
	var x picking
	c := e.command(a, &cobra.Command{
		Use:   "fields IN OUT",
		Short: "Pick, order and rename the fields of records",
		Long: `Fields writes records with some of their fields, or with other names, from files of any size. --keep takes the fields
that are named, in this order, and --drop all others. The fields follow each other without padding, as
numpy.lib.recfunctions.repack_fields puts them. 'npy convert' of 'FILE["name"]' gives one field by itself, as no record.`,
		Example: "  npy fields --keep time,mag quakes.npy small.npy\n  npy fields --drop raw --rename lat=latitude,lon=longitude --sort a.npy b.npy",
	}, 0, 0, "IN and OUT", func([]string) error {
		if x.keep == nil && x.drop == nil && x.rename == nil && !x.sort {
			return fmt.Errorf("fields wants at least one of --keep, --drop, --rename and --sort")
		}
		if x.keep != nil && x.drop != nil {
			return fmt.Errorf("--keep and --drop do not go together; give one")
		}
		for _, pair := range x.rename {
			if old, name, ok := strings.Cut(pair, "="); !ok || old == "" || name == "" {
				return fmt.Errorf("--rename %s: want OLD=NEW", pair)
			}
		}
		e.pick = x.pick
		return nil
	})
	f := c.Flags()
	f.StringSliceVar(&x.keep, "keep", nil, "keep only these `fields`, in this order")
	f.StringSliceVar(&x.drop, "drop", nil, "leave these `fields` out")
	f.StringSliceVar(&x.rename, "rename", nil, "give fields other names, `OLD=NEW`; --keep and --drop know the old ones")
	f.BoolVar(&x.sort, "sort", false, "order them by their names, which are the new ones")
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
		for _, f := range t.Fields() {
			if !slices.Contains(x.drop, f.Name) {
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
