package main

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The shells of Windows do not expand patterns, and no shell knows the members of archives. The command expands * and
// ? itself, unless a file or member has this very name. Brackets are indices, not patterns.

// addPatterns makes a subcommand expand patterns if its usage says FILE... and it takes any number of files.
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

// expandFiles replaces each pattern by the files that match it, sorted by name. A member or an index after the name
// of the file is kept. A pattern without matches stays as it is.
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

// matches reports whether the name of a member matches a pattern. A * matches slashes too.
func matches(pattern, name string) bool {
	flat := strings.NewReplacer("/", "\x00", "[", `\[`, `\`, `\\`)
	ok, err := path.Match(flat.Replace(pattern), strings.ReplaceAll(name, "/", "\x00"))
	return ok && err == nil
}

// expandMembers replaces each pattern by the members that match it, unless a member has this very name. No name is
// returned twice.
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

// cutPattern separates the pattern for members in a target from the index after it, as in layer*[0]. It returns "" if
// there is no pattern, or if a member has this very name.
func (z *archive) cutPattern(t target) (pattern string, rest target, err error) {
	if !isPattern(t.member) || z.Has(t.member) {
		return "", t, nil
	}
	pattern = t.member
	if i := strings.IndexByte(pattern, '['); i > 0 && strings.HasSuffix(pattern, "]") {
		t, err = t.withIndex(pattern[i:])
		pattern = pattern[:i]
	}
	if !isPattern(pattern) { // the * or ? is in the name of a field
		return "", t, nil
	}
	return pattern, t, err
}
