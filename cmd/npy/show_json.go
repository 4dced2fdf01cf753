package main

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
)

// A shownJSON is the JSON form of an array in show --json.
type shownJSON struct {
	File   string  `json:"file"`
	Member *string `json:"member"`
	DType  string  `json:"dtype"`
	Shape  []int   `json:"shape"`
	Values []any   `json:"values"` // nested lists, written as they are read
}

// showJSON prints an array, or the requested part, on one line.
func (a *app) showJSON(t target, x *showing) error {
	o := a.limits.write(convert.WriteOptions{Float128: x.Float128})
	if x.head >= 0 || x.tail >= 0 {
		array, err := a.loadRows(t, x)
		if err != nil {
			return err
		}
		return a.writeJSON(t, array, func(w io.Writer) error { return convert.Write(context.Background(), w, convert.JSON, array, o) })
	}
	in, err := a.openArray(t, x.decoder)
	if err != nil {
		return err
	}
	defer in.Close()
	return a.writeJSON(t, in.Source, func(w io.Writer) error { return convert.Write(context.Background(), w, convert.JSON, in.Source, o) })
}

// writeJSON prints the object for an array; write writes its values.
func (a *app) writeJSON(t target, s npy.Source, write func(io.Writer) error) error {
	object := shownJSON{File: t.path, Member: t.memberName(), DType: s.DType().Name(), Shape: s.Shape()}
	var head bytes.Buffer
	if err := terminal.NewJSON(&head).Encode(object); err != nil {
		return err
	}
	text, _ := bytes.CutSuffix(head.Bytes(), []byte("null}\n"))
	_, err := a.out.Write(text)
	return errors.Join(err, write(oneLine{terminal.EscapeJSON(a.out)}), writeText(a.out, "}\n"))
}

func writeText(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// A oneLine drops line breaks, which have no meaning in JSON.
type oneLine struct{ w io.Writer }

// Write implements io.Writer.
func (o oneLine) Write(p []byte) (int, error) {
	for line := range bytes.SplitSeq(p, []byte("\n")) {
		if _, err := o.w.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
