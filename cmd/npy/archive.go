package main

import (
	"bytes"
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
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/npz"
	"github.com/ulikunitz/xz/lzma"
)

// An archive is an open .npz file.
type archive struct {
	*npz.Reader
	close func()
}

// openArchive opens a file if its first bytes or its name say that it is an archive, and returns nil otherwise. It
// returns nil, too, for a file that it cannot open: the next function to open the file reports why.
func (a *app) openArchive(path string, d npy.Decoder) (*archive, error) {
	if path == "-" {
		return a.spoolArchive(d)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head)
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !isArchive(head[:n], path) {
		f.Close()
		return nil, nil
	}
	return a.newArchive(f, d, func() { f.Close() })
}

// mustArchive opens a file that must be an archive.
func (a *app) mustArchive(path string, d npy.Decoder) (*archive, error) {
	z, err := a.openArchive(path, d)
	if z != nil || err != nil {
		return z, err
	}
	f, err := a.open(target{path: path})
	if err != nil {
		return nil, err
	}
	f.Close()
	return nil, errors.New("no archive: it does not begin as one, and is not called .npz")
}

// spoolArchive copies an archive from standard input to a temporary file, because the directory of an archive is at
// its end.
func (a *app) spoolArchive(d npy.Decoder) (*archive, error) {
	if terminal.Is(a.in) {
		return nil, nil
	}
	head, in := peek(a.in, 4)
	if a.in = in; !isArchive(head, "") {
		return nil, nil
	}
	f, err := os.CreateTemp("", "npy-*.npz")
	if err != nil {
		return nil, err
	}
	removed := os.Remove(f.Name()) == nil // where open files can be removed, a killed process leaves nothing
	done := a.temporaries.add(func() {
		if !removed {
			os.Remove(f.Name())
		}
	})
	remove := func() {
		f.Close()
		if !removed {
			os.Remove(f.Name())
		}
		done()
	}
	if _, err := io.Copy(f, in); err != nil {
		remove()
		return nil, err
	}
	return a.newArchive(f, d, remove)
}

func (a *app) newArchive(f *os.File, d npy.Decoder, closing func()) (*archive, error) {
	info, err := f.Stat()
	if err == nil {
		var z *npz.Reader
		decoder := a.limits.archive()
		decoder.Array, decoder.Methods = d, methods
		z, err = decoder.NewReader(f, info.Size())
		if err == nil {
			return &archive{z, closing}, nil
		}
	}
	closing()
	return nil, err
}

// isArchive reports whether a file is a ZIP archive. It recognises archives with and without members by their first
// bytes, and archives with other data before them by their name only.
func isArchive(head []byte, path string) bool {
	named := strings.EqualFold(filepath.Ext(path), ".npz") && !bytes.HasPrefix(head, []byte("\x93NUM"))
	return named || bytes.Equal(head, []byte("PK\x03\x04")) || bytes.Equal(head, []byte("PK\x05\x06"))
}

// isArrayName reports whether a member must be an array.
func isArrayName(name string) bool { return strings.HasSuffix(name, ".npy") }

// resolve finds the member that an argument names, and the index after the name. A member's name may look like an
// index.
func (z *archive) resolve(t target) (target, error) {
	if z.Has(t.member) {
		return t, nil
	}
	if !strings.HasSuffix(t.member, "]") {
		return t, z.unknown(t.member)
	}
	for i := strings.LastIndexByte(t.member, '['); i > 0; i = strings.LastIndexByte(t.member[:i], '[') {
		if !z.Has(t.member[:i]) {
			continue
		}
		text := t.member[i:]
		if t.index != nil {
			return t, fmt.Errorf("both %s and --slice name a part of the array; give one", text)
		}
		t.member = t.member[:i]
		return t.withIndex(text)
	}
	return t, z.unknown(t.member)
}

// unknown is the error for a member that does not exist.
func (z *archive) unknown(name string) error {
	return unknownMember(name, z.Names())
}

// unknownMember suggests the member with the nearest name, or lists the first few members.
func unknownMember(name string, members []string) error {
	if isPattern(name) {
		return fmt.Errorf("it has no member like %q; %s", name, someMembers(members))
	}
	if hint := didYouMean("%q", name, members); hint != "" {
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

// members goes through the members by name. If several members have the same name, only the last can be asked for,
// here and in NumPy.
func (z *archive) members() iter.Seq2[string, npz.Entry] {
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

// portableNames returns the portable paths of all members, by their names in the archive.
func (z *archive) portableNames() map[string]string {
	paths := z.PortableNames()
	byName := make(map[string]string, len(paths))
	for i, e := range z.Entries() {
		byName[e.Name] = paths[i]
	}
	return byName
}

// unportable returns why a member needs another name on some systems, or "".
func unportable(e npz.Entry, paths map[string]string) string {
	if err := e.CheckPortable(); err != nil {
		var ze *npz.Error
		errors.As(err, &ze)
		return ze.Err.Error()
	}
	if paths[e.Name] != e.Name {
		return "another name differs from this one only in case, which is one file on Windows and macOS"
	}
	return ""
}

// stream opens a member as a file. The checksum is verified at its end.
func (z *archive) stream(name string) (io.ReadCloser, error) {
	if e, ok := z.Entry(name); ok && fs.ValidPath(e.Name) && e.Err == nil {
		return z.Open(e.Name)
	}
	b, err := z.Bytes(name) // for names that cannot be the name of a file
	return io.NopCloser(bytes.NewReader(b)), err
}

// load reads a member, or the part of the member that the target names.
func (z *archive) load(t target) (*npy.Array, error) {
	if t.index == nil {
		return z.Array(t.member)
	}
	info, err := z.Info(t.member)
	if err != nil {
		return nil, err
	}
	if info.Header.DType.HasObject() { // a pickle cannot be read in parts
		array, err := z.Array(t.member)
		if err != nil {
			return nil, err
		}
		return array.Slice(t.index...)
	}
	if _, err := npy.PartOf(info.Header, t.index...); err != nil {
		return nil, err // the index is at fault, not the archive
	}
	return z.Slice(t.member, t.index...)
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
