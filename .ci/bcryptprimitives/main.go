// Command bcryptprimitives writes bcryptprimitives.dll, which programs made by Go load when they start and which Wine
// has since version 8.8: a library without code, whose one function ProcessPrng is advapi32's SystemFunction036, the
// same under an older name.
//
//	go run ./.ci/bcryptprimitives FILE
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
)

// Where things are in the image.
const (
	headers = 0x200  // bytes of headers, which is where the section begins in the file
	section = 0x1000 // address of the section
	tables  = section + 40
	names   = tables + 12 // after the tables of functions, names and ordinals
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "want the name of a file")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], library(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func library() []byte {
	exports := exportSection("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
	file := make([]byte, headers, 2*headers)
	copy(file, "MZ")
	binary.LittleEndian.PutUint32(file[0x3c:], 0x40)
	copy(file[0x40:], headersOf(uint32(len(exports))))
	file = append(file, exports...)
	return append(file, make([]byte, 2*headers-len(file))...)
}

// headersOf returns the headers of a library of 64-bit Windows with one section, its exports.
func headersOf(size uint32) []byte {
	directories := [32]uint32{0: section, 1: size}
	return pack("PE\x00\x00",
		uint16(0x8664), uint16(1), uint32(0), uint32(0), uint32(0), uint16(240), uint16(0x2023), // amd64, a library that cannot be moved
		uint16(0x20b), uint16(0), uint32(0), uint32(headers), uint32(0), uint32(0), uint32(section),
		uint64(0x3_5000_0000), uint32(0x1000), uint32(headers), // address, alignment in memory and in the file
		uint16(6), uint16(0), uint16(0), uint16(0), uint16(6), uint16(0), uint32(0), // versions
		uint32(2*section), uint32(headers), uint32(0), uint16(3), uint16(0x100), // sizes, checksum, console, no code in data
		uint64(1<<20), uint64(4096), uint64(1<<20), uint64(4096), uint32(0), uint32(16), directories,
		[8]byte{'.', 'e', 'd', 'a', 't', 'a'}, size, uint32(section), uint32(headers), uint32(headers),
		uint32(0), uint32(0), uint16(0), uint16(0), uint32(0x40000040)) // initialised data, to be read
}

// exportSection returns the export directory of a library with one function, which is another one's.
func exportSection(library, function, target string) []byte {
	strings := library + "\x00" + function + "\x00" + target + "\x00"
	nameAt := uint32(names + len(library) + 1)
	targetAt := nameAt + uint32(len(function)) + 1
	return pack(uint32(0), uint32(0), uint32(0), uint32(names), uint32(1), uint32(1), uint32(1), uint32(tables), uint32(tables+4), uint32(tables+8),
		targetAt, nameAt, uint16(0), uint16(0), strings)
}

func pack(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		if s, ok := p.(string); ok {
			b.WriteString(s)
			continue
		}
		_ = binary.Write(&b, binary.LittleEndian, p) // a Buffer takes everything
	}
	return b.Bytes()
}
