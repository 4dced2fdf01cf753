package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/stats"
)

const (
	farArray    = "far.npy"
	farStored   = "far-stored.npz"
	farDeflated = "far-deflated.npz"
	farServer   = "far-server" // has the URL of the server of the folder
	farColumns  = 1000
)

func init() {
	corpusFiles[farArray] = func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		return npy.FromSlice(normal[float64](r, c.n/4/farColumns*farColumns), c.n/4/farColumns, farColumns)
	}
	corpusArchives[farStored] = farArchive(npz.Encoder{Store: true})
	corpusArchives[farDeflated] = farArchive(npz.Encoder{})
	corpusArchives[farServer] = func(c *corpus, path string, _ *rand.Rand) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		server := &http.Server{Handler: distant(http.FileServer(http.Dir(c.dir)))}
		go server.Serve(l) // until the end of the process
		return os.WriteFile(path, []byte("http://"+l.Addr().String()+"/"), 0o666)
	}
}

// farArchive returns a function that makes an archive of a small member, and a large one of counts.
func farArchive(e npz.Encoder) func(c *corpus, path string, r *rand.Rand) error {
	return func(c *corpus, path string, r *rand.Rand) error {
		counts := make([]int32, c.n/4)
		for i := range counts {
			counts[i] = int32(r.ExpFloat64() * 1000)
		}
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		w, err := e.NewWriter(f)
		if err != nil {
			return err
		}
		if err := npz.Add(w, "bias", counts[:farColumns]); err != nil {
			return err
		}
		if err := npz.Add(w, "w", counts); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		return f.Close()
	}
}

// distant delays each request by 20 ms, and gives each answer at 80 MB a second.
func distant(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		h.ServeHTTP(&throttled{ResponseWriter: w, start: time.Now()}, r)
	})
}

// throttled writes 80 MB in a second.
type throttled struct {
	http.ResponseWriter
	start time.Time
	sent  int
}

func (w *throttled) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		m := min(len(p), 64<<10)
		time.Sleep(time.Until(w.start.Add(time.Duration(float64(w.sent+m) / 80e6 * 1e9))))
		m, err = w.ResponseWriter.Write(p[:m])
		n, p, w.sent = n+m, p[m:], w.sent+m
	}
	return n, err
}

const farSetup = `
import fsspec
fs = fsspec.filesystem("http")
far = Path("far-server").read_text()
def row(i):
    with fs.open(far + "far.npy") as f:
        np.lib.format.read_magic(f)
        shape, _, dtype = np.lib.format.read_array_header_1_0(f)
        size = shape[1] * dtype.itemsize
        f.seek(f.tell() + i * size)
        return np.frombuffer(f.read(size), dtype)
def whole():
    with fs.open(far + "far.npy") as f:
        return np.load(f)
def member(name):
    with fs.open(far + name) as f:
        return np.load(f)["w"]
def slice():
    import h5py
    with fs.open(far + "chunked.h5") as f:
        return h5py.File(f)["x"][5:15, 250:350]
`

// remoteRows read files of a server that is far away, beside fsspec. Without its modules there are none.
func remoteRows(c *corpus) []*row {
	if !c.imports("fsspec, aiohttp") {
		return nil
	}
	size := int64(c.n / 4 / farColumns * farColumns * 8)
	middle := int(size) / 8 / farColumns / 2
	rows := []*row{
		{name: "row from afar", does: "open a file of " + sizeText(size) + ", and read one row", files: []string{farArray, farServer},
			npy: c.far(farArray, npy.At(middle)), numpy: fmt.Sprintf("row(%d)", middle)},
		{name: "column from afar", does: "a[:, 7] of " + sizeText(size) + " of float64", files: []string{farArray, farServer},
			npy: c.far(farArray, npy.All(), npy.At(7)), numpy: "whole()[:, 7]"},
		{name: "all from afar", does: sizeText(size) + " of float64", bytes: size, files: []string{farArray, farServer},
			npy: c.far(farArray), numpy: "whole()"},
		{name: "stored member from afar", does: sizeText(int64(c.n)) + " of int32 in an archive", bytes: int64(c.n), files: []string{farStored, farServer},
			npy: c.far(farStored), numpy: `member("far-stored.npz")`},
		{name: "deflated member from afar", does: sizeText(int64(c.n)) + " of int32 in an archive, compressed", bytes: int64(c.n), files: []string{farDeflated, farServer},
			npy: c.far(farDeflated), numpy: `member("far-deflated.npz")`},
	}
	if c.imports("h5py") {
		rows = append(rows, &row{name: "HDF5 slice from afar", does: "10 rows and 100 columns of chunks with gzip", files: []string{"float64.npy", chunkedHDF5, farServer},
			npy: c.far(chunkedHDF5, npy.Span(5, 15), npy.Span(250, 350)), numpy: "slice()"})
	}
	rows = append(rows,
		&row{name: "statistics from afar", does: "min, max, mean, std and the number of NaN of " + sizeText(size) + " of float64", bytes: size, files: []string{farArray, farServer},
			npy: c.farWork(farArray, func(ctx context.Context, src npy.Source) (any, error) {
				return summary(stats.Of(ctx, src))
			}), numpy: `"%.6g %.6g %.6g %.6g %d" % (lambda a: (a.min(), a.max(), a.mean(), a.std(), np.isnan(a).sum()))(whole())`},
		&row{name: "converted from afar", does: sizeText(size) + " of float64 to a file of float32", bytes: size, files: []string{farArray, farServer}, before: c.newOut,
			npy: c.farWork(farArray, func(ctx context.Context, src npy.Source) (any, error) {
				path := c.path(outFile(0))
				return file(path), npy.Copier{DType: dtype.Float32, Casting: npy.SameKindCasting}.WriteFile(ctx, path, src)
			}), numpy: fmt.Sprintf("[np.save(%[1]q, whole().astype(np.float32)), Path(%[1]q)][1]", outFile(0))})
	for _, r := range rows {
		r.numpySetup = farSetup
	}
	return rows
}

// far opens a file of the server, and reads a part of its array.
func (c *corpus) far(name string, index ...npy.Index) work {
	return c.farWork(name, func(ctx context.Context, src npy.Source) (any, error) {
		part, err := src.Select(index...)
		if err != nil {
			return nil, err
		}
		return part.ReadAll(ctx)
	})
}

// farWork opens a file of the server, and does something with its array.
func (c *corpus) farWork(name string, do func(ctx context.Context, src npy.Source) (any, error)) work {
	return func() (any, error) {
		ctx := context.Background()
		base, err := os.ReadFile(c.path(farServer))
		if err != nil {
			return nil, err
		}
		f, err := remote.Open(ctx, string(base)+name, remote.Options{})
		if err != nil {
			return nil, err
		}
		defer f.Close()
		src, err := farSource(f, name)
		if err != nil {
			return nil, err
		}
		return do(ctx, src)
	}
}

// farSource returns the array of an open file.
func farSource(f *remote.File, name string) (npy.Source, error) {
	switch name {
	case farArray:
		return npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
	case chunkedHDF5:
		r, err := hdf5.NewReader(f, f.Size())
		if err != nil {
			return nil, err
		}
		return r.Source("x")
	}
	z, err := npz.NewReader(f, f.Size())
	if err != nil {
		return nil, err
	}
	return z.Source("w")
}
