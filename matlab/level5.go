package matlab

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// scan5 reads the heads of all variables.
func (m *Reader) scan5() error {
	file := &space{r: m.r, heads: m.r, size: m.size, packed: -1}
	s := &scanner{space: file, order: m.order}
	if _, err := s.bytes(0, 128); err != nil {
		return err
	}
	for at := int64(128); at < m.size; {
		t, err := s.tag(at, m.size)
		cut := err
		if err != nil { // the last variable of a file that was cut: its name may be there
			b, headErr := s.bytes(at, 8)
			if headErr != nil {
				return m.addBroken(at, headErr)
			}
			t = tag{typ: m.order.Uint32(b), data: at + 8, n: m.size - at - 8, next: m.size}
		}
		if err := m.entries.take(1); err != nil {
			return err
		}
		m.add5(s, at, t, cut)
		at = t.next
	}
	return nil
}

// addBroken adds an entry for bytes that are no variable.
func (m *Reader) addBroken(at int64, err error) error {
	m.vars = append(m.vars, &variable{name: nameOfByte(at), top: broken(at, err)})
	return nil
}

// nameOfByte is the name of a variable that has none.
func nameOfByte(at int64) string { return fmt.Sprintf("?byte%d", at) }

// broken returns the node of a variable that cannot be read.
func broken(at int64, err error) *node {
	return &node{Entry: container.Entry{Path: nameOfByte(at), Err: err}}
}

// hidden returns a variable that has no entry unless its stream is damaged: then it may have had another name.
func (z *inflated) hidden(at int64) *variable {
	return &variable{name: nameOfByte(at), more: func() ([]*node, error) {
		if err := z.check(); err != nil {
			return []*node{broken(at, err)}, nil
		}
		return nil, nil
	}}
}

// add5 adds the variable at a position. cut is why its end is missing, or nil.
func (m *Reader) add5(s *scanner, at int64, t tag, cut error) {
	sp := *s
	if t.typ == miCompressed {
		packed, err := m.unpack(at, t)
		if err != nil {
			_ = m.addBroken(at, err)
			return
		}
		sp = scanner{space: packed, order: m.order}
		at = 0
	}
	x, err := sp.matrix(at, sp.size, cut != nil)
	if err != nil {
		_ = m.addBroken(t.data-8, err)
		return
	}
	if x.name == "" { // data of function handles and objects, not a variable
		if sp.zlib != nil {
			m.vars = append(m.vars, sp.zlib.hidden(sp.packed))
		}
		return
	}
	b := builder{m: m, name: x.name, stored: -1}
	if sp.packed >= 0 {
		b.stored = t.n
	}
	v := &variable{name: x.name, zlib: sp.zlib, at: t.data - 8, top: b.node(x, x.name)}
	if cut != nil && v.top.Err == nil {
		v.top.Err = named(cut, x.name)
	}
	if v.top.Group && v.top.Err == nil {
		v.more = func() ([]*node, error) {
			err := b.members(x, x.name, 1)
			return b.nodes, err
		}
		if sp.zlib != nil {
			v.more = sp.zlib.checkedNodes(v.more)
		}
	}
	m.vars = append(m.vars, v)
}

// unpack returns the space of a compressed variable.
func (m *Reader) unpack(at int64, t tag) (*space, error) {
	f := &inflated{m: m, at: t.data, n: t.n}
	sp := &space{r: f, heads: unchecked{f}, size: 8, packed: at, zlib: f}
	head, err := (&scanner{space: sp, order: m.order}).tag(0, 1<<33)
	if err != nil {
		return nil, err
	}
	if sp.size = 8 + head.n; sp.size > maxRatio*(t.n+1) {
		return nil, &Error{Offset: at, Err: bounded.Over("", maxRatio*(t.n+1), sp.size, "%d bytes of zlib data cannot have the %d bytes of the variable", t.n, sp.size)}
	}
	f.size = sp.size
	f.need.Store(f.size)
	return sp, nil
}

