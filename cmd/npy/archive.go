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

// openArchive opens a file if it is an archive, by its first bytes or by its name, and returns nil if not. What a file
// cannot say because it cannot be opened is left to whoever opens it next.
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

// mustArchive opens a file that has to be an archive.
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

// spoolArchive puts an archive from standard input into a temporary file, for its directory is at its end.
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
	removed := os.Remove(f.Name()) == nil // where files that are open can be: so nothing is left of a process that is killed
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

// isArchive reports whether a file is a ZIP archive: with or without members, or with something before it, but then by
// its name only.
func isArchive(head []byte, path string) bool {
	named := strings.EqualFold(filepath.Ext(path), ".npz") && !bytes.HasPrefix(head, []byte("\x93NUM"))
	return named || bytes.Equal(head, []byte("PK\x03\x04")) || bytes.Equal(head, []byte("PK\x05\x06"))
}

// isArrayName reports whether a member has to be an array.
func isArrayName(name string) bool { return strings.HasSuffix(name, ".npy") }

// resolve finds the member that an argument names, and the index behind it. The name of a member may look like an index.
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

// unknown is the error for a member that is not there.
func (z *archive) unknown(name string) error {
	return unknownMember(name, z.Names())
}

// unknownMember names a member that could be meant, or the first few.
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

// members goes through the members by their names. Of several with one name the last is the only one that can be
// asked for, here and in NumPy.
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

// portableNames returns the paths of all members on every system, by their names in the archive.
func (z *archive) portableNames() map[string]string {
	paths := z.PortableNames()
	byName := make(map[string]string, len(paths))
	for i, e := range z.Entries() {
		byName[e.Name] = paths[i]
	}
	return byName
}

// unportable says why a member needs another name on some systems; "" if it needs none.
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

// stream opens a member as a file. Checksums are verified at its end.
func (z *archive) stream(name string) (io.ReadCloser, error) {
	if e, ok := z.Entry(name); ok && fs.ValidPath(e.Name) && e.Err == nil {
		return z.Open(e.Name)
	}
	b, err := z.Bytes(name) // also what has a name that no file can have
	return io.NopCloser(bytes.NewReader(b)), err
}

// load reads a member, or the part of it that the target names.
func (z *archive) load(t target) (*npy.Array, error) {
	if t.index == nil {
		return z.Array(t.member)
	}
	info, err := z.Info(t.member)
	if err != nil {
		return nil, err
	}
	if info.Header.DType.HasObject() { // there is no part of a pickle
		array, err := z.Array(t.member)
		if err != nil {
			return nil, err
		}
		return array.Slice(t.index...)
	}
	if _, err := npy.PartOf(info.Header, t.index...); err != nil {
		return nil, err // about the index, and not about the archive
	}
	return z.Slice(t.member, t.index...)
}

// methods are the ways to decompress that package npz leaves to its caller.
var methods = map[npz.Method]npz.Decompressor{npz.LZMA: readLZMA}

// readLZMA reads LZMA as ZIP archives have it (APPNOTE 5.8.8): the five bytes of properties are those of an .lzma file, of
// which only the size is missing. A dictionary larger than the data is of no use, whatever is asked for.
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
