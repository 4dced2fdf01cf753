// Package atomicfile replaces whole files: data is written to a temporary file in the same folder, which replaces the
// old file at the end. A program that opens the path sees the old file or the complete new one.
//
// A killed process leaves its temporary file. The next process that writes a file of the same name removes it: a lock
// tells whether a process still writes to the temporary file.
//
// temp.go numbers and locks temporary files, making.go knows all that the process is writing, so that AbortWrites can
// remove them when a signal ends the program.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a new file that is being written. Write to it, then call Commit. Defer Abort, which removes the file unless
// it was committed.
type File struct {
	*os.File
	in   folder
	path string      // the path after Commit; "" if the path is not a regular file and was opened directly
	temp string      // "" after the file was moved or removed
	lock io.Closer   // held while temp is written; nil if the system has no locks
	old  fs.FileInfo // the file to be replaced, or nil
	into *os.File    // gets the data at Commit, where the path names a file that is open already; or nil
}

// A folder resolves names to files: the whole file system, or an [os.Root].
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

// Create starts a new file that Commit moves to path. It follows symbolic links: the file they point to is replaced. A
// path that exists and is not a regular file, such as a pipe, is written to directly. /dev/stdout and other names of files that are
// open in the process stand for these: Commit writes the data where the last write to the file ended, and nothing is replaced.
//
// A replaced file keeps its permissions, as if it had been written in place. Until then only the owner can read the new
// file.
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
	path, into, err := followLinks(path)
	if err != nil {
		return nil, notCreated(path, err)
	}
	f, err := createTemp(system{}, path, old)
	if err != nil && into != nil { // the folder may be gone, or not be writable
		f, err = createTemp(system{}, filepath.Join(os.TempDir(), filepath.Base(path)), old)
	}
	if err != nil {
		if into != nil {
			into.Close()
		}
		return nil, notCreated(path, err)
	}
	f.into = into
	return f, nil
}

// CreateIn starts a new file that Commit moves to name within root, and never outside of it. It replaces an existing
// file or symbolic link, but not a folder.
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

// notCreated returns err with the path that the caller asked for, instead of the path of a temporary file.
func notCreated(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &fs.PathError{Op: "create", Path: path, Err: err}
}

// followLinks returns the path of the file that path leads to, which need not exist yet. If it leads to a file that is open in this
// process, the file is returned, too.
func followLinks(path string) (to string, into *os.File, err error) {
	for range 255 { // more links than any system follows
		if into == nil {
			if into, err = openDescriptor(path); err != nil {
				return path, nil, err
			}
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			dir, _ := filepath.Split(path)
			target = dir + target // not cleaned: ".." after a link leads elsewhere
		}
		path = target
	}
	return path, into, nil
}

// Commit closes the file and moves it to its path. If sync is set, the data and the directory are on disk when Commit
// returns. After an error the temporary file is removed.
func (f *File) Commit(sync bool) error { return f.commit(sync, f.rename) }

func (f *File) rename() error { return f.in.Rename(f.temp, f.path) }

// pass writes the data to the file that was open already.
func (f *File) pass(sync bool) error {
	defer f.Abort()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(f.into, f.File)
	if err == nil && sync {
		err = f.into.Sync()
	}
	return err
}

// CommitNew is [File.Commit] for a path without a file. A file that exists at the path, even if it was created a moment
// ago, stays, and the error wraps [fs.ErrExist].
func (f *File) CommitNew(sync bool) error {
	return f.commit(sync, func() error {
		if _, ok := f.in.(system); ok {
			return moveNew(f.temp, f.path)
		}
		return linkNew(f.in, f.temp, f.path)
	})
}

// linkNew moves temp to path in two steps, unless path exists.
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
	switch {
	case f.path == "":
		return f.File.Close()
	case f.into != nil:
		return f.pass(sync)
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

// release releases the lock once the temporary file is moved or removed.
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

// discard removes the temporary file, which must be closed.
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
	if f.into != nil {
		_ = f.into.Close()
	}
	if f.temp != "" {
		f.discard()
	}
}

// syncDir makes a rename durable on systems where directories can be synced.
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
