package audit

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A node is a part of a pickle that leaves one value on the stack. A node that occurs twice in a tree is one object in
// Python.
type node struct {
	op    string  // the opcodes after the parts, or all opcodes of a node without parts
	start string  // the opcodes before the parts
	parts []*node // the values that it consists of
}

func leaf(opcodes string) *node                     { return &node{op: opcodes} }
func around(start, op string, parts ...*node) *node { return &node{op, start, parts} }
func tup(items ...*node) *node                      { return around("(", "t", items...) }
func lst(items ...*node) *node                      { return around("](", "e", items...) }
func dct(items ...*node) *node                      { return around("}(", "u", items...) }
func call(f *node, args ...*node) *node             { return around("", "R", f, tup(args...)) }
func build(o, state *node) *node                    { return around("", "b", o, state) }
func state(o *node, items ...*node) *node           { return build(o, tup(items...)) }
func fill(o *node, op string, items ...*node) *node {
	return around("", op, append([]*node{o}, items...)...)
}
func byName(module, name string) *node  { return leaf("c" + module + "\n" + name + "\n") }
func byStack(module, name string) *node { return around("", "\x93", str(module), str(name)) }
func num(n int64) *node                 { return leaf(fmt.Sprintf("I%d\n", n)) }
func str(s string) *node                { return leaf("X" + u32(len(s)) + s) }
func byt(s string) *node                { return leaf("B" + u32(len(s)) + s) }
func u32(n int) string                  { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
func yes() *node                        { return leaf("\x88") }
func no() *node                         { return leaf("\x89") }
func none() *node                       { return leaf("N") }
func shape(dims ...int64) *node         { return tup(nums(dims)...) }
func named(dotted string) *node         { m, n := split(dotted); return byName(m, n) }

func split(dotted string) (module, name string) {
	i := strings.LastIndexByte(dotted, '.')
	return dotted[:i], dotted[i+1:]
}

func nums(ns []int64) (all []*node) {
	for _, n := range ns {
		all = append(all, num(n))
	}
	return all
}

// assemble returns the pickle of a tree. Names are names of Python 3: there is no PROTO, and readers translate none of
// them.
func assemble(n *node) []byte {
	a := assembler{count: map[*node]int{}, memo: map[*node]int{}}
	a.walk(n)
	a.emit(n)
	return append(a.out, '.')
}

type assembler struct {
	count, memo map[*node]int
	out         []byte
}

// walk counts the occurrences of each node in the tree.
func (a *assembler) walk(n *node) {
	if a.count[n]++; a.count[n] == 1 {
		for _, p := range n.parts {
			a.walk(p)
		}
	}
}

func (a *assembler) emit(n *node) {
	if at, again := a.memo[n]; again {
		a.out = append(a.out, "j"+u32(at)...)
		return
	}
	a.out = append(a.out, n.start...)
	for _, p := range n.parts {
		a.emit(p)
	}
	a.out = append(a.out, n.op...)
	if a.count[n] > 1 {
		a.memo[n] = len(a.memo)
		a.out = append(a.out, "r"+u32(a.memo[n])...)
	}
}

// core is the package in which pickles name NumPy's functions: numpy.core in NumPy 1, numpy._core in NumPy 2, which has
// both.
var core = "numpy.core"

// Data as NumPy writes it.

func dtypeOf(code, order string, size, align, flags int64) *node {
	return state(call(named("numpy.dtype"), str(code), no(), yes()), num(3), str(order), none(), none(), none(), num(size), num(align), num(flags))
}

func float64s() *node { return dtypeOf("f8", "<", -1, -1, 0) }
func objects() *node  { return dtypeOf("O8", "|", -1, -1, 63) }

// structOf returns the dtype of a struct with fields at offsets.
func structOf(class *node, size, flags int64, fields ...*node) *node {
	var names, pairs []*node
	for i, f := range fields {
		name := str(string(rune('a' + i)))
		names = append(names, name)
		pairs = append(pairs, name, f)
	}
	return state(call(named("numpy.dtype"), class, no(), yes()), num(3), str("|"), none(), tup(names...), dct(pairs...), num(size), num(1), num(flags))
}

func field(d *node, offset int64) *node { return tup(d, num(offset)) }

func emptyArray(class string) *node {
	return call(named(core+".multiarray._reconstruct"), named(class), shape(0), byt("b"))
}

func arrayOf(shape, dtype, data *node) *node {
	return state(emptyArray("numpy.ndarray"), num(1), shape, dtype, no(), data)
}

func maskedOf(dtype, data, mask, fill *node) *node {
	empty := call(named("numpy.ma.core._mareconstruct"), named("numpy.ma.MaskedArray"), named("numpy.ndarray"), shape(0), byt("b"))
	return state(empty, num(1), shape(2), dtype, no(), data, mask, fill)
}

func scalarOf(dtype, data *node) *node {
	return call(named(core+".multiarray.scalar"), dtype, data)
}

// templates return data as Python and NumPy write it, for random changes.
var templates = []func() *node{
	func() *node { return arrayOf(shape(2), float64s(), byt(strings.Repeat("\x01", 16))) },
	func() *node { return arrayOf(shape(1, 2), objects(), lst(num(1), str("a"))) },
	func() *node {
		return arrayOf(shape(2), dtypeOf("U2", "<", 8, 4, 8), byt("a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00"))
	},
	func() *node {
		d := structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 8))
		return arrayOf(shape(2), d, lst(tup(none(), num(1)), tup(str("x"), leaf("F1.5\n"))))
	},
	func() *node {
		d := structOf(str("V12"), 12, 16, field(dtypeOf("i4", "<", -1, -1, 0), 0), field(float64s(), 4))
		return arrayOf(shape(1), d, byt(strings.Repeat("\x01", 12)))
	},
	func() *node { // a struct with a subarray of objects and a nested struct
		sub := state(call(named("numpy.dtype"), str("V16"), no(), yes()), num(3), str("|"), tup(objects(), shape(2)), none(), none(), num(16), num(8), num(63))
		inner := structOf(str("V9"), 9, 27, field(objects(), 0), field(dtypeOf("b1", "|", -1, -1, 0), 8))
		d := structOf(str("V25"), 25, 27, field(sub, 0), field(inner, 16))
		return arrayOf(shape(1), d, lst(tup(arrayOf(shape(2), objects(), lst(num(1), num(2))), tup(none(), yes()))))
	},
	func() *node {
		d := structOf(named("numpy.record"), 4, 16, field(dtypeOf("i4", "<", -1, -1, 0), 0))
		return state(emptyArray("numpy.recarray"), num(1), shape(1), d, no(), byt("\x01\x00\x00\x00"))
	},
	func() *node {
		return state(emptyArray("numpy.matrix"), num(1), shape(1, 1), float64s(), no(), byt("12345678"))
	},
	func() *node {
		return state(emptyArray("numpy.memmap"), num(1), shape(1), float64s(), no(), byt("12345678"))
	},
	func() *node { return maskedOf(float64s(), byt(strings.Repeat("\x01", 16)), byt("\x00\x01"), none()) },
	func() *node {
		return maskedOf(objects(), lst(none(), num(1)), byt("\x00\x01"), arrayOf(shape(), objects(), lst(str("?"))))
	},
	func() *node { return scalarOf(float64s(), byt("12345678")) },
	func() *node {
		d := structOf(str("V8"), 8, 27, field(objects(), 0))
		return scalarOf(d, arrayOf(shape(), d, lst(tup(num(1)))))
	},
	func() *node {
		unit := tup(none(), tup(byt("ns"), num(1), num(1), num(1)))
		d := state(call(named("numpy.dtype"), str("M8"), no(), yes()), num(4), str("<"), none(), none(), none(), num(-1), num(-1), num(0), unit)
		return arrayOf(shape(1), d, byt("12345678"))
	},
	func() *node {
		return call(named(core+".numeric._frombuffer"), byt("12345678"), float64s(), shape(1), str("C"))
	},
	func() *node {
		return arrayOf(shape(2), call(named("numpy._core._internal._convert_to_stringdtype_kwargs"), num(1), none()), lst(str("a"), none()))
	},
	func() *node { return build(call(named("builtins.ImportError"), str("a")), dct(str("name"), str("os"))) },
	func() *node { return call(named("builtins.OSError"), num(2), str("no"), str("file")) },
	func() *node { return build(around("", "\x81", named("uuid.UUID"), tup()), dct(str("int"), num(5))) },
	func() *node { return fill(call(named("collections.OrderedDict")), "s", str("a"), num(1)) },
	func() *node {
		return fill(call(named("collections.defaultdict"), named("builtins.list")), "s", num(1), lst())
	},
	func() *node { return call(named("collections.Counter"), dct(str("a"), num(2))) },
	func() *node { return fill(call(named("collections.deque"), tup(), num(5)), "a", num(1)) },
	func() *node { return call(named("_codecs.encode"), str("abc"), str("latin1")) },
	func() *node {
		return call(named("datetime.datetime"), byt("\x07\xe4\x01\x02\x03\x04\x05\x00\x00\x01"), call(named("datetime.timezone"), call(named("datetime.timedelta"), num(0), num(60), num(0))))
	},
	func() *node { return call(named("decimal.Decimal"), str("1.5")) },
	func() *node { return call(named("fractions.Fraction"), num(1), num(3)) },
	func() *node {
		return call(named("copyreg._reconstructor"), named("uuid.UUID"), named("builtins.object"), none())
	},
	func() *node {
		return call(named("array._array_reconstructor"), named("array.array"), str("i"), num(8), byt("\x01\x00\x00\x00"))
	},
	func() *node { return call(named("array.array"), str("d"), lst(num(1), leaf("F2.5\n"))) },
	func() *node { return around("(", "\x91", num(1), tup(str("a"), none())) },
	func() *node { return around("\x8f(", "\x90", num(1), call(named("numpy.float64"), num(2))) },
	func() *node { return call(named("builtins.set"), lst(num(1), str("a"))) },
	func() *node { return call(named("builtins.slice"), num(1), none(), num(2)) },
	func() *node { return bytesOf(str("a")) },
	func() *node { return timeOf("M8", call(named("datetime.date"), num(2000), num(1), num(1))) },
	func() *node { return timeOf("m8", num(5)) },
	func() *node { return record("year month day tzinfo", num(2000), num(1), num(1), none()) },
	func() *node { return syntaxError(tup(str("file"), num(1), num(2), str("text"))) },
	func() *node {
		d := structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 8))
		row := tup(none(), num(1))
		return maskedOf(d, lst(row, row), byt("\x00\x01\x00\x00"), arrayOf(shape(), d, lst(row)))
	},
}

