package atomicfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
)

func TestAbortAll(t *testing.T) {
	defer func() { making.ended = false }()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	plain(t, path, "old", 0o644)
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	write(t, filepath.Join(dir, "b.npy"), "committed before", false)
	AbortAll()
	wantNames(t, dir, "a.npy", "b.npy")
	if _, err := f.WriteString("new"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a write afterwards: error %v, want %v", err, fs.ErrClosed)
	}
	if err := f.Commit(false); err == nil {
		t.Error("Commit afterwards succeeded")
	}
	_, err = Create(path)
	wantPath(t, err, path, errEnded)
	wantText(t, path, "old")
	wantNames(t, dir, "a.npy", "b.npy")
}

func TestNothingIsListedForever(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	write(t, path, "committed", false)
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if f, err = Create(path); err != nil {
		t.Fatal(err)
	}
	if err := f.CommitNew(false); err == nil {
		t.Error("CommitNew over a file succeeded")
	}
	if len(making.files) != 0 {
		t.Errorf("still listed: %v", making.files)
	}
}

func TestCommitNew(t *testing.T) {
	for _, sync := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.npy")
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("first"); err != nil {
			t.Fatal(err)
		}
		late, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.CommitNew(sync); err != nil {
			t.Errorf("where there is no file: %v", err)
		}
		if err := late.CommitNew(sync); !errors.Is(err, fs.ErrExist) {
			t.Errorf("where one has come: error %v, want %v", err, fs.ErrExist)
		}
		wantText(t, path, "first")
		wantNames(t, dir, "a.npy")
	}
}
