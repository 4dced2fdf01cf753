package matlab

import (
	"bytes"
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

// refusals name the classes that cannot be read.
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
	body  int64 // of the data after the name
	end   int64
	next  int64
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

// group adds the node of one struct of an array.
func (b *builder) group(path string) error {
	if err := b.m.entries.takePath(path); err != nil {
		return err
	}
	b.nodes = append(b.nodes, &node{Entry: container.Entry{Path: path, Group: true, Notes: []string{"struct"}}})
	return nil
}
