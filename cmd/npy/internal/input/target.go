package input

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// A Target is named by an argument: a file or - for standard input, optionally one of its arrays if it has several, and
// optionally an index into the array.
type Target struct {
	Path      string
	Container *Container // nil if the file does not have several arrays, or is not open
	Member    string     // the path of an array in the container
	Whole     bool       // the argument named the container, a group or a pattern, and this is one of its arrays
	Index     []npy.Index
	Sub       string // the text of Index, with brackets

	Nth int // of the arrays that follow each other in a file, from 1; 0 for the first array of every file

	url    string       // of the file, with its query, which Path does not have; "" for other files
	linked *remote.File // the file that names the URL; nil for arguments
	part   string       // the path of a part in folder, which has the file; "" for other files
	folder parts.Folder
	others []Target // the meaning of the argument if there is no file at the URL
	slice  bool     // Index comes from --slice

	file *file // nil if the file is not open, or a container
}

// Parse splits "FILE[index]" and "FILE:member" if FILE exists and a file of the whole name does not. Opening the archive
// separates the member from its index. Of a URL the ending of the file decides.
func Parse(arg string) (Target, error) {
	if remote.IsURL(arg) {
		return parseURL(arg)
	}
	if Exists(arg) {
		return Target{Path: arg}, nil
	}
	for i, c := range []byte(arg) {
		if c != '[' && c != ':' || arg[:i] != "-" && !Exists(arg[:i]) {
			continue
		}
		if c == ':' {
			return Target{Path: arg[:i], Member: arg[i+1:]}, nil
		}
		t, err := Target{Path: arg[:i]}.withIndex(arg[i:])
		if err != nil {
			return t, fmt.Errorf("%s: %w", arg, err)
		}
		return t, nil
	}
	return Target{Path: arg}, nil
}

func (t Target) withIndex(text string) (Target, error) {
	index, err := npy.ParseIndex(text)
	if err != nil && !strings.Contains(text, "]") && strings.HasPrefix(text, "[") {
		return t, errors.New("the index does not end with ]; quote arguments with brackets and spaces")
	}
	if err != nil {
		return t, errors.New(diagnose.Text(err))
	}
	t.Index, t.Sub = index, text
	return t, nil
}

// WithSlice adds the index of a --slice flag, if there is one.
func (t Target) WithSlice(text string) (Target, error) {
	if text == "" {
		return t, nil
	}
	if t.Index != nil {
		return t, fmt.Errorf("both %s and --slice name a part of the array; give one", t.Sub)
	}
	t, err := t.withIndex(text)
	if err != nil {
		return t, fmt.Errorf("--slice: %w", err)
	}
	t.slice = true
	return t, nil
}

// Name returns the file and member for messages.
func (t Target) Name() string {
	if t.Nth > 0 {
		return fmt.Sprintf("%s, array %d", diagnose.FileName(t.Path), t.Nth)
	}
	if t.Member == "" {
		return t.Path
	}
	return diagnose.FileName(t.Path) + ":" + t.Member
}

// Title returns the name with the index.
func (t Target) Title() string { return diagnose.FileName(t.Name()) + t.Sub }

// MemberName returns the member for JSON, or nil.
func (t Target) MemberName() *string {
	if t.Member == "" {
		return nil
	}
	return &t.Member
}

// Slice returns the text of the index for JSON, or nil.
func (t Target) Slice() *string {
	if t.Sub == "" {
		return nil
	}
	return &t.Sub
}

// ArrayName returns the name of the array in an archive that is written: the name of the member, or of the file without its ending.
func (t Target) ArrayName() string {
	switch {
	case t.Member != "":
		return t.Member
	case t.Path == "-":
		return "arr_0" // np.savez's name for arrays without one
	}
	_, name := CompressionOf(filepath.Base(t.Path))
	if plain, ok := strings.CutSuffix(name, parts.Ending); ok {
		return plain
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// targetOf returns the target that a path or a URL is as a whole.
func targetOf(path string) Target {
	if remote.IsURL(path) {
		return Target{Path: remote.Redact(path), url: path}
	}
	return Target{Path: path}
}

// Exists reports whether there is a file of this name. URLs are taken for names of files.
func Exists(path string) bool {
	if remote.IsURL(path) {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// SameFile reports whether two paths name one regular file.
func SameFile(a, b string) bool {
	if remote.IsURL(a) || remote.IsURL(b) { // a file at a URL is replaced after it has been read
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y) && x.Mode().IsRegular()
}
