package flags

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// Group puts flags of a subcommand under a title of their own in its help.
func Group(c *cobra.Command, title string, names ...string) {
	for _, name := range names {
		if f := c.Flags().Lookup(name); f != nil {
			f.Annotations = map[string][]string{groupKey: {title}}
		}
	}
}

// A Titled is a group of flags with its title.
type Titled struct {
	Title string
	Flags *pflag.FlagSet
}

// Groups returns the flags of a subcommand by their groups. Flags without a group come first, hidden ones are left out.
func Groups(c *cobra.Command) []Titled {
	groups := []Titled{{"Flags", pflag.NewFlagSet("", pflag.ContinueOnError)}}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := groups[0].Title
		if t := f.Annotations[groupKey]; len(t) > 0 {
			title = t[0]
		}
		for _, g := range groups {
			if g.Title == title {
				g.Flags.AddFlag(f)
				return
			}
		}
		g := Titled{title, pflag.NewFlagSet("", pflag.ContinueOnError)}
		g.Flags.AddFlag(f)
		groups = append(groups, g)
	})
	return groups
}
