package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// An endless is a reader of zeros. It cancels a context when some of them have been read.
type endless struct {
	left   int
	cancel func()
}

// Read implements io.Reader.
func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	if e.left -= len(p); e.left < 0 {
		e.cancel()
	}
	return len(p), nil
}

// Long work ends when its context does, prints nothing, and leaves no file. The results would take 2 GB at most, which are reserved.
func TestCancelled(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("the files are too large for 32 bits")
	}
	h := format.Header{DType: dtype.Float64, Shape: []int{1 << 27}}
	head, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	big := fullFile(t, format.Header{DType: dtype.Float64, Shape: []int{1 << 27}})
	other := fullFile(t, format.Header{DType: dtype.Float32, Shape: []int{1 << 27}})
	pair, err := dtype.Parse("[('x', '<f8'), ('y', '<f8')]")
	if err != nil {
		t.Fatal(err)
	}
	records := fullFile(t, format.Header{DType: pair, Shape: []int{1 << 26}})
	files := strings.NewReplacer("IN", big, "OTHER", other, "RECORDS", records)
	for _, args := range allTrials("cancelled") {
		text := "" // before the zeros of standard input
		switch {
		case strings.Contains(args, "--from csv"):
			text = "1\n2\n"
		case slices.Contains(strings.Fields(args), "-"):
			text = string(head)
		}
		t.Run(args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			ctx, cancel := context.WithCancelCause(t.Context())
			interrupt := func() { cancel(errors.New("interrupted")) }
			if text == "" {
				time.AfterFunc(20*time.Millisecond, interrupt)
			}
			var talk bytes.Buffer
			a := newApp(io.MultiReader(strings.NewReader(text), &endless{1 << 24, interrupt}), io.Discard, &talk)
			a.ctx = ctx
			ended := make(chan int)
			go func() {
				ended <- a.run(strings.Fields(files.Replace(args)))
			}()
			select {
			case code := <-ended:
				if code == exitDone || talk.String() != "" {
					t.Errorf("exit code %d; it says %s", code, talk.String())
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it goes on")
			}
			if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}
