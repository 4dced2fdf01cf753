package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// diskUpload writes parts of a file of this machine, or of a file system that machines share: the data into one temporary file, and
// for each part that is complete a small file beside it. All are in a folder beside the file, so that a rename ends the upload.
type diskUpload struct {
	path   string
	absent bool
}

func (u diskUpload) folder(id string) string { return u.path + ".upload-" + id }
func (u diskUpload) data(id string) string   { return filepath.Join(u.folder(id), "data") }

func (u diskUpload) begin(context.Context) (string, error) {
	if u.absent {
		if _, err := os.Lstat(u.path); err == nil {
			return "", &fs.PathError{Op: "create", Path: u.path, Err: fs.ErrExist}
		}
	}
	id := newID()
	if err := os.Mkdir(u.folder(id), 0o777); err != nil {
		return "", err
	}
	f, err := os.OpenFile(u.data(id), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		err = f.Close()
	}
	return id, err
}

// part writes the bytes, has the system store them, and then says that the part is complete.
func (u diskUpload) part(_ context.Context, id string, number int, off int64, data []byte) error {
	f, err := os.OpenFile(u.data(id), os.O_WRONLY, 0)
	if err != nil {
		return u.gone(id, err)
	}
	_, err = f.WriteAt(data, off)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	mark := filepath.Join(u.folder(id), partName(number))
	own := mark + "-" + newID() // another process may write the same part
	if err := os.WriteFile(own, strconv.AppendInt(nil, int64(len(data)), 10), 0o666); err != nil {
		return u.gone(id, err)
	}
	return os.Rename(own, mark)
}

// gone returns the error for an upload whose folder is not there.
func (u diskUpload) gone(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no upload %s: it was committed or aborted: %w", id, fs.ErrNotExist)
	}
	return err
}

func (u diskUpload) parts(_ context.Context, id string) (map[int]int64, error) {
	entries, err := os.ReadDir(u.folder(id))
	if err != nil {
		return nil, u.gone(id, err)
	}
	if u.moved(id) {
		return nil, errMoved
	}
	sizes := map[int]int64{}
	for _, e := range entries {
		number, err := strconv.Atoi(e.Name())
		if err != nil || partName(number) != e.Name() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(u.folder(id), e.Name()))
		if err != nil {
			return nil, u.gone(id, err)
		}
		if size, ok := parseSize(strings.TrimSpace(string(text))); ok {
			sizes[number] = size
		}
	}
	return sizes, nil
}

func (u diskUpload) commit(_ context.Context, id string, _ int) error {
	move := os.Rename
	if u.absent {
		move = os.Link // which never replaces a file
	}
	if err := move(u.data(id), u.path); err != nil && !u.moved(id) {
		return u.gone(id, err)
	}
	return os.RemoveAll(u.folder(id))
}

// errMoved says that the data is at its path, and that only the files beside it remain to be removed.
var errMoved = errors.New("the upload was committed")

// moved tells whether a commit ended before it had removed the folder.
func (u diskUpload) moved(id string) bool {
	if _, err := os.Stat(u.folder(id)); err != nil {
		return false
	}
	data, err := os.Stat(u.data(id))
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || !u.absent {
		return false
	}
	file, err := os.Stat(u.path)
	return err == nil && os.SameFile(data, file)
}

func (u diskUpload) abort(_ context.Context, id string) error { return os.RemoveAll(u.folder(id)) }

func (u diskUpload) put(context.Context, []byte) error { return errors.ErrUnsupported }
