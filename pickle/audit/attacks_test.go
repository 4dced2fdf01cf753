package audit

import (
	"strings"
	"testing"
)

// place is replaced by the driver by the address of memory that must not be touched.
const place = "\x8a\x08\x88\x77\x66\x55\x44\x33\x22\x11"

// An attack is a pickle of known names only that makes Python or NumPy do more than make data.
type attack struct {
	name, why string
	make      func() *node
	shown     bool // the driver sees the effect, in every version of NumPy
}

// attacks are the ways in which known calls can be misused.
var attacks = []attack{
	{"a memory map through _reconstructor", "memmap.__new__ opens the file that is its state", func() *node {
		return fill(call(named("copyreg._reconstructor"), named("numpy.memmap"), named("numpy.memmap"), str("x.pkl")), "s", num(0), num(7))
	}, true},
	{"a memory map through _mareconstruct", "subtype.__new__ is called with the base array", func() *node {
		return call(named("numpy.ma.core._mareconstruct"), named("numpy.memmap"), named("numpy.ndarray"), shape(0), byt("b"))
	}, false},
	{"a memory map for what is missing", "the program that looks up a key calls it", func() *node {
		return call(named("collections.defaultdict"), named("numpy.memmap"))
	}, false},
	{"__array_interface__ on an exception", "NumPy makes a writable view of any memory", func() *node {
		d := dct(str("data"), tup(leaf(place), no()), str("shape"), shape(4), str("typestr"), str("<u8"), str("version"), num(3))
		return call(named("numpy.uint64"), build(call(named("builtins.Exception")), dct(str("__array_interface__"), d)))
	}, true},
	{"an object array whose list is short", "_setlist_pkl reads beyond the end of the list", func() *node {
		return arrayOf(shape(100_000), objects(), lst())
	}, true},
	{"a list that is filled too late", "the list is short when it is read", func() *node {
		l := lst()
		return tup(arrayOf(shape(100_000), objects(), l), fill(l, "a", num(1)))
	}, true},
	{"a struct whose flags hide an object", "raw bytes become pointers", func() *node {
		return arrayOf(shape(1), structOf(str("V8"), 8, 0, field(objects(), 0)), byt("AAAABBBB"))
	}, true},
	{"a number whose flags show an object", "its bytes are released as pointers", func() *node {
		return arrayOf(shape(1), dtypeOf("i8", "<", -1, -1, 63), lst(num(0x4141414142424242)))
	}, false},
	{"an object whose flags hide it", "raw bytes become pointers", func() *node {
		return arrayOf(shape(1), dtypeOf("O8", "|", -1, -1, 0), byt("AAAABBBB"))
	}, true},
	{"an object under a number", "the number becomes the pointer", func() *node {
		d := structOf(str("V8"), 8, 27, field(objects(), 0), field(dtypeOf("i8", "<", -1, -1, 0), 0))
		return arrayOf(shape(1), d, lst(tup(none(), num(0x4141414142424242))))
	}, true},
	{"an object halfway under another", "half a pointer is written over", func() *node {
		return arrayOf(shape(1), structOf(str("V16"), 12, 27, field(objects(), 0), field(objects(), 4)), lst(tup(str("a"), str("b"))))
	}, true},
	{"objects of 4 bytes", "NumPy takes 8 for them, whatever is said", func() *node {
		o := func() *node { return dtypeOf("O4", "|", -1, -1, 63) }
		return arrayOf(shape(1), structOf(str("V8"), 8, 27, field(o(), 0), field(o(), 4)), lst(tup(str("a"), str("b"))))
	}, true},
	{"a field beyond the element", "NumPy writes where it says", func() *node {
		return arrayOf(shape(1), structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 1<<30)), lst(tup(none(), num(1))))
	}, true},
	{"a field before the element", "offsets may be negative", func() *node {
		return arrayOf(shape(1), structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), -1<<30)), lst(tup(none(), num(1))))
	}, true},
	{"a field that is not among the names", "it is released but never checked", func() *node {
		d := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")),
			dct(str("a"), field(float64s(), 0), str("b"), field(objects(), 0)), num(8), num(1), num(27))
		return arrayOf(shape(1), d, lst(tup(leaf("F2.5\n"))))
	}, false},
	{"a name that is not among the fields", "it is looked up and not found", func() *node {
		return state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")), dct(), num(8), num(1), num(0))
	}, false},
	{"a field under a name of Python 2 and one of Python 3", "read with encoding='bytes' they are two, of which the names have one", func() *node {
		old := leaf("S'a'\n")
		d := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")),
			dct(old, field(objects(), 0), str("a"), field(float64s(), 0)), num(8), num(1), num(0))
		return arrayOf(shape(1), d, byt("AAAABBBB"))
	}, false},
	{"names of Python 2 and fields of Python 3", "read with encoding='bytes' they are not found", func() *node {
		d := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")),
			dct(leaf("S'a'\n"), field(objects(), 0)), num(8), num(1), num(27))
		return arrayOf(shape(1), d, lst(tup(none())))
	}, false},
	{"names of Python 2 that are not ASCII", "they become what the reader's encoding and errors say", func() *node {
		d := state(call(named("numpy.dtype"), str("V16"), no(), yes()), num(3), str("|"), none(), tup(leaf("U\x02a\xff"), leaf("U\x01a")),
			dct(leaf("U\x02a\xff"), field(objects(), 0), leaf("U\x01a"), field(float64s(), 8)), num(16), num(1), num(27))
		return arrayOf(shape(1), d, lst(tup(none(), num(1))))
	}, false},
	{"a title that is another field", "the dict has it in place of what was checked", func() *node {
		d := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")),
			dct(str("a"), tup(float64s(), num(0), str("t")), str("t"), tup(objects(), num(0), str("t"))), num(8), num(1), num(0))
		return arrayOf(shape(1), d, byt("12345678"))
	}, false},
	{"fields that change afterwards", "the dtype keeps the dict of the pickle", func() *node {
		name := str("a")
		fields := dct(name, field(objects(), 0))
		d := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(name), fields, num(8), num(1), num(27))
		return tup(d, fill(fields, "s", name, field(objects(), 1<<30)), arrayOf(shape(1), d, lst(tup(str("a")))))
	}, true},
	{"a dtype that grows afterwards", "the array has as many bytes as before", func() *node {
		d := call(named("numpy.dtype"), str("S1"), no(), yes())
		return tup(arrayOf(shape(1), d, byt("1")), state(d, num(3), str("|"), none(), none(), none(), num(1<<24), num(1), num(0)))
	}, true},
	{"a dtype that gets its objects afterwards", "bytes become pointers", func() *node {
		d := call(named("numpy.dtype"), str("V8"), no(), yes())
		return tup(arrayOf(shape(1), d, byt("AAAABBBB")),
			state(d, num(3), str("|"), none(), tup(str("a")), dct(str("a"), field(objects(), 0)), num(8), num(1), num(27)))
	}, true},
	{"a dtype that is given a state twice", "what was checked is not what is used", func() *node {
		d := dtypeOf("S1", "|", 1, 1, 0)
		return arrayOf(shape(1), state(d, num(3), str("|"), none(), none(), none(), num(8), num(1), num(0)), byt("12345678"))
	}, false},
	{"a field that grows afterwards", "the struct has as many bytes as before", func() *node {
		f := call(named("numpy.dtype"), str("S1"), no(), yes())
		d := structOf(str("V1"), 1, 16, field(f, 0))
		return tup(arrayOf(shape(1), d, byt("1")), state(f, num(3), str("|"), none(), none(), none(), num(1<<30), num(1), num(0)))
	}, true},
	{"a dtype in itself", "NumPy goes through it without end", func() *node {
		d := call(named("numpy.dtype"), str("V8"), no(), yes())
		return fillLater(d, state(d, num(3), str("|"), none(), tup(str("a")), dct(str("a"), field(d, 0)), num(8), num(1), num(0)))
	}, false},
	{"an array that is given a state again", "the scalar over it keeps its memory", func() *node {
		d := structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 8))
		a := arrayOf(shape(), d, lst(tup(str("a"), num(1))))
		return tup(scalarOf(d, a), state(a, num(1), shape(0), objects(), no(), lst()), byt(strings.Repeat("A", 16)))
	}, false},
	{"a scalar of an array without elements", "it takes the element that is not there", func() *node {
		d := structOf(str("V8000"), 8000, 27, field(objects(), 7992))
		return scalarOf(d, arrayOf(shape(0), d, lst()))
	}, false},
	{"a struct with an object as a scalar of bytes", "NumPy before 1.20 takes bytes for pointers", func() *node {
		return scalarOf(structOf(str("V8"), 8, 27, field(objects(), 0)), byt("AAAABBBB"))
	}, false},
	{"the pointer of an object in _frombuffer", "flags are all that NumPy asks", func() *node {
		return call(named(core+".numeric._frombuffer"), byt("AAAABBBB"), dtypeOf("O8", "|", -1, -1, 0), shape(1), str("C"))
	}, true},
	{"a buffer over an array that changes", "the memory is given back under it", func() *node {
		a := arrayOf(shape(1000), float64s(), byt(strings.Repeat("1", 8000)))
		v := call(named(core+".numeric._frombuffer"), a, float64s(), shape(1000), str("C"))
		return tup(v, state(a, num(1), shape(0), float64s(), no(), byt("")))
	}, false},
	{"a read-only buffer of an array", "the same, by an opcode", func() *node {
		a := arrayOf(shape(1000), float64s(), byt(strings.Repeat("1", 8000)))
		return tup(a, around("", "\x98", a), state(a, num(1), shape(0), float64s(), no(), byt("")))
	}, false},
	{"an array of more dimensions than there may be", "NumPy did not always compare", func() *node {
		return arrayOf(shape(make([]int64, 70)...), float64s(), byt(""))
	}, false},
	{"negative dimensions", "their product is positive", func() *node {
		return arrayOf(shape(-1, -1), float64s(), byt("12345678"))
	}, false},
	{"dimensions whose product wraps around", "NumPy did not always look", func() *node {
		return arrayOf(shape(1<<62, 4, 1), dtypeOf("S1", "|", 1, 1, 0), byt(""))
	}, false},
	{"an array that is empty until its state comes, but large", "it is released by the dtype of a state that fails", func() *node {
		a := call(named(core+".multiarray._reconstruct"), named("numpy.ndarray"), shape(8000), byt("b"))
		return state(a, num(1), shape(1), objects(), no(), none())
	}, false},
	{"objects with a byte order", "NumPy may swap the bytes of pointers", func() *node {
		return arrayOf(shape(1), dtypeOf("O8", ">", -1, -1, 63), lst(str("a")))
	}, false},
	{"a subarray as the dtype of an array", "an element is several objects", func() *node {
		sub := state(call(named("numpy.dtype"), str("V16"), no(), yes()), num(3), str("|"), tup(objects(), shape(2)), none(), none(), num(16), num(8), num(63))
		return arrayOf(shape(1), sub, lst(str("a")))
	}, false},
	{"a subarray larger than its dtype", "its elements are beyond the struct", func() *node {
		sub := state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), tup(objects(), shape(1000)), none(), none(), num(8), num(8), num(63))
		d := structOf(str("V8"), 8, 27, field(sub, 0))
		return arrayOf(shape(1), d, lst(tup(arrayOf(shape(1000), objects(), lst(nums(make([]int64, 1000))...)))))
	}, true},
	{"an item of a class", "the class of the whole program is changed", func() *node {
		return build(named("fractions.Fraction"), tup(none(), dct(str("x"), num(1))))
	}, false},
	{"items of an array", "they are converted, whatever they are", func() *node {
		return fill(arrayOf(shape(1), objects(), lst(none())), "s", num(0), num(1))
	}, false},
}

// fillLater returns a tuple of two values.
func fillLater(a, b *node) *node { return tup(a, b) }

// Known calls with arguments and states that NumPy does not write must not pass as data.
func TestAttacks(t *testing.T) {
	for _, a := range attacks {
		r := One(strings.NewReader(string(assemble(a.make()))))
		if r.Verdict != RunsCode && r.Verdict != Unknown {
			t.Errorf("%s: %v: %s; %s", a.name, r.Verdict, brief(r.Imports), a.why)
		}
	}
	for i, make := range templates {
		r := One(strings.NewReader(string(assemble(make()))))
		if r.Verdict != NoCodeKnown || r.Err != nil {
			t.Errorf("template %d, of data: %v: %s, %v", i, r.Verdict, brief(r.Imports), r.Err)
		}
	}
}
