package mmap

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/mapping"
)

// Advice tells the system how the memory will be used. Systems without such hints ignore it.
type Advice int

// The hints of [Options.Advice] and [File.Advise].
const (
	Normal     = Advice(mapping.Normal)
	Sequential = Advice(mapping.Sequential) // from the start to the end: read far ahead
	Random     = Advice(mapping.Random)     // in no order: do not read ahead
	WillNeed   = Advice(mapping.WillNeed)   // soon: start reading now
	HugePages  = Advice(mapping.HugePages)  // in large parts; Linux, on file systems with huge pages
)

// Options configures opening and creating files. The functions use the zero Options.
type Options struct {
	Array  npy.Decoder // MaxHeader and VoidAs for opening a file, and the Casting of [Load]
	Advice Advice      // how the memory will be used

	Fortran bool           // Create: the first index varies fastest
	Version format.Version // Create: of the header; zero for NumPy's choice
	Replace bool           // Create: replace an existing file; on Windows it must not be open
}

// Open maps a file for reading, np.load(path, mmap_mode='r'). A file that is shorter than its header says is an error
// that wraps [io.ErrUnexpectedEOF], arrays of Python objects are [npy.ErrObjects], and systems without mappings
// [errors.ErrUnsupported].
func Open(path string) (*File, error) { return Options{}.Open(path) }

// OpenRW maps a file so that changes are written to it, mmap_mode='r+'. Other processes that map the file see them at
// once; [File.Flush] writes them to disk. Unlike NumPy it never extends a file. Errors are the errors of [Open].
func OpenRW(path string) (*File, error) { return Options{}.OpenRW(path) }

// OpenCopy maps a file so that changes stay in this mapping, mmap_mode='c': written pages are copied, and the file is
// unchanged. Errors are the errors of [Open].
func OpenCopy(path string) (*File, error) { return Options{}.OpenCopy(path) }

// Create makes a file of zeros, of any dtype but objects, and maps it as [OpenRW] does: np.lib.format.open_memmap
// with mode 'w+'. Some file systems do not store the zeros, so an array may be larger than the disk until it is
// filled.
//
// An existing file is left unchanged and the error wraps [fs.ErrExist]. The new file has a temporary name until it is
// complete, so that other processes can open it as soon as it exists.
func Create(path string, t dtype.Type, shape ...int) (*File, error) {
	return Options{}.Create(path, t, shape...)
}

// Open is the function [Open] with o.
func (o Options) Open(path string) (*File, error) { return o.open(path, os.O_RDONLY, mapping.ReadOnly) }

// OpenRW is the function [OpenRW] with o.
func (o Options) OpenRW(path string) (*File, error) {
	return o.open(path, os.O_RDWR, mapping.ReadWrite)
}

// OpenCopy is the function [OpenCopy] with o.
func (o Options) OpenCopy(path string) (*File, error) {
	return o.open(path, os.O_RDONLY, mapping.CopyOnWrite)
}

func (o Options) open(path string, flag int, access mapping.Access) (*File, error) {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return o.openFile(f, path, access)
}

// OpenFile is [Options.Open] for a file that is open already. The array is at the start of the file. f stays open and
// may be closed while the mapping is used; its position is not changed.
func (o Options) OpenFile(f *os.File) (*File, error) {
	return o.openFile(f, f.Name(), mapping.ReadOnly)
}

func (o Options) openFile(f *os.File, path string, access mapping.Access) (*File, error) {
	m, err := o.mapFile(f, path, access)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: path, Err: err}
	}
	return m, nil
}

// mapFile checks a file against its header before it maps the elements.
func (o Options) mapFile(f *os.File, path string, access mapping.Access) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("only regular files can be mapped: %w", errors.ErrUnsupported)
	}
	h, err := o.Array.Format().ReadHeader(io.NewSectionReader(f, 0, info.Size()))
	switch {
	case err != nil:
		return nil, err
	case h.DType.HasObject():
		return nil, npy.ErrObjects
	case h.NBytes() > info.Size()-h.DataOffset:
		return nil, fmt.Errorf("the file has %d bytes and its header asks for %d: it was cut short; copy it again, or save the rows that it has with npy.RepairFile: %w",
			info.Size(), h.DataOffset+h.NBytes(), io.ErrUnexpectedEOF)
	}
	return o.mapData(f, path, h, access)
}

// mapData maps the elements after header h of a file that is at path, or will be.
func (o Options) mapData(f *os.File, path string, h format.Header, access mapping.Access) (*File, error) {
	m, err := mapping.Open(f, path, h.DataOffset, h.NBytes(), access)
	if err != nil {
		return nil, err
	}
	a, err := npy.FromHeader(h, m.Bytes())
	if err == nil && o.Advice != Normal {
		err = m.Advise(mapping.Advice(o.Advice))
	}
	file := &File{header: h, array: a, mapping: m, casting: o.Array.Casting}
	if err == nil {
		file.source, err = npy.FileOf(h, guarded{file}, h.DataOffset+h.NBytes())
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return file, nil
}

// Create is the function [Create] with o. With Replace set, the new file replaces an old one at the end. Programs
// that have the old file open or mapped keep it.
func (o Options) Create(path string, t dtype.Type, shape ...int) (*File, error) {
	h := format.Header{Version: o.Version, DType: t, FortranOrder: o.Fortran, Shape: append([]int{}, shape...)}
	m, err := o.create(path, h)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	return m, nil
}

func (o Options) create(path string, h format.Header) (*File, error) {
	text, err := h.Append(nil)
	switch {
	case err != nil:
		return nil, err
	case h.DType.HasObject():
		return nil, npy.ErrObjects
	}
	if _, err := os.Stat(path); err == nil && !o.Replace {
		return nil, fmt.Errorf("%w; Options.Replace replaces it", fs.ErrExist)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Abort()
	if _, err := f.Write(text); err != nil {
		return nil, err
	}
	h.DataOffset = int64(len(text))
	if err := f.Truncate(h.DataOffset + h.NBytes()); err != nil {
		return nil, err
	}
	m, err := o.mapData(f.File, path, h, mapping.ReadWrite)
	if err != nil {
		return nil, err
	}
	commit := f.CommitNew
	if o.Replace {
		commit = f.Commit
	}
	if err := commit(true); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}
