package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

// A Container is an open file with several arrays: an archive, or a file of another format of [Formats].
type Container struct {
	container.Container
	Kind container.Format

	from  *decompressor // decompresses the whole file; nil if it is not compressed
	close func()
	files map[string]string // of PortablePath; nil if they are not known
	names []string          // of Names
}

// Close closes the file.
func (c *Container) Close() { c.close() }

// NPZ returns the archive, for features that only archives have, or nil for a file of another format.
func (c *Container) NPZ() *npz.Reader { return container.ArchiveOf(c.Container) }

// newContainer opens a file with several arrays, of a format of [Opener.formatOf] or one that extends it. Streams are copied to a temporary file first, because their parts are
// read in any order.
func (o Opener) newContainer(f *file, kind container.Format, path string) (*Container, error) {
	from, closing := f.regular, f.close
	if f.inOrder() {
		r, err := f.start()
		if err != nil {
			return nil, err
		}
		if from, closing, err = o.spool(r); err != nil {
			return nil, err
		}
		if f.regular != nil {
			f.close()
		}
	}
	var c container.Container
	err := errEmpty
	if size := SizeOf(from); size > 0 {
		c, kind, err = o.formats(f).OpenAs(kind, from, size, path)
	}
	if err != nil {
		closing()
		return nil, err
	}
	return &Container{Container: c, Kind: kind, from: f.compressed, close: closing}, nil
}

var errEmpty = errors.New("the file is empty")

// spool copies r to a temporary file.
func (o Opener) spool(r io.Reader) (f *os.File, remove func(), err error) {
	if f, remove, err = Spool(o.Temporary); err != nil {
		return nil, nil, err
	}
	if _, err := io.Copy(f, r); err != nil {
		remove()
		return nil, nil, SpoolError(err)
	}
	return f, remove, nil
}

// SpoolError returns the error of a file of [Spool], with the way out if the disk is full: the file that is read or
// written is not the one for which there is no space.
func SpoolError(err error) error {
	if !diagnose.IsFull(err) {
		return err
	}
	return fmt.Errorf("a temporary file in %s is needed: %s; TMPDIR can name another folder", os.TempDir(), diagnose.Text(err))
}

// Spool makes a temporary file. Where open files can be removed, it has no name, so that a killed process leaves nothing.
// temporary is the field of an [Opener].
func Spool(temporary func(remove func()) (done func())) (f *os.File, remove func(), err error) {
	f, err = os.CreateTemp("", "npy-*")
	if err != nil {
		return nil, nil, err
	}
	removed := os.Remove(f.Name()) == nil
	done := temporary(func() {
		if !removed {
			os.Remove(f.Name())
		}
	})
	remove = func() {
		f.Close()
		if !removed {
			os.Remove(f.Name())
		}
		done()
	}
	return f, remove, nil
}

// IsArrayName reports whether a member of an archive must be an array.
func IsArrayName(name string) bool { return strings.HasSuffix(name, ".npy") }

// NotArray describes a member of an archive that is not an array.
func NotArray(e npz.Entry) string { return "not an array but " + diagnose.Bytes(e.Size) }

// NotArray describes a member that is not an array, or returns "" if path must be one.
func (c *Container) NotArray(path string) string {
	z := c.NPZ()
	if z == nil {
		return ""
	}
	if e, ok := z.Entry(path); ok && !IsArrayName(e.Name) {
		return NotArray(e)
	}
	return ""
}

// IsGroup reports whether path names a group or the root. In an archive, the names of members make groups.
func (c *Container) IsGroup(path string) bool {
	if path == "" {
		return true
	}
	if z := c.NPZ(); z != nil {
		group := Selection{group: path}
		return !z.Has(path) && slices.ContainsFunc(c.Names(), group.Has)
	}
	e, err := c.Entry(path)
	return err == nil && e.Group && e.Err == nil
}

// find returns the path that a name means: paths of other formats than .npz may be written with a slash at the start.
func (c *Container) find(name string) (path string, ok bool) {
	if z := c.NPZ(); z != nil {
		if group := strings.TrimSuffix(name, "/"); c.IsGroup(group) && !z.Has(name) {
			return group, true
		}
		return name, z.Has(name)
	}
	name = strings.Trim(name, "/")
	if name == "" {
		return "", true
	}
	_, err := c.Entry(name)
	return name, err == nil
}

// Names returns the paths of [container.Names]. The result must not be changed.
func (c *Container) Names() []string {
	if c.names == nil {
		c.names = container.Names(c.Container)
	}
	return c.names
}

// paths yields the Names, without a list: an archive may have a million.
func (c *Container) paths() iter.Seq[string] {
	z := c.NPZ()
	if z == nil {
		return slices.Values(c.Names())
	}
	return func(yield func(string) bool) {
		for name := range z.Members() {
			if !yield(name) {
				return
			}
		}
	}
}

// Unknown is the error for a path that does not exist.
func (c *Container) Unknown(name string) error {
	if IsPattern(name) {
		return unknown(c.Noun(), name, c.Names())
	}
	all := slices.Concat(c.Names(), c.groups())
	hint := suggest.DidYouMean("%q", name, all)
	if i := slices.IndexFunc(all, func(path string) bool { return strings.HasSuffix(path, "/"+name) }); i >= 0 && hint == "" {
		hint = fmt.Sprintf("; did you mean %q?", all[i])
	}
	if hint == "" {
		return unknown(c.Noun(), name, c.Names())
	}
	return fmt.Errorf("it has no %s %q%s", c.Noun(), name, hint)
}

