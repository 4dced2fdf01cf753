// Package suggest finds the name that was meant when a name is mistyped.
package suggest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Nearest returns the candidate that is nearest to word, or "". The two may differ in at most a third of the letters,
// not counting the ending of a file.
func Nearest(word string, candidates []string) string {
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
	var before []int // the row before the last, for swaps
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

// DidYouMean returns the end of a message, with the suggestion formatted by format, or "".
func DidYouMean(format, word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + fmt.Sprintf(format, near) + "?"
	}
	return ""
}

// File returns the end of a message about a path that does not exist, with the file of the nearest name, or "". The path
// may end in a member or an index.
func File(path string) string {
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
		if near := cmp.Or(Nearest(name, names), sameStem(name, names)); near != "" {
			return fmt.Sprintf("; did you mean %s?", folder+near)
		}
	}
	return ""
}

// sameStem returns the first name that differs from word in its ending only, or "".
func sameStem(word string, names []string) string {
	stem := func(name string) string { return strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name))) }
	if stem(word) == "" {
		return ""
	}
	slices.Sort(names)
	for _, name := range names {
		if stem(name) == stem(word) {
			return name
		}
	}
	return ""
}
