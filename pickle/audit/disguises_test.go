package audit

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// disguises put x inside data of Python or NumPy, and pass that to known calls that ask their arguments for a number, a
// text or a date: the data would ask x.
var disguises = []form{
	{"the text of a slice of an array", func(x *node) *node { return bytesOf(slice(objectsOf(x))) }},
	{"the text of a slice of an exception", func(x *node) *node { return bytesOf(slice(raised(lst(x)))) }},
	{"the text of a slice of an exception with other args", func(x *node) *node {
		return bytesOf(slice(build(raised(), dct(str("args"), tup(x)))))
	}},
	{"the text of a slice of a tuple", func(x *node) *node { return bytesOf(slice(tup(raised(lst(x))))) }},
	{"the fill value of bytes", func(x *node) *node {
		return maskedOf(dtypeOf("S5", "|", 5, 1, 0), byt(strings.Repeat("1", 10)), byt("\x00\x01"), record("a", x))
	}},
	{"the fill value of numbers", func(x *node) *node {
		return maskedOf(float64s(), byt(strings.Repeat("1", 16)), byt("\x00\x01"), record("a", x))
	}},
	{"a date of a record", func(x *node) *node { return timeOf("M8", record("year month day", x, num(1), num(1))) }},
	{"the tzinfo of a record", func(x *node) *node {
		one := num(1)
		return timeOf("M8", record("year month day hour minute second microsecond tzinfo", num(2000), one, one, one, one, one, one, x))
	}},
	{"a time of a record", func(x *node) *node { return timeOf("m8", record("days seconds microseconds", x, num(1), num(1))) }},
	{"the place of a SyntaxError, a record", func(x *node) *node { return syntaxError(record("a b c d", x, x, x, x)) }},
	{"the place of a SyntaxError, a recarray", func(x *node) *node {
		return syntaxError(state(emptyArray("numpy.recarray"), num(1), shape(4), objects(), no(), lst(x, x, x, x)))
	}},
	{"the place of a SyntaxError, a masked array", func(x *node) *node {
		empty := call(named("numpy.ma.core._mareconstruct"), named("numpy.ma.MaskedArray"), named("numpy.ndarray"), shape(0), byt("b"))
		return syntaxError(state(empty, num(1), shape(4), objects(), no(), lst(x, x, x, x), byt("\x00\x00\x00\x00"), none()))
	}},
}

func slice(v *node) *node           { return call(named("builtins.slice"), none(), v) }
func raised(args ...*node) *node    { return call(named("builtins.Exception"), args...) }
func syntaxError(place *node) *node { return call(named("builtins.SyntaxError"), str("a"), place) }
func objectsOf(x *node) *node       { return arrayOf(shape(1), objects(), lst(x)) }
func withObject(d, v *node) *node {
	return arrayOf(shape(1), structOf(str("V16"), 16, 27, field(objects(), 0), field(d, 8)), lst(tup(none(), v)))
}

// bytesOf returns a struct with an object, in which the text of a value becomes bytes.
func bytesOf(v *node) *node { return withObject(dtypeOf("S8", "|", 8, 1, 0), v) }

// timeOf returns a struct with an object, in which a value becomes a datetime64 or timedelta64.
func timeOf(code string, v *node) *node {
	unit := tup(none(), tup(byt("us"), num(1), num(1), num(1)))
	return withObject(state(call(named("numpy.dtype"), str(code), no(), yes()), num(4), str("<"), none(), none(), none(), num(-1), num(-1), num(0), unit), v)
}

// record returns a scalar of objects with names.
func record(names string, values ...*node) *node {
	var all, fields []*node
	for i, name := range strings.Fields(names) {
		all = append(all, str(name))
		fields = append(fields, all[i], field(objects(), int64(8*i)))
	}
	size := num(int64(8 * len(all)))
	d := state(call(named("numpy.dtype"), named("numpy.record"), no(), yes()), num(3), str("|"), none(), tup(all...), dct(fields...), size, num(1), num(27))
	return scalarOf(d, arrayOf(shape(), d, lst(tup(values...))))
}