// node returns the node of an array, without its members.
func (b *builder) node(x *matrix, path string) *node {
	n := &node{Entry: container.Entry{Path: path}}
	if x.flags&flagGlobal != 0 {
		n.Notes = append(n.Notes, "global")
	}
	if x.scan.packed >= 0 {
		n.Codec, n.Checksum = "zlib", zlibSum
	}
	var err error
	switch shape := format.ShapeString(x.dims); x.class {
	case classCell:
		n.Group, n.Notes = true, append(n.Notes, "cell array of shape "+shape)
	case classStruct:
		n.Group, n.Notes = true, append(n.Notes, "struct")
		if x.count() != 1 {
			n.Notes[len(n.Notes)-1] = "struct array of shape " + shape
		}
	case classSparse:
		n.Group, n.Notes = true, append(n.Notes, "sparse matrix of shape "+shape)
	case classChar:
		err = b.text(n, x)
	default:
		if why := refusals[x.class]; why != "" {
			n.Err = &Error{path, b.offset(x), unsupported("%s", why)}
			return n
		}
		err = b.numbers(n, x)
	}
	if err != nil {
		n.Err = named(err, path)
	}
	return n
}

// offset returns where an array is in the file.
func (b *builder) offset(x *matrix) int64 {
	if x.scan.packed >= 0 {
		return x.scan.packed
	}
	return x.start
}

// members adds the nodes of a group's members.
func (b *builder) members(x *matrix, path string, depth int) error {
	if most := b.m.dec.maxDepth(); depth > most {
		return named(x.scan.fail(x.start, "%w", bounded.Over("MaxDepth", most, depth, "structs and cells are nested deeper than MaxDepth %d", most)), path)
	}
	var err error
	switch x.class {
	case classSparse:
		err = b.sparse(x, path)
	case classCell:
		err = b.cells(x, path, x.body, x.count(), depth, nil)
	case classStruct:
		err = b.structs(x, path, depth)
	}
	return named(err, path)
}

// cells adds the nodes of n arrays that follow each other. fields are the names of a struct's fields, nil for a cell.
func (b *builder) cells(x *matrix, path string, at int64, n, depth int, fields []string) error {
	per := max(len(fields), 1)
	if total, ok := bounded.Mul(n, per); !ok || int64(total) > (x.end-at)/8 {
		return x.scan.fail(at, "%d arrays in %d bytes: %w", n, x.end-at, io.ErrUnexpectedEOF)
	}
	one := n == 1 && fields != nil
	for i := range n {
		element := path
		if !one {
			element = path + "/" + strconv.Itoa(i)
		}
		if fields != nil && !one {
			if err := b.group(element); err != nil {
				return err
			}
		}
		for k := range per {
			to := element
			if fields != nil {
				to += "/" + fields[k]
			}
			c, err := x.scan.matrix(at, x.end, false)
			if err != nil {
				return err
			}
			if err := b.add(c, to, depth); err != nil {
				return err
			}
			at = c.next
		}
	}
	return nil
}

// add adds the nodes of an array and of its members. A member that cannot be read has the error.
func (b *builder) add(x *matrix, path string, depth int) error {
	if err := b.m.entries.takePath(path); err != nil {
		return err
	}
	n := b.node(x, path)
	b.nodes = append(b.nodes, n)
	if n.Group && n.Err == nil {
		n.Err = b.members(x, path, depth+1)
	}
	return nil
}

// structs adds the nodes of a struct or of an array of them.
func (b *builder) structs(x *matrix, path string, depth int) error {
	s := x.scan
	t, length, err := s.typed("the length of field names", x.body, x.end, 4, miInt32)
	if err != nil {
		return err
	}
	if len(length) != 4 {
		return s.fail(t.data, "%d bytes for the length of field names", len(length))
	}
	width := int(int32(s.order.Uint32(length)))
	t, names, err := s.typed("the field names", t.next, x.end, maxFields, miInt8, miUint8, miUTF8)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return nil
	case width < 1 || width > maxName || len(names)%width != 0:
		return s.fail(t.data, "%d bytes of field names, of %d bytes each", len(names), width)
	}
	var fields []string
	again := map[string]int{}
	for name := range slices.Chunk(names, width) {
		name, _, _ := bytes.Cut(name, []byte{0})
		if len(name) == 0 || bytes.ContainsRune(name, '/') {
			return s.fail(t.data, "the field name %q is empty or has a slash", name)
		}
		field := string(name)
		if n := again[field]; n > 0 { // as SciPy names it
			field = fmt.Sprintf("_%d_%s", n, name)
		}
		again[string(name)]++
		fields = append(fields, field)
	}
	return b.cells(x, path, t.next, x.count(), depth, fields)
}
