package main

import (
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// A folder is what the names of members have in common up to a slash.
type folder struct {
	name    string
	folders []*folder
	members []listed
	size    int64
	stored  int64
	count   int
}

// maxDepth limits the depth of the tree: names of an archive may have any number of slashes.
const maxDepth = 32

// treeOf returns the folders of the members, each in the order of the archive.
func treeOf(members []listed) *folder {
	root := &folder{}
	for _, m := range members {
		parts := strings.SplitN(m.Member, "/", maxDepth)
		at := root
		at.add(m)
		for _, name := range parts[:len(parts)-1] {
			at = at.folder(name)
			at.add(m)
		}
		m.Member = parts[len(parts)-1]
		at.members = append(at.members, m)
	}
	return root
}

func (f *folder) add(m listed) {
	f.size, f.stored, f.count = f.size+m.Size, f.stored+m.Compressed, f.count+1
}

// folder returns the folder of a name, which it makes if necessary. The last one is the usual case.
func (f *folder) folder(name string) *folder {
	for i := len(f.folders) - 1; i >= 0; i-- {
		if f.folders[i].name == name {
			return f.folders[i]
		}
	}
	f.folders = append(f.folders, &folder{name: name})
	return f.folders[len(f.folders)-1]
}

// joined returns a folder whose only content is one folder as that folder, under both names.
func (f *folder) joined() *folder {
	for len(f.folders) == 1 && len(f.members) == 0 {
		inner := *f.folders[0]
		inner.name = f.name + "/" + inner.name
		f = &inner
	}
	return f
}

// rows adds the lines of a folder to a table: its folders, then its members. A folder with one member is a line with it.
func (f *folder) rows(t *terminal.Columns, indent string) {
	left := len(f.folders) + len(f.members)
	branch := func() (line, below string) {
		if left--; left == 0 {
			return indent + "└── ", indent + "    "
		}
		return indent + "├── ", indent + "│   "
	}
	for _, inner := range f.folders {
		inner = inner.joined()
		line, below := branch()
		if inner.count == 1 && len(inner.members) == 1 {
			inner.members[0].row(t, line+terminal.Printable(inner.name+"/"+inner.members[0].Member))
			continue
		}
		t.Row(line+terminal.Printable(inner.name)+"/", diagnose.Counted(inner.count, "member"), "", bytesText(inner.size), bytesText(inner.stored), ratio(inner.stored, inner.size), "")
		inner.rows(t, below)
	}
	for _, m := range f.members {
		line, _ := branch()
		m.row(t, line+terminal.Printable(m.Member))
	}
}
