package parts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// A stack is the output of dask.array.to_npy_stack (dask 2022.12): a folder with the parts 0.npy, 1.npy, … and a file
// info, a pickle of {'chunks': ((2, 2, 1), (3,)), 'dtype': dtype('float64'), 'axis': 0}. dask runs the pickle; here it
// is data.

// StackInfo is the name of the file in a stack of dask that describes it.
const StackInfo = "info"

const maxInfo = 16 << 20 // bytes of the file info

// OpenStack opens the folder that dask.array.to_npy_stack wrote as one array, as dask.array.from_npy_stack does. Its file
// info is a pickle, which is read as data and never run.
func OpenStack(dir string) (*Array, error) {
	m, err := ReadStack(dir)
	if err != nil {
		return nil, err
	}
	return m.Open(Dir(dir, npy.Decoder{}))
}

// ReadStack returns the manifest of a stack of dask.
func ReadStack(dir string) (Manifest, error) { return Folder{Path: dir}.ReadStack() }

// ReadStack returns the manifest of the stack of dask in the folder.
func (f Folder) ReadStack() (Manifest, error) {
	path := filepath.Join(f.Path, StackInfo)
	file, err := f.Open(StackInfo)
	if err != nil {
		return Manifest{}, atPath(path, err)
	}
	defer file.Close()
	data, err := readAtMost(file, path, maxInfo)
	if err != nil {
		return Manifest{}, err
	}
	m, err := ParseStackInfo(data)
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// atPath returns an error of a file in a folder with the path of both.
func atPath(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return &fs.PathError{Op: pe.Op, Path: path, Err: pe.Err}
	}
	return err
}

func readAtMost(f *os.File, path string, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err == nil && info.Size() > most {
		err = bounded.Over("", most, info.Size(), "%s has %d bytes, want at most %d", path, info.Size(), most)
	}
	if err != nil {
		return nil, err
	}
	return bounded.ReadAll(f, int(info.Size()))
}

// ParseStackInfo returns the manifest of a stack of dask from the content of its file info.
func ParseStackInfo(data []byte) (Manifest, error) {
	v, err := objects.Decoder{Pickle: pickle.Decoder{MaxBytes: maxInfo, MaxNodes: 4 * defaultMaxParts}}.Decode(bytes.NewReader(data))
	if err != nil {
		return Manifest{}, diag.Errorf("parts", "the info of a stack: %w", err)
	}
	m, err := stackOf(v)
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return Manifest{}, diag.Errorf("parts", "the info of a stack: %w", err)
	}
	return m, nil
}

// stackOf returns the manifest of the value in the file info.
func stackOf(v any) (m Manifest, err error) {
	d, ok := v.(*pickle.Dict)
	if !ok {
		return m, fmt.Errorf("it is a %T, want a dict with chunks, dtype and axis", v)
	}
	t, ok := get(d, "dtype").(*objects.DType)
	if !ok || t.StringType != nil {
		return m, errors.New("no numpy.dtype for the key 'dtype'")
	}
	m.DType = t.Type
	chunks, ok := items(get(d, "chunks"))
	axis, isInt := get(d, "axis").(int64)
	if !ok || !isInt {
		return m, errors.New("no tuple for the key 'chunks', or no int for 'axis'")
	}
	if axis < -int64(len(chunks)) || axis >= int64(len(chunks)) {
		return m, fmt.Errorf("axis %d is out of bounds for chunks of %d dimensions", axis, len(chunks))
	}
	m.Axis = (int(axis) + len(chunks)) % len(chunks)
	m.Shape = make([]int, len(chunks))
	for i, c := range chunks {
		sizes, ok := items(c)
		switch {
		case !ok:
			return m, fmt.Errorf("the chunks of axis %d are not a tuple", i)
		case i != m.Axis && len(sizes) != 1:
			return m, fmt.Errorf("%d chunks of axis %d, want one: parts follow each other along axis %d", len(sizes), i, m.Axis)
		case len(sizes) > defaultMaxParts:
			return m, bounded.Over("", defaultMaxParts, len(sizes), "%d chunks, want at most %d", len(sizes), defaultMaxParts)
		}
		for k, size := range sizes {
			n, ok := size.(int64)
			if !ok || n < 0 || n > int64(math.MaxInt-m.Shape[i]) {
				return m, fmt.Errorf("chunk %d of axis %d has the size %v", k, i, size)
			}
			m.Shape[i] += int(n)
			if i == m.Axis {
				m.Parts = append(m.Parts, Part{Path: stackName(k), Rows: int(n)})
			}
		}
	}
	return m, nil
}

func get(d *pickle.Dict, key string) any {
	v, _ := d.Get(key)
	return v
}

// items returns the items of a tuple or a list.
func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case *pickle.Tuple:
		return v.Items, true
	case *pickle.List:
		return v.Items, true
	}
	return nil, false
}

func stackName(i int) string { return strconv.Itoa(i) + ".npy" }

// WriteStackInfo writes the file info into a folder, which dask.array.from_npy_stack then opens. The paths of the parts
// must be 0.npy, 1.npy and so on: dask finds them by these names.
func (m Manifest) WriteStackInfo(dir string) error {
	data, err := m.AppendStackInfo(nil)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, StackInfo), data)
}

// AppendStackInfo appends the content of the file info to dst: see [Manifest.WriteStackInfo].
func (m Manifest) AppendStackInfo(dst []byte) ([]byte, error) {
	if err := m.Validate(); err != nil {
		return dst, err
	}
	chunks := make([]any, len(m.Shape))
	for i, n := range m.Shape {
		chunks[i] = &pickle.Tuple{Items: []any{int64(n)}}
	}
	rows := make([]any, len(m.Parts))
	for i, p := range m.Parts {
		if p.Path != stackName(i) {
			return dst, diag.Errorf("parts", "part %d is %q, but dask opens it as %q; rename it", i, p.Path, stackName(i))
		}
		rows[i] = int64(p.Rows)
	}
	chunks[m.Axis] = &pickle.Tuple{Items: rows}
	info := &pickle.Dict{}
	for _, p := range []pickle.Pair{
		{Key: "chunks", Value: &pickle.Tuple{Items: chunks}},
		{Key: "dtype", Value: objects.NewDType(m.DType)},
		{Key: "axis", Value: int64(m.Axis)},
	} {
		if err := info.Set(p.Key, p.Value); err != nil {
			return dst, err
		}
	}
	var b bytes.Buffer
	b.Write(slices.Clip(dst))
	if err := (objects.Encoder{}).Encode(&b, info); err != nil {
		return dst, err
	}
	return b.Bytes(), nil
}
