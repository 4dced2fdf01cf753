package main

import (
	"fmt"
	"strings"
)

// growingObjects are object arrays whose elements share many values.
var growingObjects = []growing{
	// ordinary objects
	{"o-ints.npy", 40000, objectsOf(func(i, n int) string { return pickleInt(i) })},
	{"o-none.npy", 100000, objectsOf(func(i, n int) string { return "N" })},
	{"o-strs.npy", 30000, objectsOf(func(i, n int) string { return pickleStr(fmt.Sprint("text ", i)) })},
	{"o-bytes.npy", 30000, objectsOf(func(i, n int) string { return pickleBytes(fmt.Sprint("text ", i)) })},
	{"o-dicts.npy", 10000, objectsOf(func(i, n int) string { return pickleDict(pickleStr("a") + pickleInt(i)) })},
	{"o-lists.npy", 10000, objectsOf(func(i, n int) string { return pickleList(pickleInt(i) + pickleInt(i)) })},
	{"o-keys.npy", 10000, func(n int) string {
		return objectFile(1, pickleDict(repeat(n, func(i int) string { return pickleStr(fmt.Sprint(i)) + "N" })))
	}},
	{"o-set.npy", 10000, func(n int) string {
		return objectFile(1, pickleCall("builtins", "set", pickleList(repeat(n, func(i int) string { return pickleInt(i) }))))
	}},
	{"o-arrays.npy", 2000, objectsOf(func(i, n int) string { return pickleArray(2, pickleDType("i1"), pickleBytes("ab")) })},
	{"o-scalars.npy", 4000, objectsOf(func(i, n int) string {
		return pickleCall("numpy.core.multiarray", "scalar", pickleDType("i1")+pickleBytes("a"))
	})},
	{"o-dates.npy", 10000, objectsOf(func(i, n int) string {
		return pickleCall("datetime", "datetime", pickleBytes("\x07\xe8\x01\x02\x03\x04\x05\x00\x00\x00"))
	})},
	{"o-unknown.npy", 10000, objectsOf(func(i, n int) string { return pickleCall("mine", "Class", pickleInt(i)) })},
	{"o-build.npy", 5000, objectsOf(func(i, n int) string {
		return "cmine\nClass\n)\x81" + pickleDict(pickleStr("x")+pickleInt(i)) + "b"
	})},
	{"o-globals.npy", 5000, objectsOf(func(i, n int) string { return fmt.Sprintf("cmine\nClass%d\n", i) })},
	{"o-long.npy", 20000, func(n int) string { return objectFile(1, pickleLong(n)) }},
	{"o-list.npy", 50000, func(n int) string { return objectFile(1, pickleList(strings.Repeat("K\x01", n))) }},
	{"o-str.npy", 200000, func(n int) string { return objectFile(1, pickleStr(longText(n))) }},
	{"o-raw.npy", 200000, func(n int) string { return objectFile(1, pickleArray(n, pickleDType("i1"), pickleBytes(longText(n)))) }},
	{"o-memo.npy", 30000, objectsOf(func(i, n int) string { return put("K\x01", i) })},
	{"o-pop.npy", 50000, func(n int) string { return objectFile(1, strings.Repeat("K\x010", n)+"N") }},
	{"o-deep.npy", 2000, func(n int) string { return objectFile(1, strings.Repeat("](", n)+strings.Repeat("e", n)) }},

	// one value that occurs n times
	{"x-str.npy", 1000, shared(0, func(n int) string { return pickleStr(longText(10 * n)) })},
	{"x-bytes.npy", 1000, shared(0, func(n int) string { return pickleBytes(longText(10 * n)) })},
	{"x-long.npy", 1000, shared(0, func(n int) string { return pickleLong(n) })},
	{"x-list.npy", 1000, shared(0, func(n int) string { return pickleList(strings.Repeat("K\x01", 10*n)) })},
	{"x-tuple.npy", 1000, shared(0, func(n int) string { return pickleTuple(strings.Repeat("K\x01", 10*n)) })},
	{"x-dict.npy", 500, shared(0, func(n int) string {
		return pickleDict(repeat(n, func(i int) string { return pickleInt(i) + "N" }))
	})},
	{"x-set.npy", 500, shared(0, func(n int) string {
		return pickleCall("builtins", "set", pickleList(repeat(n, pickleInt)))
	})},
	{"x-array.npy", 1000, shared(0, func(n int) string { return pickleArray(10*n, pickleDType("i1"), pickleBytes(longText(10*n))) })},
	{"x-objects.npy", 1000, shared(0, func(n int) string {
		return pickleArray(10*n, pickleDType("O8"), pickleList(strings.Repeat("K\x01", 10*n)))
	})},
	{"x-scalar.npy", 1000, shared(0, func(n int) string {
		return pickleCall("numpy.core.multiarray", "scalar", pickleDType(fmt.Sprint("S", 10*n))+pickleBytes(longText(10*n)))
	})},
	{"x-unknown.npy", 1000, shared(0, func(n int) string {
		return pickleCall("mine", "Class", pickleList(strings.Repeat("K\x01", 10*n)))
	})},
	{"x-global.npy", 1000, shared(0, func(n int) string { return "cmine\n" + longText(10*n) + "\n" })},
	{"x-decimal.npy", 1000, shared(0, func(n int) string {
		return pickleCall("decimal", "Decimal", pickleStr(strings.Repeat("7", 10*n)))
	})},

	// n values with a common part
	{"y-arrays-list.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleList(strings.Repeat("N", 25*n)), 9)+"0"+repeat(n, func(int) string {
			return pickleArray(25*n, pickleDType("O8"), get(9))
		}))
	}},
	{"y-arrays-bytes.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleBytes(longText(25*n)), 9)+"0"+repeat(n, func(int) string {
			return pickleArray(25*n, pickleDType("i1"), get(9))
		}))
	}},
	{"y-arrays-str.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleStr(longText(25*n)), 9)+"0"+repeat(n, func(int) string {
			return pickleArray(25*n, pickleDType("i1"), get(9))
		}))
	}},
	{"y-scalars.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleBytes(longText(25*n)), 9)+"0"+put(pickleDType(fmt.Sprint("S", 25*n)), 8)+"0"+repeat(n, func(int) string {
			return pickleCall("numpy.core.multiarray", "scalar", get(8)+get(9))
		}))
	}},
	{"y-lists.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleStr(longText(10*n)), 9)+"0"+repeat(n, func(int) string { return pickleList(get(9)) }))
	}},
	{"y-lists-list.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleList(strings.Repeat("N", 10*n)), 9)+"0"+repeat(n, func(int) string { return pickleList(get(9)) }))
	}},
	{"y-keys.npy", 1000, func(n int) string {
		return objectFile(n, put(pickleStr(longText(10*n)), 9)+"0"+repeat(n, func(int) string { return pickleDict(get(9) + "N") }))
	}},
	{"y-tuple-keys.npy", 400, func(n int) string {
		return objectFile(n, put(pickleTuple(repeat(n, pickleInt)), 9)+"0"+repeat(n, func(int) string { return pickleDict(get(9) + "N") }))
	}},
	{"y-long-keys.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleLong(n), 9)+"0"+repeat(n, func(int) string { return pickleDict(get(9) + "N") }))
	}},
	{"y-sets.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleList(repeat(n, pickleInt)), 9)+"0"+repeat(n, func(int) string { return pickleCall("builtins", "set", get(9)) }))
	}},
	{"y-bytearrays.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleBytes(longText(10*n)), 9)+"0"+repeat(n, func(int) string { return pickleCall("builtins", "bytearray", get(9)) }))
	}},
	{"y-decimals.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleStr(strings.Repeat("7", 10*n)), 9)+"0"+repeat(n, func(int) string { return pickleCall("decimal", "Decimal", get(9)) }))
	}},
	{"y-fractions.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleStr(strings.Repeat("7", 10*n)+"/3"), 9)+"0"+repeat(n, func(int) string { return pickleCall("fractions", "Fraction", get(9)) }))
	}},
	{"y-encodes.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleStr(longText(10*n)), 9)+"0"+repeat(n, func(int) string { return pickleCall("_codecs", "encode", get(9)+pickleStr("latin1")) }))
	}},
	{"y-states.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleDict(repeat(n, func(i int) string { return pickleStr(fmt.Sprint("k", i)) + "N" })), 9)+"0"+repeat(n, func(int) string { return "cmine\nClass\n)\x81" + get(9) + "b" }))
	}},
	{"y-defaultdict.npy", 2000, func(n int) string {
		return objectFile(n, put(pickleList(strings.Repeat("N", 10*n)), 9)+"0"+repeat(n, func(int) string { return pickleCall("collections", "deque", get(9)) }))
	}},
	{"y-dtypes.npy", 500, func(n int) string {
		return objectFile(n, put(pickleFields(n), 9)+"0"+repeat(n, func(int) string { return pickleArray(1, get(9), pickleBytes(longText(n))) }))
	}},
	{"y-names.npy", 500, func(n int) string {
		names := put(pickleTuple(repeat(n, func(i int) string { return pickleStr(fmt.Sprint("f", i)) })), 9)
		fields := put(pickleDict(repeat(n, func(i int) string {
			return pickleStr(fmt.Sprint("f", i)) + pickleTuple(pickleDType("i1")+pickleInt(i))
		})), 10)
		return objectFile(n, names+"0"+fields+"0"+repeat(n, func(int) string {
			return pickleCall("numpy", "dtype", pickleStr(fmt.Sprint("V", n))+"\x89\x88") + "(K\x03" + pickleStr("|") + "N" + get(9) + get(10) + pickleInt(n) + "K\x01K\x10tb"
		}))
	}},
	{"y-structs.npy", 500, func(n int) string { // object structs, whose elements are one tuple
		return objectFile(n, put(pickleList(strings.Repeat(pickleTuple("N"), 100*n)), 9)+"0"+put(pickleObjectStruct(), 8)+"0"+repeat(n, func(int) string { return pickleArray(100*n, get(8), get(9)) }))
	}},
	{"y-append.npy", 2000, func(n int) string { // a list that grows while other objects hold it
		return objectFile(n, put("]", 9)+"0"+repeat(n, func(int) string { return get(9) + "NaNaNa" }))
	}},
	{"y-dup.npy", 2000, func(n int) string { return objectFile(n, pickleStr(longText(10*n))+strings.Repeat("2", n-1)) }},
	{"y-views.npy", 1000, func(n int) string { // _frombuffer on one buffer
		return objectFile(n, put(pickleBytes(longText(25*n)), 9)+"0"+put(pickleDType("i1"), 8)+"0"+repeat(n, func(int) string {
			return pickleCall("numpy.core.numeric", "_frombuffer", get(9)+get(8)+"("+pickleInt(25*n)+"t"+pickleStr("C"))
		}))
	}},
}
