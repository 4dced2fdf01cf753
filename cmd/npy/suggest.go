package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Who mistypes a name is told the nearest one there is.

// nearest returns the candidate that word could be a slip of, or "". It must not differ in more than a third of the
// letters, for which the ending of a file does not count.
func nearest(word string, candidates []string) string {
	best, least := "", len(strings.TrimSuffix(word, filepath.Ext(word)))/3+1
	for _, c := range candidates {
		if d := edits(strings.ToLower(word), strings.ToLower(c), least); d < least {
			best, least = c, d
		}
	}
	return best
}

// edits counts the letters to insert, delete, replace or swap with the next to make b of a. From limit on it is only known
// to be no less.
func edits(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var before []int // the row before the last: what swaps need
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			if row[j+1] = min(last[j+1], row[j]) + 1; a[i] == b[j] {
				row[j+1] = min(row[j+1], last[j])
			} else {
				row[j+1] = min(row[j+1], last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// didYouMean is the end of a complaint: what could be meant, as shown by format, or nothing.
func didYouMean(format, word string, candidates []string) string {
	if near := nearest(word, candidates); near != "" {
		return "; did you mean " + fmt.Sprintf(format, near) + "?"
	}
	return ""
}

// noCommand is the error for a first argument that is no subcommand.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if t, _ := parseTarget(word); exists(t.path) {
		return fmt.Errorf("%s is a file; did you mean 'npy show FILE'?", word)
	}
	return fmt.Errorf("unknown command %q for %q%s", word, root.Name(), didYouMean("'npy %s'", word, commandNames(root)))
}

// commandNames are the names of all subcommands and of what else there is help about.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError says more of a wrong flag than package pflag does.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return fmt.Errorf("%w%s", err, didYouMean("--%s", unknown.GetSpecifiedName(), names))
	case errors.As(err, &invalid):
		cause := invalid.Unwrap()
		if errors.Is(cause, strconv.ErrSyntax) || errors.Is(cause, strconv.ErrRange) {
			cause = fmt.Errorf("want a value of type %s", invalid.GetFlag().Value.Type())
		}
		return fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), cause)
	}
	return err
}

// similarFile says which file could be meant by a path at which there is none. What follows may be a member or an index.
func similarFile(path string) string {
	const most = 1000 // files that are looked at
	volume := len(filepath.VolumeName(path))
	for _, end := range []int{len(path), strings.IndexAny(path[volume:], ":[") + volume} {
		if end <= volume {
			continue
		}
		folder, name := filepath.Split(path[:end])
		dir, err := os.Open(filepath.Clean(folder))
		if err != nil {
			continue
		}
		names, _ := dir.Readdirnames(most)
		dir.Close()
		if near := nearest(name, names); near != "" {
			return fmt.Sprintf("; did you mean %s?", folder+near)
		}
	}
	return ""
}