// groups returns the groups that hold arrays.
func (c *Container) groups() []string {
	var groups []string
	seen := map[string]bool{}
	for _, name := range c.Names() {
		for i := strings.LastIndexByte(name, '/'); i > 0 && !seen[name[:i]]; i = strings.LastIndexByte(name[:i], '/') {
			seen[name[:i]] = true
			groups = append(groups, name[:i])
		}
	}
	return groups
}

// Noun is the users' word for an array of the file.
func (c *Container) Noun() string {
	if c.NPZ() != nil {
		return "member"
	}
	return "array"
}

// UnknownMember suggests the member with the nearest name, or lists the first few members.
func UnknownMember(name string, members []string) error { return unknown("member", name, members) }

func unknown(noun, name string, names []string) error {
	if IsPattern(name) {
		return fmt.Errorf("it has no %s like %q; %s", noun, name, someNames(noun, names))
	}
	if hint := suggest.DidYouMean("%q", name, names); hint != "" {
		return fmt.Errorf("it has no %s %q%s", noun, name, hint)
	}
	return fmt.Errorf("it has no %s %q; %s", noun, name, someNames(noun, names))
}

func someNames(noun string, names []string) string {
	const most = 8
	var quoted []string
	for _, n := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(n))
	}
	if len(names) > most {
		quoted = append(quoted, "…")
	}
	if len(quoted) == 0 {
		return "it has no " + noun + "s"
	}
	return "its " + noun + "s are " + strings.Join(quoted, ", ")
}

// choice lists arrays as arguments that name them, at most the first few.
func choice(path string, names []string) string {
	const most = 5
	var b strings.Builder
	for i, m := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%s", path, m)
	}
	if len(names) > most {
		b.WriteString(", …; see 'npy ls'")
	}
	return b.String()
}

// arrays yields the paths of all possible arrays: of an archive, the members whose names say so.
func (c *Container) arrays() iter.Seq[string] {
	z := c.NPZ()
	return func(yield func(string) bool) {
		for name := range c.paths() {
			if z != nil {
				if e, _ := z.Entry(name); !IsArrayName(e.Name) {
					continue
				}
			}
			if !yield(name) {
				return
			}
		}
	}
}

// PortablePath returns the portable path of the file that an array becomes, by its name: the name in the archive, or the path of
// another array with the ending .npy.
func (c *Container) PortablePath(name string) string {
	if c.files == nil {
		c.files = c.portablePaths()
	}
	if path, ok := c.files[name]; ok {
		return path
	}
	return name
}

// portablePaths returns the paths that are not the names.
func (c *Container) portablePaths() map[string]string {
	files := map[string]string{}
	if z := c.NPZ(); z != nil {
		portable := z.PortableNames()
		i := 0
		for _, e := range z.Members() {
			if portable[i] != e.Name {
				files[e.Name] = portable[i]
			}
			i++
		}
		return files
	}
	names := slices.Clone(c.Names())
	for i := range names {
		names[i] += ".npy"
	}
	for i, portable := range npz.PortableNames(names) {
		if portable != names[i] {
			files[names[i]] = portable
		}
	}
	return files
}

// Unportable returns why a member of an archive needs another name on some systems, or "".
func (c *Container) Unportable(e npz.Entry) string {
	if err := e.CheckPortable(); err != nil {
		var ze *npz.Error
		errors.As(err, &ze)
		return ze.Err.Error()
	}
	if c.PortablePath(e.Name) != e.Name {
		return "another name differs from this one only in case, which is one file on Windows and macOS"
	}
	return ""
}

// Stream opens an array as an .npy file. Of an archive it opens any member; the checksum is verified at its end.
func (c *Container) Stream(ctx context.Context, path string) (io.ReadCloser, error) {
	z := c.NPZ()
	if z == nil {
		return c.encoded(ctx, path)
	}
	return z.OpenMember(path)
}

// encoded returns an array as an .npy file, which is written while it is read.
func (c *Container) encoded(ctx context.Context, path string) (io.ReadCloser, error) {
	src, err := c.Source(path)
	if err != nil {
		return nil, err
	}
	return encode(ctx, src), nil
}

// encode returns an array as an .npy file, which is written while it is read.
func encode(ctx context.Context, src npy.Source) io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(WriteArray(ctx, w, src)) }()
	return r
}

// WriteArray writes an array as an .npy file.
func WriteArray(ctx context.Context, w io.Writer, src npy.Source) error {
	if !src.DType().HasObject() {
		return npy.Copier{}.Write(ctx, w, src)
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return err
	}
	return npy.Encoder{Objects: objects.Encoder{}}.Write(w, a)
}

// InPlace returns err, or if the file has several arrays and is no archive, that it cannot be changed in place.
func (o Opener) InPlace(path string, err error) error {
	if !errors.Is(err, npz.ErrArchive) && !errors.Is(err, format.ErrMagic) {
		return err
	}
	c, open := o.OpenContainer(path)
	if open != nil {
		return err
	}
	defer c.Close()
	return cmp.Or(c.needNPZ(), err)
}

// needNPZ returns an error for a file that is not an archive.
func (c *Container) needNPZ() error {
	if c.NPZ() != nil {
		return nil
	}
	return fmt.Errorf("it is a file of %s, and only .npy and .npz files are changed in place; 'npy convert' writes another file", c.Kind.Name)
}