// A mutator changes trees at random.
type mutator struct {
	*rand.Rand
	names []string // globals to insert
}

// words are the texts that checks look for.
var words = []string{"", "b", "O8", "V8", "f8", "i4", "U1", "S3", "M8", "|", "<", ">", "=", "C", "F", "K", "a", "os", "latin1", "zip", "utf-7",
	"__array_interface__", "__array_struct__", "__array__", "__class__", "__dict__", "__setstate__", "__reduce__", "__getattr__", "append", "extend",
	"add", "keys", "items", "dtype", "shape", "fields", "args", "name", "path", "obj", "int", "is_safe", "victim", "x" + strings.Repeat("y", 1100)}

var integers = []int64{-1 << 63, -129, -128, -112, -101, -16, -2, -1, 0, 1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 24, 26, 27, 31, 32, 33, 59, 62, 63, 64, 127, 128, 144, 155, 255, 256, 1000, 1 << 31, 1 << 32, 1<<63 - 1}

// random returns a tree of one value that fits somewhere.
func (m *mutator) random() *node {
	switch m.IntN(14) {
	case 0:
		return none()
	case 1:
		return leaf([]string{"\x88", "\x89"}[m.IntN(2)])
	case 2, 3:
		return num(integers[m.IntN(len(integers))])
	case 4:
		return str(words[m.IntN(len(words))])
	case 5:
		return byt(strings.Repeat("\x01", m.IntN(40)))
	case 6:
		return leaf("F1.5\n")
	case 7:
		return []*node{tup(), lst(), dct(), tup(num(1), num(2)), lst(none(), none(), none()), shape(2, -1), shape(0, 5)}[m.IntN(7)]
	case 8, 9:
		return named(m.names[m.IntN(len(m.names))])
	case 10:
		return build(call(named("builtins.Exception"), m.leafOrName()), dct(str(words[m.IntN(len(words))]), m.leafOrName()))
	case 11:
		return lst(m.leafOrName(), m.leafOrName())
	}
	return templates[m.IntN(len(templates))]()
}

