package main

import (
	"fmt"
	"strings"
)

// growingGraphs are objects that contain each other, and pickles without a header.
var growingGraphs = []growing{
	// cycles and other graphs
	{"c-self.npy", 4000, objectsOf(func(i, n int) string { return put("]", 9) + get(9) + "a" })},
	{"c-ring.npy", 4000, func(n int) string { // each list holds the next
		return objectFile(n, repeat(n, func(i int) string { return put("]", i) })+"0"+repeat(n-1, func(i int) string { return "0" })+
			repeat(n, func(i int) string { return get(i) + get((i+1)%n) + "a" }))
	}},
	{"c-clique.npy", 60, func(n int) string { // each list holds all
		return objectFile(n, repeat(n, func(i int) string { return put("]", i) })+strings.Repeat("0", n)+
			repeat(n, func(i int) string { return get(i) + "(" + repeat(n, get) + "e" }))
	}},
	{"c-common.npy", 3000, func(n int) string { // n lists in a list that each of them holds
		return objectFile(n, put("]", n)+repeat(n, func(i int) string { return put("]", i) + get(n) + "a" + "a" })[0:0]+
			put("]", n)+"0"+repeat(n, func(i int) string { return put("]", i) + get(n) + "a" })+"")
	}},
	{"c-all.npy", 1000, func(n int) string { // n lists that each hold the list of all n
		return objectFile(n, put("]", n)+"0"+repeat(n, func(i int) string { return get(n) + put("]", i) + get(n) + "aa0" })+repeat(n, get))
	}},
	{"c-array.npy", 500, func(n int) string { // arrays that hold themselves through a shared list
		return objectFile(n, put("]", n+50)+"0"+repeat(n, func(i int) string { return pickleArray(1, pickleDType("O8"), pickleList(get(n+50))) })+"")
	}},
	{"c-double.npy", 300, func(n int) string { // 2**n paths
		return objectFile(2, put("](Ne", 0)+"0"+repeat(n, func(i int) string { return put(pickleList(get(i)+get(i)), i+1) + "0" })+get(n)+get(n))
	}},
	{"c-double-tuple.npy", 300, func(n int) string {
		return objectFile(2, put("(Nt", 0)+"0"+repeat(n, func(i int) string { return put(pickleTuple(get(i)+get(i)), i+1) + "0" })+get(n)+get(n))
	}},
	{"c-double-dict.npy", 300, func(n int) string {
		return objectFile(2, put("}", 0)+"0"+repeat(n, func(i int) string { return put(pickleDict("K\x01"+get(i)+"K\x02"+get(i)), i+1) + "0" })+get(n)+get(n))
	}},
	{"c-double-array.npy", 100, func(n int) string {
		return objectFile(2, put("]", 0)+"0"+repeat(n, func(i int) string {
			return put(pickleArray(2, pickleDType("O8"), pickleList(get(i)+get(i))), i+1) + "0"
		})+get(n)+get(n))
	}},
	{"c-double-dtype.npy", 7, func(n int) string { // dtypes of 2**n fields
		return objectFile(2, doubled(n, "i1", 1)+get(n)+get(n))
	}},
	{"c-double-empty.npy", 30, func(n int) string {
		return objectFile(2, doubled(n, "V0", 0)+get(n)+get(n))
	}},
	{"c-double-array-dtype.npy", 5, func(n int) string {
		return objectFile(2, repeat(2, func(int) string {
			return doubled(n, "i1", 1)[0:] + pickleArray(1, get(n), pickleBytes(longText(1<<n)))
		}))
	}},
	{"c-double-objects.npy", 5, func(n int) string {
		return objectFile(2, doubled(n, "V0", 0)+repeat(2, func(int) string { return pickleArray(n, get(n), pickleBytes("")) }))
	}},
	{"y-dtype-text.npy", 500, func(n int) string {
		return objectFile(n, put(pickleStr(strings.Repeat("i1,", 4*n)+"i1"), 9)+"0"+repeat(n, func(int) string {
			return pickleCall("numpy", "dtype", get(9)+"\x89\x88")
		}))
	}},
	{"y-shape.npy", 2000, func(n int) string {
		return objectFile(n, put("("+strings.Repeat("K\x01", 60)+"t", 9)+"0"+put(pickleBytes("a"), 10)+"0"+put(pickleDType("i1"), 8)+"0"+repeat(n, func(int) string {
			return pickleCall("numpy.core.numeric", "_frombuffer", get(10)+get(8)+get(9)+pickleStr("C"))
		}))
	}},
	{"c-chain.npy", 2000, func(n int) string { // each element holds the previous one
		return objectFile(n, repeat(n, func(i int) string {
			if i == 0 {
				return put("]", 0)
			}
			return put(pickleList(get(i-1)), i)
		}))
	}},
	{"c-dicts.npy", 2000, func(n int) string { // dicts that hold themselves
		return objectFile(n, repeat(n, func(i int) string { return put("}", 9) + "N" + get(9) + "s" }))
	}},
	{"c-object.npy", 2000, func(n int) string { // objects whose state holds themselves
		return objectFile(n, repeat(n, func(i int) string {
			return put("cmine\nClass\n)\x81", 9) + "}" + pickleStr("x") + get(9) + "sb"
		}))
	}},

	// pickles without a header
	{"k-ints.pkl", 50000, func(n int) string { return "\x80\x03" + pickleList(repeat(n, pickleInt)) + "." }},
	{"k-many.pkl", 10000, func(n int) string { return strings.Repeat("\x80\x03N.", n) }},
	{"k-globals.pkl", 5000, func(n int) string {
		return "\x80\x03" + pickleList(repeat(n, func(i int) string { return fmt.Sprintf("cmine\nClass%d\n", i) })) + "."
	}},
	{"k-calls.pkl", 5000, func(n int) string {
		return "\x80\x03" + pickleList(repeat(n, func(i int) string { return fmt.Sprintf("cmine\nf%d\n)R", i) })) + "."
	}},
	{"k-nested-calls.pkl", 2000, func(n int) string {
		return "\x80\x03" + strings.Repeat("cmine\nf\n(", n) + "N" + strings.Repeat("tR", n) + "."
	}},
	{"k-states.pkl", 5000, func(n int) string {
		return "\x80\x03cmine\nClass\n)\x81" + strings.Repeat("}b", n) + "."
	}},
	{"k-frames.pkl", 20000, func(n int) string {
		return "\x80\x04" + strings.Repeat("\x95\x02\x00\x00\x00\x00\x00\x00\x00N0", n) + "\x95\x02\x00\x00\x00\x00\x00\x00\x00N."
	}},
	{"k-lines.pkl", 50000, func(n int) string { return "(" + strings.Repeat("I1\n", n) + "l." }},
	{"k-line.pkl", 200000, func(n int) string { return "V" + longText(n) + "\n." }},
	{"k-digits.pkl", 50000, func(n int) string { return "L" + strings.Repeat("7", n) + "L\n." }},
	{"k-many-digits.pkl", 50, func(n int) string { return "(" + strings.Repeat("L"+strings.Repeat("7", 100*n)+"L\n", n) + "l." }},
	{"k-dups.pkl", 50000, func(n int) string { return "\x80\x03(N" + strings.Repeat("2", n) + "t." }},
	{"k-marks.pkl", 50000, func(n int) string { return "\x80\x03" + strings.Repeat("(", n) + strings.Repeat("t", n) + "." }},
	{"c-double-global.pkl", 300, func(n int) string {
		return "\x80\x03" + put("cmine\nf\n", 0) + "0" + repeat(n, func(i int) string { return put(pickleTuple(get(i)+get(i)), i+1) + "0" }) + get(n) + "."
	}},
}
