package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// growingWide are files with many names: fields, columns, variables, members. A search for each name among all of them takes
// a time that grows with the square of their number.
var growingWide = []growing{
	{"w-columns.csv", 64000, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("c%d,", i) }) + "x\n" + strings.Repeat(strings.Repeat("1,", n)+"a\n", 2)
	}},
	{"w-fields.npy", 12000, func(n int) string {
		return plain("["+repeat(n, func(i int) string { return fmt.Sprintf("('f%d', '|u1'), ", i) })+"]", "(2,)", 2*n)
	}},
	{"w-objects.json", 64000, func(n int) string {
		object := "{" + repeat(n, func(i int) string { return fmt.Sprintf("\"k%d\":%d,", i, i) }) + "\"x\":1}"
		return "[" + object + "," + object + "]"
	}},
	{"w-variables.mat", 48000, func(n int) string {
		return matFile(repeat(n, func(i int) string {
			return matArray(fmt.Sprintf("v%d", i), 6, 1, matElement(9, strings.Repeat("\x00", 8)))
		}))
	}},
	{"w-compressed.mat", 32000, func(n int) string {
		return matFile(repeat(n, func(i int) string {
			return matCompressed(matArray(fmt.Sprintf("v%d", i), 6, 1, matElement(9, strings.Repeat("\x00", 8))))
		}))
	}},
	{"w-same.mat", 32000, func(n int) string {
		return matFile(strings.Repeat(matCompressed(matArray("v", 6, 1, matElement(9, strings.Repeat("\x00", 8)))), n))
	}},
	{"w-cells.mat", 64000, func(n int) string { return matFile(matArray("c", 1, n, strings.Repeat(matElement(14, ""), n))) }},
	{"w-zipped-cells.mat", 64000, func(n int) string {
		return matFile(matCompressed(matArray("c", 1, n, strings.Repeat(matElement(14, ""), n))))
	}},
	{"w-full-cells.mat", 48000, func(n int) string {
		return matFile(matArray("c", 1, n, strings.Repeat(matArray("", 9, 1, matElement(2, "x")), n)))
	}},
	{"w-structs.mat", 64000, func(n int) string {
		fields := matElement(5, "\x08\x00\x00\x00") + matElement(1, "a\x00\x00\x00\x00\x00\x00\x00")
		return matFile(matArray("s", 2, n, fields+strings.Repeat(matElement(14, ""), n)))
	}},
	{"w-fields.mat", 48000, func(n int) string {
		names := repeat(n, func(i int) string { return fmt.Sprintf("f%06d\x00", i) }) // of 8 bytes each
		return matFile(matArray("s", 2, 1, matElement(5, "\x08\x00\x00\x00")+matElement(1, names)+strings.Repeat(matElement(14, ""), n)))
	}},
	{"w-variables.nc", 32000, func(n int) string {
		return arraysIn("nc", n, one())
	}},
	{"w-arrays.h5", 16000, func(n int) string { return arraysIn("h5", n, one()) }},
}

// arraysIn returns a file of a format with n arrays.
func arraysIn(format string, n int, a *npy.Array) string {
	return containerOf("a."+format, func(w container.Writer) error {
		for i := range n {
			if err := container.Put(context.Background(), w, container.Entry{Path: fmt.Sprintf("a%d", i)}, nil, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// matFile returns a MAT-file of version 5.
func matFile(variables string) string {
	return "MATLAB 5.0 MAT-file" + strings.Repeat(" ", 116-len("MATLAB 5.0 MAT-file")) + strings.Repeat("\x00", 8) + "\x00\x01IM" + variables
}

// matElement returns an element of a MAT-file.
func matElement(typ int, data string) string {
	head := binary.LittleEndian.AppendUint32(nil, uint32(typ))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(data)))
	return string(head) + data + strings.Repeat("\x00", -len(data)&7)
}

// matArray returns an array of a class and shape (1, n).
func matArray(name string, class, n int, data string) string {
	dims := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 1), uint32(n))
	return matElement(14, matElement(6, string(rune(class))+strings.Repeat("\x00", 7))+matElement(5, string(dims))+matElement(1, name)+data)
}

var zlibWriter = zlib.NewWriter(nil)

// matCompressed returns a compressed variable.
func matCompressed(array string) string {
	var b bytes.Buffer
	z := zlibWriter
	z.Reset(&b)
	z.Write([]byte(array))
	z.Close()
	head := binary.LittleEndian.AppendUint32(nil, 15)
	return string(binary.LittleEndian.AppendUint32(head, uint32(b.Len()))) + b.String()
}
