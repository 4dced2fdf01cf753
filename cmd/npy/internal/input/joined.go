package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// Many files can be one array: files that match a pattern with --concat, files that a manifest lists, and a stack of dask,
// which is a folder. Each of them is opened when elements of it are read.

// Concat says how files are joined to one array.
type Concat struct {
	Axis    int
	Context context.Context // ends the reading of the headers
	// Expand returns the files that match a pattern, sorted; patterns without files stay as they are.
	Expand func(args []string) ([]string, error)
}

// openJoined opens the files of a pattern, or a stack of dask. It reports false for all other targets.
func (o Opener) openJoined(t Target) (Target, bool, error) {
	switch {
	case o.Raw, t.Path == "-":
		return t, false, nil
	case t.url == "" && isStack(t.Path):
		folder := parts.Folder{Path: t.Path, Links: o.Links}
		m, err := folder.ReadStack()
		if err != nil {
			return t, true, err
		}
		t, err = o.joined(t, m, func(path string) Target { return partIn(folder, path) })
		return t, true, err
	case o.Concat == nil:
		return t, false, nil
	}
	pattern, rest := t.pattern()
	if pattern == "" {
		return t, false, nil
	}
	files, err := o.Concat.Expand([]string{pattern})
	if err != nil || len(files) == 1 && files[0] == pattern {
		return t, err != nil, err
	}
	if strings.HasPrefix(rest, "[") {
		if t.Index != nil {
			return t, true, fmt.Errorf("both %s and --slice name a part of the array; give one", rest)
		}
		if t, err = t.withIndex(rest); err != nil {
			return t, true, err
		}
	} else if rest != "" {
		for i := range files {
			files[i] += rest
		}
	}
	t, err = o.concat(t, files)
	return t, true, err
}

// isStack reports whether a path names a stack of dask.
func isStack(path string) bool {
	folder, err := os.Stat(path)
	if err != nil || !folder.IsDir() {
		return false
	}
	info, err := os.Stat(filepath.Join(path, parts.StackInfo))
	return err == nil && info.Mode().IsRegular()
}

// pattern separates a target that is a pattern from the member or the index after it. The pattern is "" for everything else.
func (t Target) pattern() (pattern, rest string) {
	if t.url != "" {
		return CutURLPattern(t.url)
	}
	if Exists(t.Path) {
		return "", ""
	}
	if pattern, rest = cutPattern(t.Path); !IsPattern(pattern) {
		return "", ""
	}
	return pattern, rest
}

// concat opens files as one array.
func (o Opener) concat(t Target, files []string) (Target, error) {
	for _, file := range files {
		if file == "-" {
			return t, errors.New("--concat opens files when they are needed, and standard input can be read once; give files")
		}
	}
	o = o.asFiles()
	open := func(ctx context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		part, err := Parse(p.Path)
		if err != nil {
			return nil, nil, err
		}
		alone := o
		alone.Concat, alone.Progress = nil, nil
		a, err := alone.Source(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		return a.Source, closer(a.Close), nil
	}
	m, err := parts.Scan(o.Concat.Context, o.Concat.Axis, files, open)
	if err != nil {
		return t, err
	}
	a, err := m.Open(open)
	if err != nil {
		return t, err
	}
	t.file = &file{joined: a, close: func() { a.Close() }}
	return t, nil
}

// OpenJoined opens all files that match the arguments as one array, and t is the part of it.
func (o Opener) OpenJoined(t Target, args []string) (Target, error) {
	t.Path = diagnose.FileName(args[0])
	files, err := o.Concat.Expand(args)
	if err != nil {
		return t, err
	}
	if len(files) > 1 {
		t.Path = fmt.Sprintf("%s and %d more", t.Path, len(files)-1)
	}
	return o.concat(t, files)
}

// isManifest reports whether an open file is a manifest, by its name or its content.
func (o Opener) isManifest(f *file, head []byte, path string) bool {
	if o.Raw || f.regular == nil || !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return false
	}
	long := make([]byte, 64)
	n, _ := f.regular.ReadAt(long, 0)
	return parts.IsManifest(long[:n]) || strings.HasSuffix(strings.ToLower(path), parts.Ending)
}

