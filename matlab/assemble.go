package matlab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"slices"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/spool"
)

// A writer5 writes a MAT-file of version 5 to 7.
type writer5 struct {
	w      io.WriteSeeker
	o      container.WriteOptions
	start  int64 // of the variable that is being written
	at     int64 // the end of the written data
	packed *zlibWriter
	root   *group
	nested *spool.Spool
}

// matrixOf returns an array, or the matrix of a group.
func (w *writer5) matrixOf(m *member) (encoded, error) {
	if m.group == nil {
		return encoded{spool: io.NewSectionReader(w.nested, m.at, m.n)}, nil
	}
	g := m.group
	if len(g.members) == 0 {
		return encoded{class: class{class: classCell}, dims: []int{0, 0}}, nil
	}
	if x := w.sparseOf(g); x != nil {
		return *x, nil
	}
	if !g.isList() {
		return w.structOf([]*group{g}, []int{1, 1})
	}
	if structs, ok := w.structs(g); ok {
		return w.structOf(structs, []int{1, len(structs)})
	}
	cell := encoded{class: class{class: classCell}, dims: []int{1, len(g.members)}}
	for _, m := range g.members {
		x, err := w.matrixOf(m)
		if err != nil {
			return encoded{}, err
		}
		cell.of = append(cell.of, x)
	}
	return cell, nil
}

// isList reports whether the names of the members are 0, 1, …
func (g *group) isList() bool {
	for i, m := range g.members {
		if m.name != strconv.Itoa(i) {
			return false
		}
	}
	return len(g.members) > 0
}

// structs returns the members if there are several, all of them groups with the names in fields. The struct in a cell
// of one is no array of structs: it would be read as a struct without an index.
func (w *writer5) structs(g *group) ([]*group, bool) {
	if len(g.members) < 2 {
		return nil, false
	}
	var structs []*group
	for _, m := range g.members {
		if m.group == nil || m.group.isList() || len(m.group.members) != len(g.members[0].group.members) || len(m.group.members) == 0 || w.sparseOf(m.group) != nil {
			return nil, false
		}
		for _, field := range g.members[0].group.members {
			if m.group.index[field.name] == nil {
				return nil, false
			}
		}
		structs = append(structs, m.group)
	}
	return structs, true
}

// structOf returns an array of structs with the fields of the first.
func (w *writer5) structOf(structs []*group, dims []int) (encoded, error) {
	width := 32
	for _, m := range structs[0].members {
		if len(m.name) >= width {
			width = 64
		}
	}
	var names []byte
	for _, m := range structs[0].members {
		field := make([]byte, width)
		copy(field, fieldName(m.name))
		names = append(names, field...)
	}
	x := encoded{class: class{class: classStruct}, dims: dims}
	x.body = appendElement(nil, miInt32, binary.LittleEndian.AppendUint32(nil, uint32(width)))
	x.body = appendElement(x.body, miInt8, names)
	for _, g := range structs {
		for _, field := range structs[0].members {
			y, err := w.matrixOf(g.index[field.name])
			if err != nil {
				return encoded{}, err
			}
			x.of = append(x.of, y)
		}
	}
	return x, nil
}

// fieldName returns the name of a field. A number is none, where not all names of a group are numbers.
func fieldName(name string) string {
	if name[0] <= '9' {
		return "x" + name
	}
	return name
}

// read returns an array that is in the spool.
func (w *writer5) read(g *group, name string) (*npy.Array, bool) {
	m := g.index[name]
	if m == nil || m.group != nil {
		return nil, false
	}
	r := &Reader{r: closable.New(w.nested, nil), size: w.nested.Size(), order: binary.LittleEndian, entries: limit{left: 1, most: 1}}
	s := &scanner{space: &space{r: r.r, heads: r.r, size: m.at + m.n, packed: -1}, order: r.order}
	x, err := s.matrix(m.at, m.at+m.n, false)
	if err != nil {
		return nil, false
	}
	b := builder{m: r, stored: -1}
	n := b.node(x, name)
	if n.Err != nil || n.source == nil {
		return nil, false
	}
	src, err := n.source()
	if err != nil {
		return nil, false
	}
	a, err := src.ReadAll(context.Background())
	return a, err == nil
}

