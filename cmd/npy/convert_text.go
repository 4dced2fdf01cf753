package main

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

func (x conversion) writeOptions() convert.WriteOptions {
	o := x.objects.limits.write(convert.WriteOptions{NoHeader: x.header == "no", Float128: x.float128})
	o.MaxDepth, o.MaxShared = cmp.Or(x.maxDepth, o.MaxDepth), cmp.Or(x.maxShared, o.MaxShared)
	return o
}

func (x conversion) readOptions(f io.Reader) convert.ReadOptions {
	t, _ := x.parseDType()
	header := map[string]convert.Header{"auto": convert.HeaderAuto, "yes": convert.HeaderYes, "no": convert.HeaderNo}[x.header]
	o := convert.ReadOptions{DType: t, Header: header, Float128: x.float128, Memory: int64(x.memory), Version: x.askedVersion()}
	return x.objects.limits.text(o, f)
}

// report prints what was inferred from IN, and what the array cannot hold of it.
func (x conversion) report(a *app, r convert.Report) {
	if x.quiet {
		return
	}
	if r.Inferred {
		a.talk("%s: %s; change it with --dtype", fileName(x.in.path), r)
	}
	if len(r.Lost) > 0 {
		a.talk("%s: not kept: %s", fileName(x.in.path), strings.Join(r.Lost, "; "))
	}
}

// mourn reports what OUT cannot hold of an array.
func (x conversion) mourn(a *app, to convert.Format, t dtype.Type, shape []int, more ...string) {
	lost := append(a.formats.Losses(to, t, shape), more...)
	if len(lost) == 0 || x.quiet {
		return
	}
	name := fileName(x.out)
	if x.out == "-" {
		name = "standard output"
	}
	a.talk("%s: not kept: %s", name, strings.Join(lost, "; "))
}

// isBinary reports whether a format is not text.
func (a *app) isBinary(f convert.Format) bool {
	c, err := a.formats.Find(f)
	return err == nil && c.Binary
}

// copyFrom makes an .npy file of IN. It does not hold the array in memory if the format can be read in parts.
func (x conversion) copyFrom(a *app, from convert.Format) error {
	f, err := a.open(x.in)
	if err != nil {
		return says(x.in.path, err)
	}
	defer f.Close()
	report, err := a.formats.CopyFileFrom(x.out, f, from, x.readOptions(f))
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return says(x.out, err)
	case err != nil:
		return says(x.in.path, explain(err))
	}
	x.report(a, report)
	return nil
}
