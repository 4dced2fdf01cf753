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

// A mistyped name gets the nearest existing name as a suggestion.

// nearest returns the candidate that is nearest to word, or "". The two may differ in at most a third of the letters,
// not counting the ending of a file.
func nearest(word string, candidates []string) string {
	best, least := "", len(strings.TrimSuffix(word, filepath.Ext(word)))/3+1
	for _, c := range candidates {
		if d := edits(strings.ToLower(word), strings.ToLower(c), least); d < least {
			best, least = c, d
		}
	}
	return best
}

// edits counts the letters to insert, delete, replace or swap with the next one to turn a into b. A result of limit or
// more is only a lower bound.
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

// didYouMean returns the end of a message, with the suggestion formatted by format, or "".
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

// commandNames returns the names of all subcommands and help topics.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError adds a suggestion to an error of package pflag about a wrong flag.
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

// similarFile suggests a file for a path that does not exist. The path may end in a member or an index.
func similarFile(path string) string {
	const most = 1000 // files that are compared
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
