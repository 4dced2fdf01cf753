package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
)

// open opens IN as a file of which parts can be read; nil if it is none.
func (x conversion) open(a *app, from convert.Format) (*npy.File, error) {
	if from == rawFormat {
		return x.openRaw(a)
	}
	return openParts(x.in, x.dec), nil
}

// openRaw takes the bytes of IN for an array.
func (x conversion) openRaw(a *app) (*npy.File, error) {
	o := convert.RawOptions{Offset: x.offset}
	o.DType, _ = x.parseDType()
	if x.shape != "" {
		o.Shape, _ = parseShape(x.shape)
	}
	f, err := a.open(x.in)
	if err != nil {
		return nil, err
	}
	if file, ok := f.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return convert.OpenRaw(file, info.Size(), o) // which is closed when the program ends
		}
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return convert.OpenRaw(bytes.NewReader(data), int64(len(data)), o)
}

// copyRaw writes the elements of a file alone.
func (x conversion) copyRaw(a *app, src *npy.File, c npy.Copier) error {
	if x.out == "-" {
		return convert.CopyRaw(a.out, src, c, x.in.index...)
	}
	return convert.CopyRawFile(x.out, src, c, x.in.index...)
}

// writeRaw writes the elements of an array alone.
func (x conversion) writeRaw(a *app, array *npy.Array) error {
	if array.DType().HasObject() {
		return errors.New("there are no raw bytes of Python objects; write .npy, or text")
	}
	src, err := a.fileOf(array)
	if err != nil {
		return err
	}
	x.in.index = nil // which the array is already
	return x.copyRaw(a, src, npy.Copier{})
}

// fileOf returns a file that is in memory.
func (a *app) fileOf(array *npy.Array) (*npy.File, error) {
	var b bytes.Buffer
	if err := npy.Write(&b, array); err != nil {
		return nil, err
	}
	return a.decoder(0, nil).OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
