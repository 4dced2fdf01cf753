//go:build !purego

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
)

// changing are the formats of files that change while they are seen, and what writes them.
var changing = []struct {
	name   string
	format container.Format
}{
	{"a.npy", container.NPY(npy.Decoder{}, npy.Encoder{})},
	{"a.npz", container.NPZ(npz.Decoder{}, npz.Encoder{})},
	{"a.nc", netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{})},
	{"a.h5", hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{})},
}

// fileOf returns the bytes of a file with the array x of the elements v, v+1, ..., v+5.
func fileOf(t *testing.T, format container.Format, v int32) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	writeContainer(t, path, format, []string{"x"}, []*npy.Array{array(t, []int32{v, v + 1, v + 2, v + 3, v + 4, v + 5}, 2, 3)})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// put writes a file in place.
func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// shows waits until the table has the array of fileOf, and nothing says that it is stale.
func (p *tab) shows(v int32) {
	p.t.Helper()
	p.wait(fmt.Sprintf("/(^|\\s)%d\\s/.test(document.querySelector('#stage').innerText) && /(^|\\s)%d(\\s|$)/.test(document.querySelector('#stage').innerText) && document.querySelector('.stale').hidden", v, v+5))
	if eval[bool](p, "document.body.classList.contains('is-stale')") {
		p.t.Error("the dot says that the page is stale")
	}
}

// tellsStale waits until the page says that it is stale, and why.
func (p *tab) tellsStale(why string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("!document.querySelector('.stale').hidden && /%s/.test(document.querySelector('.stale').textContent) && document.querySelector('.stale').checkVisibility()", why))
}

// A file that is half written, gone or of no format is read again as soon as it is whole, and until then the page says that it is stale.
func TestStale(t *testing.T) {
	for _, c := range changing {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.name)
			put(t, path, fileOf(t, c.format, 100))
			p := open(t, serve(t, path)+"#view=table", "Failed to load resource")
			p.shows(100)

			whole := fileOf(t, c.format, 200)
			put(t, path, whole[:len(whole)/2])
			p.tellsStale(c.name)
			put(t, path, whole)
			p.shows(200)

			put(t, path, nil)
			p.tellsStale(c.name)
			put(t, path, fileOf(t, c.format, 300))
			p.shows(300)

			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			p.tellsStale("no such file|cannot find")
			put(t, path, fileOf(t, c.format, 400))
			p.shows(400)

			put(t, path, []byte("This is a text, and no array at all: a file of another format.\n"))
			p.tellsStale(c.name)
			put(t, path, fileOf(t, c.format, 500))
			p.shows(500)

			// Another file of the same size and time takes its place.
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			put(t, path+"~", fileOf(t, c.format, 600))
			if err := os.Chtimes(path+"~", info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+"~", path); err != nil {
				t.Fatal(err)
			}
			p.shows(600)

			// An array under its name, in another format. A name of a format with many arrays is no .npy file.
			for i, other := range changing {
				put(t, path, fileOf(t, other.format, 1000+int32(10*i)))
				if c.name != "a.npy" && i == 0 {
					p.tellsStale("this is an .npy file")
					continue
				}
				p.shows(1000 + int32(10*i))
			}
		})
	}
}

// A file that is written in place for some seconds is seen as it is in the end.
func TestWrittenInPlace(t *testing.T) {
	for _, c := range changing {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.name)
			put(t, path, fileOf(t, c.format, 100))
			url := serve(t, path) + "#view=table"
			p, second := open(t, url, "Failed to load resource"), open(t, url, "Failed to load resource")
			p.shows(100)
			v := int32(1000)
			tick := time.NewTicker(50 * time.Millisecond)
			defer tick.Stop()
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); v += 10 {
				data := fileOf(t, c.format, v)
				put(t, path, data[:len(data)*2/3])
				<-tick.C
				put(t, path, data)
				<-tick.C
			}
			p.shows(v - 10)
			second.shows(v - 10)
		})
	}
}

// A page whose server has gone says so.
func TestServerGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	put(t, path, fileOf(t, changing[0].format, 100))
	server := startView(t, path)
	p := open(t, server.url+"#view=table", "ERR_")
	p.shows(100)
	if err := server.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.tellsStale("npy view does not answer")
}
