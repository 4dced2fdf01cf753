package main

import (
	"fmt"
	"slices"
	"strings"
)

// A growing is a kind of input that can have any size.
type growing struct {
	name string // file name with its ending
	n    int    // a size at which a cost out of proportion is visible
	make func(n int) string
}

// shares reports whether one value occurs in many places, or values contain each other.
func (g growing) shares() bool { return g.name[1] == '-' && strings.Contains("xyc", g.name[:1]) }

// pads reports whether elements of an array from text are padded to the longest, or fields that rows lack are filled: a short text
// may make 64 MiB.
func (g growing) pads() bool {
	return strings.Contains(g.name, "one-long") || strings.Contains(g.name, "new-keys")
}

func ordinary(descr string, itemSize int) func(n int) string {
	return func(n int) string { return plain(descr, fmt.Sprintf("(%d,)", n), n*itemSize) }
}

// plain returns an array file with size bytes of elements.
func plain(descr, shape string, size int) string {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * 31 >> 3)
	}
	return v1(fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape)) + string(data)
}

func shared(n int, value func(n int) string) func(n int) string {
	return func(n int) string { return objectFile(n, again(value(n), n)) }
}

func objectsOf(value func(i, n int) string) func(n int) string {
	return func(n int) string {
		return objectFile(n, repeat(n, func(i int) string { return value(i, n) }))
	}
}

func longText(n int) string { return strings.Repeat("x", n) }

// growings are all inputs. A name begins with b- if a small input decodes to many bytes, and with x-, y- or c- if values are shared.
var growings = slices.Concat(growingArrays, growingObjects, growingGraphs, growingArchives, growingContainers, growingTexts, growingWide, growingBombs, growingNetCDF, growingParts)

// growingArrays are array files of plain elements.
var growingArrays = []growing{
	{"f8.npy", 100000, ordinary("'<f8'", 8)},
	{"f4-columns.npy", 250000, func(n int) string { return plain("'<f4'", fmt.Sprintf("(1, %d)", n), 4*n) }},
	{"i2-deep.npy", 250000, func(n int) string {
		return plain("'<i2'", "("+strings.Repeat("1, ", 60)+fmt.Sprintf("%d)", n), 2*n)
	}},
	{"u1-F.npy", 250000, func(n int) string {
		return strings.Replace(plain("'|u1'", fmt.Sprintf("(2, %d)", n), 2*n), "False", "True ", 1)
	}},
	{"m8.npy", 50000, ordinary("'<M8[s]'", 8)},
	{"g.npy", 5000, ordinary("'<f16'", 16)},
	{"S1.npy", 80000, ordinary("'|S1'", 1)},
	{"b1.npy", 80000, ordinary("'|b1'", 1)},
	{"S-one.npy", 250000, func(n int) string { return plain(fmt.Sprintf("'|S%d'", n), "(1,)", n) }},
	{"U-one.npy", 60000, func(n int) string {
		return v1(fmt.Sprintf("{'descr': '<U%d', 'fortran_order': False, 'shape': (1,), }", n)) + strings.Repeat("x\x00\x00\x00", n)
	}},
	{"U-square.npy", 300, func(n int) string {
		return v1(fmt.Sprintf("{'descr': '<U%d', 'fortran_order': False, 'shape': (%d,), }", n, n)) + strings.Repeat(strings.Repeat("\x00\x00\x00\x00", n-1)+"x\x00\x00\x00", n)
	}},
	{"V-one.npy", 250000, func(n int) string { return plain(fmt.Sprintf("'|V%d'", n), "(1,)", n) }},
	{"records.npy", 20000, ordinary("[('a', '<i4'), ('b', '<f8'), ('c', '|S4')]", 16)},
	{"fields.npy", 800, func(n int) string {
		return plain("["+repeat(n, func(i int) string { return fmt.Sprintf("('f%d', '|u1'), ", i) })+"]", "(10,)", 10*n)
	}},
	{"nested-fields.npy", 40, func(n int) string {
		return plain(strings.Repeat("[('a', ", n)+"'|u1'"+strings.Repeat(")]", n), "(10,)", 10)
	}},
	{"nested-wide.npy", 300, func(n int) string {
		return plain(strings.Repeat("[('b', '|u1'), ('a', ", n/10)+"["+repeat(n, func(i int) string { return fmt.Sprintf("('f%d', '|u1'), ", i) })+"]"+strings.Repeat(")]", n/10), "(10,)", 10*(n+n/10))
	}},
	{"subarray.npy", 250000, func(n int) string { return plain(fmt.Sprintf("('|u1', (%d,))", n), "(1,)", n) }},
	{"field-subarray.npy", 100000, func(n int) string { return plain(fmt.Sprintf("[('a', '|u1', (%d,))]", n), "(1,)", n) }},
	{"hollow.npy", 200000, func(n int) string { return plain("'|S0'", fmt.Sprintf("(%d,)", n), 0) }},
	{"empty-rows.npy", 200000, func(n int) string { return plain("'<f8'", fmt.Sprintf("(%d, 0)", n), 0) }},
	{"trailing.npy", 500000, func(n int) string { return plain("'<f8'", "(1,)", 8+n) }},
	{"claim.npy", 100, func(n int) string { return plain("'<f8'", fmt.Sprintf("(%d,)", int64(n)*1e10), n) }},
	{"claim-item.npy", 100, func(n int) string { return plain(fmt.Sprintf("'|V%d'", 5_000_000*n), "(3,)", n) }},
	{"claim-text.npy", 100, func(n int) string { return plain(fmt.Sprintf("'<U%d'", 1_000_000*n), "(3,)", n) }},
	{"claim-F.npy", 100, func(n int) string {
		return strings.Replace(plain("'<f8'", fmt.Sprintf("(%d, 100)", int64(n)*1e8), n), "False", "True ", 1)
	}},
	{"endless.npy", 1e6, func(n int) string { return plain("'<f8'", fmt.Sprintf("(%d, 0)", int64(n)*1e9), 0) }},
	{"endless-S0.npy", 1e6, func(n int) string { return plain("'|S0'", fmt.Sprintf("(%d,)", int64(n)*1e9), 0) }},
	{"endless-sub.npy", 1e6, func(n int) string { return plain("[('a', '|S0', (2147483647,))]", fmt.Sprintf("(%d,)", n), 0) }},
	{"many.npy", 3000, func(n int) string { return strings.Repeat(plain("'<f8'", "(1,)", 8), n) }},
	{"spaces.npy", 10000, func(n int) string {
		return v1("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"+strings.Repeat(" ", n)) + "12345678"
	}},
	{"brackets.npy", 10000, func(n int) string { return v1("{'descr': " + strings.Repeat("(", n) + "'<f8'") }},
}

// small is a small array file.
var small = plain("'<f8'", "(2,)", 16)

// zeros returns an array file with n bytes of zeros.
func zeros(n int) string {
	return v1(fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }", n)) + strings.Repeat("\x00", n)
}
