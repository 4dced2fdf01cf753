package npz

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/filelock"
	"github.com/npygo/npy/internal/spool"
	"github.com/npygo/npy/internal/zipfile"
)

// Edit changes some members of an archive. The function change makes the changes, and the new archive replaces the
// old one after it has returned. All other members are copied unchanged, whatever tool wrote them and however they
// are compressed, without being decompressed. After an error the old archive is unchanged; a killed program leaves
// either the old archive or the new one.
//
// An edit waits for the end of another edit of the same archive, also by another process, and changes the result.
func Edit(path string, change func(*Editor) error) error { return Encoder{}.Edit(path, change) }

// Edit is the function of the same name with the settings of e for new members. The elements of stored members with a
// smaller alignment are moved to the alignment of e.
func (e Encoder) Edit(path string, change func(*Editor) error) error {
	if err := e.check(); err != nil {
		return err
	}
	f, err := filelock.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return e.edit(f, path, change)
}

// Extend is [Edit] for an archive that need not exist: its first members make it. After an error there is none.
func Extend(path string, change func(*Editor) error) error { return Encoder{}.Extend(path, change) }

// Extend is the function of the same name with the settings of e for new members.
func (e Encoder) Extend(path string, change func(*Editor) error) error {
	if err := e.check(); err != nil {
		return err
	}
	made := false
	f, err := filelock.Open(path)
	for errors.Is(err, fs.ErrNotExist) {
		// Who locks an archive can have nobody else make it, so that there is an empty one first.
		if err = e.createEmpty(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		made = err == nil
		f, err = filelock.Open(path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err = e.edit(f, path, change); err != nil && made {
		if info, e := os.Stat(path); e == nil && info.Size() == emptySize {
			_ = os.Remove(path)
		}
	}
	return err
}

// emptySize is the size of an archive without members.
const emptySize = 22

// createEmpty makes an archive without members. If there is a file at path, the error wraps [fs.ErrExist].
func (e Encoder) createEmpty(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	w, err := e.NewWriter(f)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	return f.CommitNew(e.Array.Sync)
}

// edit changes an archive that is locked.
func (e Encoder) edit(f *os.File, path string, change func(*Editor) error) error {
	ed, err := newEditor(f)
	if err == nil {
		defer ed.drop()
		err = change(ed)
		ed.done = true
	}
	if err == nil && ed.changed {
		err = ed.save(e, path)
	}
	if err != nil {
		return &fs.PathError{Op: "edit", Path: path, Err: err}
	}
	return nil
}

// drop removes the data of new members.
func (ed *Editor) drop() {
	for _, s := range ed.spools {
		_ = s.Close()
	}
}

// An Editor collects changes to an archive for [Edit]. Names are as in [Reader.Names]: a name means the member with
// exactly this name, or else the member with .npy appended. If the archive has several members of the name, it means
// all of them. An Editor is for one goroutine at a time, and only within the function given to Edit: later changes
// are errors that wrap [fs.ErrClosed].
type Editor struct {
	file    *os.File
	dir     *zipfile.Directory
	slots   []*slot // in the order of the archive
	members map[string][]*slot
	spools  []*spool.Spool // of new members
	changed bool
	done    bool // the function given to Edit has returned
}

// errDone is the error for using an Editor after its Edit.
var errDone = diag.Errorf("npz", "the Editor was used after Edit returned: %w", fs.ErrClosed)

// A slot is a member of the new archive.
type slot struct {
	entry   zipfile.Entry                      // with its new name
	old     *zipfile.Entry                     // in the old archive; nil for a new member
	write   func(w *Writer, name string) error // writes a new member; nil if the old one is copied
	deleted bool
}

func newEditor(f *os.File) (*Editor, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	limits := zipfile.Limits{Members: DefaultMaxMembers, Ratio: math.MaxInt64} // members are copied, not decompressed
	dir, err := zipfile.ReadDirectory(f, info.Size(), limits)
	if err != nil {
		return nil, public(err)
	}
	ed := &Editor{file: f, dir: dir, members: map[string][]*slot{}}
	for i := range dir.Entries {
		old := &dir.Entries[i]
		ed.insert(&slot{entry: *old, old: old})
	}
	return ed, nil
}

// insert adds a slot at the end.
func (ed *Editor) insert(s *slot) {
	ed.slots = append(ed.slots, s)
	ed.members[s.entry.Name] = append(ed.members[s.entry.Name], s)
}

// Names returns the names of the members of the new archive.
func (ed *Editor) Names() []string {
	var names []string
	for _, s := range ed.slots {
		if !s.deleted {
			names = append(names, strings.TrimSuffix(s.entry.Name, suffix))
		}
	}
	return names
}

// Has reports whether the new archive has a member of a name.
func (ed *Editor) Has(name string) bool {
	_, err := ed.find(name)
	return err == nil
}

// find returns the name in the archive that a name means.
func (ed *Editor) find(name string) (member string, err error) {
	if ed.done {
		return "", errDone
	}
	for _, member := range []string{name, name + suffix} {
		if ed.members[member] != nil {
			return member, nil
		}
	}
	return "", diag.Errorf("npz", "member %q: not in the archive: %w", name, fs.ErrNotExist)
}

// free returns an error if a member cannot be added.
func (ed *Editor) free(member string) error {
	if ed.done {
		return errDone
	}
	if err := checkName(member); err != nil {
		return err
	}
	if ed.members[member] != nil {
		return diag.Errorf("npz", "the archive already has a member %q: %w", member, fs.ErrExist)
	}
	return nil
}

// Add adds an array as the last member, name.npy. The array is written after the function given to [Edit] has
// returned, and must not change before.
func (ed *Editor) Add(name string, a *npy.Array) error {
	return ed.add(name+suffix, writeArray(a))
}

// AddBytes adds a member that need not be an array. Its name is used unchanged, without an ending.
func (ed *Editor) AddBytes(member string, data []byte) error {
	return ed.add(member, func(w *Writer, name string) error { return w.AddBytes(name, data) })
}

// AddFunc adds a member of the bytes that write writes. Its name is used unchanged. write runs now; of what it writes, more than 32
// MiB are in a temporary file until Edit returns.
func (ed *Editor) AddFunc(member string, write func(io.Writer) error) error {
	if err := ed.free(member); err != nil {
		return err
	}
	data := &spool.Spool{}
	ed.spools = append(ed.spools, data)
	if err := write(data); err != nil {
		return memberError(member, err)
	}
	return ed.add(member, func(w *Writer, name string) error {
		return w.AddFrom(name, io.NewSectionReader(data, 0, data.Size()))
	})
}

func (ed *Editor) add(member string, write func(*Writer, string) error) error {
	if err := ed.free(member); err != nil {
		return err
	}
	s := &slot{write: write}
	s.entry.Rename(member)
	ed.insert(s)
	ed.changed = true
	return nil
}

// Replace replaces a member by an array. The array is written as for [Editor.Add].
func (ed *Editor) Replace(name string, a *npy.Array) error {
	member, err := ed.find(name)
	if err != nil {
		return err
	}
	slots := ed.members[member]
	for _, s := range slots[1:] {
		s.deleted = true
	}
	slots[0].write = writeArray(a)
	ed.members[member] = slots[:1]
	ed.changed = true
	return nil
}

func writeArray(a *npy.Array) func(*Writer, string) error {
	return func(w *Writer, name string) error { return w.addArray(name, a) }
}

// Delete removes a member.
func (ed *Editor) Delete(name string) error {
	member, err := ed.find(name)
	if err != nil {
		return err
	}
	for _, s := range ed.members[member] {
		s.deleted = true
	}
	delete(ed.members, member)
	ed.changed = true
	return nil
}

// Rename renames a member, which keeps its position. An array called name, which is name.npy in the archive, becomes
// to.npy.
func (ed *Editor) Rename(name, to string) error {
	member, err := ed.find(name)
	if err != nil {
		return err
	}
	if member == name+suffix {
		to += suffix
	}
	if to == member {
		return nil
	}
	if err := ed.free(to); err != nil {
		return err
	}
	for _, s := range ed.members[member] {
		s.entry.Rename(to)
	}
	ed.members[to] = ed.members[member]
	delete(ed.members, member)
	ed.changed = true
	return nil
}

// save writes the new archive.
func (ed *Editor) save(e Encoder, path string) error {
	w, err := e.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	w.comment = ed.dir.Comment
	if err := w.zip.CopyFront(ed.dir, ed.file); err != nil {
		return err
	}
	for _, s := range slices.DeleteFunc(ed.slots, func(s *slot) bool { return s.deleted }) {
		if s.write != nil {
			err = s.write(w, s.entry.Name)
		} else {
			err = w.copy(s.entry, *s.old, ed.file)
		}
		if err != nil {
			return err
		}
	}
	if err := w.pipeline.Drain(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // which cannot rename over an open file; elsewhere the lock lasts until then
		if err := ed.file.Close(); err != nil {
			return err
		}
	}
	return w.Close()
}

// copy copies a member of another archive unchanged.
func (w *Writer) copy(e, old zipfile.Entry, from io.ReaderAt) error {
	if err := w.pipeline.Drain(); err != nil {
		return err
	}
	return memberError(old.Name, public(w.zip.Copy(e, old, from, w.settings.align())))
}
