package main

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Pickles in protocol 3, opcode by opcode, because no program writes such pickles.

func le32(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

func pickleInt(n int) string      { return "J" + le32(n) }
func pickleStr(s string) string   { return "X" + le32(len(s)) + s }
func pickleBytes(s string) string { return "B" + le32(len(s)) + s }

// pickleLong returns an int of n bytes.
func pickleLong(n int) string { return "\x8b" + le32(n) + strings.Repeat("\x6b", n) }

// pickleList returns a list of items, given as consecutive opcodes.
func pickleList(items string) string { return "](" + items + "e" }

func pickleDict(items string) string  { return "}(" + items + "u" }
func pickleTuple(items string) string { return "(" + items + "t" }

// pickleCall returns a call of a global with arguments.
func pickleCall(module, name, args string) string {
	return "c" + module + "\n" + name + "\n(" + args + "tR"
}

// pickleDType returns a dtype without fields.
func pickleDType(name string) string {
	order := "<"
	if name == "O8" || name == "i1" || name[0] == 'S' || name[0] == 'V' {
		order = "|"
	}
	size := "J\xff\xff\xff\xffJ\xff\xff\xff\xff"
	if name[0] == 'S' || name[0] == 'V' || name[0] == 'U' {
		n := 0
		fmt.Sscan(name[1:], &n)
		align := 1
		if name[0] == 'U' {
			n, align = n*4, 4
		}
		size = pickleInt(n) + pickleInt(align)
	}
	return pickleCall("numpy", "dtype", pickleStr(name)+"\x89\x88") + "(K\x03" + pickleStr(order) + "NNN" + size + "K\x00tb"
}

// pickleArray returns an array of one axis. Its elements are given as opcodes: a list of objects, or raw bytes.
func pickleArray(n int, dtype, elements string) string {
	return pickleCall("numpy.core.multiarray", "_reconstruct", "cnumpy\nndarray\n(K\x00t"+pickleBytes("b")) +
		"(K\x01(" + pickleInt(n) + "t" + dtype + "\x89" + elements + "tb"
}

// put stores a value in the memo, and get loads it.
func put(value string, i int) string { return value + "r" + le32(i) }
func get(i int) string               { return "j" + le32(i) }

// again returns a value and n-1 references to it.
func again(value string, n int) string { return put(value, 7) + strings.Repeat(get(7), n-1) }

// repeat returns n values.
func repeat(n int, value func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(value(i))
	}
	return b.String()
}

// objectFile returns an .npy file of n objects.
func objectFile(n int, elements string) string {
	return v1(fmt.Sprintf("{'descr': '|O', 'fortran_order': False, 'shape': (%d,), }", n)) +
		"\x80\x03" + pickleArray(n, pickleDType("O8"), pickleList(elements)) + "."
}

// pickleFields returns a dtype of n fields.
func pickleFields(n int) string {
	return pickleCall("numpy", "dtype", pickleStr(fmt.Sprint("V", n))+"\x89\x88") + "(K\x03" + pickleStr("|") + "N" +
		pickleTuple(repeat(n, func(i int) string { return pickleStr(fmt.Sprint("f", i)) })) +
		pickleDict(repeat(n, func(i int) string {
			return pickleStr(fmt.Sprint("f", i)) + pickleTuple(pickleDType("i1")+pickleInt(i))
		})) + pickleInt(n) + "K\x01K\x10tb"
}

// pickleObjectStruct returns a dtype of one field with an object.
func pickleObjectStruct() string {
	return pickleCall("numpy", "dtype", pickleStr("V8")+"\x89\x88") + "(K\x03" + pickleStr("|") + "N" +
		pickleTuple(pickleStr("o")) + pickleDict(pickleStr("o")+pickleTuple(pickleDType("O8")+"K\x00")) + "K\x08K\x01K\x1btb"
}

// doubled stores n dtypes in the memo. Each has two fields of the previous dtype.
func doubled(n int, leaf string, size int) string {
	return put(pickleDType(leaf), 0) + "0" + repeat(n, func(i int) string {
		field := func(k int) string { return pickleTuple(get(i) + pickleInt(k*size<<i)) }
		return put(pickleCall("numpy", "dtype", pickleStr(fmt.Sprint("V", 2*size<<i))+"\x89\x88")+"(K\x03"+pickleStr("|")+"N"+
			pickleTuple(pickleStr("a")+pickleStr("b"))+pickleDict(pickleStr("a")+field(0)+pickleStr("b")+field(1))+
			pickleInt(2*size<<i)+"K\x01K\x10tb", i+1) + "0"
	})
}
