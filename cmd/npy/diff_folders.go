package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/remote"
)

// isFolder reports whether an argument names a folder of this machine, and not an array in parts.
func (d *differ) isFolder(arg string) bool {
	return !remote.IsURL(arg) && isFolder(arg) && !d.opener.IsJoined(arg)
}

// folders compares all files of two folders and of the folders in them, by their paths within the folders.
func (d *differ) folders(a, b string) error {
	if d.image != "" {
		return errors.New("--output needs two arrays, not folders")
	}
	inA, err := filesIn(a)
	if err != nil {
		return d.told(diagnose.Of(a, err))
	}
	inB, err := filesIn(b)
	if err != nil {
		return d.told(diagnose.Of(b, err))
	}
	table := terminal.Columns{Width: d.style.Width, Cut: []int{1, 2}}
	table.Row("RESULT", "FILE", "DIFFERENCE")
	all := append(slices.Clone(inA), inB...)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		_, isA := slices.BinarySearch(inA, name)
		_, isB := slices.BinarySearch(inB, name)
		result, detail := "", ""
		switch x, y := filepath.Join(a, name), filepath.Join(b, name); {
		case isA && isB:
			result, detail, err = d.files(x, y)
		case isA:
			result, err = "only in "+a, d.onlyFile("a", x, y)
		default:
			result, err = "only in "+b, d.onlyFile("b", x, y)
		}
		if err != nil {
			return err
		}
		table.Row(terminal.Printable(result), terminal.Printable(filepath.ToSlash(name)), detail)
	}
	if d.json || d.quiet || len(all) == 0 {
		return nil
	}
	table.DropEmpty("")
	return table.Print(d.w)
}

// filesIn returns the sorted paths of all files in a folder, relative to it. Links to files are files, and links to folders are left
// out, because they may lead back.
func filesIn(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil
		}
		name, err := filepath.Rel(folder, path)
		files = append(files, name)
		return err
	})
	slices.Sort(files)
	return files, err
}

// onlyFile reports a file that only one folder has, "a" or "b".
func (d *differ) onlyFile(which, a, b string) error {
	d.failed = true
	if !d.json {
		return nil
	}
	return terminal.NewJSON(d.w).Encode(results.OnlyFileJSON(which, a, b))
}

// files compares two files: those that npy reads by their arrays, others by their bytes. It returns a word for the table, and what differs.
func (d *differ) files(a, b string) (result, detail string, err error) {
	_, plain := input.CompressionOf(a)
	if !slices.Contains((arrays | text).endings(), strings.TrimPrefix(strings.ToLower(filepath.Ext(plain)), ".")) {
		same, err := sameBytes(a, b)
		if err != nil {
			return "error", "", d.told(err)
		}
		d.failed = d.failed || !same
		if d.json {
			err = terminal.NewJSON(d.w).Encode(results.DiffJSON{A: a, B: b, Equal: same})
		}
		if !same {
			return "differs", "bytes", err
		}
		return "same", "", err
	}
	var text bytes.Buffer
	one := *d
	if !d.json {
		one.stat, one.quiet, one.w = true, false, bufio.NewWriter(&text)
	}
	failed, trouble := d.failed, d.trouble
	d.failed, d.trouble = false, false
	err = one.run(a, b)
	if err != nil && d.ctx.Err() == nil { // such as arrays beside archives: these files are no pair
		err = d.told(diagnose.Of(a, err))
	}
	result = "same"
	switch {
	case d.trouble:
		result = "error"
	case d.failed:
		result = "differs"
	}
	d.failed, d.trouble = d.failed || failed, d.trouble || trouble
	if !d.json {
		err = errors.Join(err, one.w.Flush())
	}
	return result, summary(text.String()), err
}

// summary shortens the lines of --stat to one.
func summary(stat string) string {
	lines := strings.Split(strings.TrimSuffix(stat, "\n"), "\n")
	if _, what, ok := strings.Cut(lines[0], "| "); ok && len(lines) == 1 {
		return what
	} else if stat == "" {
		return ""
	}
	return fmt.Sprintf("%d arrays or fields differ", len(lines))
}

// sameBytes reports whether two files have the same bytes.
func sameBytes(a, b string) (bool, error) {
	x, err := os.Open(a)
	if err != nil {
		return false, diagnose.Of(a, err)
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false, diagnose.Of(b, err)
	}
	defer y.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		switch {
		case !bytes.Equal(p[:n], q[:m]):
			return false, nil
		case isEnd(errX) && isEnd(errY):
			return true, nil
		case errX != nil && !isEnd(errX):
			return false, diagnose.Of(a, errX)
		case errY != nil && !isEnd(errY):
			return false, diagnose.Of(b, errY)
		}
	}
}

// isEnd reports whether io.ReadFull reached the end of a file.
func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
