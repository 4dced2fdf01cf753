package npyio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// expand returns the paths of the arrays that a pattern names: files, members of archives, and the parts of manifests.
func expand(ctx context.Context, pattern string) ([]string, error) {
	file, member := cutMember(pattern)
	files, err := match(ctx, file)
	if err != nil {
		return nil, err
	}
	parts.Sort(files)
	var paths []string
	for _, file := range files {
		if file, err = manifestOf(file); err == nil {
			file, err = absolute(file)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case member != "":
			paths = append(paths, file+":"+member)
		case strings.HasSuffix(file, parts.Ending):
			listed, err := readManifest(ctx, file)
			if err != nil {
				return nil, err
			}
			paths = append(paths, listed...)
		default:
			paths = append(paths, file)
		}
	}
	return paths, nil
}

// absolute returns the path of the same file in every process of the machine, since workers have working directories of their own.
// It does not resolve "..", which leads elsewhere after a link.
func absolute(path string) (string, error) {
	if path == "" || remote.IsURL(path) || filepath.IsAbs(path) {
		return path, nil
	}
	if runtime.GOOS == "windows" { // paths can be relative to a drive
		return filepath.Abs(path)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("npyio: %s: %w", path, err)
	}
	if strings.Contains(path, "..") {
		return dir + string(filepath.Separator) + path, nil
	}
	return filepath.Join(dir, path), nil
}

// manifestOf returns the manifest of a folder that [Write] wrote, and any other path as it is. URLs of folders end in a slash.
func manifestOf(path string) (string, error) {
	if remote.IsURL(path) {
		if strings.HasSuffix(path, "/") {
			return path + ManifestName, nil
		}
		return path, nil
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return path, nil // what is wrong with it is told when it is opened
	}
	inside := filepath.Join(path, ManifestName)
	if !exists(inside) {
		return "", fmt.Errorf("npyio: %s is a folder without a %s; name its files, such as %s", path, ManifestName, filepath.Join(path, "*.npy"))
	}
	return inside, nil
}

// match returns the files that match a pattern, or the file that it names.
func match(ctx context.Context, pattern string) (files []string, err error) {
	switch store := remote.IsURL(pattern) && !strings.HasPrefix(pattern, "http"); {
	case !strings.ContainsAny(pattern, "*?["), remote.IsURL(pattern) && !store:
		return []string{pattern}, nil
	case store:
		for entry, err := range remote.List(ctx, pattern, remote.Options{}) {
			if err != nil {
				return nil, err
			}
			files = append(files, entry.URL)
		}
	default:
		if files, err = filepath.Glob(pattern); err != nil {
			return nil, fmt.Errorf("npyio: pattern %s: %w", pattern, err)
		}
		files = slices.DeleteFunc(files, func(file string) bool { return hides(pattern, file) })
	}
	if len(files) == 0 {
		return nil, unmatched(pattern)
	}
	return files, nil
}

// An unmatched is a pattern that no file matches, as an error.
type unmatched string

// Error implements error.
func (pattern unmatched) Error() string {
	return "npyio: no files match " + remote.Redact(string(pattern))
}

// Unwrap returns fs.ErrNotExist.
func (unmatched) Unwrap() error { return fs.ErrNotExist }

// hides reports whether a file that matches a pattern is hidden, or in a hidden folder, by a dot that the pattern lacks. Shells
// leave such files out, and what [Write] has not finished is in such a folder.
func hides(pattern, file string) bool {
	names := strings.FieldsFunc(file, isSeparator)
	for i, name := range strings.FieldsFunc(pattern, isSeparator) {
		if names[i][0] == '.' && name[0] != '.' {
			return true
		}
	}
	return false
}

func isSeparator(c rune) bool { return strings.ContainsRune(separators, c) }

// cutMember separates the path of an archive from the name of a member.
func cutMember(path string) (file, member string) {
	const ending = ".npz"
	if i := strings.Index(strings.ToLower(path), ending+":"); i >= 0 {
		return path[:i+len(ending)], path[i+len(ending)+1:]
	}
	return path, ""
}

