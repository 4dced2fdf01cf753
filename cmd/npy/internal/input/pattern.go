package input

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy/remote"
)

// The shells of Windows do not expand patterns, and no shell knows the members of archives. The command expands * and
// ? itself, unless a file or member has this very name. Brackets are indices, not patterns.

// ExpandFiles replaces each pattern by the files that match it, sorted by name. A member or an index after the name
// of the file is kept. A pattern without matches stays as it is, and pipes, devices and sockets match none.
func ExpandFiles(args []string) []string {
	var files []string
	for _, arg := range args {
		files = append(files, expandFile(arg)...)
	}
	return files
}

func expandFile(arg string) []string {
	if remote.IsURL(arg) {
		return []string{arg}
	}
	pattern, rest := cutPattern(arg)
	if !IsPattern(pattern) {
		return []string{arg}
	}
	if t, err := Parse(arg); err == nil && Exists(t.Path) {
		return []string{arg}
	}
	matches, err := filepath.Glob(pattern)
	matches = slices.DeleteFunc(matches, isEndless)
	if err != nil || len(matches) == 0 {
		return []string{arg}
	}
	for i := range matches {
		matches[i] += rest
	}
	return matches
}

// isEndless reports whether a path names a pipe, a device or a socket, where reading may wait for ever. Patterns skip such
// paths.
func isEndless(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket|fs.ModeIrregular) != 0
}

// cutPattern separates the name of a file from the member or the index after it.
func cutPattern(arg string) (pattern, rest string) {
	volume := len(filepath.VolumeName(arg))
	end := len(arg)
	if i := strings.IndexAny(arg[volume:], ":["); i >= 0 {
		end = volume + i
	}
	return arg[:end], arg[end:]
}

// IsPattern reports whether a name has a * or a ?.
func IsPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// Matches reports whether the name of a member matches a pattern. A * matches slashes too.
func Matches(pattern, name string) bool {
	flat := strings.NewReplacer("/", "\x00", "[", `\[`, `\`, `\\`)
	ok, err := path.Match(flat.Replace(pattern), strings.ReplaceAll(name, "/", "\x00"))
	return ok && err == nil
}

// ExpandMembers replaces each pattern by the members that match it, unless a member has this very name. No name is
// returned twice.
func ExpandMembers(args, members []string) []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, arg := range args {
		found := false
		if IsPattern(arg) && !slices.Contains(members, arg) {
			for _, name := range members {
				if Matches(arg, name) {
					found = true
					add(name)
				}
			}
		}
		if !found {
			add(arg)
		}
	}
	return names
}
