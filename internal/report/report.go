// Package report puts measurements of a program into a document, between two marks: <!-- fuzz --> and <!-- /fuzz -->.
package report

import (
	"fmt"
	"os"
	"strings"
)

// Read returns the section of a document.
func Read(path, name string) (string, error) {
	_, section, _, err := cut(path, name)
	return section, err
}

// Write replaces the section of a document, the text between the marks of a name.
func Write(path, name, text string) error {
	before, _, after, err := cut(path, name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%s\n%s\n%s", before, text, after), 0o644)
}

// cut splits a document into the text before, in and after a section; the marks belong to the outer texts.
func cut(path, name string) (before, section, after string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", "", "", err
	}
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, found := strings.Cut(string(data), open)
	section, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", "", "", fmt.Errorf("%s has no section between %q and %q", path, open, end)
	}
	return before + open, section, end + after, nil
}
