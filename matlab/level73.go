package matlab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/source"
)

// Version 7.3 is HDF5 after a user block of 512 bytes. Its dimensions are in reverse order, so that the elements are in
// Fortran order. The attribute MATLAB_class has the class; the elements of cells and of arrays of structs are
// references to objects in the group #refs#.

// A level73Reader makes the nodes of a file of version 7.3.
type level73Reader struct {
	m        *Reader
	h        *hdf5.Reader
	children map[string][]container.Entry // by the path of the group
}

// scan73 finds the variables, the links of the root.
func (m *Reader) scan73() error {
	dec := m.dec.HDF5
	dec.MaxBytes, dec.MaxEntries = m.dec.MaxBytes, m.dec.MaxEntries
	h, err := dec.NewReader(m.r, m.size)
	if err != nil {
		return err
	}
	r := &level73Reader{m: m, h: h, children: map[string][]container.Entry{}}
	for e := range h.Entries() {
		if e.Path == "" {
			return e.Err
		}
		dir, _ := path.Split(e.Path)
		dir = strings.TrimSuffix(dir, "/")
		r.children[dir] = append(r.children[dir], e)
	}
	for _, e := range r.children[""] {
		if strings.HasPrefix(e.Path, "#") { // #refs# and #subsystem#
			continue
		}
		if err := m.entries.takePath(e.Path); err != nil {
			return err
		}
		x := r.describe(e)
		v := &variable{name: e.Path, top: r.node(x, e.Path)}
		if v.top.Group && v.top.Err == nil {
			v.more = func() ([]*node, error) {
				b := &builder73{r: r, open: map[string]bool{}}
				err := b.members(x, v.name, 1)
				return b.nodes, err
			}
		}
		m.vars = append(m.vars, v)
	}
	return nil
}

// An object73 is a dataset or group with the values of its attributes.
type object73 struct {
	container.Entry
	class  string
	empty  bool // the elements are the dimensions
	sparse int  // the number of rows of a sparse matrix, or -1
	global bool
}

// describe reads the attributes of an object.
func (r *level73Reader) describe(e container.Entry) object73 {
	x := object73{Entry: e, sparse: -1}
	if e.Err != nil {
		return x
	}
	all, err := r.h.Attributes(e.Path)
	if err != nil {
		x.Err = err
		return x
	}
	for _, a := range all {
		if a.Err != nil {
			continue
		}
		n, isNumber := wholeNumber(a.Value)
		switch a.Name {
		case "MATLAB_class":
			x.class = word(a.Value)
		case "MATLAB_empty":
			x.empty = isNumber && n != 0
		case "MATLAB_global":
			x.global = isNumber && n != 0
		case "MATLAB_sparse":
			if isNumber {
				x.sparse = n
			}
		case "MATLAB_object_decode":
			if isNumber && n != 0 && x.Err == nil {
				x.Err = diag.At("matlab", e.Path, unsupported("an object of a MATLAB class or a function handle"))
			}
		}
	}
	return x
}

// word returns the text of an attribute of fixed length.
func word(a *npy.Array) string {
	if a.Size() != 1 || a.DType().Kind() != dtype.KindBytes {
		return ""
	}
	return strings.TrimRight(string(a.Bytes()), "\x00")
}

// wholeNumber returns the only integer of an attribute.
func wholeNumber(a *npy.Array) (int, bool) {
	numbers, ok := dimensions73(a)
	if !ok || len(numbers) != 1 {
		return 0, false
	}
	return numbers[0], true
}

// dimensions73 returns integers that are not negative and fit 31 bits.
func dimensions73(a *npy.Array) ([]int, bool) {
	if k := a.DType().Kind(); k != dtype.KindInt && k != dtype.KindUint {
		return nil, false
	}
	small, err := a.Cast(dtype.Int32, npy.SameKindCasting)
	if err != nil {
		return nil, false
	}
	v, err := npy.As[int32](small)
	if err != nil {
		return nil, false
	}
	var all []int
	for _, n := range v.ToSlice() {
		if n < 0 {
			return nil, false
		}
		all = append(all, int(n))
	}
	return all, true
}

// isReferences reports whether a dataset has references and no class: the values of one field of an array of structs.
func (x object73) isReferences() bool {
	return !x.Group && x.class == "" && x.DType.Kind() == dtype.KindObject
}

// node returns the node of an object, without its members.
func (r *level73Reader) node(x object73, to string) *node {
	n := &node{Entry: container.Entry{Path: to, Stored: x.Stored, Codec: x.Codec, Checksum: x.Checksum, Err: x.Err}}
	if x.Err != nil {
		return n
	}
	if x.global {
		n.Notes = append(n.Notes, "global")
	}
	var err error
	switch {
	case x.Group && x.sparse >= 0:
		n.Group, n.Notes = true, append(n.Notes, "sparse matrix")
	case x.class == "struct", x.Group && x.class == "":
		n.Group, n.Notes = true, append(n.Notes, "struct")
	case x.class == "cell":
		n.Group, n.Notes = true, append(n.Notes, "cell array of shape "+format.ShapeString(reversed(x.Shape)))
	case x.Group:
		err = unsupported("an object of class %.40q", x.class)
	case x.class == "char":
		err = r.text(n, x)
	case x.class == "function_handle" || x.DType.HasObject():
		err = unsupported("an object of class %.40q", x.class)
	default:
		err = r.numbers(n, x)
	}
	if n.Group {
		n.Stored, n.Codec, n.Checksum = 0, "", ""
	}
	if err != nil {
		n.Err = diag.At("matlab", to, err)
	}
	return n
}

