package input

import (
	"slices"

	"github.com/npygo/npy/query"
)

// Needs says which fields of records a command uses besides those of Opener.Set and Opener.Where, so that the other columns of a table
// of text are not read.
type Needs struct {
	Texts []string // names of fields, and expressions
	Rows  bool     // all fields go to OUT, unless it gets the lines of the table
}

// NeedKeys adds the fields of keys.
func (n *Needs) NeedKeys(keys ...query.Key) {
	for _, k := range keys {
		n.Texts = append(n.Texts, k.Field)
	}
}

// fields returns the function that chooses the columns of the table of a target, or nil if all are read. lines tells that the records
// get the lines of the table.
func (o Opener) fields(t Target, lines bool) func(names []string) []string {
	for _, x := range t.Index {
		if name, ok := x.Name(); ok {
			return func(names []string) []string { return chooseFields(names, []string{name}, nil) }
		}
	}
	if o.Needs == nil || t.Index != nil || o.Needs.Rows && (!lines || len(o.Set) > 0) {
		return nil
	}
	texts, known := slices.Clone(o.Needs.Texts), []string{"row"}
	if o.Where != "" {
		texts = append(texts, o.Where)
	}
	for _, a := range o.Set {
		texts, known = append(texts, a.Expr), append(known, a.Name)
	}
	return func(names []string) []string { return chooseFields(names, texts, known) }
}

// chooseFields returns those of names that texts use, the first of them if they use none. It returns all if a text uses another name that
// is not known, so that the error about it lists the fields.
func chooseFields(names, texts, known []string) []string {
	used := map[string]bool{}
	for _, text := range texts {
		if slices.Contains(names, text) {
			used[text] = true
			continue
		}
		if text == "" {
			continue
		}
		in, err := query.ArrayNames(text)
		if err != nil || len(in) == 0 {
			return names
		}
		for _, name := range in {
			switch {
			case slices.Contains(names, name):
				used[name] = true
			case !slices.Contains(known, name):
				return names
			}
		}
	}
	var chosen []string
	for _, name := range names {
		if used[name] {
			chosen = append(chosen, name)
		}
	}
	if chosen == nil {
		return names[:1]
	}
	return chosen
}
