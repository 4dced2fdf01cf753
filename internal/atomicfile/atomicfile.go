// Package atomicfile replaces files whole: what is written goes to a temporary file in the same folder, which takes
// the place of the old one at the end. Whoever opens the path sees the old file or the complete new one.
//
// A process that is killed leaves its temporary file. The next that writes a file of the same name removes it: a lock says
// whether a process still writes to it.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a file in the making. Write to it, then Commit; Abort in a defer cleans up whatever happened in between.
type File struct {
	*os.File
	in   folder
	path string      // where Commit moves it; "" if the path is no regular file and was opened as it is
	temp string      // "" once it has been moved or removed
	lock io.Closer   // says that temp is being written; nil where there are no locks
	old  fs.FileInfo // of the file that it replaces, or nil
}

// A folder is where names lead to files: the whole system, or an [os.Root].
type folder interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Lstat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Link(from, to string) error
	Remove(name string) error
}

type system struct{}

func (system) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (system) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (system) Rename(from, to string) error           { return replace(from, to) }
func (system) Link(from, to string) error             { return os.Link(from, to) }
func (system) Remove(name string) error               { return os.Remove(name) }

// Create starts a new file that will be at path. Symbolic links are followed, so that the file they point to is
// replaced. A path that exists and is no regular file, such as a pipe or /dev/stdout, is written to directly.
//
// A file that is replaced keeps its permissions, as if it had been written in place. Until then nobody else can read the
// new one.
func Create(path string) (*File, error) {
	old, err := os.Stat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, notCreated(path, err)
	case err == nil && old.IsDir():
		return nil, notCreated(path, errDirectory)
	case err == nil && !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, notCreated(path, err)
		}
		return &File{File: f}, nil
	}
	f, err := createTemp(system{}, followLinks(path), old)
	if err != nil {
		return nil, notCreated(path, err)
	}
	return f, nil
}

// CreateIn starts a new file that will be at a name within root, and nowhere else. What has the name is replaced, a link
// as well, but not a folder.
func CreateIn(root *os.Root, name string) (*File, error) {
	old, err := root.Lstat(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, notCreated(name, err)
	case err == nil && old.IsDir():
		return nil, notCreated(name, errDirectory)
	case err == nil && !old.Mode().IsRegular():
		old = nil
	}
	f, err := createTemp(root, name, old)
	if err != nil {
		return nil, notCreated(name, err)
	}
	return f, nil
}

var errDirectory = errors.New("is a directory")

// notCreated is the error for the path that was asked for, whatever file was in the way.
func notCreated(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &fs.PathError{Op: "create", Path: path, Err: err}
}

// followLinks returns the path of the file that path leads to. That file need not exist yet.
func followLinks(path string) string {
	for range 255 { // more than any system follows
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			dir, _ := filepath.Split(path)
			target = dir + target // not cleaned: ".." behind a link leads elsewhere
		}
		path = target
	}
	return path
}

// Commit closes the file and moves it to its place. With sync set, data and directory are on disk when it returns.
// After an error the temporary file is gone.
func (f *File) Commit(sync bool) error { return f.commit(sync, f.rename) }

func (f *File) rename() error { return f.in.Rename(f.temp, f.path) }

// CommitNew is [File.Commit] for a path where there is no file: if there is one, even since a moment ago, it stays and
// the error wraps [fs.ErrExist].
func (f *File) CommitNew(sync bool) error {
	return f.commit(sync, func() error {
		if _, ok := f.in.(system); ok {
			return moveNew(f.temp, f.path)
		}
		return linkNew(f.in, f.temp, f.path)
	})
}

// linkNew moves temp to path, where there is no file, in two steps.
func linkNew(in folder, temp, path string) error {
	err := in.Link(temp, path)
	switch {
	case err == nil:
		return in.Remove(temp)
	case !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission):
		return err
	}
	if _, err := in.Lstat(path); err == nil { // a file system without links
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return in.Rename(temp, path)
}

func (f *File) commit(sync bool, move func() error) error {
	if f.path == "" {
		return f.File.Close()
	}
	if f.old != nil {
		keepMode(f.File, f.old)
	}
	var err error
	if sync {
		err = f.Sync()
	}
	if e := f.File.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = move()
	}
	if err != nil {
		f.discard()
		return err
	}
	f.release()
	if sync {
		return syncDir(f.in, filepath.Dir(f.path))
	}
	return nil
}

// release ends the making, once there is no temporary file.
func (f *File) release() {
	if made(f) {
		f.unlock()
	}
	f.temp = ""
}

func (f *File) unlock() {
	if f.lock != nil {
		_ = f.lock.Close()
	}
}

// discard removes the temporary file, which is closed.
func (f *File) discard() {
	_ = f.in.Remove(f.temp)
	f.release()
}

// Abort closes and removes the temporary file. After Commit it does nothing.
func (f *File) Abort() {
	if f.temp == "" && f.path != "" {
		return
	}
	_ = f.File.Close()
	if f.temp != "" {
		f.discard()
	}
}

// syncDir makes a rename durable where directories can be synced at all.
func syncDir(in folder, dir string) error {
	d, err := in.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
