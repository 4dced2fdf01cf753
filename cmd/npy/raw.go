package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
)

// open opens IN, or returns nil if IN cannot be read in parts.
func (x conversion) open(a *app, from convert.Format) (*input, error) {
	if from != rawFormat {
		f, close := openFile(x.in, x.dec, nil)
		if f == nil {
			return nil, nil
		}
		return inputOf(f, close, x.in)
	}
	f, err := x.openRaw(a)
	if err != nil {
		return nil, err
	}
	return inputOf(f, func() { f.Close() }, x.in)
}

// openRaw opens the bytes of IN as the elements of an array.
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
			return convert.OpenRaw(file, info.Size(), o) // the file is closed when the program ends
		}
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return convert.OpenRaw(bytes.NewReader(data), int64(len(data)), o)
}

// writeRaw writes the elements of an array without a header.
func (x conversion) writeRaw(a *app, src npy.Source, c npy.Copier) error {
	if src.DType().HasObject() {
		return errors.New("there are no raw bytes of Python objects; write .npy, or text")
	}
	if x.out == "-" {
		return convert.WriteRaw(context.Background(), a.out, src, c)
	}
	return convert.WriteRawFile(context.Background(), x.out, src, c)
}
