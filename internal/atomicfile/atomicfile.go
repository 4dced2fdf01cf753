// Package atomicfile replaces files whole: what is written goes to a temporary file in the same folder, which takes
// the place of the old one at the end. Whoever opens the path sees the old file or the complete new one.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A File is a file in the making. Write to it, then Commit; Abort in a defer cleans up whatever happened in between.
type File struct {
	*os.File
	path string // where Commit moves it; "" if the path is no regular file and was opened as it is
	temp string
}

// Create starts a new file that will be at path. Symbolic links are followed, so that the file they point to is
// replaced. A path that exists and is no regular file, such as a pipe or /dev/stdout, is written to directly.
func Create(path string) (*File, error) {
	old, err := os.Stat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, notCreated(path, err)
	case err == nil && old.IsDir():
		return nil, notCreated(path, errors.New("is a directory"))
	case err == nil && !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, notCreated(path, err)
		}
		return &File{File: f}, nil
	}
	f, err := createTemp(followLinks(path))
	if err != nil {
		return nil, notCreated(path, err)
	}
	if old != nil {
		_ = f.Chmod(old.Mode().Perm()) // a file replaced keeps its permissions, as if it had been written in place
	}
	return f, nil
}

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

// createTemp makes a file beside path with a name nobody else has.
func createTemp(path string) (*File, error) {
	dir, base := filepath.Split(path)
	if len(base) > 200 { // leave room for the rest of the name
		base = base[:200]
	}
	making.Lock()
	defer making.Unlock()
	if making.ended {
		return nil, errEnded
	}
	for range 1000 {
		temp := fmt.Sprintf("%s.%s.%08x.tmp", dir, base, rand.Uint32())
		f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666) // what the umask leaves of it, as os.Create
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		making.files[temp] = f
		return &File{File: f, path: path, temp: temp}, nil
	}
	return nil, errors.New("no free temporary name")
}

// Commit closes the file and moves it to its place. With sync set, data and directory are on disk when it returns.
// After an error the temporary file is gone.
func (f *File) Commit(sync bool) error { return f.commit(sync, replace) }

// CommitNew is [File.Commit] for a path where there is no file: if there is one, even since a moment ago, it stays and
// the error wraps [fs.ErrExist].
func (f *File) CommitNew(sync bool) error {
	return f.commit(sync, func(temp, path string) error {
		if err := os.Link(temp, path); err != nil {
			return err
		}
		return os.Remove(temp)
	})
}

func (f *File) commit(sync bool, move func(temp, path string) error) error {
	if f.path == "" {
		return f.File.Close()
	}
	var err error
	if sync {
		err = f.Sync()
	}
	if e := f.File.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = move(f.temp, f.path)
	}
	made(f.temp)
	if err != nil {
		_ = os.Remove(f.temp)
		return err
	}
	f.temp = ""
	if sync {
		return syncDir(filepath.Dir(f.path))
	}
	return nil
}

// Abort closes and removes the temporary file. After Commit it does nothing.
func (f *File) Abort() {
	if f.temp == "" && f.path != "" {
		return
	}
	_ = f.File.Close()
	if f.temp != "" {
		_ = os.Remove(f.temp)
		made(f.temp)
		f.temp = ""
	}
}

// syncDir makes a rename durable where directories can be synced at all.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
