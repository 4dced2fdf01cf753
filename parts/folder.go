package parts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
)

// A Folder has the files of the parts of a manifest, or of a stack, which may come from a stranger. It opens regular files
// within itself. A pipe, which would wait for a writer, a device, a socket and a folder are errors, and are not opened.
type Folder struct {
	// Path is the folder itself, which may be a link. "" is the working directory.
	Path string

	// Links follows symbolic links that lead out of the folder, or that are absolute. Without it they are errors. Links within
	// the folder are always followed.
	Links bool
}

// Dir returns an Opener of the .npy files in a folder, which does not follow links that lead out of it. d reads their headers.
func Dir(dir string, d npy.Decoder) Opener { return Folder{Path: dir}.Opener(d) }

// Opener returns an Opener of the .npy files in the folder. d reads their headers.
func (f Folder) Opener(d npy.Decoder) Opener {
	return func(_ context.Context, p Part) (npy.Source, io.Closer, error) {
		file, err := f.Open(p.Path)
		if err != nil {
			return nil, nil, atPath(filepath.Join(f.Path, filepath.FromSlash(p.Path)), err)
		}
		src, err := d.OpenFile(file)
		if err != nil {
			file.Close()
			return nil, nil, err
		}
		return src, src, nil
	}
}

// Open opens the file of a part for reading. The path must be one that [CheckPath] accepts.
func (f Folder) Open(path string) (*os.File, error) {
	local, err := filepath.Localize(path)
	if err = cmp.Or(CheckPath(path), err); err != nil {
		return nil, err
	}
	if f.Links {
		return openRegular(os.Stat, os.OpenFile, filepath.Join(f.Path, local))
	}
	root, err := os.OpenRoot(cmp.Or(f.Path, "."))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := openRegular(root.Stat, root.OpenFile, local)
	if err != nil && strings.HasSuffix(err.Error(), "path escapes from parent") { // os.Root has no error value for this
		err = &fs.PathError{Op: "open", Path: local, Err: errLink}
	}
	return file, err
}

var errLink = errors.New("a link leads out of the folder, or is absolute, which only Folder.Links follows")

// openRegular opens a regular file. The name may lead elsewhere after the first look, so the open file is looked at, too, and
// opening it does not wait.
func openRegular(stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error), name string) (*os.File, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(name, info); err != nil {
		return nil, err
	}
	f, err := open(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = checkRegular(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// checkRegular returns an error unless a file is a regular one.
func checkRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	kind := "not a regular file"
	switch mode := info.Mode(); {
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is %s, and parts are regular files", kind)}
}
