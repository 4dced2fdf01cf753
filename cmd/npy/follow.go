package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
)

// followRows is the number of rows that --follow prints at first.
const followRows = 10

// followEvery is the time between two looks at a file.
const followEvery = 200 * time.Millisecond

// A follower prints the rows of a file, and those that are appended, until the command is interrupted.
type follower struct {
	*app
	*showing
	target input.Target
	rows   int // printed or passed over
	state  fs.FileInfo
	begun  bool
	lost   bool // the file could not be opened, and this has been told
}

// follow prints the last rows of a file, and then all that are appended to it.
func (a *app) follow(args []string, x *showing) error {
	if len(args) != 1 || x.vertical || x.asImage || x.head.given {
		return errors.New("--follow prints the rows of one file; it does not go together with --head, --vertical and --image")
	}
	t, err := input.Parse(args[0])
	if err != nil {
		return err
	}
	if info, err := os.Stat(t.Path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--follow %s: only files on this machine can be followed", args[0])
	}
	f := &follower{app: a, showing: x, target: t}
	timer := time.NewTicker(followEvery)
	defer timer.Stop()
	for {
		if err := f.look(); err != nil {
			return err
		}
		select {
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		case <-timer.C:
		}
	}
}

// look prints what is new if the file has changed.
func (f *follower) look() error {
	info, err := os.Stat(f.target.Path)
	if err == nil && f.state != nil && os.SameFile(info, f.state) && info.Size() == f.state.Size() && info.ModTime().Equal(f.state.ModTime()) {
		return nil
	}
	if err != nil && f.begun { // it is perhaps being replaced
		f.miss(err)
		return nil
	}
	if err != nil {
		return diagnose.Of(f.target.Path, err)
	}
	src, err := f.showing.opener.Source(f.ctx, f.target)
	if err != nil && f.begun {
		f.miss(err)
		return nil
	}
	if err != nil {
		return diagnose.Of(f.target.Name(), err)
	}
	defer src.Close()
	f.state, f.lost = info, false
	if len(src.Shape()) == 0 {
		return diagnose.Of(f.target.Name(), errNoRows)
	}
	if src.Header.FortranOrder && len(src.Header.Shape) > 1 {
		return diagnose.Of(f.target.Name(), errors.New("an array in Fortran order grows along its last axis, and has no new rows to follow"))
	}
	n := src.Shape()[0]
	switch {
	case !f.begun:
		last := followRows
		if f.tail.given {
			last = f.tail.n
		}
		f.rows = max(n-last, 0)
		if last < 0 { // all rows but the first ones
			f.rows = min(-last, n)
		}
	case n < f.rows:
		f.talk("%s: the file was replaced by one of fewer rows", diagnose.FileName(f.target.Path))
		f.rows = 0
	}
	first := f.rows
	f.rows = n
	if first == n && f.begun {
		return nil
	}
	rows, err := src.Select(npy.Span(first, n))
	if err == nil {
		err = f.print(rows)
	}
	f.begun = true
	return diagnose.Of(f.target.Name(), err)
}

// miss tells once that the file cannot be read now.
func (f *follower) miss(err error) {
	if !f.lost {
		f.talk("%s: %s; waiting", diagnose.FileName(f.target.Path), diagnose.Text(err))
	}
	f.lost = true
}

// print prints rows. The names of fields are above the first only.
func (f *follower) print(rows npy.Source) error {
	if f.asJSON {
		return f.formats.Write(f.ctx, terminal.EscapeJSON(f.out), convert.NDJSON, rows, f.limits.Write(convert.WriteOptions{NaN: convert.NaNWord, Units: true}))
	}
	p := f.Printer
	p.Threshold = -1
	array, err := rows.ReadAll(f.ctx)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if array.DType().IsStruct() && array.NDim() == 1 {
		if err := p.Print(&text, array); err != nil {
			return err
		}
		if f.begun {
			text.ReadBytes('\n')
		}
		_, err = text.WriteTo(f.out)
		return err
	}
	for i := range array.Shape()[0] {
		row, err := array.Slice(npy.At(i))
		if err == nil {
			err = p.Print(&text, row)
		}
		if err != nil {
			return err
		}
	}
	_, err = text.WriteTo(f.out)
	return err
}
