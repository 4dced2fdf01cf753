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

// Options are what can be chosen beyond the path. The zero Options are those of the functions.
type Options struct {
	Array  npy.Decoder // MaxHeader and VoidAs of a file that is opened, and the Casting of [Load]
	Advice Advice      // how the memory will be used

	Fortran bool           // Create: the first index varies fastest
	Version format.Version // Create: of the header; zero for NumPy's choice
	Replace bool           // Create: take the place of a file that is there; on Windows of one that is not open
}

// Open maps a file for reading, np.load(path, mmap_mode='r'). A file that is shorter than its header says is an error
// that wraps [io.ErrUnexpectedEOF], arrays of Python objects are [npy.ErrObjects], and systems without mappings
// [errors.ErrUnsupported].
func Open(path string) (*File, error) { return Options{}.Open(path) }

// OpenRW maps a file so that changes are those of the file, mmap_mode='r+'. Other processes that map it see them at
// once; [File.Flush] has them written to disk. Unlike NumPy's it never makes a file longer. Errors are those of [Open].
func OpenRW(path string) (*File, error) { return Options{}.OpenRW(path) }

// OpenCopy maps a file so that changes stay with this mapping, mmap_mode='c': pages that are written to are copied, the
// file is not changed. Errors are those of [Open].
func OpenCopy(path string) (*File, error) { return Options{}.OpenCopy(path) }

// Create makes a file of zeros, of any dtype but objects, and maps it as [OpenRW] does: np.lib.format.open_memmap with
// mode 'w+'. File systems that can do so store no zeros, so an array may be larger than the disk until it is filled.
//
// A file that is there is left alone and the error wraps [fs.ErrExist]. The new one is made under a temporary name and
// appears complete, so that other processes can open it as soon as it exists.
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
		return nil, fmt.Errorf("not a regular file, which alone can be mapped: %w", errors.ErrUnsupported)
	}
	h, err := o.Array.Format().ReadHeader(f)
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

// mapData maps the elements that stand behind the header h of a file that is at path, or will be.
func (o Options) mapData(f *os.File, path string, h format.Header, access mapping.Access) (*File, error) {
	m, err := mapping.Open(f, path, h.DataOffset, h.NBytes(), access)
	if err != nil {
		return nil, err
	}
	a, err := npy.FromHeader(h, m.Bytes())
	if err == nil && o.Advice != Normal {
		err = m.Advise(mapping.Advice(o.Advice))
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return &File{header: h, array: a, mapping: m, casting: o.Array.Casting}, nil
}

// Create is the function [Create] with o. With Replace set, the new file takes the place of an old one at the end:
// programs that have that open or mapped keep it as it was.
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