func (m *mutator) leafOrName() *node {
	if m.IntN(2) == 0 {
		return named(m.names[m.IntN(len(m.names))])
	}
	return num(integers[m.IntN(len(integers))])
}

// nodesOf returns the nodes of a tree.
func nodesOf(n *node, seen map[*node]bool, found []*node) []*node {
	if seen[n] {
		return found
	}
	seen[n] = true
	found = append(found, n)
	for _, p := range n.parts {
		found = nodesOf(p, seen, found)
	}
	return found
}

// change changes a tree in one place.
func (m *mutator) change(root *node) *node {
	nodes := nodesOf(root, map[*node]bool{}, nil)
	n := nodes[m.IntN(len(nodes))]
	if len(n.parts) == 0 || m.IntN(12) == 0 {
		copied := *n
		switch m.IntN(8) {
		case 0:
			*n = *build(&copied, m.random())
		case 1:
			*n = *fill(&copied, "a", m.random())
		case 2:
			*n = *fill(&copied, "s", m.random(), m.random())
		case 3:
			*n = *call(&copied, m.random())
		default:
			*n = *m.random()
		}
		return root
	}
	i := m.IntN(len(n.parts))
	switch m.IntN(8) {
	case 0: // share a value
		other := nodes[m.IntN(len(nodes))]
		if !contains(other, n) {
			n.parts[i] = other
		}
	case 1:
		n.parts = append(n.parts[:i:i], n.parts[i+1:]...)
	case 2:
		n.parts = append(n.parts[:i:i], append([]*node{m.random()}, n.parts[i:]...)...)
	case 3: // use a value, and then change it
		late := nodes[m.IntN(len(nodes))]
		if late != root {
			root = tup(root, []*node{build(late, m.random()), fill(late, "a", m.random()), fill(late, "s", m.random(), m.random()), state(late, num(1), shape(2), late, no(), m.random())}[m.IntN(4)])
			if cyclic(root) {
				return none()
			}
		}
	default:
		n.parts[i] = m.random()
	}
	return root
}

// contains reports whether a tree contains a node.
func contains(tree, n *node) bool {
	for _, o := range nodesOf(tree, map[*node]bool{}, nil) {
		if o == n {
			return true
		}
	}
	return false
}

// cyclic reports whether a node contains itself, which assemble cannot write.
func cyclic(root *node) bool {
	const onPath, done = 1, 2
	marks := map[*node]int{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		switch marks[n] {
		case onPath:
			return true
		case done:
			return false
		}
		marks[n] = onPath
		for _, p := range n.parts {
			if visit(p) {
				return true
			}
		}
		marks[n] = done
		return false
	}
	return visit(root)
}
