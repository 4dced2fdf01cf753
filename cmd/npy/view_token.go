package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// tokenOf returns the secret in a file. Where there is no file it makes one that only its owner reads.
func tokenOf(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newToken(path)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return "", fmt.Errorf("other users can read the secret of the page: run 'chmod 600' on it")
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	return strings.TrimSpace(string(text)), err
}

func newToken(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	token := rand.Text()
	_, err = fmt.Fprintln(f, token)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return token, err
}
