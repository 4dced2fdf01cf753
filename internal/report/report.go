// Package report puts what a program measured into a document, between two marks: <!-- fuzz --> and <!-- /fuzz -->.
package report

import (
	"bytes"
	"fmt"
	"os"
)

// Write replaces the section of a document by a text. The section is what stands between the marks of a name.
func Write(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, found := bytes.Cut(old, []byte(open))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		return fmt.Errorf("%s has no section between %q and %q", path, open, end)
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, open, text, end, after), 0o644)
}
