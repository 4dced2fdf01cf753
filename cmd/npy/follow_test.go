package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

// Rows are printed once each, as they are appended, and after the file was replaced.
func TestFollow(t *testing.T) {
	type row struct {
		X int64
		Y float64
	}
	path := filepath.Join(t.TempDir(), "log.npy")
	if err := record.Save(path, []row{{1, 1.5}, {2, 2.5}, {3, 3.5}}); err != nil {
		t.Fatal(err)
	}
	out, end := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	a := newApp(nil, end, io.Discard)
	a.ctx = ctx
	done := make(chan int)
	go func() {
		done <- a.run([]string{"tail", "--follow", "-n", "2", path})
		end.Close()
	}()
	lines := bufio.NewScanner(out)
	next := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if !lines.Scan() {
				t.Fatalf("the output ends, want %q", w)
			}
			if got := strings.Join(strings.Fields(lines.Text()), " "); got != w {
				t.Errorf("line %q, want %q", got, w)
			}
		}
	}
	next("X Y", "2 2.5", "3 3.5")
	ap, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := record.AppendRows(ap, []row{{int64(10 + i), 0.25}}); err != nil {
			t.Fatal(err)
		}
		next([]string{"10 0.25", "11 0.25", "12 0.25"}[i])
	}
	if err := ap.Close(); err != nil {
		t.Fatal(err)
	}
	if err := record.Save(path+".new", []row{{7, 7.5}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	next("7 7.5")
	stop()
	go io.Copy(io.Discard, out)
	if code := <-done; code == exitDone {
		t.Error("the command ends without being interrupted")
	}
}
