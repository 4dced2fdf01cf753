package main

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Shells of Windows leave patterns to the command, and no shell knows the members of archives. So * and ? are understood
// here, where there is nothing of that very name. Brackets are not: they are indices.

// addPatterns has a subcommand understand patterns where its usage says FILE... and there may be any number of files.
func addPatterns(c *cobra.Command) {
	from := slices.IndexFunc(strings.Fields(c.Use)[1:], func(arg string) bool {
		return strings.HasSuffix(arg, "...") && !strings.HasPrefix(arg, "MEMBER")
	})
	if from < 0 || c.RunE == nil {
		return
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		return run(c, append(slices.Clone(args[:from]), expandFiles(args[from:])...))
	}
}

// expandFiles replaces each argument that is a pattern by the files that match it, in order of their names. What stands
// behind the name of the file, a member or an index, is kept. A pattern that nothing matches stays as it is.
func expandFiles(args []string) []string {
	var files []string
	for _, arg := range args {
		files = append(files, expandFile(arg)...)
	}
	return files
}

func expandFile(arg string) []string {
	volume := len(filepath.VolumeName(arg))
	end := len(arg)
	if i := strings.IndexAny(arg[volume:], ":["); i >= 0 {
		end = volume + i
	}
	pattern, rest := arg[:end], arg[end:]
	if !isPattern(pattern) {
		return []string{arg}
	}
	if t, err := parseTarget(arg); err == nil && exists(t.path) {
		return []string{arg}
	}
	matches, err := filepath.Glob(pattern)
	if err != nil || len(matches) == 0 {
		return []string{arg}
	}
	for i := range matches {
		matches[i] += rest
	}
	return matches
}

func isPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// matches reports whether the name of a member matches a pattern. A * matches slashes, too.
func matches(pattern, name string) bool {
	flat := strings.NewReplacer("/", "\x00", "[", `\[`, `\`, `\\`)
	ok, err := path.Match(flat.Replace(pattern), strings.ReplaceAll(name, "/", "\x00"))
	return ok && err == nil
}

// expandMembers replaces each argument that is a pattern by the members that match it, unless one has that very name.
// No name comes twice.
func expandMembers(args, members []string) []string {
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
		if isPattern(arg) && !slices.Contains(members, arg) {
			for _, name := range members {
				if matches(arg, name) {
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

// cutPattern cuts the pattern for members that a target has from the index behind it: layer*[0]. Without a pattern, or if a
// member has that very name, it gives "".
func (z *archive) cutPattern(t target) (pattern string, rest target, err error) {
	if !isPattern(t.member) || z.Has(t.member) {
		return "", t, nil
	}
	pattern = t.member
	if i := strings.IndexByte(pattern, '['); i > 0 && strings.HasSuffix(pattern, "]") {
		t, err = t.withIndex(pattern[i:])
		pattern = pattern[:i]
	}
	if !isPattern(pattern) { // what looks like one is in a field's name
		return "", t, nil
	}
	return pattern, t, err
}
