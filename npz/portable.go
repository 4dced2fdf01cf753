package npz

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that are valid on Unix but not on Windows: "Naming Files, Paths, and Namespaces" in Microsoft's documentation
// of Win32.
const (
	reservedBytes = `<>:"|?*\`
	maxComponent  = 255 // bytes of a name without slashes; Windows allows this many UTF-16 units
	maxFolders    = 255 // depth of folders; deeper paths are too long for most systems
	longStart     = 200 // bytes kept of the start of a longer name
	longEnd       = 20  // bytes kept of its ending
)

// CheckPortable returns why the name of a member is not a valid path on every system: Windows does not allow it, or
// it is too long. [Entry.CheckName] is about this system, and about names that lead out of a folder.
func (e Entry) CheckPortable() error {
	if n := strings.Count(strings.TrimSuffix(e.Name, "/"), "/"); n > maxFolders {
		return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: fmt.Errorf("it is %d folders deep, the limit is %d", n, maxFolders)}
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(e.Name, "/"), "/") {
		if problem := unportable(part); problem != "" {
			return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: errors.New("Windows does not allow this file name: " + problem)}
		}
	}
	return nil
}

// unportable describes the fault of a part of a path, or returns "" if it has none.
func unportable(part string) string {
	for _, r := range part {
		if r < ' ' || strings.ContainsRune(reservedBytes, r) {
			return fmt.Sprintf("it has the character %q", r)
		}
	}
	stem, _, _ := strings.Cut(part, ".")
	switch {
	case !utf8.ValidString(part):
		return "it is not UTF-8"
	case len(part) > maxComponent:
		return fmt.Sprintf("a part of it has %d bytes, the most are %d", len(part), maxComponent)
	case part == "." || part == "..":
		return ""
	case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
		return fmt.Sprintf("it ends with %q", part[len(part)-1:])
	case isDevice(strings.ToUpper(strings.TrimRight(stem, " "))):
		return fmt.Sprintf("%s is a device", stem)
	}
	return ""
}

// isDevice reports whether Windows takes a name, with any ending, for a device.
func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if number, ok := strings.CutPrefix(stem, port); ok && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number) {
			return true
		}
	}
	return false
}

// PortableNames returns for each of [Reader.Entries] a path that is valid on every system. This is the name in the
// archive if it is valid. Otherwise characters that Windows does not allow become hexadecimal bytes, as in
// "a%3Ab.npy" for "a:b.npy". A name in more than 255 nested folders becomes the name of a single file. If names
// differ only in case, the later ones get a number. Members of the same name have the same path. Names that lead out
// of a folder still do: [Entry.CheckName] refuses them.
func (z *Reader) PortableNames() []string {
	names := make([]string, len(z.dir.Entries))
	for i := range names {
		names[i] = z.dir.Entries[i].Name
	}
	return portableNames(names)
}

// PortableNames is [Reader.PortableNames] for any names of files, with slashes between folders.
func PortableNames(names []string) []string { return portableNames(slices.Clone(names)) }

// portableNames replaces names by their paths.
func portableNames(names []string) []string {
	if !slices.ContainsFunc(names, mayChange) {
		return names
	}
	tree := newPortableTree()
	for i, name := range names {
		names[i] = tree.path(name)
	}
	return names
}

// mayChange reports whether the path of a name may be another one, whatever the other names are: without upper case, no two
// names differ in case.
func mayChange(name string) bool {
	return foldCase(name) != name || Entry{Name: name}.CheckPortable() != nil
}

// A portableTree holds the paths in use. Its memory is proportional to the parts of the names, not to their paths.
type portableTree struct {
	parts map[portablePlace]*portableFile // by the name in the archive
	taken map[portablePlace]int           // by the new name, without case; the number of names that wanted it
}

// A portablePlace is a name in a folder.
type portablePlace struct {
	dir  *portableFile // nil for the root folder
	name string
}

// A portableFile is a file or folder with its new name.
type portableFile struct{ name string }

func newPortableTree() portableTree {
	return portableTree{parts: map[portablePlace]*portableFile{}, taken: map[portablePlace]int{}}
}

func (t portableTree) path(name string) string {
	whole, isFolder := strings.CutSuffix(name, "/")
	if strings.Count(whole, "/") > maxFolders {
		whole = strings.ReplaceAll(whole, "/", "%2F")
	}
	var to strings.Builder
	var dir *portableFile
	for part := range strings.SplitSeq(whole, "/") {
		if to.Len() > 0 || dir != nil {
			to.WriteByte('/')
		}
		at := portablePlace{dir, part}
		file, ok := t.parts[at]
		if !ok {
			file = &portableFile{t.free(dir, portablePart(part))}
			t.parts[at] = file
		}
		to.WriteString(file.name)
		dir = file
	}
	if isFolder {
		to.WriteByte('/')
	}
	return to.String()
}

// free returns part, with a number appended if a name in the folder differs from it only in case.
func (t portableTree) free(dir *portableFile, part string) string {
	wanted, to := portablePlace{dir, foldCase(part)}, part
	for t.taken[portablePlace{dir, foldCase(to)}] > 0 {
		t.taken[wanted]++
		end := path.Ext(part)
		to = fmt.Sprintf("%s~%d%s", strings.TrimSuffix(part, end), t.taken[wanted], end)
	}
	t.taken[portablePlace{dir, foldCase(to)}]++
	return to
}

// foldCase maps texts that differ only in case to the same text.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, s)
}

// portablePart returns a part of a path in a form that is valid on every system.
func portablePart(part string) string {
	if unportable(part) == "" {
		return part
	}
	var b strings.Builder
	for i := 0; i < len(part); {
		r, n := utf8.DecodeRuneInString(part[i:])
		if r < ' ' || r == utf8.RuneError && n == 1 || strings.ContainsRune(reservedBytes, r) {
			fmt.Fprintf(&b, "%%%02X", part[i])
		} else {
			b.WriteString(part[i : i+n])
		}
		i += n
	}
	part = b.String()
	if last := len(part) - 1; last >= 0 && (part[last] == '.' || part[last] == ' ') {
		part = fmt.Sprintf("%s%%%02X", part[:last], part[last])
	}
	if len(part) > maxComponent {
		start, end := part[:longStart], path.Ext(part)
		if len(end) > longEnd {
			end = ""
		}
		part = fmt.Sprintf("%s~%08x%s", strings.ToValidUTF8(start, ""), crc32.ChecksumIEEE([]byte(part)), end)
	}
	if unportable(part) != "" { // the name of a device
		part = fmt.Sprintf("%%%02X%s", part[0], part[1:])
	}
	return part
}