// The driver and the audit see values that data passes on.
func TestDisguises(t *testing.T) {
	var all []tried
	for _, f := range disguises {
		all = append(all, try(f.name, assemble(f.make(named("canary.obj")))))
	}
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		if c.report.Verdict != RunsCode {
			t.Errorf("%s: %v: %s", c.name, c.report.Verdict, brief(c.report.Imports))
		}
		if !o.did() {
			t.Errorf("%s: the driver sees nothing (%d loaded): %q", c.name, o.Loaded, c.data)
		}
	})
}

// wrappers are data that contains a value.
var wrappers = []func(x *node) *node{
	func(x *node) *node { return lst(x, x, x, x) },
	func(x *node) *node { return tup(x) },
	func(x *node) *node { return tup(x, num(1), num(2), str("text")) },
	func(x *node) *node { return dct(str("a"), x) },
	func(x *node) *node { return slice(x) },
	func(x *node) *node { return raised(lst(x)) },
	func(x *node) *node { return build(raised(), dct(str("args"), tup(x))) },
	func(x *node) *node { return fill(call(named("collections.deque"), tup()), "a", x) },
	func(x *node) *node { return fill(call(named("collections.OrderedDict")), "s", str("a"), x) },
	func(x *node) *node {
		return fill(call(named("collections.defaultdict"), named("builtins.list")), "s", str("a"), x)
	},
	func(x *node) *node { return call(named("collections.Counter"), dct(str("a"), x)) },
	func(x *node) *node { return call(named("builtins.tuple"), lst(x)) },
	func(x *node) *node { return around("(", "\x91", raised(lst(x))) },
	func(x *node) *node { return call(named("builtins.set"), lst(raised(lst(x)))) },
	objectsOf,
	func(x *node) *node { return arrayOf(shape(), objects(), lst(x)) },
	func(x *node) *node {
		return state(emptyArray("numpy.recarray"), num(1), shape(4), objects(), no(), lst(x, x, x, x))
	},
	func(x *node) *node {
		return state(emptyArray("numpy.matrix"), num(1), shape(1, 1), objects(), no(), lst(x))
	},
	func(x *node) *node {
		return state(emptyArray("numpy.memmap"), num(1), shape(1), objects(), no(), lst(x))
	},
	func(x *node) *node { return maskedOf(objects(), lst(x, x), byt("\x00\x01"), none()) },
	func(x *node) *node { return maskedOf(objects(), lst(none(), none()), byt("\x00\x01"), objectsOf(x)) },
	func(x *node) *node { return record("a", x) },
	func(x *node) *node { return record("year month day tzinfo", num(2000), num(1), num(1), x) },
	func(x *node) *node {
		return arrayOf(shape(1), structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 8)), lst(tup(x, num(1))))
	},
	func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), num(3), str("<"), none(), none(), none(), num(-1), num(-1), num(0), dct(str("a"), x))
	},
}

// An object deep in data is passed to known functions at random: where the audit reports no call, there must be none.
func TestWrapped(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	sinks := append(allForms(), form{"nothing", func(x *node) *node { return x }})
	names := []string{"canary.obj", "canary.Class", "canary.List", "canary.Subdict", "canary.Substr", "canary.Subint", "canary.SubException", "canary.Array"}
	var all []tried
	for tries := 0; len(all) < oracle.Cases(t, 200); tries++ {
		if tries > 100_000 {
			t.Fatalf("only %d of %d pickles call nothing", len(all), tries)
		}
		x := named(names[r.IntN(len(names))])
		for range 1 + r.IntN(3) {
			x = wrappers[r.IntN(len(wrappers))](x)
		}
		sink := sinks[r.IntN(len(sinks))]
		if c := try(sink.name, assemble(sink.make(x))); c.report.Verdict == NoCodeKnown {
			t.Errorf("%s: One(%q) = %v", c.name, c.data, c.report.Verdict)
		} else if c.report.Verdict == ImportsOnly {
			all = append(all, c)
		}
	}
	loaded := 0
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		agree(t, c, o)
		if o.Loaded > 0 {
			loaded++
		}
	})
	if t.Logf("%d of %d pickles were loaded", loaded, len(all)); loaded < len(all)/10 {
		t.Error("the test does not test")
	}
}
