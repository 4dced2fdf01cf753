package main

import (
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// A folder is a group, or a common prefix of the names of members up to a slash.
type folder struct {
	name    string
	group   listed // with the attributes, if it is a group
	folders []*folder
	members []*listed
	byName  map[string]*folder // of folders, if they are many
	size    int64
	stored  int64
	within  bool // an array has no place of its own in the file, so that stored is not known
	count   int
}

// maxDepth limits the depth of the tree: names of an archive may have any number of slashes.
const maxDepth = 32

// treeOf returns the folders of the members, each in the order of the archive.
func treeOf(members []listed) *folder {
	root := &folder{}
	for i := range members {
		m := &members[i]
		if m.Member == "" {
			continue // the root, whose attributes come first
		}
		parts := strings.SplitN(m.Member, "/", maxDepth)
		at := root
		if m.group {
			if len(parts) == maxDepth && !(&folder{group: *m}).isGroup() {
				continue // deeper than the tree, and with nothing to tell
			}
			for _, name := range parts {
				at = at.folder(name)
			}
			at.group = *m
			continue
		}
		at.add(*m)
		for _, name := range parts[:len(parts)-1] {
			at = at.folder(name)
			at.add(*m)
		}
		at.members = append(at.members, m)
	}
	return root
}

// add counts an array, unless it is a link: the file has its elements once.
func (f *folder) add(m listed) {
	if !m.isLink() {
		f.size, f.stored, f.count = f.size+m.Size, f.stored+m.Compressed, f.count+1
		f.within = f.within || m.isWithin()
	}
}

// row adds a line about all arrays in the folder.
func (f *folder) row(t *terminal.Columns, name, dtype string) {
	stored, share := bytesText(f.stored), ratio(f.stored, f.size)
	if f.within {
		stored, share = "-", "-"
	}
	t.Row(name, dtype, "", bytesText(f.size), stored, share, "")
}

// folder returns the folder of a name, which it makes if necessary.
func (f *folder) folder(name string) *folder {
	if last := len(f.folders) - 1; last >= 0 && f.folders[last].name == name {
		return f.folders[last]
	}
	if f.byName == nil {
		f.byName = map[string]*folder{}
	}
	in := f.byName[name]
	if in == nil {
		in = &folder{name: name}
		f.folders, f.byName[name] = append(f.folders, in), in
	}
	return in
}

// lastName returns the name of a member in its folder.
func lastName(m *listed) string {
	parts := strings.SplitN(m.Member, "/", maxDepth)
	return parts[len(parts)-1]
}

// joined returns a folder whose only content is one folder as that folder, under both names.
func (f *folder) joined() *folder {
	for len(f.folders) == 1 && len(f.members) == 0 && !f.isGroup() {
		inner := *f.folders[0]
		inner.name = f.name + "/" + inner.name
		f = &inner
	}
	return f
}

// isGroup reports whether the folder is a group with a line of its own.
func (f *folder) isGroup() bool {
	return f.group.unreadable || f.group.isLink() || len(f.group.attributes()) > 0
}

// rows adds the lines of a folder to a table: its folders, then its members. A folder with one member is a line with it.
func (f *folder) rows(t *terminal.Columns, indent string, style listStyle) {
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
		if len(inner.folders) == 0 && len(inner.members) == 1 && !inner.isGroup() {
			inner.members[0].row(t, line+terminal.Printable(inner.name+"/"+lastName(inner.members[0])))
			if style.attributes {
				inner.members[0].details(t, below+"  ")
			}
			continue
		}
		name := line + terminal.Printable(inner.name) + "/"
		switch {
		case inner.group.unreadable:
			t.Row(name, "unreadable", "", "", "", "", "")
		case inner.group.isLink():
			t.Row(name, "group", "", "", "", "", "")
		default:
			inner.row(t, name, diagnose.Counted(inner.count, style.noun))
		}
		if style.attributes {
			inner.group.printLink(t, below)
			printAttributes(t, inner.group.attributes(), below)
		}
		inner.rows(t, below, style)
	}
	for _, m := range f.members {
		line, below := branch()
		m.row(t, line+terminal.Printable(lastName(m)))
		if style.attributes {
			m.details(t, below+"  ")
		}
	}
}
