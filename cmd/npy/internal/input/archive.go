package input

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/npygo/npy/npz"
	"github.com/ulikunitz/xz/lzma"
)

// An Archive is an open .npz file.
type Archive struct {
	*npz.Reader
	close func()
	paths map[string]string // of PortableNames
}

// Close closes the file.
func (z *Archive) Close() { z.close() }

// newArchive opens the archive in a file. Standard input is copied to a temporary file first, because the directory of an
// archive is at its end.
func (o Opener) newArchive(f *file) (*Archive, error) {
	from, closing := f.regular, f.close
	if from == nil {
		var err error
		if from, closing, err = o.spool(f.reader); err != nil {
			return nil, err
		}
	}
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	decoder := o.Archive
	decoder.Array, decoder.Methods = o.Array, methods
	z, err := decoder.NewReader(from, info.Size())
	if err != nil {
		closing()
		return nil, err
	}
	return &Archive{Reader: z, close: closing}, nil
}

// spool copies r to a temporary file. Where open files can be removed, it has no name, so that a killed process leaves
// nothing.
func (o Opener) spool(r io.Reader) (f *os.File, remove func(), err error) {
	f, err = os.CreateTemp("", "npy-*.npz")
	if err != nil {
		return nil, nil, err
	}
	removed := os.Remove(f.Name()) == nil
	done := o.Temporary(func() {
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
	if _, err := io.Copy(f, r); err != nil {
		remove()
		return nil, nil, err
	}
	return f, remove, nil
}

// isArchive reports whether a file is a ZIP archive. It recognises archives with and without members by their first
// bytes, and regular files with other data before the archive by their name.
func isArchive(head []byte, path string, regular bool) bool {
	named := regular && strings.EqualFold(filepath.Ext(path), ".npz") && !bytes.HasPrefix(head, []byte("\x93NUM"))
	return named || bytes.Equal(head, []byte("PK\x03\x04")) || bytes.Equal(head, []byte("PK\x05\x06"))
}

// IsArrayName reports whether a member must be an array.
func IsArrayName(name string) bool { return strings.HasSuffix(name, ".npy") }

// NotArray describes a member that is not an array.
func NotArray(e npz.Entry) string { return "not an array but " + diagnose.Bytes(e.Size) }

// Resolve finds the member that an argument names, and the index after the name. A member's name may look like an
// index.
func (t Target) Resolve() (Target, error) {
	z := t.Archive
	if z.Has(t.Member) {
		return t, nil
	}
	if !strings.HasSuffix(t.Member, "]") {
		return t, z.Unknown(t.Member)
	}
	for i := strings.LastIndexByte(t.Member, '['); i > 0; i = strings.LastIndexByte(t.Member[:i], '[') {
		if !z.Has(t.Member[:i]) {
			continue
		}
		text := t.Member[i:]
		if t.Index != nil {
			return t, fmt.Errorf("both %s and --slice name a part of the array; give one", text)
		}
		t.Member = t.Member[:i]
		return t.withIndex(text)
	}
	return t, z.Unknown(t.Member)
}

// indexMember takes a name in brackets after an archive for a member, as in Python: FILE.npz["layer1/w"][0].
func (t Target) indexMember() (Target, error) {
	if t.Member != "" || len(t.Index) == 0 {
		return t, nil
	}
	name, ok := t.Index[0].Name()
	if !ok {
		return t, nil
	}
	rest := t.Sub
	for i, c := range []byte(t.Sub) {
		if first, err := npy.ParseIndex(t.Sub[:i+1]); c == ']' && err == nil && len(first) == 1 {
			rest = t.Sub[i+1:]
			break
		}
	}
	switch {
	case !t.Archive.Has(name):
		return t, t.Archive.Unknown(name)
	case rest == t.Sub:
		return t, fmt.Errorf("the name of a member has brackets of its own: %s[%q][…]", t.Path, name)
	}
	t.Member, t.Index, t.Sub = name, nil, ""
	if rest == "" {
		return t, nil
	}
	return t.withIndex(rest)
}

// Only finds the member of an archive that a target means: the member that it names, or else the only array.
func (t Target) Only() (Target, error) {
	if t.Member != "" {
		return t.Resolve()
	}
	var arrays []string
	for name, e := range t.Archive.Members() {
		if IsArrayName(e.Name) {
			arrays = append(arrays, name)
		}
	}
	if len(arrays) != 1 {
		return t, fmt.Errorf("it has %d arrays; name one: %s", len(arrays), choice(t.Path, arrays))
	}
	t.Member = arrays[0]
	return t, nil
}

// choice lists members as arguments that name them, at most the first few.
func choice(path string, members []string) string {
	const most = 5
	var b strings.Builder
	for i, m := range members[:min(len(members), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%s", path, m)
	}
	if len(members) > most {
		b.WriteString(", …; see 'npy ls'")
	}
	return b.String()
}

// Unknown is the error for a member that does not exist.
func (z *Archive) Unknown(name string) error {
	return UnknownMember(name, z.Names())
}

// UnknownMember suggests the member with the nearest name, or lists the first few members.
func UnknownMember(name string, members []string) error {
	if IsPattern(name) {
		return fmt.Errorf("it has no member like %q; %s", name, someMembers(members))
	}
	if hint := suggest.DidYouMean("%q", name, members); hint != "" {
		return fmt.Errorf("it has no member %q%s", name, hint)
	}
	return fmt.Errorf("it has no member %q; %s", name, someMembers(members))
}

func someMembers(members []string) string {
	const most = 8
	var names []string
	for _, n := range members[:min(most, len(members))] {
		names = append(names, strconv.Quote(n))
	}
	if len(members) > most {
		names = append(names, "…")
	}
	return "its members are " + strings.Join(names, ", ")
}

// Members goes through the members by name. If several members have the same name, only the last can be asked for,
// here and in NumPy.
func (z *Archive) Members() iter.Seq2[string, npz.Entry] {
	return func(yield func(string, npz.Entry) bool) {
		names, entries, last := z.Names(), z.Entries(), map[string]int{}
		for i, name := range names {
			last[name] = i
		}
		for i, name := range names {
			if last[name] == i && !yield(name, entries[i]) {
				return
			}
		}
	}
}

// PortablePaths returns the portable paths of all members, by their names in the archive.
func (z *Archive) PortablePaths() map[string]string {
	if z.paths != nil {
		return z.paths
	}
	paths := z.PortableNames()
	z.paths = make(map[string]string, len(paths))
	for i, e := range z.Entries() {
		z.paths[e.Name] = paths[i]
	}
	return z.paths
}

// Unportable returns why a member needs another name on some systems, or "".
func (z *Archive) Unportable(e npz.Entry) string {
	if err := e.CheckPortable(); err != nil {
		var ze *npz.Error
		errors.As(err, &ze)
		return ze.Err.Error()
	}
	if z.PortablePaths()[e.Name] != e.Name {
		return "another name differs from this one only in case, which is one file on Windows and macOS"
	}
	return ""
}

// Stream opens a member as a file. The checksum is verified at its end.
func (z *Archive) Stream(name string) (io.ReadCloser, error) {
	if e, ok := z.Entry(name); ok && fs.ValidPath(e.Name) && e.Err == nil {
		return z.Open(e.Name)
	}
	b, err := z.Bytes(name) // for names that cannot be the name of a file
	return io.NopCloser(bytes.NewReader(b)), err
}

// source returns a member, or the part of the member that the target names.
func (z *Archive) source(t Target) (npy.Source, error) {
	src, err := z.Reader.Source(t.Member)
	if err != nil || t.Index == nil {
		return src, err
	}
	return src.Select(t.Index...)
}

// load reads a member, or the part of the member that the target names.
func (z *Archive) load(ctx context.Context, t Target) (*npy.Array, error) {
	src, err := z.source(t)
	if err != nil {
		return nil, err
	}
	return src.ReadAll(ctx)
}

// methods are the decompressors that package npz leaves to its caller.
var methods = map[npz.Method]npz.Decompressor{npz.LZMA: readLZMA}

// readLZMA reads LZMA as ZIP archives store it (APPNOTE 5.8.8). The five bytes of properties are the same as in the
// header of an .lzma file, where the size follows them. The dictionary is never larger than the data, whatever the
// archive asks for.
func readLZMA(r io.Reader, size int64) (io.Reader, error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	if n := binary.LittleEndian.Uint16(head[2:]); n != 5 {
		return nil, fmt.Errorf("LZMA with %d bytes of properties, want 5", n)
	}
	properties := head[4:]
	dictionary := max(int64(binary.LittleEndian.Uint32(properties[1:])), lzma.MinDictCap)
	binary.LittleEndian.PutUint32(properties[1:], uint32(min(dictionary, max(size, lzma.MinDictCap))))
	header := binary.LittleEndian.AppendUint64(properties, uint64(size))
	return lzma.NewReader(io.MultiReader(bytes.NewReader(header), r))
}
