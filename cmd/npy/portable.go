package main

import (
	"slices"
	"strings"
)

// portableName changes a path, of parts between slashes, so that every system can have a file of that name: Windows has
// none with some characters, with a dot or a space at the end, or with the name of a device, whatever its ending.
func portableName(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = portablePart(part)
	}
	return strings.Join(parts, "/")
}

func portablePart(part string) string {
	if part == "" || part == "." || part == ".." {
		return part
	}
	part = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"\|?*`, r) {
			return '_'
		}
		return r
	}, part)
	if last := part[len(part)-1]; last == '.' || last == ' ' {
		part = part[:len(part)-1] + "_"
	}
	base, _, _ := strings.Cut(part, ".")
	if isDevice(strings.ToUpper(strings.TrimRight(base, " "))) {
		part = "_" + part
	}
	return part
}

// isDevice reports whether a name in capitals is one that Windows keeps for a device.
func isDevice(name string) bool {
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, name) {
		return true
	}
	number, ok := strings.CutPrefix(name, "COM")
	if !ok {
		number, ok = strings.CutPrefix(name, "LPT")
	}
	return ok && slices.Contains(strings.Split("0 1 2 3 4 5 6 7 8 9 ¹ ² ³", " "), number)
}