// ints returns the numbers of a member as int32.
func (w *writer5) ints(g *group, name string) ([]int32, bool) {
	a, ok := w.read(g, name)
	if !ok || a.DType().Kind() != dtype.KindInt && a.DType().Kind() != dtype.KindUint {
		return nil, false
	}
	a, err := a.Cast(dtype.Int32, npy.SameKindCasting)
	if err != nil {
		return nil, false
	}
	v, err := npy.As[int32](a)
	if err != nil {
		return nil, false
	}
	return v.ToSlice(), true
}

// sparseOf returns the sparse matrix of a group that has the members of a csc_matrix, csr_matrix or coo_matrix of SciPy, and
// otherwise nil.
func (w *writer5) sparseOf(g *group) *encoded {
	if !g.examined {
		g.examined = true
		if x, ok := w.newSparseOf(g); ok {
			g.sparse = &x
		}
	}
	return g.sparse
}

func (w *writer5) newSparseOf(g *group) (encoded, bool) {
	known := map[string]bool{"data": true, "indices": true, "indptr": true, "shape": true, "format": true, "row": true, "col": true}
	if slices.ContainsFunc(g.members, func(m *member) bool { return !known[m.name] }) {
		return encoded{}, false
	}
	shape, ok := w.ints(g, "shape")
	if !ok || len(shape) != 2 || shape[0] < 0 || shape[1] < 0 {
		return encoded{}, false
	}
	data, ok := w.read(g, "data")
	if !ok || data.NDim() != 2 || data.Shape()[0] != 1 {
		return encoded{}, false
	}
	nnz := data.Size()
	rows, cols, ok := w.places(g, nnz, shape)
	if !ok {
		return encoded{}, false
	}
	order := make([]int, nnz)
	for i := range order {
		if r, c := rows[i], cols[i]; r < 0 || r >= shape[0] || c < 0 || c >= shape[1] {
			return encoded{}, false
		}
		order[i] = i
	}
	byPlace := func(i, j int) int { return cmp.Or(cmp.Compare(cols[i], cols[j]), cmp.Compare(rows[i], rows[j])) }
	slices.SortStableFunc(order, byPlace)
	for k := 1; k < nnz; k++ {
		if byPlace(order[k-1], order[k]) == 0 { // MATLAB has no sums
			return encoded{}, false
		}
	}
	return newSparse(data, rows, cols, order, shape)
}

// places returns the row and the column of every element.
func (w *writer5) places(g *group, nnz int, shape []int32) (rows, cols []int32, ok bool) {
	if rows, ok = w.ints(g, "row"); ok {
		cols, ok = w.ints(g, "col")
		return rows, cols, ok && len(rows) == nnz && len(cols) == nnz
	}
	indices, ok1 := w.ints(g, "indices")
	pointers, ok2 := w.ints(g, "indptr")
	name := "csc"
	if a, ok := w.read(g, "format"); ok {
		if v, err := npy.As[string](a); err == nil && a.Size() == 1 {
			name = v.ToSlice()[0]
		}
	}
	lines := shape[1]
	if name == "csr" {
		lines = shape[0]
	}
	if !ok1 || !ok2 || name != "csc" && name != "csr" || len(pointers) != int(lines)+1 || len(indices) != nnz || pointers[0] != 0 || int(pointers[lines]) != nnz {
		return nil, nil, false
	}
	line := make([]int32, nnz)
	for i := range lines {
		if pointers[i] > pointers[i+1] || int(pointers[i+1]) > nnz {
			return nil, nil, false
		}
		for k := pointers[i]; k < pointers[i+1]; k++ {
			line[k] = i
		}
	}
	if name == "csr" {
		return line, indices, true
	}
	return indices, line, true
}

