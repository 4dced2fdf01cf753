package matlab

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// The classes of arrays, mxCELL_CLASS and so on.
const (
	classCell     = 1
	classStruct   = 2
	classObject   = 3
	classChar     = 4
	classSparse   = 5
	classDouble   = 6
	classSingle   = 7
	classInt8     = 8
	classUint8    = 9
	classInt16    = 10
	classUint16   = 11
	classInt32    = 12
	classUint32   = 13
	classInt64    = 14
	classUint64   = 15
	classFunction = 16
	classOpaque   = 17
)

// classTypes are the dtypes of numeric classes.
var classTypes = map[byte]dtype.Type{
	classDouble: dtype.Float64, classSingle: dtype.Float32,
	classInt8: dtype.Int8, classUint8: dtype.Uint8, classInt16: dtype.Int16, classUint16: dtype.Uint16,
	classInt32: dtype.Int32, classUint32: dtype.Uint32, classInt64: dtype.Int64, classUint64: dtype.Uint64,
}

// refusals say what the classes are that cannot be read.
var refusals = map[byte]string{
	classObject:   "an object of a MATLAB class",
	classFunction: "a function handle",
	classOpaque:   "an object of a MATLAB class (string, table, datetime or another)",
	18:            "an object of a MATLAB class",
}

// The flags of an array.
const (
	flagLogical = 0x02
	flagGlobal  = 0x04
	flagComplex = 0x08
)

const (
	maxName   = 4096 // bytes of a name; MATLAB has 63
	maxFields = 1 << 20
)

// A matrix is the head of an array, miMATRIX.
type matrix struct {
	scan  *scanner
	class byte
	flags byte
	dims  []int
	name  string
	start int64 // of the tag
	body  int64 // of what follows the name
	end   int64
	next  int64
}

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
	if x.name == "" { // what function handles and objects keep, not a variable
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

// named adds the path to an error.
func named(err error, path string) error {
	if e, ok := err.(*Error); ok && e.Path == "" {
		c := *e
		c.Path = path
		return &c
	}
	return err
}

// matrix reads the head of the array at a position.
func (s *scanner) matrix(at, end int64, cut bool) (*matrix, error) {
	t, err := s.tag(at, end)
	if err != nil && cut {
		b, headErr := s.bytes(at, 8)
		if headErr != nil {
			return nil, headErr
		}
		t, err = tag{typ: s.order.Uint32(b), data: at + 8, n: end - at - 8, next: end}, nil
	}
	if err != nil {
		return nil, err
	}
	if t.typ != miMatrix {
		return nil, s.fail(at, "an element of type %d, want an array (14)", t.typ)
	}
	x := &matrix{scan: s, start: at, end: t.data + t.n, next: t.next}
	if t.n == 0 { // an empty array in a cell or struct
		x.class, x.dims, x.body = classDouble, []int{0, 0}, x.end
		return x, nil
	}
	t, flags, err := s.typed("the flags", t.data, x.end, 8, miUint32)
	if err == nil && len(flags) != 8 {
		err = s.fail(t.data, "%d bytes of flags, want 8", len(flags))
	}
	if err != nil {
		return nil, err
	}
	word := s.order.Uint32(flags)
	x.class, x.flags = byte(word), byte(word>>8)
	if x.class != classOpaque {
		var dims []byte
		if t, dims, err = s.typed("the dimensions", t.next, x.end, 4*format.MaxDims, miInt32, miUint32); err == nil {
			x.dims, err = s.dims(t, dims)
		}
		if err != nil {
			return nil, err
		}
	}
	t, name, err := s.typed("the name", t.next, x.end, maxName, miInt8, miUint8, miUTF8)
	if err != nil {
		return nil, err
	}
	x.name, x.body = string(bytes.TrimRight(name, "\x00")), t.next
	if strings.Contains(x.name, "/") {
		return nil, s.fail(t.data, "the name %q has a slash", x.name)
	}
	return x, nil
}

// dims returns the dimensions of an array. Their product fits an int.
func (s *scanner) dims(t tag, b []byte) ([]int, error) {
	if len(b) < 8 || len(b)%4 != 0 {
		return nil, s.fail(t.data, "%d bytes of dimensions, want at least two numbers", len(b))
	}
	dims := make([]int, len(b)/4)
	for i := range dims {
		n := int32(s.order.Uint32(b[4*i:]))
		if n < 0 {
			return nil, s.fail(t.data+int64(4*i), "dimension %d is %d", i, n)
		}
		dims[i] = int(n)
	}
	if _, ok := bounded.Count(dims, 16); !ok {
		return nil, s.fail(t.data, "an array of shape %v has too many elements", dims)
	}
	return dims, nil
}

// count returns the number of elements.
func (x *matrix) count() int {
	n, _ := bounded.Count(x.dims, 1) // dims has checked it
	return n
}

// A builder makes the nodes of one variable.
type builder struct {
	m      *Reader
	name   string
	stored int64 // bytes of the compressed variable, or -1
	nodes  []*node
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

// members adds the nodes of what a group holds.
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

// group adds the node of one struct of an array.
func (b *builder) group(path string) error {
	if err := b.m.entries.takePath(path); err != nil {
		return err
	}
	b.nodes = append(b.nodes, &node{Entry: container.Entry{Path: path, Group: true, Notes: []string{"struct"}}})
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
