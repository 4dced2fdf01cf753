//go:build js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"syscall/js"
	"time"

	"github.com/npygo/npy/container"
	allformats "github.com/npygo/npy/container/all"
	"github.com/npygo/npy/view/internal/answer"
)

// input returns a File of the browser as something to look at. Its contents cannot change: once the file on disk changes, the
// browser refuses to read it.
func input(f js.Value) answer.Input {
	name := f.Get("name").String()
	return answer.Input{Name: name, Open: func(context.Context) (*answer.File, error) {
		r := &file{f: f, size: int64(f.Get("size").Float()), reader: js.Global().Get("FileReaderSync").New()}
		c, format, err := allformats.Formats().NewNamedReader(r, r.size, name)
		if errors.Is(err, container.ErrFormat) {
			return nil, fmt.Errorf("%s is no array file: %s can be opened here", name, endings())
		}
		if err != nil {
			return nil, err
		}
		return answer.FileOf(format, c, func() {}), nil
	}}
}

// endings lists the ending of each format that can be opened: ".npy, .npz, …".
func endings() string {
	var all []string
	for _, f := range allformats.Formats() {
		all = append(all, f.Endings[0])
	}
	return strings.Join(all, ", ")
}

// A file reads a File of the browser, through windows that are kept: each read of the browser takes a millisecond or two, and
// the structure of HDF5 and the rows of a picture are in small pieces. Where reads go forward in small steps, windows are large.
type file struct {
	f, reader js.Value
	size      int64
	windows   []window // the one used last at the end
	end       int64    // of the last read of the browser
}

// A window is a part of a file.
type window struct {
	start int64
	data  []byte
}

const (
	smallWindow = 64 << 10
	largeWindow = 1 << 20
	windowsMax  = 32
)

// ReadAt implements [io.ReaderAt].
func (r *file) ReadAt(p []byte, off int64) (n int, err error) {
	breathe()
	if off < 0 {
		return 0, errors.New("read before the start of the file")
	}
	if off >= r.size {
		return 0, io.EOF
	}
	short := int64(len(p)) > r.size-off
	if short {
		p = p[:r.size-off]
	}
	if len(p) >= largeWindow/2 {
		n, err = len(p), r.read(p, off)
	} else {
		for n < len(p) && err == nil {
			var w window
			if w, err = r.window(off+int64(n), len(p)-n); err == nil {
				n += copy(p[n:], w.data[off+int64(n)-w.start:])
			}
		}
	}
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

// window returns a window with the byte at off, which is to be followed by n-1 others.
func (r *file) window(off int64, n int) (window, error) {
	for i, w := range slices.Backward(r.windows) {
		if off >= w.start && off < w.start+int64(len(w.data)) {
			r.windows = append(slices.Delete(r.windows, i, i+1), w)
			return w, nil
		}
	}
	size := max(smallWindow, int64(n))
	if step := off - r.end; step >= 0 && step < largeWindow {
		size = largeWindow
	}
	w := window{off, make([]byte, min(size, r.size-off))}
	if err := r.read(w.data, off); err != nil {
		return w, err
	}
	if len(r.windows) == windowsMax {
		r.windows = slices.Delete(r.windows, 0, 1)
	}
	r.windows = append(r.windows, w)
	return w, nil
}

// read fills p from the browser.
func (r *file) read(p []byte, off int64) (err error) {
	defer func() { // js panics with the exceptions of JavaScript
		if x := recover(); x != nil {
			thrown, ok := x.(js.Error)
			if !ok {
				panic(x)
			}
			err = fmt.Errorf("the browser cannot read the file, which may have changed: open it again: %s", thrown.Get("message").String())
		}
	}()
	if off > math.MaxInt64-int64(len(p)) {
		return io.ErrUnexpectedEOF
	}
	part := r.f.Call("slice", float64(off), float64(off+int64(len(p))))
	data := js.Global().Get("Uint8Array").New(r.reader.Call("readAsArrayBuffer", part))
	if n := js.CopyBytesToGo(p, data); n != len(p) {
		return io.ErrUnexpectedEOF
	}
	r.end = off + int64(len(p))
	return nil
}

var breath time.Time

// breathe lets the worker receive messages now and then, such as the one that ends a question. Without it goroutines would keep
// the only thread until they are done.
func breathe() {
	if now := time.Now(); now.Sub(breath) > 50*time.Millisecond {
		time.Sleep(time.Microsecond)
		breath = time.Now()
	}
}