// openManifest opens the array of a manifest in an open file, which it closes.
func (o Opener) openManifest(t Target, f *file) (Target, error) {
	defer f.close()
	if t.Member != "" {
		return t, fmt.Errorf("the file is one array, and has no member %q", t.Member)
	}
	m, err := parts.Decoder{}.Decode(io.NewSectionReader(f.regular, 0, SizeOf(f.regular)))
	if err != nil {
		return t, err
	}
	var linked *remote.File
	if r, ok := f.regular.(afar); ok {
		linked = r.File
	}
	return o.joined(t, m, func(path string) Target {
		if t.url == "" {
			return partIn(parts.Folder{Path: filepath.Dir(t.Path), Links: o.Links}, path)
		}
		at := besideURL(t.url, path)
		return Target{Path: remote.Redact(at), url: at, linked: linked}
	})
}

// partIn returns the target of a part in a folder.
func partIn(folder parts.Folder, path string) Target {
	return Target{Path: filepath.Join(folder.Path, filepath.FromSlash(path)), part: path, folder: folder}
}

// besideURL returns the URL of the file at a path relative to the folder of a URL. The query, which may be a signature of the one file,
// does not belong to it.
func besideURL(base, path string) string {
	_, query := nameOf(base)
	folder := base[:strings.LastIndexByte(base[:query], '/')+1]
	if !urls.IsStore(base) {
		path = (&url.URL{Path: path}).EscapedPath()
	}
	return folder + path
}

// joined opens the array of a manifest. Parts are .npy files, at the targets that at returns for their paths.
func (o Opener) joined(t Target, m parts.Manifest, at func(path string) Target) (Target, error) {
	o = o.asFiles()
	o.Concat, o.Progress = nil, nil
	a, err := m.Open(func(_ context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		return o.openedPart(at(p.Path), p)
	})
	if err != nil {
		return t, err
	}
	t.file = &file{joined: a, at: at, close: func() { a.Close() }}
	return t, nil
}

// openedPart is openPart for an [parts.Opener].
func (o Opener) openedPart(t Target, p parts.Part) (npy.Source, io.Closer, error) {
	f, closer, err := o.openPart(t, p)
	if err != nil {
		return nil, nil, err
	}
	return f, closer, nil
}

// openPart opens a part of a manifest or a stack, which is an .npy file.
func (o Opener) openPart(t Target, p parts.Part) (*npy.File, io.Closer, error) {
	if _, err := filepath.Localize(p.Path); err != nil {
		return nil, nil, err
	}
	f, _, err := o.openFile(t)
	if err != nil {
		return nil, nil, err
	}
	if r, ok := f.regular.(afar); ok && p.ETag != "" && r.ETag() != p.ETag {
		f.close()
		return nil, nil, fmt.Errorf("the file has changed: its ETag is %s, and %s in the manifest", r.ETag(), p.ETag)
	}
	t.file = f
	src := o.inFile(t)
	if src == nil {
		f.close()
		return nil, nil, errors.New("it is not an .npy file; parts of manifests are no others")
	}
	return src, closer(f.close), nil
}

// IsJoined reports whether a path names a manifest or a stack of dask.
func (o Opener) IsJoined(path string) bool {
	if remote.IsURL(path) { // its name decides, without a request
		return strings.HasSuffix(strings.ToLower(path), parts.Ending)
	}
	if isStack(path) {
		return true
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, head, err := o.openFile(Target{Path: path})
	if err != nil {
		return false
	}
	defer f.close()
	return o.isManifest(f, head, path)
}

// Joined returns the array of an open target that is many files, or nil.
func (t Target) Joined() *parts.Array {
	if t.file == nil {
		return nil
	}
	return t.file.joined
}