// dims returns the shape of an array: the dataset's in reverse order, or its elements if the array has none.
func (r *level73Reader) dims(x object73) ([]int, error) {
	if !x.empty {
		return reversed(x.Shape), nil
	}
	if len(x.Shape) != 1 || x.Shape[0] > format.MaxDims {
		return nil, fmt.Errorf("the dimensions of an empty array have shape %s", format.ShapeString(x.Shape))
	}
	src, err := r.h.Source(x.Path)
	if err != nil {
		return nil, err
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return nil, err
	}
	dims, ok := dimensions73(a)
	if !ok || !slices.Contains(dims, 0) {
		return nil, fmt.Errorf("an empty array of shape %v", dims)
	}
	if _, ok := bounded.Count(dims, 16); !ok {
		return nil, fmt.Errorf("an empty array of shape %v has too large dimensions", dims)
	}
	return dims, nil
}

// classTypes73 are the dtypes of empty arrays.
var classTypes73 = map[string]dtype.Type{
	"double": dtype.Float64, "single": dtype.Float32, "logical": dtype.Bool,
	"int8": dtype.Int8, "uint8": dtype.Uint8, "int16": dtype.Int16, "uint16": dtype.Uint16,
	"int32": dtype.Int32, "uint32": dtype.Uint32, "int64": dtype.Int64, "uint64": dtype.Uint64,
}

// numbers completes the node of a numeric array.
func (r *level73Reader) numbers(n *node, x object73) error {
	dims, err := r.dims(x)
	if err != nil {
		return err
	}
	n.Shape = dims
	if x.empty {
		t, ok := classTypes73[x.class]
		if !ok {
			t = dtype.Float64 // for a cell it is called "canonical empty"
		}
		n.DType, n.Stored = t.WithByteOrder(dtype.LittleEndian), 0
		n.source = constant(npy.New(n.DType, dims...))
		return nil
	}
	n.DType = x.DType
	if x.class == "logical" {
		n.DType = dtype.Bool
	}
	n.FortranOrder = h(dims).Size() > 0 && !isLine(dims)
	n.Chunks = reversed(x.Chunks)
	n.source = func() (npy.Source, error) {
		src, err := r.h.Source(x.Path)
		if err != nil {
			return nil, err
		}
		return npy.Cast(npy.Transposed(src), n.DType, npy.UnsafeCasting)
	}
	return nil
}

// text completes the node of a character array.
func (r *level73Reader) text(n *node, x object73) error {
	dims, err := r.dims(x)
	if err != nil {
		return err
	}
	t, shape, err := strings32(dims)
	if err != nil {
		return err
	}
	n.DType, n.Shape = t, shape
	if h(dims).Size() == 0 {
		n.source = constant(npy.New(t, shape...))
		return nil
	}
	if x.DType.Kind() != dtype.KindUint || x.DType.ItemSize() > 4 {
		return unsupported("characters of dtype %s", x.DType.Name())
	}
	how := alone
	if x.DType.ItemSize() == 2 {
		how = inUTF16
	}
	n.source = func() (npy.Source, error) {
		src, err := r.h.Source(x.Path)
		if err != nil {
			return nil, err
		}
		return source.Whole(t, shape, func(ctx context.Context) (*npy.Array, error) {
			a, err := src.ReadAll(ctx)
			if err != nil {
				return nil, err
			}
			wide, err := a.Cast(dtype.Uint32.WithByteOrder(dtype.LittleEndian), npy.SafeCasting)
			if err != nil {
				return nil, err
			}
			units := make([]rune, a.Size())
			for i, b := 0, wide.Bytes(); i < len(units); i++ {
				units[i] = rune(binary.LittleEndian.Uint32(b[4*i:]))
			}
			return textArray(t, shape, units, how)
		}), nil
	}
	return nil
}

// A builder73 makes the nodes of the members of one variable.
type builder73 struct {
	r     *level73Reader
	nodes []*node
	open  map[string]bool // the objects whose members are being added
}

// members adds the nodes of a group's members.
func (b *builder73) members(x object73, to string, depth int) error {
	if most := b.r.m.dec.maxDepth(); depth > most {
		return diag.At("matlab", to, bounded.Over("MaxDepth", most, depth, "structs and cells are nested deeper than MaxDepth %d", most))
	}
	if b.open[x.Path] {
		return diag.At("matlab", to, fmt.Errorf("the object %s contains itself", x.Path))
	}
	b.open[x.Path] = true
	defer delete(b.open, x.Path)
	switch {
	case x.empty:
		return nil
	case x.sparse >= 0:
		return b.sparse(x, to)
	case x.class == "cell":
		return b.references(x, func(i int) string { return to + "/" + strconv.Itoa(i) }, depth)
	case !x.Group:
		return nil // a struct without fields
	}
	return b.structs(x, to, depth)
}

