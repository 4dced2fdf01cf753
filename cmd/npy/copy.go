package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// copy converts without holding the array in memory. It reports false if it cannot: IN is not a file of plain
// elements, or OUT is an archive.
func (x conversion) copy(a *app, from, to convert.Format) (done bool, err error) {
	t, _ := x.parseDType()
	if from == rawFormat {
		t = dtype.Type{} // the dtype of IN, not of OUT
	} else if from != npyFormat {
		if to != npyFormat || x.out == "-" || x.out == os.DevNull || x.order == "F" || x.in.index != nil {
			return false, nil
		}
		return true, x.copyFrom(a, from)
	}
	if to == npzFormat || x.in.member != "" {
		return false, nil
	}
	src, err := x.open(a, from)
	if src == nil || err != nil {
		return err != nil, says(x.in.path, err)
	}
	defer src.Close()
	progress := a.progress(fileName(x.out))
	defer progress.Clear()
	if to != npyFormat && to != rawFormat {
		if t, err = x.becomes(from, src.DType()); err != nil {
			return true, says(x.in.path, err)
		}
		err := x.blame(x.copyText(a, from, to, src.Source, progress.Set))
		if err == nil {
			progress.Clear()
			x.mourn(a, to, t, src.Shape())
		}
		return true, err
	}
	if !t.IsValid() {
		t = src.DType()
	}
	c := npy.Copier{
		DType: t, Order: map[string]npy.Order{"C": npy.COrder, "F": npy.FortranOrder}[x.order],
		Memory: int64(x.memory), Progress: progress.Set,
	}
	if to == rawFormat {
		return true, x.blame(x.writeRaw(a, src.Source, c))
	}
	c.Encoder.Version = x.versionFor(format.Header{DType: t, Shape: src.Shape(), Version: src.header.Version})
	if x.out == "-" {
		return true, x.blame(c.Write(context.Background(), a.out, src.Source))
	}
	return true, x.blame(c.WriteFile(context.Background(), x.out, src.Source))
}

// becomes returns the dtype that the elements of IN are converted to.
func (x conversion) becomes(from convert.Format, t dtype.Type) (dtype.Type, error) {
	empty, err := npy.New(t, 0)
	if err == nil && from != rawFormat {
		empty, err = x.cast(empty)
	}
	if err != nil {
		return t, err
	}
	return empty.DType(), nil
}

func (x conversion) copyText(a *app, from, to convert.Format, src npy.Source, progress func(done, total int64)) error {
	o := x.writeOptions()
	o.Memory, o.Progress = int64(x.memory), progress
	if from != rawFormat {
		o.DType, _ = x.parseDType()
	}
	if x.out == "-" {
		return a.formats.Write(context.Background(), a.out, to, src, o)
	}
	return a.formats.WriteFile(context.Background(), x.out, to, src, o)
}

// blame returns err as an error of IN if err names IN, else as an error of OUT.
func (x conversion) blame(err error) error {
	if err == nil || isBrokenPipe(err) {
		return err
	}
	var pe *fs.PathError
	for inner := err; errors.As(inner, &pe); inner = pe.Err {
		if pe.Path == x.in.path {
			if errno := syscall.Errno(0); x.dtype != "" && !errors.As(err, &errno) {
				err = fmt.Errorf("%s; without --dtype it stays as it is", withCasting(reason(err), "npy cast "))
			}
			return says(x.in.path, err)
		}
	}
	return says(x.out, err)
}

// A size is the value of a flag: a number of bytes, with K, M, G or T for powers of 1024.
type size int64

// String implements pflag.Value.
func (s *size) String() string {
	n, unit := int64(*s), ""
	for _, u := range "KMGT" {
		if n == 0 || n%1024 != 0 {
			break
		}
		n, unit = n/1024, string(u)
	}
	return strconv.FormatInt(n, 10) + unit
}

// Type implements pflag.Value: help shows it as the name of the value.
func (s *size) Type() string { return "bytes" }

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	upper := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	shift := 0
	if i := strings.IndexAny("KMGT", upper[max(len(upper)-1, 0):]); i >= 0 && upper != "" {
		upper, shift = upper[:len(upper)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(upper, 10, 64)
	if err != nil || n <= 0 || n<<shift>>shift != n {
		return errors.New("want a number of bytes such as 512M or 2G")
	}
	*s = size(n << shift)
	return nil
}