// readManifest returns the paths of the parts that a manifest lists.
func readManifest(ctx context.Context, path string) ([]string, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := parts.Decoder{}.Decode(io.NewSectionReader(f, 0, f.size))
	if err == nil && m.Axis != 0 {
		err = fmt.Errorf("its parts follow each other along axis %d, want 0; 'npy concat' makes one file of them", m.Axis)
	}
	if err != nil {
		return nil, fmt.Errorf("npyio: manifest %s: %w", remote.Redact(path), err)
	}
	dir := path[:strings.LastIndexAny(path, separators)+1]
	paths := make([]string, len(m.Parts))
	for i, p := range m.Parts {
		if err := checkPart(dir, p.Path); err != nil {
			return nil, fmt.Errorf("npyio: manifest %s: %w", remote.Redact(path), &parts.PartError{Path: p.Path, Err: err})
		}
		paths[i] = join(dir, p.Path)
	}
	return paths, nil
}

// checkPart returns an error unless a part of a manifest is a regular file in its folder: the manifest may come from a stranger. What
// the name means when a worker opens it is not checked again, but that it is a regular file.
func checkPart(dir, part string) error {
	if remote.IsURL(dir) {
		return nil
	}
	f, err := parts.Folder{Path: dir}.Open(part)
	if err != nil {
		return err
	}
	return f.Close()
}

// separators are the characters between the names of a path.
const separators = "/" + string(filepath.Separator)

// join returns the path of a part in a folder, whose path is empty or ends in a separator.
func join(dir, part string) string {
	if remote.IsURL(dir) {
		return dir + part
	}
	return dir + filepath.FromSlash(part)
}

// A file is an open file, of this machine or of a server.
type file struct {
	io.ReaderAt
	io.Closer
	size    int64
	version string // another content has another version
	options npy.ReadOptions
}

// openFile opens the file at a path or a URL. It stays open when ctx ends.
func openFile(ctx context.Context, path string) (*file, error) {
	if remote.IsURL(path) {
		f, err := remote.Open(context.WithoutCancel(ctx), path, remote.Options{})
		if err != nil {
			return nil, err
		}
		return &file{f, f, f.Size(), f.ETag(), f.ReadOptions()}, nil
	}
	info, err := os.Stat(path) // opening a pipe would wait
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("npyio: %s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	version := fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano())
	return &file{f, f, info.Size(), version, npy.ReadOptions{}}, nil
}

// An array is an array in an open file.
type array struct {
	npy.Source
	*file
}

// openArray opens the array of a file, or of a member of an archive.
func openArray(ctx context.Context, path string) (*array, error) {
	name, member := cutMember(path)
	f, err := openFile(ctx, name)
	if err != nil {
		return nil, err
	}
	d := npy.Decoder{ReadOptions: f.options}
	formats := container.Formats{container.NPY(d, npy.Encoder{}), container.NPZ(npz.Decoder{Array: d}, npz.Encoder{})}
	c, err := formats.NewReader(f, f.size)
	if err == nil && member == "" {
		member, err = only(name, container.Names(c))
	}
	var src npy.Source
	if err == nil {
		src, err = c.Source(member)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &array{src, f}, nil
}

// only returns the name of the only array of a file at a path.
func only(path string, names []string) (string, error) {
	if len(names) == 1 {
		return names[0], nil
	}
	if len(names) == 0 {
		return "", errors.New("the archive has no members")
	}
	return "", fmt.Errorf("the archive has %d members; name one, as %s:%s", len(names), remote.Redact(path), names[0])
}

// openPart opens a part for [parts.Manifest.Open]. It must be the version that [Open] found. Files that the job itself writes have no
// version.
func openPart(ctx context.Context, p parts.Part) (npy.Source, io.Closer, error) {
	a, err := openArray(ctx, p.Path)
	if err != nil {
		return nil, nil, err
	}
	if p.ETag != "" && a.version != p.ETag {
		a.Close()
		return nil, nil, fmt.Errorf("the file is not the one that the job was made for: %w", remote.ErrChanged)
	}
	return a.Source, a, nil
}
