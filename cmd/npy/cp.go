package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

var cpSubcommand = subcommand{
	use:   "cp SOURCE... TARGET",
	short: "Copy files from and to servers and object stores",
	group: serverGroup,
	reads: anyFiles,
	from:  anywhere,
	to:    anywhere,

	existing: replaceOut,
	make:     cpCommand,
}

func cpCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Long: `Cp copies files byte for byte: from a URL, to a URL, or from one store to another. Several files, or patterns, go into a TARGET
that is a folder of this machine or a URL that ends in a slash. SOURCE and TARGET may be - for standard input and output.

A file appears at TARGET when it is complete, or not at all, and replaces an old one unless --no-clobber is given. Files are
copied in parts, several at a time, in little memory. After an error the other files are still copied: so they are after a name that
cannot be a file's in TARGET, and after one that another file of the same copy has.`,
		Example: `  npy cp s3://bucket/a.npy .
  npy cp a.npy b.npz gs://bucket/folder/
  npy cp 's3://bucket/shards/*.npy' shards
  npy cp https://example.org/a.npy az://container/a.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("cp wants at least one SOURCE, and TARGET")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.cp(args[:len(args)-1], args[len(args)-1])
		},
	}
}

// cp copies files.
func (a *app) cp(sources []string, target string) error {
	folder := isFolder(target)
	if len(sources) > 1 && !folder {
		return fmt.Errorf("TARGET of %s is a folder of this machine, or a URL that ends in a slash, and %s is neither", diagnose.Counted(len(sources), "file"), diagnose.FileName(target))
	}
	names := map[string][]copied{}
	for _, source := range sources {
		if a.ctx.Err() != nil {
			return context.Cause(a.ctx)
		}
		to, err := target, error(nil)
		if folder {
			to, err = placeIn(target, source)
		}
		if err == nil {
			err = checkCopy(names, source, to)
		}
		if err != nil {
			err = diagnose.FileError{File: source, Err: err}
		} else {
			err = a.cpOne(source, to)
		}
		if err := a.told(err); err != nil {
			return err
		}
	}
	return nil
}

// placeIn returns where a file is copied to in a folder.
func placeIn(folder, source string) (string, error) {
	name, err := baseOf(source)
	switch {
	case err != nil:
		return "", err
	case remote.IsURL(folder):
		return folder + name, nil
	}
	return filepath.Join(folder, name), nil
}

// A copied is a file that was copied, or was to be.
type copied struct{ source, to string }

// checkCopy returns an error if a file would replace itself, or one that was copied before it. names has the copies so far by their
// names in small letters: A.npy and a.npy are one file on some systems.
func checkCopy(names map[string][]copied, source, to string) error {
	if input.SameFile(source, to) {
		return fmt.Errorf("it and %s are the same file", diagnose.OutName(to))
	}
	folded := strings.ToLower(to)
	for _, c := range names[folded] {
		if c.to == to || input.SameFile(c.to, to) {
			return fmt.Errorf("%s is copied to %s, too; copy this file by itself, to another name", diagnose.FileName(c.source), diagnose.OutName(to))
		}
	}
	names[folded] = append(names[folded], copied{source, to})
	return nil
}

// isFolder reports whether a target holds files under their own names.
func isFolder(target string) bool {
	if remote.IsURL(target) {
		return strings.HasSuffix(target, "/")
	}
	info, err := os.Stat(target)
	return err == nil && info.IsDir()
}

// baseOf returns the name that a file has in a folder, without its own folder. Names at URLs may be of anybody's making: the name
// must be one of a file on this system, as the names of members are that are unpacked.
func baseOf(source string) (string, error) {
	name := filepath.Base(source)
	if remote.IsURL(source) {
		_, rest, _ := strings.Cut(remote.Redact(source), "://")
		_, rest, _ = strings.Cut(rest, "/")
		name = path.Base("/" + rest)
		e := npz.Entry{Name: name}
		if err := e.CheckPortable(); runtime.GOOS == "windows" && err != nil {
			return "", fmt.Errorf("%w; copy it by itself, to another name", errors.Unwrap(err))
		}
		if e.CheckName() != nil {
			name = ""
		}
	}
	if slices.Contains([]string{"", "-", ".", "..", "/", string(filepath.Separator)}, name) {
		return "", errors.New("it has no name for a file in a folder; copy it by itself, to a name")
	}
	return name, nil
}

// cpOne copies a file.
func (a *app) cpOne(source, to string) error {
	if err := a.checkTerminal(to, conversion.Raw, ""); err != nil {
		return diagnose.Of(source, err)
	}
	from, size, err := a.openCp(source)
	if err != nil {
		return diagnose.Of(source, err)
	}
	if size > 0 {
		from = a.watch(from, source, size)
	}
	defer from.Close()
	read := &reading{r: input.Until(a.ctx, from)}
	err = a.replaceCp(to, func(w io.Writer) error {
		n, err := io.CopyBuffer(onlyWriter{w}, read, make([]byte, cpBuffer))
		if err == nil && size >= 0 && n != size {
			read.err = fmt.Errorf("%s were read, and the file had %d", diagnose.Bytes(n), size)
			return read.err
		}
		return err
	})
	if read.err != nil {
		return diagnose.Of(source, read.err)
	}
	return diagnose.Of(to, err)
}

// cpBuffer is the size of reads: package remote divides them into requests at the same time.
const cpBuffer = 8 << 20

// openCp opens a file to be copied. Its size is -1 if it is not known.
func (a *app) openCp(source string) (io.ReadCloser, int64, error) {
	if source == "-" {
		return io.NopCloser(a.stdin.Reader), -1, nil
	}
	if remote.IsURL(source) {
		f, err := a.urls.Open(source)
		if err != nil {
			return nil, 0, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.NewSectionReader(f, 0, f.Size()), f}, f.Size(), nil
	}
	f, err := os.Open(source)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	switch {
	case err == nil && info.IsDir():
		err = errors.New("it is a folder; name its files, or a pattern")
	case err == nil && !info.Mode().IsRegular():
		return f, -1, nil
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// replaceCp writes TARGET.
func (a *app) replaceCp(to string, write func(w io.Writer) error) error {
	if to == "-" {
		return write(a.out)
	}
	if !remote.IsURL(to) && a.urls.Options.IfAbsent {
		if _, err := os.Lstat(to); err == nil {
			return errKept
		}
	}
	return a.urls.Replace(to, write)
}

// A reading remembers the error of the reader.
type reading struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// An onlyWriter has no ReadFrom, which would read with a buffer of its own.
type onlyWriter struct{ io.Writer }
