package matlab

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A group is a struct, cell or sparse matrix that is to be written.
type group struct {
	members  []*member
	index    map[string]*member
	sparse   *encoded // once it has been examined: the sparse matrix that it is, or nil
	examined bool
}

// A member is an array or a group in a group.
type member struct {
	name    string
	group   *group // nil for an array
	written bool   // to the file
	at, n   int64  // in the spool, for an array that is not written
}

func newGroup() *group { return &group{index: map[string]*member{}} }

// add adds a group, or an array that must be new, with the groups that lead to it.
func (g *group) add(path string, parts []string, isGroup bool) (*member, error) {
	for i, part := range parts {
		last := i == len(parts)-1
		name := memberName(part, i)
		m := g.index[name]
		switch {
		case m == nil:
			m = &member{name: name}
			if !last || isGroup {
				m.group = newGroup()
			}
			g.members = append(g.members, m)
			g.index[name] = m
		case last && !isGroup || m.group == nil:
			return nil, &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("the name %s is taken: %w", name, fs.ErrExist)}
		}
		if last {
			return m, nil
		}
		g = m.group
	}
	return nil, nil // parts is never empty
}

// remove removes an array that was added.
func (g *group) remove(parts []string) {
	for i, part := range parts {
		name := memberName(part, i)
		m := g.index[name]
		if i == len(parts)-1 {
			g.members = slices.DeleteFunc(g.members, func(x *member) bool { return x == m })
			delete(g.index, name)
			return
		}
		g = m.group
	}
}

// memberName returns the name of a part of a path: numbers are the members of cells.
func memberName(part string, i int) string {
	if _, err := strconv.ParseUint(part, 10, 32); err != nil || i == 0 {
		return validName(part)
	}
	return part
}

// h returns a header with a shape, for its size.
func h(shape []int) format.Header { return format.Header{DType: dtype.Int8, Shape: shape} }

// An encoded is an array whose bytes are known: in the spool, or a head and the arrays that follow it.
type encoded struct {
	spool *io.SectionReader // of an array
	class class
	nzmax int
	dims  []int
	body  []byte // before the members
	of    []encoded
}

// size returns the bytes of an array without a name.
func (x encoded) size() int64 {
	if x.spool != nil {
		return x.spool.Size()
	}
	n := 8 + 16 + padded(int64(4*len(x.dims))) + 8
	return n + x.rest()
}

// rest returns the bytes after the name.
func (x encoded) rest() int64 {
	n := int64(len(x.body))
	for _, y := range x.of {
		n += y.size()
	}
	return n
}

// write writes the array.
func (x encoded) write(w io.Writer, name string) error {
	if x.spool != nil {
		_, err := io.Copy(w, x.spool)
		return err
	}
	head, err := appendHead(nil, name, x.class, x.nzmax, x.dims, x.rest())
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head, x.body...)); err != nil {
		return err
	}
	for _, y := range x.of {
		if err := y.write(w, ""); err != nil {
			return err
		}
	}
	return nil
}
