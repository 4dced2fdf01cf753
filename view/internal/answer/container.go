package answer

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// kindNPY is the Kind of a file that is one array: the name that [container.NPY] has.
const kindNPY = "npy"

// FileOf returns the arrays of an open container. end is called once nobody needs them any more.
func FileOf(format container.Format, c container.Container, end func()) *File {
	f := &File{Kind: format.Name, Entries: slices.Collect(c.Entries()), Close: end}
	paths := make([]string, len(f.Entries))
	for i, e := range f.Entries {
		paths[i] = e.Path
	}
	if format.Name == kindNPY {
		f.Entries[0].Path = "" // its only array has no name
	}
	f.Source = func(i int) (npy.Source, error) { return c.Source(paths[i]) }
	attributes := func(path string) []container.Attribute {
		all, err := c.Attributes(path)
		if err != nil {
			all = append(all, container.Attribute{Name: "attributes", Err: err})
		}
		return all
	}
	f.Attributes = func(i int) []container.Attribute { return attributes(paths[i]) }
	if format.Name != kindNPY {
		f.Global = func() []container.Attribute { return attributes("") }
	}
	return f
}