// newSparse returns a sparse matrix with the elements in an order.
func newSparse(data *npy.Array, rows, cols []int32, order []int, shape []int32) (encoded, bool) {
	c := class{classSparse, 0, miDouble, dtype.Float64.WithByteOrder(dtype.LittleEndian)}
	switch data.DType().Kind() {
	case dtype.KindBool:
		c.flags, c.typ, c.part = flagLogical, miUint8, dtype.Uint8
	case dtype.KindComplex:
		c.flags = flagComplex
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat:
	default:
		return encoded{}, false
	}
	pointers := make([]int32, int(shape[1])+1)
	var ir, jc []byte
	for _, k := range order {
		ir = binary.LittleEndian.AppendUint32(ir, uint32(rows[k]))
		pointers[cols[k]+1]++
	}
	for i := range pointers {
		if i > 0 {
			pointers[i] += pointers[i-1]
		}
		jc = binary.LittleEndian.AppendUint32(jc, uint32(pointers[i]))
	}
	values, err := npy.Take(context.Background(), data.T(), order)
	if err != nil {
		return encoded{}, false
	}
	x := encoded{class: c, nzmax: max(len(order), 1), dims: []int{int(shape[0]), int(shape[1])}}
	x.body = appendElement(appendElement(nil, miInt32, ir), miInt32, jc)
	to := bytes.NewBuffer(x.body)
	err = writeParts(context.Background(), to, c, len(order), values)
	x.body = to.Bytes()
	return x, err == nil
}

// writeText writes an array of strings: a character array, or a cell for an array of Python strings.
func writeText(w io.Writer, name string, a *npy.Array) error {
	if a.DType().Kind() == dtype.KindObject {
		if a.NDim() > 0 {
			return writeCell(w, name, a)
		}
		objects, err := a.Objects()
		if err != nil {
			return err
		}
		x, err := encodeObject(objects[0])
		if err != nil {
			return err
		}
		return x.write(w, name)
	}
	texts, err := textsOf(a)
	if err != nil {
		return err
	}
	x, err := encodeText(texts, a.Shape())
	if err != nil {
		return err
	}
	return x.write(w, name)
}

// textsOf returns strings in Fortran order. Bytes are UTF-8, or Latin-1 where they are not.
func textsOf(a *npy.Array) ([]string, error) {
	v, err := npy.As[string](a.T())
	if err != nil {
		return nil, err
	}
	return v.ToSlice(), nil
}

// encodeText returns a character array with a row for each of the texts, which are in Fortran order.
func encodeText(texts []string, shape []int) (encoded, error) {
	longest := 0
	rows := make([][]rune, len(texts))
	for i, text := range texts {
		rows[i] = []rune(text)
		longest = max(longest, len(rows[i]))
	}
	if len(shape) == 0 {
		shape = []int{1}
	}
	dims := append(append([]int{}, shape...), longest)
	if longest == 0 {
		dims = []int{0, 0}
	}
	if err := checkSize(dims, 4); err != nil {
		return encoded{}, err
	}
	var data []byte
	for j := range longest {
		for _, row := range rows {
			c := ' '
			if j < len(row) {
				c = row[j]
			}
			data = append(data, string(c)...)
		}
	}
	return encoded{class: class{class: classChar}, dims: dims, body: appendElement(nil, miUTF8, data)}, nil
}

// writeCell writes an array of Python objects as a cell.
func writeCell(w io.Writer, name string, a *npy.Array) error {
	objects, err := a.T().Objects()
	if err != nil {
		return err
	}
	x := encoded{class: class{class: classCell}, dims: dimsOf(a.Shape())}
	for _, v := range objects {
		y, err := encodeObject(v)
		if err != nil {
			return err
		}
		x.of = append(x.of, y)
	}
	return x.write(w, name)
}

// encodeObject returns the array for a Python object: text, or an array of numbers.
func encodeObject(v any) (encoded, error) {
	switch v := v.(type) {
	case string:
		return encodeText([]string{v}, nil)
	case *npy.Array:
		if v.DType().HasObject() {
			break
		}
		c, err := classOf(v.DType())
		if err != nil {
			return encoded{}, err
		}
		dims := dimsOf(v.Shape())
		if err := checkSize(dims, c.part.ItemSize()); err != nil {
			return encoded{}, err
		}
		var to bytes.Buffer
		err = writeParts(context.Background(), &to, c, h(dims).Size(), v)
		return encoded{class: c, dims: dims, body: to.Bytes()}, err
	}
	return encoded{}, unsupported("a Python object of type %T has no MATLAB class", v)
}
