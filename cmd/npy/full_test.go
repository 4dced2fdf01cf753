package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/npz"
)

// A smallDisk has room for some bytes.
type smallDisk struct{ at, size, room int64 }

// Write implements io.Writer.
func (d *smallDisk) Write(b []byte) (int, error) {
	if d.at+int64(len(b)) > d.room {
		return 0, syscall.ENOSPC
	}
	d.at += int64(len(b))
	d.size = max(d.size, d.at)
	return len(b), nil
}

// Seek implements io.Seeker.
func (d *smallDisk) Seek(offset int64, whence int) (int64, error) {
	d.at = offset + map[int]int64{io.SeekStart: 0, io.SeekCurrent: d.at, io.SeekEnd: d.size}[whence]
	return d.at, nil
}

// Copying to a disk that gets full is one error in every format, and not an error of each array that follows.
func TestCopyToFullDisk(t *testing.T) {
	formats := input.Formats(nil, npy.Decoder{}, npz.Encoder{})
	path := filepath.Join(t.TempDir(), "many.h5")
	err := formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
		for i := range 2000 {
			a, err := npy.FromSlice([]float64{float64(i), 1, 2}, 3)
			if err == nil {
				err = container.Put(context.Background(), w, container.Entry{Path: fmt.Sprintf("g%d/a%d", i/100, i)}, nil, a)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	many, err := formats.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer many.Close()
	for _, f := range formats {
		if f.New == nil {
			continue
		}
		for room := int64(0); ; room += 50_000 {
			disk := &smallDisk{room: room}
			skipped := 0
			err := func() error {
				w, err := f.New(disk, container.WriteOptions{Store: true})
				if err != nil {
					return err
				}
				err = container.Copy(context.Background(), w, many, func(container.Entry, error) error { skipped++; return nil })
				if err != nil {
					return err
				}
				return w.Close()
			}()
			if skipped > 0 || err != nil && !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("%s with room for %d bytes: %d entries skipped, error %v", f.Name, room, skipped, err)
			}
			if err == nil {
				if disk.size < 10_000 {
					t.Errorf("%s: %d bytes", f.Name, disk.size)
				}
				break
			}
		}
	}
}