// structs adds the nodes of the fields of a struct, or of an array of structs, whose fields are references.
func (b *builder73) structs(x object73, to string, depth int) error {
	var fields []object73
	array := len(b.r.children[x.Path]) > 0
	for _, e := range b.r.children[x.Path] {
		field := b.r.describe(e)
		fields = append(fields, field)
		array = array && field.isReferences()
	}
	if !array {
		for _, field := range fields {
			if err := b.add(field, to+"/"+path.Base(field.Path), depth); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range h(fields[0].Shape).Size() {
		element := to + "/" + strconv.Itoa(i)
		if err := b.r.m.entries.takePath(element); err != nil {
			return err
		}
		b.nodes = append(b.nodes, &node{Entry: container.Entry{Path: element, Group: true, Notes: []string{"struct"}}})
	}
	for _, field := range fields {
		name := path.Base(field.Path)
		if err := b.references(field, func(i int) string { return to + "/" + strconv.Itoa(i) + "/" + name }, depth); err != nil {
			return err
		}
	}
	slices.SortStableFunc(b.nodes, func(a, c *node) int { return elementOf(a.Path, to) - elementOf(c.Path, to) })
	return nil
}

// elementOf returns the number of the element of an array of structs that a path belongs to, or -1.
func elementOf(p, to string) int {
	rest, ok := strings.CutPrefix(p, to+"/")
	if !ok {
		return -1
	}
	number, _, _ := strings.Cut(rest, "/")
	n, _ := strconv.Atoi(number)
	return n
}

// references adds the nodes of the objects that the elements of a dataset refer to.
func (b *builder73) references(x object73, to func(i int) string, depth int) error {
	if x.Err != nil {
		return x.Err
	}
	src, err := b.r.h.Source(x.Path)
	if err != nil {
		return err
	}
	if !src.DType().HasObject() || src.DType().IsStruct() {
		return diag.At("matlab", x.Path, fmt.Errorf("a cell of dtype %s instead of references", src.DType().Name()))
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return err
	}
	objects, err := a.Objects()
	if err != nil {
		return err
	}
	for i, o := range objects {
		target, ok := o.(string)
		y := object73{Entry: container.Entry{Err: diag.At("matlab", x.Path, fmt.Errorf("element %d refers to nothing", i))}}
		if ok {
			e, err := b.r.h.Entry(target)
			if err != nil {
				e.Err = err
			}
			y = b.r.describe(e)
		}
		if err := b.add(y, to(i), depth); err != nil {
			return err
		}
	}
	return nil
}

// add adds the nodes of an object and of its members. A member that cannot be read has the error.
func (b *builder73) add(x object73, to string, depth int) error {
	if err := b.r.m.entries.takePath(to); err != nil {
		return err
	}
	n := b.r.node(x, to)
	b.nodes = append(b.nodes, n)
	if n.Group && n.Err == nil {
		n.Err = b.members(x, to, depth+1)
	}
	return nil
}

// sparse adds the members of a sparse matrix, named as of a csc_matrix in scipy.sparse.save_npz.
func (b *builder73) sparse(x object73, to string) error {
	columns := -1
	var nodes []*node
	for _, name := range [][2]string{{"data", "data"}, {"ir", "indices"}, {"jc", "indptr"}} {
		e, err := b.r.h.Entry(x.Path + "/" + name[0])
		var n *node
		switch {
		case err == nil:
			y := object73{Entry: e, sparse: -1}
			if name[0] == "data" && x.class == "logical" {
				y.class = "logical"
			}
			n = b.r.node(y, to+"/"+name[1])
			if name[0] == "jc" && len(e.Shape) == 1 {
				columns = e.Shape[0] - 1
			}
		case name[0] == "jc":
			return err
		default: // a matrix without elements
			t := int64s
			if name[0] == "data" {
				t = dtype.Float64.WithByteOrder(dtype.LittleEndian)
			}
			n = &node{Entry: container.Entry{Path: to + "/" + name[1], DType: t, Shape: []int{0}}, source: constant(npy.New(t, 0))}
		}
		nodes = append(nodes, n)
	}
	if columns < 0 {
		return diag.At("matlab", to, errors.New("a sparse matrix without pointers to its columns"))
	}
	nodes = append(nodes,
		&node{Entry: container.Entry{Path: to + "/shape", DType: int64s, Shape: []int{2}}, source: constant(shapeArray([]int{x.sparse, columns}))},
		&node{Entry: container.Entry{Path: to + "/format", DType: dtype.Bytes(3)}, source: constant(formatArray("csc"))},
	)
	for _, n := range nodes {
		if err := b.r.m.entries.takePath(n.Path); err != nil {
			return err
		}
	}
	b.nodes = append(b.nodes, nodes...)
	return nil
}
