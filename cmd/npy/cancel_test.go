package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
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
	for _, test := range []struct {
		args string
		text string // before the zeros of standard input
	}{
		{"stats IN", ""},
		{"stats --axis 0 IN", ""},
		{"stats --quantiles 0.5 IN", ""},
		{"stats -", string(head)},
		{"stats --axis 0 -", string(head)},
		{"stats --unique -", string(head)},
		{"diff IN OTHER", ""},
		{"diff - IN", string(head)},
		{"convert IN out.npy", ""},
		{"convert --dtype <c16 IN out.npy", ""},
		{"convert IN out.csv", ""},
		{"convert IN out.raw", ""},
		{"convert - out.npz", string(head)},
		{"convert --from csv --to npy - out.npy", "1\n2\n"},
		{"concat out.npy IN IN", ""},
		{"cast f4 IN out.npy", ""},
		{"split --parts 2 IN out-%d.npy", ""},
		{"sort IN out.npy", ""},
		{"sort --top 5 -", string(head)},
		{"sample -n 5 -", string(head)},
		{"unique IN", ""},
		{"group --by x --agg std:x -", string(head)},
		{"create --shape 500000000 --fill 1 out.npy", ""},
		{"show --json IN", ""},
		{"show -", string(head)},
		{"plot --kind hist -o out.png IN", ""},
		{"verify IN", ""},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			ctx, cancel := context.WithCancelCause(t.Context())
			interrupt := func() { cancel(errors.New("interrupted")) }
			if test.text == "" {
				time.AfterFunc(20*time.Millisecond, interrupt)
			}
			var talk bytes.Buffer
			a := newApp(io.MultiReader(strings.NewReader(test.text), &endless{1 << 24, interrupt}), io.Discard, &talk)
			a.ctx = ctx
			ended := make(chan int)
			go func() {
				ended <- a.run(strings.Fields(strings.NewReplacer("IN", big, "OTHER", other).Replace(test.args)))
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
